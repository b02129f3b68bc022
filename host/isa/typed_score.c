/* How well a form fits to a typed text; see typed.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/typed.h"

enum { N_TEXT = 512 };

/* ---- operands ------------------------------------------------------------ */

/* Does a kind as typed admit an operand's?  One may lack the width or the
 * arrangement that the other has: r and r64, m and m256, v and v.4s. */
static bool admits(const char *a, size_t n_a, const char *b, size_t n_b)
{
	size_t n = n_a < n_b ? n_a : n_b;
	char rest = n_a < n_b ? b[n] : n_a > n_b ? a[n] : '\0';

	if (n == 0 || memcmp(a, b, n) != 0)
		return false;
	/* Neither r6 for r64, nor r64 for r6. */
	return rest == '\0' || (!isalpha((unsigned char)rest) &&
				!(isdigit((unsigned char)rest) &&
				  isdigit((unsigned char)a[n - 1])));
}

static bool fits(const char *kinds, const char *operand, size_t n)
{
	for (const char *at = kinds; *at != '\0'; at += *at == ' ') {
		size_t length = strcspn(at, " ");

		if (admits(at, length, operand, n))
			return true;
		at += length;
	}
	return false;
}

struct operand_list {
	const char *at[TYPED_MAX];
	size_t n[TYPED_MAX];
	unsigned count;
};

/* Split, and turn those in front of the bar around for the order of AT&T. */
static void split(const char *operands, bool turn, struct operand_list *ret)
{
	struct operand_list l = { .count = 0 };
	unsigned n_main = TYPED_MAX;

	while (*operands != '\0' && l.count < TYPED_MAX) {
		l.at[l.count] = operands;
		l.n[l.count] = strcspn(operands, " ");
		operands += l.n[l.count] + (operands[l.n[l.count]] == ' ');
		if (*l.at[l.count] == '|')
			n_main = l.count;
		else
			l.count++;
	}
	*ret = l;
	n_main = n_main < l.count ? n_main : l.count;
	for (unsigned i = 0; turn && i < n_main; i++) {
		ret->at[i] = l.at[n_main - 1 - i];
		ret->n[i] = l.n[n_main - 1 - i];
	}
}

/* Are the typed operands among the form's, in this order?  *ret_all: and no
 * others. */
static bool in_order(const struct typed_text *t, const struct operand_list *l,
		     bool *ret_all)
{
	unsigned k = 0;

	for (unsigned i = 0; i < l->count && k < t->n_operands; i++)
		k += fits(t->operands[k], l->at[i], l->n[i]);
	*ret_all = t->n_operands == l->count;
	return k == t->n_operands;
}

/* In any order. */
static bool has_all(const struct typed_text *t, const struct operand_list *l)
{
	bool taken[TYPED_MAX] = { false };

	for (unsigned k = 0; k < t->n_operands; k++) {
		unsigned i = 0;

		while (i < l->count &&
		       (taken[i] || !fits(t->operands[k], l->at[i], l->n[i])))
			i++;
		if (i == l->count)
			return false;
		taken[i] = true;
	}
	return true;
}

/* 0: as typed; 1: and others; 2: in another order; -1: no. */
static int score_operands(const struct typed_text *t,
			  const struct typed_form *f)
{
	struct operand_list l;
	bool all;

	if (t->n_operands == 0)
		return 0;
	split(f->operands, t->att, &l);
	if (in_order(t, &l, &all))
		return all ? 0 : 1;
	return !t->att && !t->concrete && has_all(t, &l) ? 2 : -1;
}

/* ---- words --------------------------------------------------------------- */

static bool same_name(const char *name, const char *word)
{
	for (; *name != '\0' && tolower((unsigned char)*name) == *word; word++)
		name++;
	return *name == '\0' && *word == '\0';
}

/* 2: one of the mnemonics; 1: one begins so; 0: neither. */
static int among(const char *mnemonics, const char *word)
{
	size_t n = strlen(word);
	int best = 0;

	for (const char *at = mnemonics; *at != '\0'; at += *at == ',') {
		if (strncmp(at, word, n) == 0)
			best = at[n] == ',' || at[n] == '\0' ? 2
			       : best > 1                    ? 2
							     : 1;
		at += strcspn(at, ",");
	}
	return best;
}

/* 0: the mnemonic or the name; 1: it begins so; 2: they are in the text; -1. */
static int score_words(const struct typed_text *t, const struct typed_form *f)
{
	const char *first = t->words[0];
	char both[2 * TYPED_NAME];
	int found;

	if (t->n_words == 0)
		return 0;
	if (t->n_words == 2) {
		(void)snprintf(both, sizeof(both), "%s %s", first, t->words[1]);
		if (among(f->mnemonics, both) == 2)
			return 0;
	}
	for (unsigned i = 1; i < t->n_words; i++)
		if (!strstr(f->text, t->words[i]))
			return -1;
	found = among(f->mnemonics, first);
	if (found == 2 || same_name(f->name, first))
		return 0;
	if (found == 1 || strncmp(f->text, first, strlen(first)) == 0)
		return 1;
	return strstr(f->text, first) ? 2 : -1;
}

static void copy_lower(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (char)tolower((unsigned char)from[i]);
	to[n] = '\0';
}

/* Is each of the words, as typed, somewhere in the form's text? */
static bool is_anywhere(const char *raw, const char *text)
{
	char word[N_TEXT];

	while (*raw != '\0') {
		size_t n = strcspn(raw, " \t");

		if (n >= sizeof(word))
			return false;
		copy_lower(word, raw, n);
		if (!strstr(text, word))
			return false;
		raw += n + strspn(raw + n, " \t");
	}
	return true;
}

int typed_score(const struct typed_text *t, const char *raw,
		const struct typed_form *f)
{
	int variant = strchr(f->name, '/') && !same_name(f->name, t->words[0]);
	int words = score_words(t, f);
	int operands = words < 0 ? -1 : score_operands(t, f);

	if (operands >= 0)
		return TYPED_WORDS * words + TYPED_OPERANDS * operands +
		       (variant ? TYPED_VARIANT : 0);
	return is_anywhere(raw, f->text) ? TYPED_ANYWHERE : -1;
}
