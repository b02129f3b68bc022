/* Along which property do the members of a scheduling class differ?  See
 * classes.h. */
#include "host/codec/llvm/classes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/order.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/variant.h"

enum { PROPERTY = 32, MOST_PARTS = 6 };

/* ---- properties --------------------------------------------------------- */

static void width_text(const struct catalogue *c, const struct form *f,
		       char ret[PROPERTY])
{
	(void)snprintf(ret, PROPERTY, "%u", form_bits(c, f));
}

static void memory_text(const struct catalogue *c, const struct form *f,
			char ret[PROPERTY])
{
	static const char *const words[] = { "none", "load", "store", "both" };

	(void)c;
	(void)snprintf(ret, PROPERTY, "%s",
		       words[f->access & (ACCESS_LOAD | ACCESS_STORE)]);
}

/* A mask that chooses elements, and whether the others are kept. */
static void mask_text(const struct catalogue *c, const struct form *f,
		      char ret[PROPERTY])
{
	bool masked = false, merges = false;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		masked = masked ||
			 (o->read && operand_reg_bank(c, o) == BANK_MASK);
		merges = merges || (o->tied_to >= 0 && o->read);
	}
	(void)snprintf(ret, PROPERTY, "%s",
		       !masked  ? "none"
		       : merges ? "merging"
				: "zeroing");
}

static void immediate_text(const struct catalogue *c, const struct form *f,
			   char ret[PROPERTY])
{
	(void)c;
	(void)snprintf(ret, PROPERTY, "%s",
		       form_has(f, OPERAND_IMM) ? "yes" : "no");
}

static void broadcast_text(const struct catalogue *c, const struct form *f,
			   char ret[PROPERTY])
{
	(void)c;
	(void)snprintf(ret, PROPERTY, "%s",
		       f->data_bytes != f->text_bytes ? "yes" : "no");
}

static void operands_text(const struct catalogue *c, const struct form *f,
			  char ret[PROPERTY])
{
	unsigned n = 0;

	(void)c;
	for (int i = 0; i < f->n_explicit; i++)
		n += f->operands[i].kind == OPERAND_REG && f->operands[i].read;
	(void)snprintf(ret, PROPERTY, "%u", n);
}

static void type_text(const struct catalogue *c, const struct form *f,
		      char ret[PROPERTY])
{
	static const char *const words[DOMAIN_N] = {
		[DOMAIN_INT] = "int",
		[DOMAIN_FP16] = "half",
		[DOMAIN_FP32] = "single",
		[DOMAIN_FP64] = "double",
	};

	(void)c;
	(void)snprintf(ret, PROPERTY, "%s", words[f->domain]);
}

/* The word of a variant that begins with this letter and a digit: e32, m2. */
static void suffix_word(const struct form *f, char letter, char ret[PROPERTY])
{
	const char *at = f->variant ? f->variant->suffix : "";

	(void)snprintf(ret, PROPERTY, "none");
	while (*at != '\0') {
		size_t n = strcspn(at, ",");

		if (*at == letter && n < PROPERTY && n > 1) {
			memcpy(ret, at, n);
			ret[n] = '\0';
			return;
		}
		at += n + (at[n] == ',');
	}
}

static void sew_text(const struct catalogue *c, const struct form *f,
		     char ret[PROPERTY])
{
	(void)c;
	suffix_word(f, 'e', ret);
}

static void lmul_text(const struct catalogue *c, const struct form *f,
		      char ret[PROPERTY])
{
	(void)c;
	suffix_word(f, 'm', ret);
}

static void bank_text(const struct catalogue *c, const struct form *f,
		      char ret[PROPERTY])
{
	(void)c;
	(void)snprintf(ret, PROPERTY, "%s", f->vector_state ? "vector" : "gpr");
}

