/* Contention of loads and stores.
 *
 * The time of l loads and s stores together is convex in (l, s) and scales
 * linearly, because a core can run one mix after another. Between two measured
 * mixes the time is at most the chord through them. Outside that interval it is
 * at least the chord's extension. The estimate is the larger of the two
 * extensions from the neighbouring intervals, capped by the interval's own
 * chord. It is a lower bound, and it equals the measurement at a measured mix.
 *
 * Accesses of several widths are counted by the cycles that each takes alone.
 * Of the measured widths that the body uses, the one with the least contention
 * gives the estimate for all of them. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/model/claims_read.h"
#include "host/predict/body.h"

/* ---- experiments --------------------------------------------------------- */

/* Loads and stores: a copy, a sum of two, a sum of three, two results. */
static const uint16_t counts[][2] = { { 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 } };

static bool is_requested(const struct effect_plan *p, const struct form *f)
{
	return f && f->status == FORM_MEASURABLE && p->is_chosen(p->choice, f);
}

/* Plain loads and stores of the same width, from the ISA's list. */
static void plan(const struct effect_plan *p)
{
	const struct catalogue *c = p->catalogue;
	const struct isa_memory *m = c->isa->memory;

	for (size_t at = 0; p->throughputs && m && m->streams[at].load; at++) {
		const struct form *load =
			catalogue_form(c, m->streams[at].load);
		const struct form *store =
			catalogue_form(c, m->streams[at].store);

		if (!is_requested(p, load) || !is_requested(p, store))
			continue;
		for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
			struct experiment x =
				experiment_of(EXPERIMENT_MIX, load, -1, -1);

			x.n_steps = 2;
			x.steps[1] = x.steps[0];
			x.steps[0].count = counts[i][0];
			x.steps[1].form = store;
			x.steps[1].count = counts[i][1];
			p->add(p->context, &x);
		}
	}
}

/* ---- model --------------------------------------------------------------- */

static void add_mix(const struct claim_reader *r, const struct claim *c,
		    struct buffer *mixes)
{
	struct experiment x;
	const struct experiment_step *load = &x.steps[0], *store = &x.steps[1];
	struct model_mix m;

	if (!claim_is(c, "mix") || !claims_experiment(r, c, &x) ||
	    x.n_steps != 2 || load->form->access != ACCESS_LOAD ||
	    store->form->access != ACCESS_STORE)
		return;
	m = (struct model_mix){ .load = load->form->name,
				.store = store->form->name,
				.n_loads = load->count,
				.n_stores = store->count,
				.cycles = claim_span(c) };
	buffer_add(mixes, &m, sizeof(m));
}

static void read_claims(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->several.bytes;
	struct buffer mixes = { 0 };

	for (size_t i = 0; i < r->several.n / sizeof(*list); i++)
		add_mix(r, &list[i], &mixes);
	r->m->mixes = claims_settle(r->a, &mixes, sizeof(*r->m->mixes),
				    &r->m->n_mixes);
}

/* ---- loops --------------------------------------------------------------- */

enum { MOST = 16, NARROWEST = 8 };

/* Cycles of the loads alone, of the stores alone, and of both together. */
struct mix_point {
	double u, v, t;
};

/* The mixes of one width, ordered from loads only to stores only. */
struct mix_line {
	size_t n;
	struct mix_point at[MOST];
};

/* The width and bank of accesses of the body. */
struct mix_kind {
	unsigned bytes; /* narrower ones count as NARROWEST */
	uint8_t bank;
	bool loads, stores; /* the body has such loads, such stores */
};

/* Cycles that the accesses of an instruction take alone.  False: it has none,
 * or they are not known. */
static bool mix_accesses(const struct op *o, double *loads, double *stores)
{
	if (!op_is_executed(o))
		return false;
	*loads = o->costs->load_cycles;
	*stores = o->costs->store_cycles;
	return *loads > 0 || *stores > 0;
}

/* The kinds of all accesses, each once.  Returns their number. */
static size_t mix_find_kinds(const struct body *b, struct mix_kind *kinds)
{
	size_t n_kinds = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct form *f = b->ops[i].insn->instance.form;
		struct mix_kind x = { 0 };
		double loads, stores;
		size_t k = 0;

		if (!mix_accesses(&b->ops[i], &loads, &stores))
			continue;
		x.bytes = f->access_bytes > 0 && f->access_bytes < NARROWEST
				  ? NARROWEST
				  : f->access_bytes;
		x.bank = model_access_bank(b->program->c, f);
		while (k < n_kinds &&
		       (kinds[k].bytes != x.bytes || kinds[k].bank != x.bank))
			k++;
		if (k == n_kinds)
			kinds[n_kinds++] = x;
		kinds[k].loads |= loads > 0;
		kinds[k].stores |= stores > 0;
	}
	return n_kinds;
}

/* Does it have the width and bank of this access of a mix? */
static bool mix_is_like(const struct catalogue *c, const struct mix_kind *x,
			const struct form *plain)
{
	return x->bytes == plain->access_bytes &&
	       (x->bank == BANK_NONE || x->bank == model_access_bank(c, plain));
}

static double mix_cycles_alone(const struct model *m, const char *name)
{
	const struct model_form *f = model_find(m, name);

	return f && f->throughput.has_value ? f->throughput.low : 0;
}

