/* The TLBs, found by chases through lines of as many small pages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/estimate/machine/machine.h"

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

/* ---- walks one after the other --------------------------------------------- */

/* A load at each of p->bytes places, none of which tells the next, and N
 * instructions between them. */
#define SPACED(N)                                                           \
	static void spaced_##N(void *context, enum clock_length length)     \
	{                                                                   \
		const struct probe *p = context;                            \
		const uint32_t *at = p->places;                             \
		const uint32_t *end = at + p->bytes;                        \
                                                                            \
		if (length == CLOCK_SHORT)                                  \
			return;                                             \
		for (; at < end; at++)                                      \
			__asm__ volatile("movq (%0,%1), %%rax\n\t.rept " #N \
					 "\n\tnop\n\t.endr"                 \
					 :                                  \
					 : "r"(p->data), "r"((size_t)*at)   \
					 : "rax");                          \
	}
SPACED(0)
SPACED(12)
SPACED(40)

struct walks {
	double interval, crowded, queue;
};

/* Walks are as many as the window of instructions has room for: then the next
 * begins `crowded` cycles later; if fewer wait, the time grows in a line from
 * `interval` on.  As for the latency of a walk, the more pages, the farther away
 * their tables. */
static void measure_walks(const struct level *levels, struct walks *ret)
{
	enum {
		AND = 5,      /* instructions of the loop */
		APART = 1237, /* pages, odd */
	};
	size_t pages = most_pages(levels);
	uint32_t *places = malloc(pages * sizeof(*places));
	struct probe p = { .bytes = pages, .places = places };
	double window = (double)machine_window();
	double n_some = window / (12 + AND), n_few = window / (40 + AND);
	double dense, some, few, slope;
	char *memory = probe_map(pages * PAGE, false);

	if (!places)
		abort();
	for (size_t i = 0; i < pages; i++) {
		size_t page = i * APART % pages;

		places[i] = (uint32_t)(page * PAGE + page * LINE % PAGE);
	}
	p.data = memory;
	dense = probe_cycles(spaced_0, &p) / (double)pages;
	some = probe_cycles(spaced_12, &p) / (double)pages;
	few = probe_cycles(spaced_40, &p) / (double)pages;
	(void)munmap(memory, pages * PAGE);
	free(places);
	slope = fmax(0, (some - few) / (n_some - n_few));
	ret->interval = fmax(1, few - slope * n_few);
	ret->crowded = fmax(dense, ret->interval);
	ret->queue = slope > 0 ? (ret->crowded - ret->interval) / slope : 1;
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

/* Of a miss in all TLBs: the lower quartile of the sizes from half of the most
 * pages on.  The more pages, the farther away their tables; disturbances and
 * pages that share sets of the caches make it slower. */
static double walk_cycles(const struct pages *p)
{
	double cycles[N_SIZES];
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->at[i] >= p->at[p->n - 1] / 2)
			cycles[n++] = p->cycles[i];
	qsort(cycles, n, sizeof(*cycles), probe_by_size);
	return cycles[n / 4];
}

/* Associativity is not measured: full for the first level, and 16 ways. */
void print_tlbs(const struct level *levels, double l1, double l2)
{
	static const double step = 2;
	enum { FIRST_UNIT = 8, WAYS = 16, SECOND_UNIT = 128 };
	struct pages p = { 0 };
	double second = 0, walk;
	struct walks w;
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
	measure_walks(levels, &w);
	printf("tlb2.entries = %zu\ntlb2.ways = %d\ntlb2.latency = %.0f\n"
	       "page.size = %d\npage.walk = %.0f\npage.interval = %.0f\n"
	       "page.crowded = %.0f\npage.queue = %.0f\n",
	       entries, WAYS, second, PAGE, walk, w.interval, w.crowded,
	       fmax(1, w.queue));
}