/* Without a letter of width, which is a property of its own. */
static void mnemonic_text(const struct catalogue *c, const struct form *f,
			  char ret[PROPERTY])
{
	enum { SHORTEST = 3 };
	const char *word = f->mnemonic ? f->mnemonic : "";
	const char *letters = c->isa->width_suffixes;
	size_t n = strlen(word);

	if (n > SHORTEST && letters && strchr(letters, word[n - 1]))
		n--;
	(void)snprintf(ret, PROPERTY, "%.*s",
		       (int)(n < PROPERTY ? n : PROPERTY - 1), word);
}

/* In the order in which they are preferred. */
static const struct {
	const char *name;
	void (*text)(const struct catalogue *c, const struct form *f,
		     char ret[PROPERTY]);
} properties[] = {
	{ "memory", memory_text },       { "width", width_text },
	{ "LMUL", lmul_text },           { "SEW", sew_text },
	{ "immediate", immediate_text }, { "mask", mask_text },
	{ "broadcast", broadcast_text }, { "sources", operands_text },
	{ "type", type_text },           { "registers", bank_text },
	{ "mnemonic", mnemonic_text },
};

/* ---- parts -------------------------------------------------------------- */

bool class_meet(const struct class_member *const *members, size_t n,
		enum class_value kind, double tolerance, double *ret_value)
{
	double low = 0, high = INFINITY, tight_low = 0, tight_high = INFINITY;
	double near;

	for (size_t i = 0; i < n; i++) {
		const struct model_span *s = &members[i]->measured[kind];
		double room = tolerance * s->high;

		low = fmax(low, s->low - room);
		high = fmin(high, s->high + room);
		tight_low = fmax(tight_low, s->low);
		tight_high = fmin(tight_high, s->high);
	}
	if (low > high)
		return false;
	*ret_value = (tight_low + tight_high) / 2;
	near = round(*ret_value);
	if (kind != CLASS_THROUGHPUT && near >= low && near <= high)
		*ret_value = near;
	return true;
}

struct part {
	char text[PROPERTY];
	size_t n;
	double value;
};

struct split {
	size_t n_parts;
	struct part parts[MOST_PARTS];
	bool agrees; /* in each part */
};

/* Members by the text of one property. */
static void split_by(struct arena *a, const struct catalogue *c,
		     const struct class_finding *f, size_t property,
		     double tolerance, struct split *ret)
{
	const struct class_member **list =
		ARENA_ARRAY(a, const struct class_member *, f->n_members);
	char text[PROPERTY];

	ret->n_parts = 0;
	ret->agrees = true;
	for (size_t i = 0; i < f->n_members; i++) {
		size_t k = 0;

		properties[property].text(c, f->members[i].form, text);
		while (k < ret->n_parts && strcmp(ret->parts[k].text, text))
			k++;
		if (k < ret->n_parts)
			continue;
		if (k == MOST_PARTS) {
			ret->agrees = false;
			return;
		}
		memcpy(ret->parts[k].text, text, sizeof(text));
		ret->n_parts++;
	}
	for (size_t k = 0; k < ret->n_parts && ret->agrees; k++) {
		struct part *p = &ret->parts[k];

		p->n = 0;
		for (size_t i = 0; i < f->n_members; i++) {
			properties[property].text(c, f->members[i].form, text);
			if (strcmp(p->text, text) == 0)
				list[p->n++] = &f->members[i];
		}
		ret->agrees =
			class_meet(list, p->n, f->kind, tolerance, &p->value);
	}
}

const char *class_split(struct arena *a, const struct catalogue *c,
			const struct class_finding *f, double tolerance)
{
	struct split best = { .n_parts = MOST_PARTS + 1 }, s;
	struct buffer b = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_LEN(properties); i++) {
		split_by(a, c, f, i, tolerance, &s);
		if (s.agrees && s.n_parts > 1 && s.n_parts < best.n_parts &&
		    s.n_parts < f->n_members) {
			best = s;
			at = i;
		}
	}
	if (best.n_parts > MOST_PARTS)
		return "";
	buffer_printf(&b, "%s:", properties[at].name);
	for (size_t k = 0; k < best.n_parts; k++)
		buffer_printf(&b, "%s %s %.3g", k > 0 ? "," : "",
			      best.parts[k].text, best.parts[k].value);
	return buffer_take(a, &b);
}
