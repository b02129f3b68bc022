/* Reads typed text and compares it with forms; see typed.h. */
#include "host/isa/typed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/typed_names.h"

enum { LONGEST = 512 }; /* text; what follows is left out */

/* ---- words --------------------------------------------------------------- */

/* Is the word one of a list that `between` separates? */
static bool is_listed(const char *list, char between, const char *word,
		      size_t n)
{
	const char ends[] = { between, '\0' };

	for (const char *at = list; *at != '\0'; at += *at == between) {
		size_t length = strcspn(at, ends);

		if (length == n && memcmp(at, word, n) == 0)
			return true;
		at += length;
	}
	return false;
}

static const char *kinds_of(const struct isa *isa, const char *word, size_t n)
{
	const struct typed_names *const tables[] = { isa->typed_names,
						     typed_common_names };

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct typed_names *x = tables[i]; x->names; x++)
			if (is_listed(x->names, ' ', word, n))
				return x->kinds;
	return NULL;
}

/* "xmm12" to "xmm#": the first number. */
static void without_number(const char *word, size_t n, char ret[TYPED_NAME])
{
	size_t begin = 0, end;

	while (begin < n && !isdigit((unsigned char)word[begin]))
		begin++;
	end = begin;
	while (end < n && isdigit((unsigned char)word[end]))
		end++;
	(void)snprintf(ret, TYPED_NAME, "%.*s%s%.*s", (int)begin, word,
		       end > begin ? "#" : "", (int)(n - end), word + end);
}

/* Kinds of a word, "" if it says nothing, NULL if it is no operand.  A part
 * behind a dot or a slash is an arrangement, which the kind keeps: v0.4s,
 * p0/z. */
static const char *lookup(const struct isa *isa, const char *word, size_t n,
			  size_t *ret_part)
{
	const char *kinds = kinds_of(isa, word, n);
	char plain[TYPED_NAME];
	size_t base = 0;

	*ret_part = n;
	if (kinds || n >= TYPED_NAME)
		return kinds;
	without_number(word, n, plain);
	kinds = kinds_of(isa, plain, strlen(plain));
	if (kinds)
		return kinds;
	while (base < n && word[base] != '.' && word[base] != '/')
		base++;
	if (base == 0 || base == n)
		return NULL;
	*ret_part = base;
	without_number(word, base, plain);
	return kinds_of(isa, plain, strlen(plain));
}

static bool is_number(const char *word, size_t n)
{
	size_t i = *word == '-' || *word == '+';

	if (i >= n || !isdigit((unsigned char)word[i]))
		return false;
	i += n > i + 2 && word[i] == '0' && word[i + 1] == 'x' ? 2 : 0;
	for (; i < n; i++)
		if (!isxdigit((unsigned char)word[i]))
			return false;
	return true;
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
	const struct isa *isa;
	struct typed_text *t;
	const char *at;
	/* Operands in braces, behind the others. */
	char masks[TYPED_MAX][TYPED_KIND];
	unsigned n_masks;
	bool braces, list; /* inside of {}; of a list of operands in () */
	bool sized; /* the last operand is a size, whose address may follow */
};

static void add_operand(struct reader *r, const char *kinds, const char *part,
			size_t n_part)
{
	struct typed_text *t = r->t;

	r->sized = kinds[0] == 'm' && isdigit((unsigned char)kinds[1]);
	if (t->n_operands < TYPED_MAX)
		(void)snprintf(t->operands[t->n_operands++],
			       sizeof(*t->operands), "%s%.*s", kinds,
			       n_part < TYPED_KIND ? (int)n_part : 0, part);
}

/* An address: skip to its closing bracket. */
static void read_address(struct reader *r, char closing)
{
	while (*r->at != '\0' && *r->at != closing) {
		r->t->att = r->t->att || *r->at == '%';
		r->at++;
	}
	r->at += *r->at == closing;
	r->t->concrete = true;
	if (!r->sized)
		add_operand(r, "m", "", 0);
	r->sized = false;
}

/* Does "(R64, R64)" hold operands?  An address is not all that follows the
 * mnemonic, or has a register with '%'. */
