/* How many rounds a search takes on a board that measures many mixes at once and
 * answers later, as one that boots images:
 *
 *	images FIRST COUNT FORMS MOST [verbose]
 *
 * Cores FIRST .. FIRST + COUNT - 1 are those of solver.c, with so many forms: each
 * form of the core several times.  Fails if a core takes more than MOST rounds,
 * or if anything that is found differs from what a search with answers at
 * once finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ports/truth.h"

enum {
	TABLE = 1 << 20,   /* mixes, a power of two */
	MOST_MIXES = 4096, /* of a round */
	PASSES = 6,
	N_CHECKS = 200,
	N_FIT = 2000,
};

struct known {
	struct ports_mix mix; /* n 0: free */
	struct ports_value value;
	enum ports_phase phase;
};

/* The board: answers what it had in an earlier round. */
struct board {
	struct truth *t;
	struct known *table;
	size_t n_wanted, wanted[MOST_MIXES];
};

static size_t place_of(const struct board *b, const struct ports_mix *mix)
{
	uint64_t h = 0xcbf29ce484222325ull;
	size_t i;

	for (size_t k = 0; k < mix->n; k++)
		h = (h ^ (mix->part[k].form * 1009ull + mix->part[k].count)) *
		    0x100000001b3ull;
	for (i = (h ^ h >> 29) % TABLE; b->table[i].mix.n > 0;
	     i = (i + 1) % TABLE) {
		const struct ports_mix *x = &b->table[i].mix;
		bool same = x->n == mix->n;

		for (size_t k = 0; same && k < mix->n; k++)
			same = x->part[k].form == mix->part[k].form &&
			       x->part[k].count == mix->part[k].count;
		if (same)
			break;
	}
	return i;
}

static int ask(void *context, enum ports_phase phase,
	       const struct ports_mix *mixes, size_t n, struct ports_value *ret,
	       struct err *e)
{
	struct board *b = context;

	for (size_t i = 0; i < n; i++) {
		struct known *k = &b->table[place_of(b, &mixes[i])];

		if (k->mix.n == 0 && b->n_wanted == MOST_MIXES)
			return err_set(e, ERR_INTERRUPTED, "full");
		if (k->mix.n == 0) {
			*k = (struct known){ .mix = mixes[i],
					     .value = { .later = true },
					     .phase = phase };
			b->wanted[b->n_wanted++] = (size_t)(k - b->table);
		}
		ret[i] = k->value;
	}
	return ERR_OK;
}

static bool may_mix(void *context, uint32_t x, uint32_t y)
{
	const struct board *b = context;

	return truth_may_mix(b->t, x, y);
}

/* Measure what was asked for. */
static void boot(struct board *b, bool verbose)
{
	size_t n[PORTS_N_PHASES] = { 0 };
	struct err e = { .code = ERR_OK };

	for (size_t i = 0; i < b->n_wanted; i++) {
		struct known *k = &b->table[b->wanted[i]];

		n[k->phase]++;
		(void)truth_measure(b->t, k->phase, &k->mix, 1, &k->value, &e);
	}
	if (verbose) {
		printf("  %zu mixes:", b->n_wanted);
		for (int p = 0; p < PORTS_N_PHASES; p++)
			printf(" %zu", n[p]);
		printf("\n");
	}
	b->n_wanted = 0;
}

/* The forms of a core again and again. */
static void multiply(struct truth *t, size_t n_forms)
{
	size_t n = t->n_forms;

	for (; t->n_forms < n_forms; t->n_forms++) {
		struct truth_form *f = &t->forms[t->n_forms];
		char name[sizeof(f->name)];

		*f = t->forms[t->n_forms % n];
		(void)snprintf(name, sizeof(name), "%.10s_%zu",
			       t->forms[t->n_forms % n].name,
			       t->n_forms % 10000);
		(void)strcpy(f->name, name);
	}
}

/* What LLVM says of forms for all cores: kinds, which are finer than the ports. */
static struct ports_form *make_forms(struct arena *a, const struct truth *t)
{
	struct ports_form *forms =
		ARENA_ARRAY(a, struct ports_form, t->n_forms);

