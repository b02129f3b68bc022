/* Shared by the files that write a model as a change of LLVM's source. */
#ifndef CODEC_LLVM_AGAINST_H
#define CODEC_LLVM_AGAINST_H

#include "host/codec/codec.h"
#include "host/codec/llvm/tdfile.h"
#include "host/isa/isa.h"
#include "host/isa/mc_sched.h"

/* What a form asks of a number: UNKNOWN: it has no exact value; NOTHING: the
 * table is right; else the factor by which the number must change. */
#define ASKS_UNKNOWN 0.0
#define ASKS_NOTHING 1.0

/* A form of LLVM's. */
struct against_form {
	const char *opcode, *class_name;
	unsigned class; /* 0: it depends on operands */
	long latency;   /* of the table; -1: of several results that differ */
	double wants[TDFILE_N_KINDS];
	long instrw; /* the one that lists it; -1: none */
	/* What the source as it is changed says more: cycles of latency, and
	 * the factor of the cycles of its resource. */
	long added;
	double release;
	bool other_cycles; /* of the source as it is changed */
};

struct against {
	struct arena *a;
	const struct catalogue *c;
	struct mc_sched *sched;
	struct model *table;
	struct tdfile file;
	const char *prefix;
	size_t n;
	struct against_form *list;
	struct against_form *
		*of_form; /* by index of the catalogue; NULL: none */
	size_t n_names;
	const char **names;  /* of copied writes */
	struct buffer edits; /* struct tdfile_edit */
	struct buffer added; /* new definitions at the end of the model */
	size_t n_numbers, n_writes, n_instrws, n_left;
	struct err *e;
};

/* Append the resources of a class and the rest of its write, "A, B]> { ... }",
 * with this latency.  mc_sched_get_class() has told that the class has not too many. */
void against_resources(const struct mc_sched *s, unsigned class, long latency,
		       struct buffer *ret);

/* against_diff.c: n bytes of the source at this offset become the text, which
 * stays the caller's. */
void against_edit(struct against *w, size_t at, size_t n, const char *text);

/* The beginning of names in the file, owned by `a`: the model's, without
 * "Model". */
const char *against_prefix(struct arena *a, const struct tdfile *f);

/* Append the counts and the diff of all edits and additions.  ERR_FAILED if
 * there is no edit. */
void against_put_diff(struct against *w, struct buffer *ret);

/* against_table.c: the table as the changed source has it, without corrections;
 * owned by w->a. */
struct model *against_table(const struct against *w);

/* The exporter's write_against(). */
int against_write(const struct model *m, const struct catalogue *c,
		  const struct export_against *x, struct buffer *ret,
		  struct err *e);

#endif
