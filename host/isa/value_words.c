/* See value_words.h; docs/forms.md has the numbers. */
#include "host/isa/value_words.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/numbers.h"

/* Words common to all instruction sets, by the last word of the suffix. */
static const struct {
	const char *word, *says;
} suffixes[] = {
	{ "fast", "ones, divided by one" },
	{ "slow", "long quotients, or full mantissas" },
	{ "wide", "numbers of 64 bits" },
	{ "normal", "full mantissas" },
	{ "zero", "zeros" },
	{ "denormal", "below the smallest normal number" },
};

/* The last word after the slash, "" if there is none. */
static const char *last_word(const char *name)
{
	const char *slash = strchr(name, '/');
	const char *comma = slash ? strrchr(slash, ',') : NULL;

	return comma ? comma + 1 : slash ? slash + 1 : "";
}

/* The immediate of a class of numbers; false: the form is in no class. */
static bool has_number(const struct isa *isa, const char *name, int64_t *ret)
{
	const struct isa_numbers *n = isa ? isa->numbers : NULL;
	const char *word = last_word(name);
	char room[OPCODE_ROOM];
	const char *opcode = name_opcode(name, room);

	for (size_t i = 0; n && i < n->n_classes; i++)
		if (strcmp(n->classes[i].variant.suffix, word) == 0 &&
		    name_matches(n->classes[i].pattern, opcode)) {
			*ret = n->classes[i].variant.number;
			return true;
		}
	return false;
}

static const char *find_words(const struct isa *isa, const char *name)
{
	const struct isa_value_words *own = isa ? isa->value_words : NULL;

	for (; own && own->names; own++)
		if (name_matches_any(own->names, name))
			return own->words;
	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
		if (strcmp(suffixes[i].word, last_word(name)) == 0)
			return suffixes[i].says;
	return "ones";
}

void value_words(const struct isa *isa, const char *form,
		 char ret[VALUE_WORDS_ROOM])
{
	char name[ISA_NAME_ROOM];
	int64_t number;

	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(form, "@+"),
		       form);
	if (has_number(isa, name, &number))
		(void)snprintf(ret, VALUE_WORDS_ROOM, "ones, immediate %lld",
			       (long long)number);
	else
		(void)snprintf(ret, VALUE_WORDS_ROOM, "%s",
			       find_words(isa, name));
}
