/* Prints the data caches and TLBs of this machine as a file of caches.  Geometry
 * is what the kernel tells.  Latency is that of a chase of pointers through a
 * set that fits the level and not the one before it, in huge pages where the
 * system gives some, so that no TLB misses are in it; bandwidth that of reading
 * such a set in order; misses in flight those of independent loads.  The TLBs are
 * found by chases through lines of as many small pages.
 *
 * All of it is measured in pieces below a millisecond, and the quietest tenth of
 * them counts: other programs use the same processor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/validate/clock.h"

enum {
	MAX_LEVELS = 4,
	ROWS = 201,
	STEPS = 2000,   /* of a chase, in one piece */
	WARM = 1 << 17, /* steps through a set before it is measured */
	READ = 1 << 17, /* bytes read in one piece */
	LINE = 64,
	PAGE = 4096,
	HUGE_PAGE = 1 << 21,
	BEYOND = 4,     /* a set of so many times a level is beyond it */
	MOST = 1 << 30, /* bytes of a set */
};

struct level {
	unsigned long bytes, ways;
	bool shared;
};

struct probe {
	void **at;        /* where the chase is */
	const char *data; /* what is read next */
	size_t bytes, done;
	uint64_t random;
	unsigned long n; /* steps of a piece */
};

static volatile float result;
static volatile uint64_t sum;

static void chase(void *context, enum clock_length length)
{
	struct probe *p = context;
	void **at = p->at;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--)
		at = *at;
	p->at = at;
}

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

static void read_on(void *context, enum clock_length length)
{
	struct probe *p = context;
	size_t bytes = p->bytes < READ ? p->bytes : READ;
	size_t n = length == CLOCK_LONG ? bytes / sizeof(vector) : 0;
	const vector *v;
	vector sums[4] = { { 0 } };

	if (p->done + bytes > p->bytes)
		p->done = 0;
	v = (const void *)(p->data + p->done);
	for (size_t i = 0; i + 4 <= n; i += 4) {
		sums[0] += v[i];
		sums[1] += v[i + 1];
		sums[2] += v[i + 2];
		sums[3] += v[i + 3];
	}
	result = sums[0][0] + sums[1][1] + sums[2][2] + sums[3][3];
	if (length == CLOCK_LONG)
		p->done += bytes;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Cycles of a piece in the quietest tenth of the rows. */
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
	if (n == 0) {
		(void)fprintf(stderr, "no quiet moment on this machine\n");
		exit(1);
	}
	qsort(cycles, n, sizeof(*cycles), by_size);
	return cycles[n / 10];
}

static char *map(size_t bytes, bool huge)
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

/* A cycle through n places, `step` and a bit apart, in random order (Sattolo's
 * algorithm). */
static void **make_chain(char *bytes, size_t n, size_t step, size_t bit)
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

static double latency_of(struct probe *p, size_t places)
{
	struct probe warm = *p;

	warm.n = places < WARM ? 2 * places : WARM;
	chase(&warm, CLOCK_LONG);
	p->at = warm.at;
	p->n = STEPS;
	return cycles_of(chase, p) / STEPS;
}

struct costs {
	double latency, bytes, in_flight;
};

/* Of loads and of reading in a set of this size. */
static void probe(size_t bytes, struct costs *ret)
{
	struct probe p = { .bytes = bytes, .random = 1 };
	char *memory = map(bytes, true);

	p.data = memory;
	p.at = make_chain(memory, bytes / LINE, LINE, 0);
	ret->latency = latency_of(&p, bytes / LINE);
	ret->in_flight = ret->latency * STEPS / cycles_of(scatter, &p);
	ret->bytes =
		(double)(bytes < READ ? bytes : READ) / cycles_of(read_on, &p);
	(void)munmap(memory, bytes);
}

/* Cycles of a load when so many pages are used in turn, a line of each. */
static double page_cycles(char *memory, size_t n)
{
	struct probe p = { .at = make_chain(memory, n, PAGE, LINE) };

	return latency_of(&p, n);
}

/* ---- TLBs ---------------------------------------------------------------- */

enum { LEAST_PAGES = 16, MOST_PAGES = 1 << 13, N_SIZES = 128 };

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
	char *memory = map(most * PAGE, false);

	for (size_t n = LEAST_PAGES; n <= most && ret->n < N_SIZES;
	     n += n / 8) {
		double lines = n * LINE <= levels[0].bytes ? l1 : l2;

		ret->at[ret->n] = n;
		ret->cycles[ret->n++] = page_cycles(memory, n) - lines;
	}
	(void)munmap(memory, most * PAGE);
}

/* A load in each page, none of which tells the place of the next. */
static void walk_on(void *context, enum clock_length length)
{
	struct probe *p = context;
	size_t page = p->done;
	uint64_t all = 0;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--) {
		all += *(const uint64_t *)(const void *)(p->data + page * PAGE +
							 page * LINE % PAGE);
		page = page + 1 < p->bytes / PAGE ? page + 1 : 0;
	}
	sum = all;
	p->done = page;
}

