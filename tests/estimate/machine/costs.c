/* Latency, bandwidth and misses in flight of a set of some size. */
#include <sys/mman.h>

#include "tests/estimate/machine/machine.h"

enum { READ = 1 << 17 /* bytes read in one piece */ };

static volatile float result;
static volatile uint64_t sum;

/* Loads at places that no other load tells. */
static void scatter(void *context, enum clock_length length)
{
	struct probe *p = context;
	uint64_t x = p->random, all = 0;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--) {
		x = x * UINT64_C(6364136223846793005) + 1;
		all += *(
			const uint64_t *)(const void *)(p->data +
							((x >> 33) * (p->bytes /
								      LINE) >>
							 31) * LINE);
	}
	sum = all;
	p->random = x;
}

typedef float vector __attribute__((vector_size(32)));

/* READ bytes in order, from where the last piece ended; a smaller set several
 * times. */
static void read_on(void *context, enum clock_length length)
{
	struct probe *p = context;
	size_t part = p->bytes < READ ? p->bytes : READ;
	size_t parts = length == CLOCK_LONG ? READ / part : 0;
	vector sums[4] = { { 0 } };

	for (; parts > 0; parts--) {
		const vector *v;

		if (p->done + part > p->bytes)
			p->done = 0;
		v = (const void *)(p->data + p->done);
		for (size_t i = 0; i + 4 <= part / sizeof(vector); i += 4) {
			sums[0] += v[i];
			sums[1] += v[i + 1];
			sums[2] += v[i + 2];
			sums[3] += v[i + 3];
		}
		p->done += part;
	}
	result = sums[0][0] + sums[1][1] + sums[2][2] + sums[3][3];
}

/* The same for writing. */
static void write_on(void *context, enum clock_length length)
{
	struct probe *p = context;
	size_t part = p->bytes < READ ? p->bytes : READ;
	size_t parts = length == CLOCK_LONG ? READ / part : 0;
	vector zero = { 0 };

	for (; parts > 0; parts--) {
		if (p->done + part > p->bytes)
			p->done = 0;
		for (const char *at = p->data + p->done, *end = at + part;
		     at < end; at += sizeof(vector))
			__asm__ volatile("vmovaps %0, (%1)"
					 :
					 : "x"(zero), "r"(at)
					 : "memory");
		p->done += part;
	}
}

/* Read READ bytes; returns the seconds.  Then do nothing for `idle` seconds. */
static double read_piece(struct probe *p, double idle)
{
	double start = clock_now(), end;

	read_on(p, CLOCK_LONG);
	end = clock_now();
	while (clock_now() < end + idle)
		;
	return end - start;
}

double measure_pass(size_t bytes, double idle)
{
	enum { PASSES = 7 };
	struct probe p = { .bytes = bytes };
	char *memory = probe_map(bytes, false);
	double best = 0;

	p.data = memory;
	for (int i = 0; i <= PASSES; i++) {
		double seconds = 0;

		for (size_t at = 0; at < bytes; at += READ)
			seconds += read_piece(&p, idle * (READ / LINE));
		if (i == 1 || (i > 1 && seconds < best))
			best = seconds;
	}
	(void)munmap(memory, bytes);
	return best / (double)(bytes / LINE);
}

/* No cache has any of these bytes. */
static void forget(const char *bytes, size_t n)
{
	for (size_t at = 0; at < n; at += LINE)
		__asm__ volatile("clflush (%0)" : : "r"(bytes + at) : "memory");
	__asm__ volatile("mfence" ::: "memory");
}

void measure_passes(size_t bytes, double *seconds, size_t n)
{
	struct probe p = { .bytes = bytes };
	char *memory = probe_map(bytes, false);

	p.data = memory;
	forget(memory, bytes);
	for (size_t i = 0; i < n; i++) {
		seconds[i] = 0;
		for (size_t at = 0; at < bytes; at += READ)
			seconds[i] += read_piece(&p, 0);
		seconds[i] /= (double)(bytes / LINE);
	}
	(void)munmap(memory, bytes);
}

void measure_costs(size_t bytes, struct costs *ret)
{
	struct probe p = { .bytes = bytes, .random = 1 };
	char *memory = probe_map(bytes, true);

	p.data = memory;
	p.at = probe_chain(memory, bytes / LINE, LINE, 0);
	ret->latency = probe_latency(&p, bytes / LINE);
	ret->in_flight = ret->latency * STEPS / probe_cycles(scatter, &p);
	(void)munmap(memory, bytes);
	/* Streams are fetched up to the end of a page, and programs have small
	 * ones. */
	memory = probe_map(bytes, false);
	p.data = memory;
	ret->bytes = (double)(bytes < READ ? READ / bytes * bytes : READ) /
		     probe_cycles(read_on, &p);
	ret->line = LINE / ret->bytes;
	ret->write =
		probe_cycles(write_on, &p) /
		((double)(bytes < READ ? READ / bytes * bytes : READ) / LINE);
	(void)munmap(memory, bytes);
}