	for (size_t i = 0; i < t->n_forms; i++) {
		const struct truth_form *f = &t->forms[i];

		forms[i].name = f->name;
		forms[i].rank = (uint16_t)(f->n_uses > 0);
		for (size_t k = 0; k < f->n_uses; k++)
			forms[i].kind = forms[i].kind * 31 +
					(uint32_t)f->uses[k].ports * 3 +
					(uint32_t)(i % 2);
	}
	return forms;
}

static bool is_equal(const struct truth *t, const struct ports_answer *x,
		     const struct ports_answer *y)
{
	if (x->n_classes != y->n_classes || x->width.low != y->width.low)
		return false;
	for (size_t i = 0; i < t->n_forms; i++) {
		const struct ports_answer_form *f = &x->forms[i];
		const struct ports_answer_form *g = &y->forms[i];

		if (f->verdict != g->verdict || f->n_uses != g->n_uses)
			return false;
		for (size_t k = 0; k < f->n_uses; k++)
			if (f->uses[k].ports != g->uses[k].ports ||
			    f->uses[k].n_uops != g->uses[k].n_uops ||
			    f->uses[k].cycles != g->uses[k].cycles)
				return false;
	}
	return true;
}

static struct ports_request request_of(const struct truth *t,
				       const struct ports_form *forms,
				       const struct ports_oracle *o)
{
	return (struct ports_request){ .forms = forms,
				       .n_forms = t->n_forms,
				       .oracle = o,
				       .n_checks = N_CHECKS,
				       .n_fit = N_FIT,
				       .seed = 1 };
}

/* The rounds of a core; 0: another answer, or none. */
static unsigned search(struct truth *t, unsigned most, bool verbose,
		       size_t *ret_mixes)
{
	struct arena a = { 0 };
	struct board b = { .t = t };
	const struct ports_form *forms = make_forms(&a, t);
	const struct ports_oracle direct = { .measure = truth_measure,
					     .may_mix = truth_may_mix,
					     .context = t };
	const struct ports_oracle later = { .measure = ask,
					    .may_mix = may_mix,
					    .context = &b };
	struct ports_request q = request_of(t, forms, &direct);
	struct err e = { .code = ERR_OK, .message = "" };
	struct ports_answer want, got;
	unsigned rounds = 0;
	bool done = false;

	if (ports_infer(&a, &q, &want, &e) != ERR_OK)
		return 0;
	if (verbose)
		printf("  directly: %zu mixes\n", t->n_measured);
	t->n_measured = 0;
	b.table = calloc(TABLE, sizeof(*b.table));
	q = request_of(t, forms, &later);
	while (b.table && !done && rounds <= 4 * most) {
		if (ports_ahead(&a, &q, PASSES, &got, &done, &e) != ERR_OK)
			break;
		if (!done) {
			boot(&b, verbose);
			rounds++;
		}
	}
	*ret_mixes = t->n_measured;
	if (!done || !is_equal(t, &want, &got))
		rounds = 0;
	free(b.table);
	arena_free(&a);
	return rounds;
}

int main(int argc, char **argv)
{
	struct truth *t = malloc(sizeof(*t));
	size_t n_forms, n_mixes, n_bad = 0;
	uint64_t first, count;
	unsigned most, worst = 0;

	if (argc < 5 || !t)
		return 2;
	first = strtoull(argv[1], NULL, 10);
	count = strtoull(argv[2], NULL, 10);
	n_forms = strtoull(argv[3], NULL, 10);
	most = (unsigned)strtoul(argv[4], NULL, 10);
	for (uint64_t seed = first; seed < first + count; seed++) {
		unsigned rounds;

		truth_make(t, seed);
		multiply(t, n_forms);
		rounds = search(t, most, argc > 5, &n_mixes);
		printf("%llu: width %u, %zu forms: %u rounds, %zu mixes%s\n",
		       (unsigned long long)seed, t->width, t->n_forms, rounds,
		       n_mixes, rounds == 0 ? ": not as found directly" : "");
		n_bad += rounds == 0 || rounds > most;
		worst = rounds > worst ? rounds : worst;
	}
	printf("at most %u rounds; %zu of %llu cores failed\n", worst, n_bad,
	       (unsigned long long)count);
	free(t);
	return n_bad > 0;
}
