/* Words of a core that starts two at a time.
 *
 * A kernel repeats a word of two forms x and y, and of a third one, z.  How
 * long it takes follows from which pairs start together; which word tells most
 * of x and y follows from what is known of the others. */
#ifndef PORTS_WORDS_H
#define PORTS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WORDS_MAX_LETTERS = 6,
	/* What two forms may do, a bit for each of four ways: whether the
	 * second starts with the first (1), and the first with the second
	 * (2). */
	WORDS_OPEN = 15,
	WORDS_NEVER = 1 << 0,
	WORDS_BOTH = 1 << 3,
};

enum words_letter { WORDS_X, WORDS_Y, WORDS_Z, WORDS_N_LETTERS };

/* What is known of three forms. */
struct words_known {
	bool self[WORDS_N_LETTERS]; /* two of one form start together */
	uint8_t xy, xz, yz;         /* ways that are left */
};

struct word {
	size_t n; /* 0: none tells anything */
	uint8_t letter[WORDS_MAX_LETTERS];
};

/* A table of answers that were worked out. */
struct words;
struct words *words_new(void);
void words_free(struct words *w);

/* The shortest word that tells most of x and y, at once; without z when that
 * is not known. */
struct word words_best(struct words *w, const struct words_known *k, bool z);

/* Of k->xy, the ways in which the word may take so many cycles. */
uint8_t words_left(const struct words_known *k, const struct word *word,
		   double cycles);

#endif
