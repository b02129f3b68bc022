/* The table of clocks' words; see clock_kind.h. */
#include "host/base/clock_kind.h"

#include <string.h>

static const char *const words[CLOCK_UNKNOWN] = {
	[CLOCK_NONE] = "",
	[CLOCK_CORE] = "core",
	[CLOCK_REF] = "ref",
	[CLOCK_EITHER] = "either",
};

enum clock clock_of(const char *word)
{
	enum clock c = CLOCK_NONE;

	while (c < CLOCK_UNKNOWN && strcmp(word, words[c]) != 0)
		c++;
	return c;
}

const char *clock_word_or(enum clock clock, const char *unknown)
{
	return clock == CLOCK_UNKNOWN ? unknown : words[clock];
}

const char *clock_word(enum clock clock)
{
	return clock_word_or(clock, "");
}
