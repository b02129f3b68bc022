/* The table of verdicts, and its words; see verdict.h. */
#include "host/store/verdict.h"

#include <string.h>

#include "common/types.h"

static const struct {
	const char *word, *meaning;
	enum verdict_gives gives;
	unsigned facts; /* enum verdict_facts */
} rows[] = {
#define VERDICT(name, word, gives, facts, meaning) \
	[VERDICT_##name] = { word, meaning, VERDICT_GIVES_##gives, facts },
#include "host/store/verdict_list.h"
#undef VERDICT
	[VERDICT_UNKNOWN] = { "", "see docs/verdicts.md", VERDICT_GIVES_NONE,
			      0 },
};

/* Words of older versions. */
static const struct {
	const char *word;
	enum verdict verdict;
} old_words[] = {
	{ "company", VERDICT_INTERFERENCE },
};

enum verdict verdict_of(const char *word)
{
	static const char fault[] = "fault:";

	for (unsigned i = 0; i < VERDICT_UNKNOWN; i++)
		if (strcmp(word, rows[i].word) == 0 &&
		    !(rows[i].facts & VERDICT_OF_FILE))
			return i;
	for (size_t i = 0; i < ARRAY_LEN(old_words); i++)
		if (strcmp(word, old_words[i].word) == 0)
			return old_words[i].verdict;
	return strncmp(word, fault, strlen(fault)) == 0 ? VERDICT_FAULT
							: VERDICT_UNKNOWN;
}

const char *verdict_word(enum verdict verdict)
{
	return rows[verdict].word;
}

const char *verdict_meaning(enum verdict verdict)
{
	return rows[verdict].meaning;
}

enum verdict_gives verdict_gives(enum verdict verdict)
{
	return rows[verdict].gives;
}

bool verdict_is(enum verdict verdict, enum verdict_facts fact)
{
	return (rows[verdict].facts & fact) != 0;
}