static bool is_list(const struct reader *r)
{
	const char *end = strchr(r->at, ')');

	return r->t->n_words > 0 && r->t->n_operands == 0 && !r->list && end &&
	       end[1 + strspn(end + 1, " \t")] == '\0' &&
	       !memchr(r->at, '%', (size_t)(end - r->at));
}

static void take_operand(struct reader *r, const char *word, size_t n,
			 const char *kinds, size_t part)
{
	static const char in_braces[] = "k z bcst sae";

	if (*kinds == '\0')
		return;
	/* SVE's z0 in braces has an arrangement, a mask none. */
	if (r->braces && part == n &&
	    is_listed(in_braces, ' ', kinds, strlen(kinds))) {
		if (r->n_masks < TYPED_MAX)
			(void)snprintf(r->masks[r->n_masks++], TYPED_KIND, "%s",
				       kinds);
		return;
	}
	add_operand(r, kinds, word + part, n - part);
	/* A name that differs from its kind is a register or a number. */
	if (!is_listed(kinds, ' ', word, part) && !r->sized)
		r->t->concrete = true;
}

/* The first word is the mnemonic, even if it could be an operand: "b". */
static bool may_be_operand(const struct reader *r, size_t n)
{
	return r->t->n_words > 0 || r->t->n_operands > 0 || n > 2;
}

static void take_word(struct reader *r, const char *word, size_t n)
{
	struct typed_text *t = r->t;
	size_t part;
	const char *kinds = lookup(r->isa, word, n, &part);

	if (*r->at == ':') /* a segment, or a label */
		return;
	if (*r->at == '(' && t->n_words > 0 && !kinds)
		return; /* the displacement of an address */
	if (*r->at == '(' && kinds && isdigit((unsigned char)r->at[1]))
		r->at += strcspn(r->at, ")"); /* st(1) */
	if (kinds && may_be_operand(r, n)) {
		take_operand(r, word, n, kinds, part);
	} else if (t->n_words > 0 && is_number(word, n)) {
		add_operand(r, "imm", "", 0);
	} else if (t->n_words < TYPED_MAX) {
		(void)snprintf(t->words[t->n_words++], TYPED_NAME, "%.*s",
			       (int)n, word);
		r->sized = false;
	}
}

static bool is_of_word(const char *at, const char *begin)
{
	return isalnum((unsigned char)*at) || strchr("_./@", *at) ||
	       ((*at == '-' || *at == '+') &&
		(at == begin ? isdigit((unsigned char)at[1])
			     : isalpha((unsigned char)at[-1])));
}

/* One mark that is part of no word. */
static void read_mark(struct reader *r)
{
	char c = *r->at++;

	if (c == '[' || (c == '(' && !is_list(r)))
		read_address(r, c == '[' ? ']' : ')');
	else if (c == '(')
		r->list = true;
	else if (c == '{' || c == '}')
		r->braces = c == '{';
	else if (c == ',')
		r->sized = false;
	else if (c == '%' || (c == '$' && isdigit((unsigned char)*r->at)))
		r->t->att = true;
}

void typed_read(const struct isa *isa, const char *text, struct typed_text *ret)
{
	char lower[LONGEST];
	struct reader r = { .isa = isa, .t = ret, .at = lower };
	size_t n = 0;

	for (; text[n] != '\0' && n + 1 < sizeof(lower); n++)
		lower[n] = (char)tolower((unsigned char)text[n]);
	lower[n] = '\0';
	*ret = (struct typed_text){ .n_words = 0 };
	while (*r.at != '\0') {
		const char *begin = r.at;

		while (*r.at != '\0' && is_of_word(r.at, begin))
			r.at++;
		if (r.at > begin)
			take_word(&r, begin, (size_t)(r.at - begin));
		else
			read_mark(&r);
	}
	ret->att = ret->att && isa->access_bytes; /* has a second dialect */
	ret->n_main = ret->n_operands;
	for (unsigned i = 0; i < r.n_masks && ret->n_operands < TYPED_MAX; i++)
		(void)snprintf(ret->operands[ret->n_operands++],
			       sizeof(*ret->operands), "%s", r.masks[i]);
}

/* ---- forms --------------------------------------------------------------- */

