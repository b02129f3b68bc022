/* Selects undisturbed samples of a core clock by the counter of retired
 * instructions.  A kernel retires a known number of instructions.  Another
 * count shows that other code ran as well (a trap of the firmware, a system
 * management interrupt, a hypervisor), and the row is rejected.  A reference
 * clock has no such proof; its rows are counted by their flags (evidence.h). */
#ifndef SOLVE_SILENCE_H
#define SOLVE_SILENCE_H

#include "host/solve/evidence.h"

/* Instructions that a body retires; 0: unknown, and the rows of a sample can
 * only be compared with each other. */
struct silence_rule {
	uint32_t unroll[PACK_LENGTHS];
	uint32_t instructions;
	/* Of the current sample: the fewest retired at each length.
	 * Disturbances only add instructions. */
	uint64_t fewest[PACK_LENGTHS];
};

/* The rule for the rows of one sample. */
struct silence_rule silence_rule(const struct kernel_row *k,
				 const struct sample *m);

/* Did other code run during this row?  False if there is no counter. */
bool silence_interference(const struct silence_rule *k, const struct sample *m,
			  size_t row);

/* All rows of a kernel. */
struct silence {
	bool ref;
	size_t n_rows;
	size_t n_counted;    /* rows with a count of instructions */
	size_t n_interfered; /* of those: not alone */
	/* Largest difference between rows of one visit and length, over the
	 * rows that count. */
	uint64_t spread_cycles;
	/* Reference clock: rows with any flag, with each flag, not on a line;
	 * and the ratio of the slowest to the fastest row without flags, minus
	 * 1. */
	size_t n_with_marks, n_marked[N_MARKS], n_bent;
	double spread;
};

void silence_add(struct silence *s, const struct kernel_row *k,
		 const struct sample *m, size_t n);

void silence_add_ref(struct silence *s, const struct visit *visits, size_t n);

/* Words for flags in reports. */
extern const char *const silence_marks[N_MARKS];

/* Describe in words: number of rows, number discarded and why, traps. Writes
 * at most n bytes; longer text is cut. */
void silence_text(const struct silence *s, char *text, size_t n);

/* Spread of the rows of kernels: counts kernels whose spread is at most
 * silence_steps[i] cycles - or, on a reference clock, silence_shares[i] - and
 * more than the step before. */
enum { SILENCE_STEPS = 4 };
extern const uint64_t silence_steps[SILENCE_STEPS];
extern const double silence_shares[SILENCE_STEPS];

struct silence_summary {
	struct silence all;
	size_t kernels[SILENCE_STEPS];
};

void silence_summarise(struct silence_summary *sum, const struct silence *s);

#endif
