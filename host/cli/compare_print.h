/* Prints the result of a comparison as text or CSV. */
#ifndef CLI_COMPARE_PRINT_H
#define CLI_COMPARE_PRINT_H

#include "host/compare/compare.h"

enum { COMPARE_LATENCY, COMPARE_THROUGHPUT, COMPARE_N_KINDS };

struct compare_report {
	struct arena *a;
	const char *name, *with; /* of the two sides */
	double tolerance;
	bool repeated; /* both sides are databases */
	const struct compare_rows *ours;
	const struct compare_pair *pairs;
	size_t n_pairs;
	struct buffer *out;
};

/* Number of latencies and throughputs that were compared: they agree, differ,
 * or one is in the interval of the other. */
size_t compare_n_compared(const struct compare_report *r);

/* Append to `out`.  Differences are sorted by their size. */
void compare_print_text(const struct compare_report *r);
void compare_print_csv(const struct compare_report *r);

#endif
