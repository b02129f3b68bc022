/* Comparison of claims with reference values: a CSV file of another program,
 * another database, a WINIC file.  Both sides become rows of one type, which
 * are joined, and each pair is judged.  Reads no file and prints nothing. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/base/skip.h"
#include "host/codec/codec.h"
#include "host/isa/catalogue.h"
#include "host/store/store_claim.h"

enum { COMPARE_MAX_VALUES = 8 };

/* One value of one side.  `form` includes its variant ("LEA64r/r64").  Each of
 * `values` is acceptable; with `interval` there are two, the bounds of one
 * value.  Without a value `verdict` says why. */
struct compare_row {
	const char *form, *kind, *source, *destination;
	double values[COMPARE_MAX_VALUES];
	size_t n_values;
	bool interval;
	bool mean; /* of instances that take different times */
	/* Evidence. */
	const char *verdict, *label, *detail;
	double residual;
	uint32_t visits;
	size_t line;  /* of its file, 0: none */
	bool covered; /* it was joined with a row of the other side */
};

struct compare_rows {
	struct compare_row *list;
	size_t n;
};

/* Separates the name of a form from its variant. */
#define COMPARE_VARIANT '/'

/* Read `form,variant,kind,source,destination,value` from text of n bytes (a
 * NUL after them).  Columns in any order, others ignored; kind is latency or
 * throughput; value one number or several, "1;2".  ERR_INPUT names path and
 * line.  Rows sorted; owned by `a`. */
int compare_read_csv(struct arena *a, const char *path, const char *text,
		     size_t n, struct compare_rows *ret, struct err *e);

/* Read text of WINIC's format.  With *ret_skips (or NULL) a value that has no
 * form is left out and counted, else it is ERR_INPUT with path and line.  Rows
 * as of compare_read_csv(). */
int compare_read_winic(struct arena *a, const struct catalogue *c,
		       const struct import_text *t, struct compare_rows *ret,
		       struct skips *ret_skips, struct err *e);

/* A claim as a row, with its strings: without a value unless it is settled. */
struct compare_row compare_claim(const struct claim *c);

/* By form, kind, source, destination, which is the order of two rows, too. */
void compare_sort(struct compare_rows *rows);
int compare_key(const struct compare_row *x, const struct compare_row *y);

/* The result of comparing two rows. */
enum compare_result {
	COMPARE_AGREES, /* a value of ours is an accepted one */
	COMPARE_INSIDE, /* one side is an interval, and they meet */
	COMPARE_DIFFERS,
	COMPARE_MISSING, /* our side has no value */
	COMPARE_N_RESULTS,
};

/* Kinds of values that are compared; structures of databases alone, slots and ports
 * of models alone. */
enum compare_kind {
	COMPARE_LATENCY,
	COMPARE_THROUGHPUT,
	COMPARE_STRUCTURE,
	COMPARE_SLOTS,
	COMPARE_PORTS,
	COMPARE_N_KINDS,
};
extern const char *const compare_kind_words[COMPARE_N_KINDS];
/* COMPARE_N_KINDS: another word. */
enum compare_kind compare_kind_of(const char *word);

/* How many values of each kind have each result. */
struct compare_counts {
	size_t n[COMPARE_N_KINDS][COMPARE_N_RESULTS];
};

/* Of one kind, or of all (COMPARE_N_KINDS): those that are not missing. */
size_t compare_n_compared(const struct compare_counts *c,
			  enum compare_kind kind);

/* One row of their side, joined with ours. */
struct compare_pair {
	const struct compare_row *theirs;
	struct compare_row ours; /* of `*`: the largest of several */
	const char *missing;     /* COMPARE_MISSING: why */
	bool known;              /* our side has some row of the form */
	enum compare_result result;
};

/* Compare two rows; tolerance is relative to their value. */
enum compare_result compare_judge(const struct compare_row *ours,
				  const struct compare_row *theirs,
				  double tolerance);

/* Facts about forms, from a catalogue or from a test. */
struct compare_classes {
	/* Does `*` include this pair of operands, as named in claims?  It does
	 * when both are explicit registers of one bank. */
	bool (*same)(const void *context, const char *form, const char *source,
		     const char *destination);
	/* Why the form has no row at all; a static string. */
	const char *(*absent)(const void *context, const char *form);
	const void *context;
};

/* The facts of a catalogue, which outlives them. */
struct compare_classes compare_classes_of(const struct catalogue *c);

/* Has the CPU of the catalogue all forms that the name of a value consists of:
 * "ADD64rr", "A@2>0+B@1>0" or "2xMOV64rm+MOV64mr"?  Also true of names that are
 * of no form.  c NULL: every CPU. */
bool compare_has_forms(struct arena *a, const struct catalogue *c,
		       const char *name);

/* Make one pair of each row of theirs, in their order; marks the joined rows of
 * ours as covered. */
struct compare_pair *compare_join(struct arena *a, struct compare_rows *ours,
				  const struct compare_rows *theirs,
				  const struct compare_classes *k,
				  double tolerance);

struct compare_counts compare_count(const struct compare_pair *pairs, size_t n);

/* How large the difference of a pair is, to sort by: the larger of its closest
 * values over the smaller one, as a logarithm. */
double compare_size(const struct compare_pair *p);

/* A remark on a pair that differs: by how much, and which other value of ours
 * either side equals. */
const char *compare_remark(struct arena *a, const struct compare_rows *ours,
			   const struct compare_pair *p, double tolerance);

#endif
