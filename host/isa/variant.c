/* Variants: the words of their families and of their values, and which of its
 * variants an instruction is.  docs/forms/variants.md has the numbers. */
#include "host/isa/variant.h"

#include <stdio.h>
#include <string.h>

#include "host/base/arena.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/surround.h"

static const struct {
	const char *word;
	bool chosen;
} families[FAMILY_N] = {
#define X(id, word, chosen, meaning) [FAMILY_##id] = { word, chosen },
	FAMILY_LIST(X)
#undef X
};

void variant_add(struct variant_list *l, const struct variant *v)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->list = held_realloc(l->list, l->room, sizeof(const void *));
	}
	l->list[l->n++] = v;
}

enum variant_family form_family(const struct form *form)
{
	return form->variant ? (enum variant_family)form->variant->family
			     : FAMILY_PLAIN;
}

void family_around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	const struct isa_family *k = c->isa->families[form_family(i->form)];

	if (k && k->around)
		k->around(c, i, n, ret);
}

bool form_chosen(const struct form *form, uint64_t chosen)
{
	return chosen >> form_family(form) & 1;
}

uint64_t families_default(void)
{
	uint64_t chosen = 0;

	for (int i = 0; i < FAMILY_N; i++)
		chosen |= (uint64_t)families[i].chosen << i;
	return chosen;
}

char *families_words(struct arena *a, uint64_t chosen)
{
	char *words = arena_strdup(a, "");

	for (int i = 0; i < FAMILY_N; i++)
		if (chosen >> i & 1)
			words = arena_printf(a, "%s%s%s", words,
					     *words ? "," : "",
					     families[i].word);
	return words;
}

/* Bits of one word of a list, 0 if the word is unknown. */
static uint64_t bits_of(const char *word, size_t n)
{
	static const char all[] = "all", usual[] = "default";

	if (n == strlen(all) && strncmp(word, all, n) == 0)
		return (UINT64_C(1) << FAMILY_N) - 1;
	if (n == strlen(usual) && strncmp(word, usual, n) == 0)
		return families_default();
	for (int i = 0; i < FAMILY_N; i++)
		if (n == strlen(families[i].word) &&
		    strncmp(word, families[i].word, n) == 0)
			return UINT64_C(1) << i;
	return 0;
}

static int unknown(const char *word, size_t n, struct err *e)
{
	static const char list[] =
#define X(id, word, chosen, meaning) word " "
		FAMILY_LIST(X)
#undef X
			"default all";

	return err_set(e, ERR_USAGE,
		       "--variants: unknown kind '%.*s'; the kinds are %s",
		       (int)n, word, list);
}

int families_parse(const char *words, uint64_t *ret_families, struct err *e)
{
	uint64_t chosen = UINT64_C(1) << FAMILY_PLAIN;

	for (const char *at = words; at && *at != '\0';) {
		size_t n = strcspn(at, ",");
		uint64_t bits = bits_of(at, n);

		if (bits == 0)
			return unknown(at, n, e);
		chosen |= bits;
		at += n + (at[n] == ',');
	}
	*ret_families = words ? chosen : families_default();
	return ERR_OK;
}

const struct form *numbers_form(const struct catalogue *c,
				const struct instance *i)
{
	const struct form *f = i->form;
	int at = form_immediate(f);

	if (f->variant || at < 0)
		return f;
	while ((f = form_next(c, f)) != NULL)
		if (form_family(f) == FAMILY_NUMBER &&
		    i->imm[at] >= f->variant->low &&
		    i->imm[at] <= f->variant->high)
			return f;
	return i->form;
}

/* ---- words of values ----------------------------------------------------- */

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
	const struct variant_rule *r = isa ? isa->rules : NULL;
	const char *word = last_word(name);
	char room[OPCODE_ROOM];
	const char *opcode = name_opcode(name, room);

	for (; r && r->names; r++)
		if (r->variant.family == FAMILY_NUMBER &&
		    strcmp(r->variant.suffix, word) == 0 &&
		    name_matches_any(r->names, opcode)) {
			*ret = r->variant.number;
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
