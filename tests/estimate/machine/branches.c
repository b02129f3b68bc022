/* What a mispredicted jump costs, and how long a history predicts. */
#include <math.h>
#include <stdio.h>

#include "tests/estimate/machine/machine.h"

enum { MOST_ITERATIONS = 512 };

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
	double with = probe_cycles(random_branches, &p);

	return (with - probe_cycles(known_branches, &p)) / (STEPS / 2.0);
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

/* A branch whose direction is that of another one, or random, N jumps later.  With
 * the other bit of y, nothing but the predictor tells it. */
#define REACH(N)                                                            \
	static void reach_##N(void *context, enum clock_length length)      \
	{                                                                   \
		struct probe *p = context;                                  \
		uint64_t x = p->random, y;                                  \
		unsigned long i = length == CLOCK_LONG ? p->n : 0;          \
                                                                            \
		for (; i > 0; i--) {                                        \
			x = x * UINT64_C(6364136223846793005) + 1;          \
			y = x >> 40 >> p->bytes;                            \
			__asm__ volatile("btq $40, %0\n\tjnc 2f\n\tnop\n\t" \
					 "nop\n2:\n\t.rept " #N             \
					 "\n\tjmp 1f\n\tnop\n1:\n\t.endr\n" \
					 "\tbtq $0, %1\n\tjnc 3f\n\tnop\n"  \
					 "\tnop\n3:"                        \
					 :                                  \
					 : "r"(x), "r"(y)                   \
					 : "cc");                           \
		}                                                           \
		p->random = x;                                              \
	}
REACH(8)
REACH(16)
REACH(32)
REACH(48)
REACH(64)
REACH(96)
REACH(128)
REACH(160)
REACH(192)
REACH(224)
REACH(256)
REACH(384)
REACH(512)

struct reach {
	unsigned long n;
	clock_run run;
};

/* Is the second branch predicted, which does what the first one did? If it
 * always is, half of a penalty is saved each time, because unpredicted it is
 * wrong every second time. */
static bool reaches_once(const struct reach *r, double penalty)
{
	enum { ROUNDS = 400 };
	struct probe same = { .random = 1, .n = ROUNDS };
	struct probe other = { .random = 1, .n = ROUNDS, .bytes = 9 };
	double saved = probe_cycles(r->run, &other);

	saved -= fmax(probe_cycles(r->run, &same), probe_cycles(r->run, &same));
	return saved / ROUNDS >= penalty / 5;
}

/* Two tries of three must agree: a disturbed moment may show either. */
static bool reaches(const struct reach *r, double penalty)
{
	bool first = reaches_once(r, penalty);
	bool second = reaches_once(r, penalty);

	return first == second ? first : reaches_once(r, penalty);
}

/* The most taken branches that may lie between a branch and another one that
 * determines its direction.  A predictor that remembers many branches remembers
 * fewer, too; but where the two share an entry of a table with others, a short
 * distance is not predicted.  An Emerald Rapids remembers 192, and does not predict at
 * 16 or 32 in every third process.  So the limit is the one that contradicts the fewest
 * distances. */
static unsigned long history(double penalty)
{
	static const struct reach list[] = {
		{ 8, reach_8 },     { 16, reach_16 },   { 32, reach_32 },
		{ 48, reach_48 },   { 64, reach_64 },   { 96, reach_96 },
		{ 128, reach_128 }, { 160, reach_160 }, { 192, reach_192 },
		{ 224, reach_224 }, { 256, reach_256 }, { 384, reach_384 },
		{ 512, reach_512 },
	};
	enum { N = sizeof(list) / sizeof(*list) };
	bool reached[N];
	unsigned long found = 0;
	size_t wrong = 0, least;

	for (size_t i = 0; i < N; i++) {
		reached[i] = reaches(&list[i], penalty);
		wrong += reached[i];
	}
	/* A limit below all distances contradicts so many; then one above each. */
	least = wrong;
	for (size_t i = 0; i < N; i++) {
		wrong = reached[i] ? wrong - 1 : wrong + 1;
		if (wrong >= least)
			continue;
		least = wrong;
		found = list[i].n + 1;
	}
	return found;
}

/* The most iterations of a loop whose exit is predicted: that of the next longer
 * one costs half of a misprediction or more beyond its own iterations. */
static unsigned long loop_limit(double penalty)
{
	enum { LEAST = 8 };
	double before = 0;
	unsigned long n;

	for (n = LEAST; n <= MOST_ITERATIONS; n += n / 4) {
		struct probe p = { .bytes = n, .n = STEPS };
		double cycles = probe_cycles(loops, &p) / STEPS;

		/* An iteration takes little more than a cycle. */
		if (before > 0 &&
		    cycles - before > penalty / 2 + 1.5 * (double)(n / 5))
			return n - n / 5;
		before = cycles;
	}
	return MOST_ITERATIONS;
}

void print_branches(void)
{
	double penalty = misprediction();
	unsigned long reach = history(penalty), most = loop_limit(penalty);

	printf("branch.penalty = %.0f\n", penalty);
	if (reach > 0)
		printf("branch.history = %lu\n", reach);
	if (most < MOST_ITERATIONS)
		printf("branch.loop = %lu\n", most);
}
