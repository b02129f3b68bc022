/* Clocks: what a board counts while a kernel runs (docs/method/reference-clock.md). */
#ifndef BASE_CLOCK_KIND_H
#define BASE_CLOCK_KIND_H

enum clock {
	CLOCK_NONE,   /* none is named: the empty word */
	CLOCK_CORE,   /* cycles of the core */
	CLOCK_REF,    /* ticks of a reference clock */
	CLOCK_EITHER, /* of a board's file: cycles if the core allows it */
	/* A word that is none of these: of another version of the program, or
	 * of another program. */
	CLOCK_UNKNOWN,
};

/* The clock of a word of a board's file, of the wire or of a database. */
enum clock clock_of(const char *word);

/* The word of a clock; `unknown` for CLOCK_UNKNOWN, which has none. */
const char *clock_word_or(enum clock clock, const char *unknown);

/* The same, "" for CLOCK_UNKNOWN. */
const char *clock_word(enum clock clock);

#endif
