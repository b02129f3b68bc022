/* Prints the data caches and TLBs of this machine as a file of caches.  Geometry
 * is what the kernel tells, but for the last level.  Latency is that of a chase
 * of pointers through a set that fits the level and not the one before it, in
 * huge pages where the system gives some, so that no TLB misses are in it;
 * bandwidth that of reading such a set in order, in small pages; misses in flight
 * those of independent loads.
 *
 * Programs of other cores or virtual machines use the last level, too, or the
 * system gives this one only a part of it: share.c.
 *
 * All of it is measured in pieces below a millisecond, and the quietest tenth of
 * them counts: other programs use the same processor. */
#include <stdio.h>

#include "tests/estimate/machine/machine.h"

enum { BEYOND = 4 /* a set of so many times a level is beyond it */ };

static size_t set_of(const struct level *levels, size_t i)
{
	size_t set = levels[i].bytes / 2;

	/* Others use a shared level, too. */
	if (i > 0 && set > BEYOND * levels[i - 1].bytes)
		set = BEYOND * levels[i - 1].bytes;
	return set;
}

static void print_level(const struct level *l, size_t number, double latency)
{
	printf("l%zu.size = %luK\nl%zu.ways = %lu\nl%zu.latency = %.0f\n"
	       "l%zu.sharing = %s\n",
	       number, l->bytes / 1024, number, l->ways, number, latency,
	       number, l->shared ? "shared" : "private");
}

/* What a line of the second level adds to loads, and to stores, that else keep
 * the first one busy. */
static void print_fill(const struct costs *c, double line, double write)
{
	if (c->line - line >= 0.01)
		printf("l1.fill = %.2f\n", c->line - line);
	if (c->write - write >= 0.01)
		printf("l1.write = %.2f\n", c->write - write);
}

int main(void)
{
	struct level levels[MAX_LEVELS];
	size_t n = machine_levels(levels), set;
	double latency[MAX_LEVELS], line = 0, write = 0;
	double others;
	unsigned long keep;
	struct costs c;

	if (n < 2) {
		(void)fprintf(stderr, "the kernel tells of no caches\n");
		return 1;
	}
	others = machine_share(levels, n);
	keep = machine_keep(levels, n);
	printf("describe = this machine, measured\n");
	for (size_t i = 0; i < n; i++) {
		measure_costs(set_of(levels, i), &c);
		latency[i] = c.latency;
		print_level(&levels[i], i + 1, c.latency);
		if (i > 0)
			printf("l%zu.bandwidth = %.0f\n", i + 1, c.bytes);
		if (i == 1)
			print_fill(&c, line, write);
		line = c.line;
		write = c.write;
	}
	set = levels[n - 1].bytes * BEYOND;
	measure_costs(set < MOST ? set : MOST, &c);
	/* Where the latency is long, nothing but buffers limits the rate. */
	printf("l1.mshr = %.0f\n", c.in_flight);
	printf("memory.latency = %.0f\nmemory.bandwidth = %.3f\n", c.latency,
	       c.bytes);
	if (keep > 0)
		printf("l%zu.keep = %lu\n", n, keep);
	if (others > 0)
		printf("others.bandwidth = %.3f\n", others);
	printf("prefetch = streams\n");
	print_tlbs(levels, latency[0], latency[1]);
	print_branches();
	return 0;
}
