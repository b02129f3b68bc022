/* Shared by the files that write a model as a change of LLVM's source. */
#ifndef CODEC_LLVM_AGAINST_H
#define CODEC_LLVM_AGAINST_H

#include "host/codec/codec.h"
#include "host/codec/llvm/classes.h"
#include "host/codec/llvm/tdfile.h"
#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"

/* What a form asks of a number: UNKNOWN: it has no exact value; NOTHING: the
 * table is right; else the factor by which the number must change.  Of its
 * ports: the resource that it needs, negative. */
#define ASKS_UNKNOWN 0.0
#define ASKS_NOTHING 1.0

/* The table and the measurement agree within this, of latencies also within
 * half a cycle. */
#define AGAINST_SAME 0.05

/* A change of one kind.  Of ports: resource `before` becomes `now`. */
struct against_change {
	int kind; /* of enum tdfile_kind */
	long before, now;
};

/* A form of LLVM's. */
struct against_form {
	const char *opcode, *class_name;
	unsigned class; /* 0: it depends on operands */
	long latency;   /* of the table; -1: of several results that differ */
	double wants[TDFILE_N_KINDS];
	unsigned from; /* the resource in whose place it asks for another */
	long instrw;   /* the one that lists it; -1: none */
	const struct model_form *ours, *table; /* NULL: none */
	/* What the source as it is changed says more: cycles of latency,
	 * micro-ops, the factor of the cycles of its resource, and ports in the
	 * place of others. */
	long added, more_uops;
	double release;
	model_ports ports_before, ports_now; /* 0: as they were */
	bool other_cost; /* of the write that its definition has */
};

struct against {
	struct arena *a;
	const struct catalogue *c;
	struct mc_sched *sched;
	struct model *table;
	struct tdfile file;
	const char *prefix;
	size_t n_resources;
	struct mc_resource *resources; /* [0] is none */
	model_ports *ports;            /* of each resource; 0: not known */
	size_t n;
	struct against_form *list;
	struct against_form *
		*of_form; /* by index of the catalogue; NULL: none */
	size_t n_names;
	const char **names;  /* of copied writes */
	struct buffer edits; /* struct tdfile_edit */
	struct buffer added; /* new definitions at the end of the model */
	size_t n_changed[TDFILE_N_KINDS];
	size_t n_writes, n_instrws, n_left;
	struct err *e;
};

/* ---- against_resources.c ------------------------------------------------ */

/* Read LLVM's resources and their ports in w->table. */
void against_read_resources(struct against *w);

/* The resources of a class as its source has them; their number. */
size_t against_uses(const struct against *w, unsigned class,
		    struct mc_sched_use ret[MC_SCHED_MAX_USES]);

/* The resource of this name that has these ports; 0: none. */
unsigned against_resource(const struct against *w, const char *name, size_t n);

/* Append the resources of a class and the rest of its write, "A, B]> { ... }",
 * with n changes. */
void against_put_cost(const struct against *w, const struct against_form *x,
		      const struct against_change *list, size_t n,
		      struct buffer *ret);

/* ---- against_ports.c ---------------------------------------------------- */

/* What forms whose ports were measured ask for: wants[TDFILE_PORTS] and `from`. */
void against_ask_ports(struct against *w, const struct model *ours);

/* ---- against_settle.c --------------------------------------------------- */

struct against_poll {
	enum against_opinion {
		OPINION_NONE,
		OPINION_SAME,
		OPINION_DIFFERENT,
	} opinion;
	double factor;
	unsigned from; /* TDFILE_PORTS: in whose place; the same of all */
};

/* Gather what forms ask for; NONE so far, or the factor of all.  A form of the
 * database whose ports are not known lets no ports change. */
void against_poll(struct against_poll *p, const struct against_form *x,
		  int kind);

/* Do all forms that were measured ask for a change, and for the same one? */
bool against_poll_changes(const struct against_poll *p);

/* The change of a value by what was polled; false: it is no whole one, or
 * none. */
bool against_scale(const struct against_poll *p, int kind, long value,
		   struct against_change *ret);

/* The text in the place of a write's number; NULL: the source has no such
 * place. */
const char *against_text(const struct against *w, const struct tdfile_write *x,
			 const struct against_change *k);

/* The form has another value in the source now. */
void against_apply(const struct against *w, struct against_form *y,
		   const struct against_change *k);

/* Change what can be changed without changing others. */
void against_settle(struct against *w);

/* ---- against_new.c ------------------------------------------------------ */

/* Copies of writes for InstRWs, then new writes and InstRWs. */
void against_add_new(struct against *w);

/* ---- against_diff.c ----------------------------------------------------- */

/* n bytes of the source at this offset become the text, which stays the
 * caller's. */
void against_edit(struct against *w, size_t at, size_t n, const char *text);

/* The beginning of names in the file, owned by `a`: the model's, without
 * "Model". */
const char *against_prefix(struct arena *a, const struct tdfile *f);

/* Append the counts and the diff of all edits and additions.  ERR_FAILED if
 * there is no edit. */
void against_put_diff(struct against *w, struct buffer *ret);

/* ---- against_table.c ---------------------------------------------------- */

/* The table as the changed source has it, without corrections; owned by
 * w->a. */
struct model *against_table(const struct against *w);

/* ---- against.c ---------------------------------------------------------- */

/* The exporter's write_against(). */
int against_write(const struct model *m, const struct catalogue *c,
		  const struct export_against *x, struct buffer *ret,
		  struct err *e);

#endif