/* The words in front of the operands: "lock add". */
static const char *mnemonic_of(struct arena *a, const struct isa *isa,
			       const char *text, struct typed_text *ret)
{
	char *all = arena_strdup(a, "");

	typed_read(isa, text, ret);
	for (unsigned i = 0; i < ret->n_words; i++)
		if (i == 0 || strcmp(all, "lock") == 0 ||
		    strncmp(all, "rep", 3) == 0)
			all = arena_printf(a, "%s%s%s", all, i ? " " : "",
					   ret->words[i]);
	return all;
}

/* Bits of a number with this range; 0: not known. */
static unsigned bits_of(const struct operand *o)
{
	static const unsigned widths[] = { 8, 16, 32 };

	if (o->imm_min >= o->imm_max)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(widths); i++)
		if (o->imm_min >= -(INT64_C(1) << (widths[i] - 1)) &&
		    o->imm_max < INT64_C(1) << widths[i])
			return widths[i];
	return 64;
}

/* Say how wide numbers are, if the text has all of them. */
static void size_numbers(const struct form *f, struct typed_text *t)
{
	unsigned widths[FORM_MAX_OPERANDS] = { 0 };
	unsigned n = 0, n_text = 0;

	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_IMM)
			widths[n++] = bits_of(&f->operands[i]);
	for (unsigned i = 0; i < t->n_main; i++)
		n_text += strcmp(t->operands[i], "imm") == 0;
	if (n != n_text)
		return;
	n = 0;
	for (unsigned i = 0; i < t->n_main; i++)
		if (strcmp(t->operands[i], "imm") == 0 && widths[n++] > 0)
			(void)snprintf(t->operands[i], sizeof(*t->operands),
				       "imm%u", widths[n - 1]);
}

static const char *lower(struct arena *a, const char *text)
{
	char *copy = arena_strdup(a, text);

	for (char *at = copy; *at != '\0'; at++)
		*at = (char)tolower((unsigned char)*at);
	return copy;
}

static bool is_alias(const struct typed_alias *k, const struct form *f,
		     const char *mnemonics)
{
	if (!k->of)
		return k->opcode == f->opcode;
	return (k->opcode == f->opcode || k->first) &&
	       is_listed(mnemonics, ',', k->of, strlen(k->of));
}

static void add_aliases(struct arena *a, const struct typed_index *x,
			const struct form *f, struct typed_form *ret)
{
	const char *own = ret->mnemonics;

	for (size_t i = 0; i < x->n_aliases; i++) {
		const char *word = x->aliases[i].word;

		if (is_alias(&x->aliases[i], f, own) &&
		    !is_listed(ret->mnemonics, ',', word, strlen(word)))
			ret->mnemonics =
				arena_printf(a, "%s,%s", ret->mnemonics, word);
	}
}

void typed_form(struct arena *a, const struct catalogue *c,
		const struct typed_index *index, const struct form *f,
		struct typed_form *ret)
{
	enum { TEXT = 256 };
	const char *example = *f->example ? f->example : f->mnemonic;
	char text[TEXT] = "";
	struct typed_text t;
	struct instance x;
	struct mc_inst inst;
	char *operands = arena_strdup(a, "");

	ret->name = f->name;
	ret->mnemonics = mnemonic_of(a, c->isa, example, &t);
	if (c->isa->access_bytes && *f->example && form_example(c, f, 0, &x)) {
		instance_to_mc(&x, &inst);
		mc_print_other(c->mc, &inst, text, sizeof(text));
	}
	if (*text != '\0') {
		const char *other = mnemonic_of(a, c->isa, text, &t);

		if (strcmp(other, ret->mnemonics) != 0)
			ret->mnemonics =
				arena_printf(a, "%s,%s", other, ret->mnemonics);
	}
	add_aliases(a, index, f, ret);
	size_numbers(f, &t);
	for (unsigned i = 0; i < t.n_operands; i++)
		operands =
			arena_printf(a, "%s%s%s%s", operands, i ? " " : "",
				     i == t.n_main ? "| " : "", t.operands[i]);
	ret->operands = operands;
	ret->text = lower(a, arena_printf(a, "%s\t%s\t%s", f->name, f->mnemonic,
					  f->example));
}
