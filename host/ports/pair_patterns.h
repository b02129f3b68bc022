/* Patterns for dual-issue cores.
 *
 * A kernel repeats a pattern of two forms x and y, and possibly a third form z.
 * Its time depends on which pairs start together. The pattern with the most
 * information about x and y depends on what is known of the other pairs. */
#ifndef PORTS_PAIR_PATTERNS_H
#define PORTS_PAIR_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PATTERN_MAX_LETTERS = 6,
	/* Ways in which two forms can pair, one bit for each of four ways. Bit
	 * 0 of a way: the second starts with the first. Bit 1: the first starts
	 * with the second. */
	PATTERN_OPEN = 15,
	PATTERN_NEVER = 1 << 0,
	PATTERN_BOTH = 1 << 3,
};

enum pattern_letter { PATTERN_X, PATTERN_Y, PATTERN_Z, PATTERN_N_LETTERS };

/* What is known about three forms. */
struct pattern_known {
	/* Two instances of one form start together. */
	bool self[PATTERN_N_LETTERS];
	uint8_t xy, xz, yz; /* remaining ways */
};

struct pair_pattern {
	size_t n; /* 0: no pattern gives information */
	uint8_t letter[PATTERN_MAX_LETTERS];
};

/* Cache of the best patterns. */
struct patterns;
struct patterns *patterns_new(void);
void patterns_free(struct patterns *w);

/* The shortest pattern that gives the most information about x and y; without z
 * when `z` is false. */
struct pair_pattern patterns_best(struct patterns *w,
				  const struct pattern_known *k, bool z);

/* The ways of k->xy in which the pattern can take this many cycles. */
uint8_t patterns_left(const struct pattern_known *k,
		      const struct pair_pattern *pattern, double cycles);

#endif
