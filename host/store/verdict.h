/* The verdicts of claims (docs/verdicts.md). */
#ifndef STORE_VERDICT_H
#define STORE_VERDICT_H

#include <stdbool.h>

enum verdict {
#define VERDICT(name, word, gives, facts, meaning) VERDICT_##name,
#include "host/store/verdict_list.h"
#undef VERDICT
	/* A word that is none of these: of another version of the program. */
	VERDICT_UNKNOWN,
};

/* What the bounds of a claim with the verdict are. */
enum verdict_gives {
	VERDICT_GIVES_NONE,
	VERDICT_GIVES_SEEN,     /* what samples showed, proved by nothing */
	VERDICT_GIVES_MEASURED, /* a value that is true of the kernel only */
	VERDICT_GIVES_INTERVAL, /* they hold the value */
	VERDICT_GIVES_BOTH,     /* two values, each real */
	VERDICT_GIVES_EXACT,    /* a value, within the clock's resolution */
};

enum verdict_facts {
	/* A machine model uses the value. */
	VERDICT_SETTLED = 1 << 0,
	/* A machine model uses the ports. */
	VERDICT_PORTS = 1 << 1,
	/* `measure --redo noisy` measures the kernel again. */
	VERDICT_REPEATED = 1 << 2,
	/* `shares` counts it as the reason why a pair of operands has no
	 * latency. */
	VERDICT_REASON = 1 << 3,
	/* Of values that a site shows; no database has the word. */
	VERDICT_OF_FILE = 1 << 4,
};

/* The verdict of a word, "fault:CAUSE" with any cause included; a word of an
 * older version is that of today. */
enum verdict verdict_of(const char *word);

/* Its word.  VERDICT_FAULT gives the text "fault:CAUSE" and VERDICT_UNKNOWN "":
 * claim_verdict() has the words of these two. */
const char *verdict_word(enum verdict verdict);

/* Its meaning in a line. */
const char *verdict_meaning(enum verdict verdict);

/* VERDICT_GIVES_NONE for VERDICT_UNKNOWN. */
enum verdict_gives verdict_gives(enum verdict verdict);

/* Does this fact hold?  None does for VERDICT_UNKNOWN. */
bool verdict_is(enum verdict verdict, enum verdict_facts fact);

#endif
