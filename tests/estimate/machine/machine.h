/* Shared by the files that measure the caches, TLBs and branches of this
 * machine.  Cycles are those of the core, by clock.h. */
#ifndef TESTS_ESTIMATE_MACHINE_H
#define TESTS_ESTIMATE_MACHINE_H

#include <stddef.h>

#include "tests/estimate/clock.h"

enum {
	MAX_LEVELS = 4,
	LINE = 64,
	PAGE = 4096,
	HUGE_PAGE = 1 << 21,
	STEPS = 2000,   /* of a chase, in one piece */
	MOST = 1 << 30, /* bytes of a set */
};

struct level {
	unsigned long bytes, ways;
	/* Of the last level, by machine_share(): the largest buffer that stays
	 * in it while it is read without a pause. */
	unsigned long kept;
	bool shared;
};

/* levels.c: the data caches that the kernel tells of, [MAX_LEVELS]; returns how
 * many. */
size_t machine_levels(struct level *levels);

/* What a piece of a measurement goes through. */
struct probe {
	void **at;        /* where the chase is */
	void **second;    /* where another one is */
	const char *data; /* what is read next */
	const uint32_t *places;
	size_t bytes, done;
	uint64_t random;
	unsigned long n; /* steps of a piece */
};

/* probe.c: cycles of a piece in the quietest tenth of the rows.  Ends the
 * process if there is no quiet moment. */
double probe_cycles(clock_run run, struct probe *p);

/* Memory that is zero and present, in huge pages where the system gives some, or
 * in small ones; for munmap(). */
char *probe_map(size_t bytes, bool huge);

/* A cycle through n places, `step` and a bit apart, in random order (Sattolo's
 * algorithm).  Returns the first. */
void **probe_chain(char *bytes, size_t n, size_t step, size_t bit);

/* Cycles of a load whose address is the result of the load before, in a chain of
 * so many places that begins at p->at. */
double probe_latency(struct probe *p, size_t places);

/* For qsort() of double. */
int probe_by_size(const void *a, const void *b);

struct costs {
	double latency;   /* cycles, in huge pages */
	double bytes;     /* per cycle, read in order in small pages */
	double in_flight; /* independent loads */
	double line;      /* cycles of reading one in order */
	double write;     /* cycles of writing one in order */
};

/* costs.c: what loads and reading cost in a set of this size. */
void measure_costs(size_t bytes, struct costs *ret);

/* Seconds for each line of a set that is read in order again and again, if the
 * program does nothing for `idle` seconds after each line, which do not count. */
double measure_pass(size_t bytes, double idle);

/* The mean of each of the first n passes through a set that no cache has. */
void measure_passes(size_t bytes, double *seconds, size_t n);

/* share.c: set the size of the last of n levels to what this machine has of it.
 * Returns how many bytes per cycle others bring into it; 0: none, or not known. */
double machine_share(struct level *levels, size_t n);

/* keep.c: percent of the lines that the last of n levels keeps when a load asks for
 * them again (examples/caches/README.md); 0: it keeps all, or nothing is known. */
unsigned long machine_keep(const struct level *levels, size_t n);

/* tlb.c: measure and print the TLBs.  l1, l2: latencies of these levels. */
void print_tlbs(const struct level *levels, double l1, double l2);

/* window.c: the most instructions that are in flight at once, to an eighth. */
unsigned long machine_window(void);

/* branches.c: measure and print what mispredicted jumps cost. */
void print_branches(void);

#endif
