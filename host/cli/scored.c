/* How well the columns of a table of blocks agree. */
#include <stdio.h>

#include "host/cli/scored.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"

/* Columns that are compared: these, and others from AGAINST on. */
enum column { MEASURED, PREDICTED, GIVEN, AGAINST };

static double column_of(const struct scored_block *b, size_t k)
{
	switch (k) {
	case MEASURED:
		return b->measured;
	case PREDICTED:
		return b->predicted;
	case GIVEN:
		return b->given;
	default:
		return b->against ? b->against[k - AGAINST] : 0;
	}
}

static const char *const category_words[] = {
	[SCORED_DIVIDE] = "division, root",
	[SCORED_STACK] = "stack",
	[SCORED_BRANCH] = "branch inside",
	[SCORED_STORE] = "store",
	[SCORED_LOAD] = "load",
	[SCORED_VECTOR] = "vector",
	[SCORED_SCALAR] = "scalar",
};

static bool has_stack(const struct isa *isa, const struct catalogue *c,
		      const struct form *f)
{
	for (unsigned k = f->n_explicit; k < f->n_operands; k++) {
		const struct reg *r = &c->regs[f->operands[k].fixed_reg];

		if (r->bank == BANK_GPR && r->index == isa->stack_pointer)
			return true;
	}
	return false;
}

enum scored_category scored_category(const struct program *p,
				     const struct loop *l)
{
	enum scored_category ret = SCORED_SCALAR;

	/* The branch back is no branch inside. */
	for (size_t i = l->first; i <= l->last && i < p->n; i++) {
		const struct form *f = p->insns[i].instance.form;
		enum scored_category k = SCORED_SCALAR;

		if (!f)
			continue;
		if (name_matches_any(p->c->isa->frame->divides, f->name))
			k = SCORED_DIVIDE;
		else if (has_stack(p->c->isa, p->c, f))
			k = SCORED_STACK;
		else if (p->insns[i].jumps && !(l->closed && i == l->last))
			k = SCORED_BRANCH;
		else if (f->access & ACCESS_STORE)
			k = SCORED_STORE;
		else if (f->access & ACCESS_LOAD)
			k = SCORED_LOAD;
		else if (f->vector_state)
			k = SCORED_VECTOR;
		ret = k < ret ? k : ret;
	}
	return ret;
}

const char *scored_word(enum scored_category category)
{
	return category_words[category];
}

/* Two columns, and the blocks that count: of a category, or SCORED_N_CATEGORIES: all. */
struct comparison {
	const char *what;
	size_t truth, value;
	enum scored_category category;
};

static bool add_score(const struct scored *w, const struct comparison *q,
		      struct scored_pair *ret)
{
	struct score_pair *pairs =
		ARENA_ARRAY(w->a, struct score_pair, w->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct scored_block *b = &w->blocks[i];
		struct score_pair p = { column_of(b, q->truth),
					column_of(b, q->value) };

		if (p.measured > 0 && p.predicted > 0 &&
		    (q->category == SCORED_N_CATEGORIES ||
		     q->category == b->category))
			pairs[n++] = p;
	}
	ret->what = q->what;
	score_of(w->a, pairs, n, &ret->score);
	return n > 0;
}

static bool has_measured(const struct scored *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->blocks[i].measured > 0)
			return true;
	return false;
}

struct scored_pair *scored_pairs(const struct scored *w, size_t *ret_n)
{
	static const struct comparison all[] = {
		{ "predicted against measured", MEASURED, PREDICTED,
		  SCORED_N_CATEGORIES },
		{ "predicted against given", GIVEN, PREDICTED,
		  SCORED_N_CATEGORIES },
		{ "measured against given", GIVEN, MEASURED,
		  SCORED_N_CATEGORIES },
	};
	struct scored_pair *ret = ARENA_ARRAY(
		w->a, struct scored_pair,
		ARRAY_LEN(all) + SCORED_N_CATEGORIES + 2 * w->n_against + 1);
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		n += add_score(w, &all[i], &ret[n]);
	for (size_t i = 0; i < 2 * w->n_against; i++) {
		struct comparison q = { .truth = i % 2 ? GIVEN : MEASURED,
					.value = AGAINST + i / 2,
					.category = SCORED_N_CATEGORIES };

		q.what = arena_printf(w->a, "%s against %s", w->against[i / 2],
				      i % 2 ? "given" : "measured");
		n += add_score(w, &q, &ret[n]);
	}
	for (int k = 0; k < SCORED_N_CATEGORIES; k++) {
		struct comparison q = all[has_measured(w) ? 0 : 1];

		q.what = arena_printf(w->a, "  %s", category_words[k]);
		q.category = (enum scored_category)k;
		n += add_score(w, &q, &ret[n]);
	}
	*ret_n = n;
	return ret;
}

void scored_print(const struct scored *w)
{
	struct buffer text = { 0 };
	size_t n;
	const struct scored_pair *list = scored_pairs(w, &n);

	for (size_t i = 0; i < n; i++)
		score_text(&text, list[i].what, &list[i].score);
	(void)fputs(buffer_text(&text), stderr);
	buffer_free(&text);
}
