/* The TLBs, found by chases through lines of as many small pages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/estimate/machine/machine.h"

static volatile uint64_t sum;

/* Cycles of a load when so many pages are used in turn, a line of each. */
static double page_cycles(char *memory, size_t n)
{
	struct probe p = { .at = probe_chain(memory, n, PAGE, LINE) };

	return probe_latency(&p, n);
}

/* ---- TLBs ---------------------------------------------------------------- */

enum { LEAST_PAGES = 16, MOST_PAGES = 1 << 14, N_SIZES = 128 };

/* What address translation adds to a load for each number of pages. */
struct pages {
	size_t n, at[N_SIZES];
	double cycles[N_SIZES];
};

static size_t most_pages(const struct level *levels)
{
	size_t most = levels[1].bytes / 2 / LINE;

	return most < MOST_PAGES ? most : MOST_PAGES;
}

/* The lines themselves are in the first level, then in the second one. */
static void measure_pages(const struct level *levels, double l1, double l2,
			  struct pages *ret)
{
	size_t most = most_pages(levels);
	char *memory = probe_map(most * PAGE, false);

	for (size_t n = LEAST_PAGES; n <= most && ret->n < N_SIZES;
	     n += n / 8) {
		double lines = n * LINE <= levels[0].bytes ? l1 : l2;

		ret->at[ret->n] = n;
		ret->cycles[ret->n++] = page_cycles(memory, n) - lines;
	}
	(void)munmap(memory, most * PAGE);
}

/* A load in each page, none of which tells the place of the next.  All pages of
 * a power of two come up once before any comes again (Hull and Dobell), in an
 * order in which neighbours are far apart: as in a chase, hardly any entry of
 * the tables is in the line of the entry before it. */
static void walk_on(void *context, enum clock_length length)
{
	struct probe *p = context;
	size_t page = p->done, last = p->bytes / PAGE - 1;
	uint64_t all = 0;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--) {
		all += *(const uint64_t *)(const void *)(p->data + page * PAGE +
							 page * LINE % PAGE);
		page = (page * 1664525 + 1013904223) & last;
	}
	sum = all;
	p->done = page;
}

static double independent_walk(const struct level *levels)
{
	size_t pages = LEAST_PAGES;
	struct probe p = { .n = STEPS };
	char *memory;
	double cycles;

	while (2 * pages <= most_pages(levels))
		pages *= 2;
	p.bytes = pages * PAGE;
	memory = probe_map(p.bytes, false);

	p.data = memory;
	cycles = probe_cycles(walk_on, &p) / STEPS;
	(void)munmap(memory, p.bytes);
	return cycles;
}

/* The most pages that cost less than halfway from `low` to `high`, rounded to a
 * multiple of `unit`. */
static size_t entries_of(const struct pages *p, double low, double high,
			 size_t unit)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->cycles[i] < (low + high) / 2)
			n = p->at[i];
	return (n + unit / 2) / unit * unit;
}

/* Of a miss in all TLBs: the median of the sizes from half of the most pages on.
 * The more pages, the farther away their tables. */
static double walk_cycles(const struct pages *p)
{
	double cycles[N_SIZES];
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->at[i] >= p->at[p->n - 1] / 2)
			cycles[n++] = p->cycles[i];
	qsort(cycles, n, sizeof(*cycles), probe_by_size);
	return cycles[n / 2];
}

/* Associativity is not measured: full for the first level, and 16 ways. */
void print_tlbs(const struct level *levels, double l1, double l2)
{
	static const double step = 2;
	enum { FIRST_UNIT = 8, WAYS = 16, SECOND_UNIT = 128 };
	struct pages p = { 0 };
	double second = 0, walk;
	size_t entries;

	measure_pages(levels, l1, l2, &p);
	/* Below, a second level of TLBs is not full. */
	for (size_t i = 0; i < p.n; i++)
		if (p.at[i] * LINE <= levels[0].bytes / 2)
			second = p.cycles[i];
	walk = walk_cycles(&p);
	if (second < step || walk < second + step)
		return;
	entries = entries_of(&p, 0, second, FIRST_UNIT);
	printf("tlb1.entries = %zu\ntlb1.ways = full\n", entries);
	entries = entries_of(&p, second, walk, SECOND_UNIT);
	printf("tlb2.entries = %zu\ntlb2.ways = %d\ntlb2.latency = %.0f\n"
	       "page.size = %d\npage.walk = %.0f\npage.interval = %.0f\n",
	       entries, WAYS, second, PAGE, walk,
	       fmax(1, fmin(walk, independent_walk(levels))));
}
