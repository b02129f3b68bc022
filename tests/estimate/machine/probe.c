/* How code of the measurements is timed, and the memory that it goes through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/estimate/machine/machine.h"

enum {
	ROWS = 201,
	ENOUGH = 20,    /* rows on a silent core */
	SECONDS = 3,    /* until there are enough */
	WARM = 1 << 22, /* steps through a set before it is measured */
};

static void chase(void *context, enum clock_length length)
{
	struct probe *p = context;
	void **at = p->at;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--)
		at = *at;
	p->at = at;
}

int probe_by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double probe_cycles(clock_run run, struct probe *p)
{
	static const clock_probes probes = 1u << CLOCK_FRONT;
	static struct clock_silence silence;
	struct clock_row row;
	double cycles[ROWS], start = clock_now();
	size_t n = 0;

	if (!(silence.probes[CLOCK_FRONT] > 0))
		clock_find_silence(probes, &silence);
	for (int i = 0;
	     i < ROWS || (n < ENOUGH && clock_now() - start < SECONDS); i++)
		if (n < ROWS && clock_row(run, p, probes, &silence, &row) &&
		    clock_is_quiet(&row, probes, &silence))
			cycles[n++] = row.cycles[CLOCK_LONG] -
				      row.cycles[CLOCK_SHORT];
	if (n == 0) {
		(void)fprintf(stderr, "no quiet moment on this machine\n");
		exit(1);
	}
	qsort(cycles, n, sizeof(*cycles), probe_by_size);
	return cycles[n / 10];
}

char *probe_map(size_t bytes, bool huge)
{
	char *p = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	(void)madvise(p, bytes + HUGE_PAGE,
		      huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	p += HUGE_PAGE - ((uintptr_t)p & (HUGE_PAGE - 1));
	memset(p, 0, bytes);
	return p;
}

void **probe_chain(char *bytes, size_t n, size_t step, size_t bit)
{
	uint32_t *order = malloc(n * sizeof(*order));
	uint64_t x = 1;

	if (!order)
		abort();
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (size_t i = n; i-- > 1;) {
		size_t k;
		uint32_t swap = order[i];

		x = x * UINT64_C(6364136223846793005) + 1;
		k = (size_t)((x >> 33) % i);
		order[i] = order[k];
		order[k] = swap;
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = order[i], to = order[(i + 1) % n];

		*(void **)(void *)(bytes + from * step +
				   from * bit % (step / LINE * LINE)) =
			bytes + to * step + to * bit % (step / LINE * LINE);
	}
	free(order);
	return (void **)(void *)bytes;
}

double probe_latency(struct probe *p, size_t places)
{
	struct probe warm = *p;

	warm.n = places < WARM ? 2 * places : WARM;
	chase(&warm, CLOCK_LONG);
	p->at = warm.at;
	p->n = STEPS;
	return probe_cycles(chase, p) / STEPS;
}
