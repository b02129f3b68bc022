/* How well the columns of a table of blocks agree. */

#include "host/cli/time_blocks.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/view/score.h"

double time_block_value(const struct block *b)
{
	const struct claim *c = &b->result.claim;

	return !b->error && c->has_value ? (c->low_cycles + c->high_cycles) / 2
					 : 0;
}

/* Columns that are compared: these, and others from AGAINST on. */
enum column { MEASURED, PREDICTED, GIVEN, AGAINST };

static double column_of(const struct block *b, size_t k)
{
	switch (k) {
	case MEASURED:
		return time_block_value(b);
	case PREDICTED:
		return b->predicted;
	case GIVEN:
		return b->given;
	default:
		return b->against ? b->against[k - AGAINST] : 0;
	}
}

/* What a block is of, the first that holds. */
enum category {
	CATEGORY_DIVIDE,
	CATEGORY_STACK,
	CATEGORY_BRANCH,
	CATEGORY_STORE,
	CATEGORY_LOAD,
	CATEGORY_VECTOR,
	CATEGORY_SCALAR,
	N_CATEGORIES,
};

static const char *const category_words[] = {
	[CATEGORY_DIVIDE] = "division, root",
	[CATEGORY_STACK] = "stack",
	[CATEGORY_BRANCH] = "branch inside",
	[CATEGORY_STORE] = "store",
	[CATEGORY_LOAD] = "load",
	[CATEGORY_VECTOR] = "vector",
	[CATEGORY_SCALAR] = "scalar",
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

static enum category category_of(const struct program *p, const struct loop *l)
{
	enum category ret = CATEGORY_SCALAR;

	/* The branch back is no branch inside. */
	for (size_t i = l->first; i <= l->last && i < p->n; i++) {
		const struct form *f = p->insns[i].instance.form;
		enum category k = CATEGORY_SCALAR;

		if (!f)
			continue;
		if (name_matches_any(p->c->isa->frame->divides, f->name))
			k = CATEGORY_DIVIDE;
		else if (has_stack(p->c->isa, p->c, f))
			k = CATEGORY_STACK;
		else if (p->insns[i].jumps && !(l->closed && i == l->last))
			k = CATEGORY_BRANCH;
		else if (f->access & ACCESS_STORE)
			k = CATEGORY_STORE;
		else if (f->access & ACCESS_LOAD)
			k = CATEGORY_LOAD;
		else if (f->vector_state)
			k = CATEGORY_VECTOR;
		ret = k < ret ? k : ret;
	}
	return ret;
}

const char *time_block_key(const struct block *b)
{
	return b->hex ? b->hex : b->name;
}

const char *time_block_category(const struct block *b)
{
	return category_words[category_of(&b->program, &b->loop)];
}

/* Two columns, and the blocks that count: of a category, or N_CATEGORIES: all. */
struct comparison {
	const char *what;
	size_t truth, value;
	enum category category;
};

static bool add_score(const struct corpus *w, const struct comparison *q,
		      struct corpus_score *ret)
{
	struct score_pair *pairs =
		ARENA_ARRAY(w->a, struct score_pair, w->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct block *b = &w->blocks[i];
		struct score_pair p = { column_of(b, q->truth),
					column_of(b, q->value) };

		if (p.measured > 0 && p.predicted > 0 &&
		    (q->category == N_CATEGORIES ||
		     q->category == category_of(&b->program, &b->loop)))
			pairs[n++] = p;
	}
	ret->what = q->what;
	score_of(w->a, pairs, n, &ret->score);
	return n > 0;
}

struct corpus_score *time_scores(const struct corpus *w, size_t *ret_n)
{
	static const struct comparison all[] = {
		{ "predicted against measured", MEASURED, PREDICTED,
		  N_CATEGORIES },
		{ "predicted against given", GIVEN, PREDICTED, N_CATEGORIES },
		{ "measured against given", GIVEN, MEASURED, N_CATEGORIES },
	};
	struct corpus_score *ret = ARENA_ARRAY(w->a, struct corpus_score,
					       ARRAY_LEN(all) + N_CATEGORIES +
						       2 * w->n_against + 1);
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		n += add_score(w, &all[i], &ret[n]);
	for (size_t i = 0; i < 2 * w->n_against; i++) {
		struct comparison q = { .truth = i % 2 ? GIVEN : MEASURED,
					.value = AGAINST + i / 2,
					.category = N_CATEGORIES };

		q.what = arena_printf(w->a, "%s against %s", w->against[i / 2],
				      i % 2 ? "given" : "measured");
		n += add_score(w, &q, &ret[n]);
	}
	for (int k = 0; k < N_CATEGORIES; k++) {
		struct comparison q = all[0];

		q.what = arena_printf(w->a, "  %s", category_words[k]);
		q.category = (enum category)k;
		n += add_score(w, &q, &ret[n]);
	}
	*ret_n = n;
	return ret;
}
