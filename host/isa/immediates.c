/* Immediates: the first of a list with which a form survives encoding and
 * decoding.  The list has the form's usual numbers, then small numbers.  LLVM
 * has no common description of legal ranges, and encoders mask numbers that do
 * not fit.  The round trip decides, so bit-mask immediates, shifts of 0 or 12,
 * lanes and rotations need no rules. */
#include "host/isa/build.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"

enum {
	/* Tries for one form; three operands of 24 candidates each. */
	BUDGET = 14000,
	MAX_BITS = 63,
};

/* Small nonzero numbers first: zero is often an idiom.  Then numbers that only
 * some encodings allow: multiples, extends, high bits. */
static const int64_t candidates[] = {
	1,    2,   3,   4,   8,   16,  0,   5,    7,   6,   9,   10,   11,
	12,   13,  14,  15,  24,  31,  32,  48,   63,  64,  -1,  17,   18,
	19,   20,  21,  22,  23,  25,  26,  27,   28,  29,  30,  33,   34,
	36,   40,  47,  56,  60,  62,  90,  96,   127, 128, 160, 180,  192,
	224,  240, 248, 252, 254, 255, 256, 264,  270, 511, 512, 1024, 2048,
	4096, -2,  -4,  -8,  -16, -32, -64, -128,
};

struct search {
	const struct build *b;
	struct instance *x;
	struct operand *ops;
	const struct isa_usual_numbers *usual; /* or NULL */
	unsigned first;                        /* operand that has them */
	int budget;
};

static bool survives(struct search *s)
{
	s->budget--;
	return instance_survives(s->b->c, s->x, MC_ALL);
}

static bool pinned(const struct operand *o)
{
	return o->kind != OPERAND_IMM || o->imm_min == o->imm_max;
}

/* The usual numbers of the form, then numbers that are legal for many forms. */
static bool tried_all(const struct search *s, size_t n_usual, size_t i)
{
	return s->budget <= 0 || i == n_usual + ARRAY_LEN(candidates);
}

static bool choose(struct search *s, unsigned operand)
{
	size_t n_usual;

	while (operand < s->x->form->n_explicit && pinned(&s->ops[operand]))
		operand++;
	if (operand == s->x->form->n_explicit)
		return survives(s);
	n_usual = s->usual && operand == s->first ? s->usual->n : 0;
	for (size_t i = 0; !tried_all(s, n_usual, i); i++) {
		s->x->imm[operand] = i < n_usual ? s->usual->values[i]
						 : candidates[i - n_usual];
		if (choose(s, operand + 1))
			return true;
	}
	return false;
}

static bool allows(struct search *s, unsigned operand, int64_t imm)
{
	int64_t keep = s->x->imm[operand];
	bool ok;

	s->x->imm[operand] = imm;
	ok = survives(s);
	s->x->imm[operand] = keep;
	return ok;
}

/* Widen the range around the immediate by powers of two while these survive;
 * not all numbers between need be legal. */
static void find_range(struct search *s, unsigned operand)
{
	struct operand *o = &s->ops[operand];
	int64_t low = o->imm, high = o->imm;

	for (int bit = 0; bit < MAX_BITS; bit++) {
		int64_t top = (int64_t)(((uint64_t)1 << bit) - 1);

		if (top > high) {
			if (!allows(s, operand, top))
				break;
			high = top;
		}
	}
	if (low > 0 && allows(s, operand, 0))
		low = 0;
	for (int bit = 0; low <= 0 && bit < MAX_BITS; bit++) {
		int64_t bottom = -(int64_t)((uint64_t)1 << bit);

		if (bottom >= low)
			continue;
		if (!allows(s, operand, bottom))
			break;
		low = bottom;
	}
	o->imm_min = low;
	o->imm_max = high;
}

static const struct isa_usual_numbers *usual_numbers(const struct isa *isa,
						     const char *form)
{
	const struct isa_usual_numbers *u = isa->usual_numbers;

	while (u && u->names && !name_matches_any(u->names, form))
		u++;
	return u && u->names ? u : NULL;
}

bool build_immediates(const struct build *b, const struct form *f,
		      struct operand *ops, struct instance *example)
{
	struct search s = {
		.b = b,
		.x = example,
		.ops = ops,
		.usual = usual_numbers(b->c->isa, f->name),
		.budget = BUDGET,
	};
	bool open[FORM_MAX_OPERANDS];

	while (s.first < f->n_explicit && ops[s.first].kind != OPERAND_IMM)
		s.first++;

	for (unsigned i = 0; i < f->n_explicit; i++)
		open[i] = !pinned(&ops[i]);
	if (!choose(&s, 0))
		return false;
	for (unsigned i = 0; i < f->n_explicit; i++)
		if (open[i])
			operand_pin(&ops[i], example->imm[i]);
	for (unsigned i = 0; i < f->n_explicit; i++)
		if (open[i])
			find_range(&s, i);
	return true;
}
