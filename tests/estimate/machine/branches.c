/* What a mispredicted jump costs, and how long a history predicts. */
#include <stdio.h>

#include "tests/estimate/machine/machine.h"

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

/* The most iterations of a loop whose exit is predicted: that of the next longer
 * one costs half of a misprediction or more beyond its own iterations. */
static unsigned long history(double penalty)
{
	enum { LEAST = 8, MOST_ITERATIONS = 512 };
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

	printf("branch.penalty = %.0f\nbranch.history = %lu\n", penalty,
	       history(penalty));
}
