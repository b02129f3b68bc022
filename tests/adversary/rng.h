/* xorshift64*: the same draws on every machine. */
#ifndef ADVERSARY_RNG_H
#define ADVERSARY_RNG_H

#include <math.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

/* Streams of one seed are independent of each other. */
static inline struct rng rng_new(uint64_t seed, uint64_t stream)
{
	struct rng r = { (seed * 0x9e3779b97f4a7c15ull +
			  stream * 0xd1b54a32d192ed03ull) |
			 1 };

	for (int i = 0; i < 8; i++) {
		r.state ^= r.state >> 12;
		r.state ^= r.state << 25;
		r.state ^= r.state >> 27;
	}
	return r;
}

/* From 0 to below 1. */
static inline double rng_unit(struct rng *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (double)(r->state * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53;
}

static inline double rng_between(struct rng *r, double low, double high)
{
	return low + (high - low) * rng_unit(r);
}

/* Log-uniform: every octave is as likely as any other. */
static inline double rng_log(struct rng *r, double low, double high)
{
	return low * exp(log(high / low) * rng_unit(r));
}

/* Of a process without memory. */
static inline double rng_exponential(struct rng *r, double mean)
{
	return -mean * log(1 - rng_unit(r));
}

/* 0 to n - 1. */
static inline unsigned rng_below(struct rng *r, unsigned n)
{
	return (unsigned)(rng_unit(r) * n);
}

#endif
