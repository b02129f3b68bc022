/* Prints the data caches of this machine as a file of caches: geometry as the
 * kernel tells it; latency from a chase of pointers through a set that fits the
 * level and not the one before it, bandwidth from reading such a set in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/validate/clock.h"

enum {
	MAX_LEVELS = 4,
	ROWS = 31,
	STEPS = 20000,  /* of a chase */
	READ = 1 << 22, /* bytes read, at least */
	LINE = 64,
	BEYOND = 4, /* a set of so many times a level is beyond it */
};

struct level {
	unsigned long bytes, ways;
	bool shared;
};

struct probe {
	void **chain;
	float *data;
	size_t bytes;
	unsigned long n; /* steps, or readings */
};

static volatile float result;
static void *volatile last;

static void chase(void *context, enum clock_length length)
{
	const struct probe *p = context;
	void **at = p->chain;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--)
		at = *at;
	last = at;
}

typedef float vector __attribute__((vector_size(32)));

static void read_all(void *context, enum clock_length length)
{
	const struct probe *p = context;
	vector sums[4] = { { 0 } };

	for (unsigned long k = length == CLOCK_LONG ? p->n : 0; k > 0; k--) {
		const vector *v = (const void *)p->data;
		size_t n = p->bytes / sizeof(*v);

		for (size_t i = 0; i + 4 <= n; i += 4) {
			sums[0] += v[i];
			sums[1] += v[i + 1];
			sums[2] += v[i + 2];
			sums[3] += v[i + 3];
		}
		__asm__ volatile("" : : : "memory");
	}
	result = sums[0][0] + sums[1][1] + sums[2][2] + sums[3][3];
}

static double cycles_of(clock_run run, struct probe *p)
{
	static const struct clock_silence silence;
	struct clock_row row;
	double cycles[ROWS];
	size_t n = 0;

	for (int i = 0; i < ROWS; i++)
		if (clock_row(run, p, 1u << CLOCK_FRONT, &silence, &row))
			cycles[n++] = row.cycles[CLOCK_LONG] -
				      row.cycles[CLOCK_SHORT];
	return n ? clock_difference(cycles, n) : 0;
}

/* A cycle through all lines in random order (Sattolo's algorithm). */
static void **make_chain(char *bytes, size_t n_lines)
{
	size_t *order = malloc(n_lines * sizeof(*order));
	uint64_t x = 1;

	if (!order)
		abort();
	for (size_t i = 0; i < n_lines; i++)
		order[i] = i;
	for (size_t i = n_lines; i-- > 1;) {
		size_t k, swap = order[i];

		x = x * UINT64_C(6364136223846793005) + 1;
		k = (size_t)((x >> 33) % i);
		order[i] = order[k];
		order[k] = swap;
	}
	for (size_t i = 0; i < n_lines; i++)
		*(void **)(void *)(bytes + order[i] * LINE) =
			bytes + order[(i + 1) % n_lines] * LINE;
	free(order);
	return (void **)(void *)bytes;
}

/* Cycles of a load, and bytes per cycle, in a set of this size. */
static void probe(size_t bytes, double *ret_latency, double *ret_bytes)
{
	struct probe p = { .bytes = bytes };
	char *memory = aligned_alloc(4096, bytes);

	if (!memory)
		abort();
	memset(memory, 0, bytes);
	p.chain = make_chain(memory, bytes / LINE);
	p.n = STEPS > 2 * bytes / LINE ? STEPS : 2 * bytes / LINE;
	if (p.n > 1UL << 19)
		p.n = 1UL << 19;
	*ret_latency = cycles_of(chase, &p) / (double)p.n;
	p.data = (float *)(void *)memory;
	p.n = bytes < READ ? READ / bytes : 1;
	memset(memory, 0, bytes);
	*ret_bytes = (double)p.n * (double)bytes / cycles_of(read_all, &p);
	free(memory);
}

/* ---- the kernel's files ------------------------------------------------- */

static bool read_file(unsigned index, const char *name, char *ret, int room)
{
	char path[128];
	FILE *f;
	bool good;

	(void)snprintf(path, sizeof(path),
		       "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index,
		       name);
	f = fopen(path, "re");
	good = f && fgets(ret, room, f);
	if (f)
		(void)fclose(f);
	return good;
}

static size_t read_levels(struct level *levels)
{
	size_t n = 0;

	for (unsigned i = 0; n < MAX_LEVELS; i++) {
		char type[32], size[32], ways[32], cpus[64];
		struct level l;

		if (!read_file(i, "type", type, sizeof(type)) ||
		    !read_file(i, "size", size, sizeof(size)) ||
		    !read_file(i, "ways_of_associativity", ways,
			       sizeof(ways)) ||
		    !read_file(i, "shared_cpu_list", cpus, sizeof(cpus)))
			break;
		if (strncmp(type, "Instruction", 11) == 0)
			continue;
		l.bytes = strtoul(size, NULL, 10) * 1024;
		l.ways = strtoul(ways, NULL, 10);
		l.shared = n > 0 && strpbrk(cpus, ",-") != NULL;
		levels[n++] = l;
	}
	return n;
}

int main(void)
{
	struct level levels[MAX_LEVELS];
	size_t n = read_levels(levels);
	double latency, bytes;

	if (n == 0) {
		(void)fprintf(stderr, "the kernel tells of no caches\n");
		return 1;
	}
	printf("describe = this machine, measured\n");
	for (size_t i = 0; i < n; i++) {
		size_t set = levels[i].bytes / 2;

		/* Others use a shared level, too. */
		if (i > 0 && set > BEYOND * levels[i - 1].bytes)
			set = BEYOND * levels[i - 1].bytes;
		probe(set, &latency, &bytes);
		printf("l%zu.size = %luK\nl%zu.ways = %lu\nl%zu.latency = "
		       "%.0f\nl%zu.sharing = %s\n",
		       i + 1, levels[i].bytes / 1024, i + 1, levels[i].ways,
		       i + 1, latency, i + 1,
		       levels[i].shared ? "shared" : "private");
		if (i > 0)
			printf("l%zu.bandwidth = %.0f\n", i + 1, bytes);
	}
	probe(levels[n - 1].bytes * BEYOND, &latency, &bytes);
	printf("memory.latency = %.0f\nmemory.bandwidth = %.3f\n", latency,
	       bytes);
	printf("prefetch = streams\n");
	return 0;
}
