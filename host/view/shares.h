/* How many of a core's forms ran and how many have values, and which lack them:
 * counted from a run and the catalogue.  Prints nothing. */
#ifndef VIEW_SHARES_H
#define VIEW_SHARES_H

#include "host/isa/catalogue.h"
#include "host/store/store_run.h"

enum { SHARES_NAMED = 12 };

/* Forms, or pairs of operands, that lack something. */
struct shares_missing {
	const char *what;
	size_t n;
	const char *first[SHARES_NAMED]; /* names of the first */
};

enum shares_lack {
	SHARES_ILLEGAL, /* the core does not have the instruction */
	SHARES_FAULTED,
	SHARES_NOT_RUN,
	SHARES_NO_THROUGHPUT,
	SHARES_SILENT, /* a pair without a latency and without a reason */
	SHARES_N_LACKS,
};

struct shares {
	bool has_forms; /* they are counted, also if what follows failed */
	/* Forms of the core that are not refused and match the run's
	 * expression; of these: */
	size_t n_forms;
	size_t n_executed; /* that met no illegal instruction, run or not */
	size_t n_ran;      /* without a fault */
	/* With a settled throughput; with an exact one. */
	size_t n_value, n_exact;
	/* Pairs of a register that is read and one that is written, if the run
	 * is of latencies; with a settled latency, an exact one, none for a
	 * named reason. */
	bool has_pairs;
	size_t n_pairs, n_pair_value, n_pair_exact, n_pair_reason;
	struct shares_missing missing[SHARES_N_LACKS];
};

/* Count the values of a run.  Names belong to `a` and `c`.  Values that are
 * only seen (verdicts noisy, unstable) count as missing.  ERR_USAGE if the
 * run's expression of forms is no regular expression. */
int shares_of(struct store *s, struct arena *a, const struct run *run,
	      const struct catalogue *c, struct shares *ret, struct err *e);

#endif
