/* What general registers hold at some place of a body of own code. */
#ifndef CAMPAIGN_SNIPPET_FOLLOW_H
#define CAMPAIGN_SNIPPET_FOLLOW_H

#include "host/campaign/snippet.h"

enum { SNIPPET_GPRS = 32 };

/* What a register holds at some place of the body. */
enum held {
	HELD_FIRST,  /* the first value of a register, plus a constant */
	HELD_NUMBER, /* a constant */
	HELD_LOADED, /* what was in memory */
	HELD_OTHER,
};

struct holding {
	enum held what;
	bool vague; /* plus something more that is taken for 0 */
	uint8_t reg;
	/* What more, if it is the first value of a register; -1: something else,
	 * or nothing. */
	int8_t other;
	int64_t add;
};

/* What each register holds in the first body, behind this instruction of it, after
 * snippet_follow(). */
void snippet_holdings(const struct snippet_request *q, const struct snippet *s,
		      const struct insn *behind,
		      struct holding ret[SNIPPET_GPRS]);

#endif