static void mix_add_point(struct mix_line *l, struct mix_point p)
{
	size_t k = l->n;

	if (l->n == MOST)
		return;
	while (k > 0 && l->at[k - 1].v * p.u > p.v * l->at[k - 1].u) {
		l->at[k] = l->at[k - 1];
		k--;
	}
	l->at[k] = p;
	l->n++;
}

static void mix_collect(const struct model *m, const struct model_mix *first,
			struct mix_line *ret)
{
	double load = mix_cycles_alone(m, first->load),
	       store = mix_cycles_alone(m, first->store);

	*ret = (struct mix_line){ .n = 0 };
	if (load <= 0 || store <= 0)
		return;
	mix_add_point(ret, (struct mix_point){ 1, 0, 1 });
	mix_add_point(ret, (struct mix_point){ 0, 1, 1 });
	for (size_t i = 0; i < m->n_mixes; i++) {
		const struct model_mix *x = &m->mixes[i];
		double u = x->n_loads * load, v = x->n_stores * store;

		if (strcmp(x->load, first->load) == 0 &&
		    strcmp(x->store, first->store) == 0 && u > 0 && v > 0)
			mix_add_point(ret,
				      (struct mix_point){ u, v,
							  fmax(x->cycles.low,
							       fmax(u, v)) });
	}
}

/* The line through points i and i + 1, as cycles per load and per store cycle.
 * False when the points are collinear or a coefficient is negative. */
static bool mix_chord(const struct mix_line *l, size_t i,
		      struct load_store_cost *ret)
{
	const struct mix_point *p = &l->at[i], *q = &l->at[i + 1];
	double d = p->u * q->v - q->u * p->v;

	if (d < 1e-9)
		return false;
	ret->load = (p->t * q->v - q->t * p->v) / d;
	ret->store = (p->u * q->t - q->u * p->t) / d;
	return ret->load >= 0 && ret->store >= 0;
}

static double mix_value(const struct load_store_cost *x, double u, double v)
{
	return x->load * u + x->store * v;
}

/* The lower bound at u cycles of loads and v cycles of stores. */
static struct load_store_cost mix_bound(const struct mix_line *l, double u,
					double v)
{
	struct load_store_cost best = u > v ? (struct load_store_cost){ 1, 0 }
					    : (struct load_store_cost){ 0, 1 };
	struct load_store_cost own, side;
	size_t i = 0;

	/* Find the interval that contains (u, v). */
	while (i + 2 < l->n && l->at[i + 1].v * u < v * l->at[i + 1].u)
		i++;
	if (!mix_chord(l, i, &own) ||
	    mix_value(&own, u, v) <= mix_value(&best, u, v))
		return best;
	if (i > 0 && mix_chord(l, i - 1, &side) &&
	    mix_value(&side, u, v) > mix_value(&best, u, v))
		best = side;
	if (i + 2 < l->n && mix_chord(l, i + 1, &side) &&
	    mix_value(&side, u, v) > mix_value(&best, u, v))
		best = side;
	return mix_value(&best, u, v) < mix_value(&own, u, v) ? best : own;
}

/* Does some access of the body have the width and bank of this mix? */
static bool mix_is_used(const struct catalogue *c, const struct model_mix *m,
			const struct mix_kind *kinds, size_t n)
{
	const struct form *load = catalogue_form(c, m->load);
	const struct form *store = catalogue_form(c, m->store);

	for (size_t i = 0; load && store && i < n; i++)
		if ((kinds[i].loads && mix_is_like(c, &kinds[i], load)) ||
		    (kinds[i].stores && mix_is_like(c, &kinds[i], store)))
			return true;
	return false;
}

/* Is a mix of the same load and store before this one?  Then mix_collect() took
 * this one together with it. */
static bool mix_is_repeated(const struct model *m, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(m->mixes[k].load, m->mixes[i].load) == 0 &&
		    strcmp(m->mixes[k].store, m->mixes[i].store) == 0)
			return true;
	return false;
}

/* The time that measured mixes of loads and stores imply for all accesses of
 * the body.  False where that is not 1 % longer than the slower of loads and
 * stores alone. */
static bool contention(const struct body *b, struct load_store_cost *ret)
{
	static const double shows = 1.01;
	const struct model *m = b->model;
	const struct catalogue *c = b->program->c;
	double u = 0, v = 0, least = INFINITY;
	struct mix_kind *kinds;
	size_t n_kinds;

	for (size_t i = 0; i < b->n && m->n_mixes > 0; i++) {
		double loads, stores;

		if (mix_accesses(&b->ops[i], &loads, &stores)) {
			u += loads;
			v += stores;
		}
	}
	if (u <= 0 || v <= 0)
		return false;
	kinds = ARENA_ARRAY(b->a, struct mix_kind, b->n);
	n_kinds = mix_find_kinds(b, kinds);
	for (size_t i = 0; i < m->n_mixes; i++) {
		struct load_store_cost x;
		struct mix_line l;

		if (mix_is_repeated(m, i) ||
		    !mix_is_used(c, &m->mixes[i], kinds, n_kinds))
			continue;
		mix_collect(m, &m->mixes[i], &l);
		if (l.n < 3)
			continue;
		x = mix_bound(&l, u, v);
		if (mix_value(&x, u, v) < least) {
			least = mix_value(&x, u, v);
			*ret = x;
		}
	}
	return isfinite(least) && least > shows * fmax(u, v);
}

const struct effect effect_contention = {
	.name = "contention",
	.plan = plan,
	.read_claims = read_claims,
	.contention = contention,
};
