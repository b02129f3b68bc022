/* The solver under test, behind one function: the only file of this folder
 * that knows its interface is solver.c. */
#ifndef ADVERSARY_SOLVER_H
#define ADVERSARY_SOLVER_H

#include "host/store/store_kernel.h"
#include "host/store/verdict.h"
#include "tests/adversary/kernel.h"

/* A kernel without its true cost: its kind, and its samples in the order of its
 * visits.  The list is indexed like the pack; the calibration kernels at its
 * start have no samples. */
struct solver_kernel {
	const struct pack_kernel *pack; /* unroll and flags */
	bool chain;                     /* else a throughput */
	enum width width;
	enum kind kind;
	size_t n;
	const struct sample *samples;
	const unsigned *cores; /* which core took each */
};

struct solver_answer {
	bool valued;             /* low is published as the value */
	bool ok;                 /* ... without reservation */
	bool doubtful, unproved; /* struct estimate */
	double cycles;
	enum verdict verdict;
	unsigned values, visits; /* visits that agree, of this many */
};

/* The arguments of measure_expect() in the next round, in cycles. */
struct solver_silence {
	double probe, reading;
	uint32_t ignored;
};

/* After round `round`, from 0: an answer for each kernel. */
void solver_solve(const struct solver_kernel *list, size_t n, unsigned round,
		  struct solver_answer *ret,
		  struct solver_silence *ret_silence);

#endif
