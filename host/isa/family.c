/* Families of variants: their words, and the family of a form. */
#include <string.h>

#include "host/base/arena.h"
#include "host/isa/catalogue.h"
#include "host/isa/variant.h"

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

void variant_add_all(struct variant_list *l, const struct variant *const *v,
		     size_t n)
{
	for (size_t i = 0; i < n && v[i]; i++)
		variant_add(l, v[i]);
}

enum variant_family form_family(const struct form *form)
{
	return form->variant ? (enum variant_family)form->variant->family
			     : FAMILY_PLAIN;
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