static double independent_walk(const struct level *levels)
{
	struct probe p = { .bytes = most_pages(levels) * PAGE, .n = STEPS };
	char *memory = map(p.bytes, false);
	double cycles;

	p.data = memory;
	cycles = cycles_of(walk_on, &p) / STEPS;
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

/* Associativity is not measured: full for the first level, and 16 ways. */
static void print_tlbs(const struct level *levels, double l1, double l2)
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
	/* Tables of pages that are in no cache cost more; so does any
	 * disturbance. */
	walk = p.cycles[p.n - 1];
	for (size_t i = 0; i < p.n; i++)
		if (p.at[i] >= p.at[p.n - 1] / 2)
			walk = fmin(walk, p.cycles[i]);
	if (second < step || walk < second + step)
		return;
	entries = entries_of(&p, 0, second, FIRST_UNIT);
	printf("tlb1.entries = %zu\ntlb1.ways = full\n", entries);
	entries = entries_of(&p, second, walk, SECOND_UNIT);
	printf("tlb2.entries = %zu\ntlb2.ways = %d\ntlb2.latency = %.0f\n"
	       "page.size = %d\npage.walk = %.0f\npage.walkers = %.0f\n",
	       entries, WAYS, second, PAGE, walk,
	       fmax(1, walk / independent_walk(levels)));
}

/* ---- branches ------------------------------------------------------------ */

/* A jump that depends on a bit of a random number, or on none. */
static void branches(struct probe *p, unsigned long n, uint64_t mask)
{
	uint64_t x = p->random;

	for (; n > 0; n--) {
		x = x * UINT64_C(6364136223846793005) + 1;
		__asm__ volatile goto("testq %0, %1\n\tjz %l2"
				      :
				      : "r"(mask), "r"(x)
				      : "cc"
				      : over);
		__asm__ volatile("" : "+r"(x));
over:;
	}
	p->random = x;
}

static void random_branches(void *context, enum clock_length length)
{
	struct probe *p = context;

	branches(p, length == CLOCK_LONG ? p->n : 0, UINT64_C(1) << 40);
}

static void known_branches(void *context, enum clock_length length)
{
	struct probe *p = context;

	branches(p, length == CLOCK_LONG ? p->n : 0, 0);
}

/* Half of the random ones go as predicted. */
static double misprediction(void)
{
	struct probe p = { .random = 1, .n = STEPS };
	double with = cycles_of(random_branches, &p);

	return (with - cycles_of(known_branches, &p)) / (STEPS / 2.0);
}

/* Loops of p->bytes iterations, one after the other. */
static void loops(void *context, enum clock_length length)
{
	const struct probe *p = context;

	for (unsigned long i = length == CLOCK_LONG ? p->n : 0; i > 0; i--) {
		unsigned long n = p->bytes;

		__asm__ volatile(".p2align 6\n1:\tnop\n\tnop\n\tdecq %0\n\t"
				 "jnz 1b"
				 : "+r"(n)
				 :
				 : "cc");
	}
}

/* The most iterations of a loop whose exit is predicted: that of the next longer
 * one costs half of a misprediction or more beyond its own iterations. */
static unsigned long history(double penalty)
{
	enum { LEAST = 8, MOST_ITERATIONS = 512 };
	double before = 0;
	unsigned long n;

	for (n = LEAST; n <= MOST_ITERATIONS; n += n / 4) {
		struct probe p = { .bytes = n, .n = STEPS };
		double cycles = cycles_of(loops, &p) / STEPS;

		/* An iteration takes little more than a cycle. */
		if (before > 0 &&
		    cycles - before > penalty / 2 + 1.5 * (double)(n / 5))
			return n - n / 5;
		before = cycles;
	}
	return MOST_ITERATIONS;
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

static size_t set_of(const struct level *levels, size_t i)
{
	size_t set = levels[i].bytes / 2;

	/* Others use a shared level, too. */
	if (i > 0 && set > BEYOND * levels[i - 1].bytes)
		set = BEYOND * levels[i - 1].bytes;
	return set;
}

int main(void)
{
	struct level levels[MAX_LEVELS];
	size_t n = read_levels(levels), set;
	double latency[MAX_LEVELS], penalty;
	struct costs c;

	if (n < 2) {
		(void)fprintf(stderr, "the kernel tells of no caches\n");
		return 1;
	}
	printf("describe = this machine, measured\n");
	for (size_t i = 0; i < n; i++) {
		probe(set_of(levels, i), &c);
		latency[i] = c.latency;
		printf("l%zu.size = %luK\nl%zu.ways = %lu\nl%zu.latency = "
		       "%.0f\nl%zu.sharing = %s\n",
		       i + 1, levels[i].bytes / 1024, i + 1, levels[i].ways,
		       i + 1, c.latency, i + 1,
		       levels[i].shared ? "shared" : "private");
		if (i > 0)
			printf("l%zu.bandwidth = %.0f\n", i + 1, c.bytes);
	}
	/* Where the latency is long, nothing but buffers limits the rate. */
	printf("l1.mshr = %.0f\n", c.in_flight);
	set = levels[n - 1].bytes * BEYOND;
	probe(set < MOST ? set : MOST, &c);
	printf("memory.latency = %.0f\nmemory.bandwidth = %.3f\n", c.latency,
	       c.bytes);
	printf("prefetch = streams\n");
	print_tlbs(levels, latency[0], latency[1]);
	penalty = misprediction();
	printf("branch.penalty = %.0f\nbranch.history = %lu\n", penalty,
	       history(penalty));
	return 0;
}
