/* Comparing claims with values from somewhere else: another program's CSV,
 * another database, a WINIC file.  Both sides become the same rows; the rest
 * is joining them and judging each pair.  Pure but for reading the file. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/store/store.h"

enum { COMPARE_MAX_VALUES = 8 };

/* One value of one side.  `form` includes its variant ("LEA64r/r64").
 * Values are all acceptable; with `interval` there are two, the bounds of one
 * that is not known better.  None: `verdict` says why. */
struct compare_row {
	const char *form, *kind, *source, *destination;
	double values[COMPARE_MAX_VALUES];
	size_t n_values;
	bool interval;
	/* Evidence. */
	const char *verdict, *label, *detail;
	double residual;
	uint32_t visits;
	size_t line;  /* of the file it stands in, 0: none */
	bool covered; /* a row of the other side has asked for it */
};

struct compare_rows {
	struct compare_row *list;
	size_t n;
};

/* The name of a side's form may carry a variant behind this. */
#define COMPARE_VARIANT '/'

/* Read `form,variant,kind,source,destination,value` from text of n bytes (a
 * NUL after them).  Columns in any order, others ignored; kind is latency or
 * throughput; value one number or several, "1;2".  ERR_INPUT names path and
 * line.  Rows sorted; owned by `a`. */
int compare_read_csv(struct arena *a, const char *path, const char *text,
		     size_t n, struct compare_rows *ret, struct err *e);

/* A claim as a row: without a value unless it is settled. */
struct compare_row compare_claim(struct arena *a, const struct claim *c);

/* By form, kind, source, destination. */
void compare_sort(struct compare_rows *rows);

/* Rows of a form and kind; returns the first, *ret_n how many. */
struct compare_row *compare_find(const struct compare_rows *rows,
				 const char *form, const char *kind,
				 size_t *ret_n);

/* What stands between a row of theirs and ours. */
enum compare_result {
	COMPARE_AGREES, /* a value of ours is an accepted one */
	COMPARE_INSIDE, /* an accepted one lies in our interval, or so */
	COMPARE_DIFFERS,
	COMPARE_MISSING, /* we have no value */
	COMPARE_N_RESULTS,
};

/* One row of theirs, and what we have to say of it. */
struct compare_pair {
	const struct compare_row *theirs;
	struct compare_row ours; /* of `*`: the largest of several */
	const char *missing;     /* COMPARE_MISSING: why */
	bool known;              /* our side has the form, if not this row */
	enum compare_result result;
};

/* Judge two rows that both have values: tolerance is relative to theirs. */
enum compare_result compare_judge(const struct compare_row *ours,
				  const struct compare_row *theirs,
				  double tolerance);

/* Which operands of a form are of one register class; implemented on a
 * catalogue, and by tests. */
struct compare_classes {
	/* May source and destination, as named in claims, stand for `*`:
	 * explicit registers of one bank? */
	bool (*same)(const void *context, const char *form, const char *source,
		     const char *destination);
	/* Why the form has no row at all; a string that lives on. */
	const char *(*absent)(const void *context, const char *form);
	const void *context;
};

/* Join: one pair for each row of theirs, in their order; marks rows of ours
 * that were asked for as covered. */
struct compare_pair *compare_join(struct arena *a, struct compare_rows *ours,
				  const struct compare_rows *theirs,
				  const struct compare_classes *k,
				  double tolerance);

/* A remark on a pair that differs: by how much, and what else of ours either
 * of them equals. */
const char *compare_remark(struct arena *a, const struct compare_rows *ours,
			   const struct compare_pair *p, double tolerance);

#endif
