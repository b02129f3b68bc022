/* The cores of a store, and the choice of one. */
#ifndef STORE_STORE_CORE_H
#define STORE_STORE_CORE_H

#include "host/base/arena.h"
#include "host/store/store.h"

struct buffer;

/* The core of a run, from its environment: the view `identity` of schema.c.
 * Values of two kinds of core are never combined; machines of one kind are. */
struct core_id {
	const char *core;    /* x86_64/GenuineIntel/6.207.2/Xeon/-/0x1 */
	const char *machine; /* serial number or hash of the machine-id, "-" */
};
int store_run_core(struct store *s, struct arena *a, int64_t run,
		   struct core_id *ret, struct err *e);
/* Can two runs be of one core?  A part that one of them does not know may be
 * any. */
bool core_agrees(const char *a, const char *b);

/* Which core; NULL: any. */
struct core_query {
	const char *board, *isa;
	const char *core_of;  /* a prefix of "core/machine" */
	const char *option;   /* for messages; NULL: --core-of */
	const char *if_there; /* this core, if the database has it */
};
/* Choose the core whose newest claims are read from here on, by
 * store_chosen_runs() and by the readers of claims with run 0.  ERR_INPUT if
 * the database has claims of several such cores, or of none and q->core_of is
 * given; the message lists the cores. */
int store_choose_core(struct store *s, const struct core_query *q,
		      struct err *e);
/* The chosen core, in `a`; "" if no run is chosen. */
int store_chosen_core(struct store *s, struct arena *a, const char **ret,
		      struct err *e);
/* As store_runs(), of the chosen core; chooses the only one if
 * store_choose_core() was not called. */
int store_chosen_runs(struct store *s, struct arena *a, int64_t **ret_ids,
		      size_t *ret_n, struct err *e);
/* Append what distinguishes the cores with claims other than that of `run`, a
 * line each; nothing if there are none. */
int store_other_cores(struct store *s, int64_t run, struct buffer *ret,
		      struct err *e);

#endif
