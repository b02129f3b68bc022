/* See beside.h.
 *
 * The time that l loads and s stores take is convex and grows in proportion:
 * a core can do one mix and then another.  So between two measured mixes it is
 * at most on the chord, and beyond them at least on the chord's continuation.
 * Taken is the higher of the two continuations that reach a mix from its
 * neighbours on both sides, and never more than its own chord: a bound from
 * below, and at a measured mix what was measured.
 *
 * Accesses of several widths count as the cycles they take alone; of the widths
 * that were measured the one whose loads and stores get least in each other's
 * way says what all of them take. */
#include "host/predict/beside.h"

#include <math.h>
#include <string.h>

enum { MOST = 16, NARROWEST = 8 };

/* Cycles of loads and of stores alone, and of both together. */
struct point {
	double u, v, t;
};

/* The mixes of one width, from loads alone to stores alone. */
struct line {
	size_t n;
	struct point at[MOST];
};

uint8_t beside_bank(const struct catalogue *c, const struct form *f)
{
	for (int k = 0; k < f->n_explicit; k++) {
		const struct operand *x = &f->operands[k];

		if (x->kind == OPERAND_REG && x->role == ROLE_NONE &&
		    x->reg_class != CLASS_NONE)
			return c->classes[x->reg_class].bank;
	}
	return BANK_NONE;
}

/* Is it of the mix's width?  What is narrower than 8 bytes goes as they do. */
static bool is_like(const struct catalogue *c, const struct form *f,
		    const struct form *plain)
{
	unsigned bytes = f->access_bytes;
	uint8_t bank = beside_bank(c, f);

	if (bytes > 0 && bytes < NARROWEST)
		bytes = NARROWEST;
	return bytes == plain->access_bytes &&
	       (bank == BANK_NONE || bank == beside_bank(c, plain));
}

static double alone(const struct model *m, const char *name)
{
	const struct model_form *f = model_find(m, name);

	return f && f->throughput.has_value ? f->throughput.low : 0;
}

static void add_point(struct line *l, struct point p)
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

static void collect(const struct model *m, const struct model_mix *first,
		    struct line *ret)
{
	double load = alone(m, first->load), store = alone(m, first->store);

	*ret = (struct line){ .n = 0 };
	if (load <= 0 || store <= 0)
		return;
	add_point(ret, (struct point){ 1, 0, 1 });
	add_point(ret, (struct point){ 0, 1, 1 });
	for (size_t i = 0; i < m->n_mixes; i++) {
		const struct model_mix *x = &m->mixes[i];
		double u = x->n_loads * load, v = x->n_stores * store;

		if (strcmp(x->load, first->load) == 0 &&
		    strcmp(x->store, first->store) == 0 && u > 0 && v > 0)
			add_point(ret, (struct point){ u, v,
						       fmax(x->cycles.low,
							    fmax(u, v)) });
	}
}

/* The line through two mixes, as cycles of each load and store. */
static bool chord(const struct line *l, size_t i, struct beside *ret)
{
	const struct point *p = &l->at[i], *q = &l->at[i + 1];
	double d = p->u * q->v - q->u * p->v;

	if (d < 1e-9)
		return false;
	ret->load = (p->t * q->v - q->t * p->v) / d;
	ret->store = (p->u * q->t - q->u * p->t) / d;
	return ret->load >= 0 && ret->store >= 0;
}

static double value(const struct beside *x, double u, double v)
{
	return x->load * u + x->store * v;
}

/* The bound at so many cycles of loads and of stores. */
static struct beside bound(const struct line *l, double u, double v)
{
	struct beside best =
		u > v ? (struct beside){ 1, 0 } : (struct beside){ 0, 1 };
	struct beside own, side;
	size_t i = 0;

	/* Between which two? */
	while (i + 2 < l->n && l->at[i + 1].v * u < v * l->at[i + 1].u)
		i++;
	if (!chord(l, i, &own) || value(&own, u, v) <= value(&best, u, v))
		return best;
	if (i > 0 && chord(l, i - 1, &side) &&
	    value(&side, u, v) > value(&best, u, v))
		best = side;
	if (i + 2 < l->n && chord(l, i + 1, &side) &&
	    value(&side, u, v) > value(&best, u, v))
		best = side;
	return value(&best, u, v) < value(&own, u, v) ? best : own;
}

/* Is it of a width that some access has? */
static bool is_used(const struct body *b, const struct model_mix *m,
		    const struct beside_access *list, size_t n)
{
	const struct catalogue *c = b->program->c;
	const struct form *load = catalogue_form(c, m->load);
	const struct form *store = catalogue_form(c, m->store);

	for (size_t i = 0; load && store && i < n; i++)
		if ((list[i].loads > 0 && is_like(c, list[i].form, load)) ||
		    (list[i].stores > 0 && is_like(c, list[i].form, store)))
			return true;
	return false;
}

bool beside_find(const struct body *b, const struct beside_access *list,
		 size_t n, struct beside *ret)
{
	static const double shows = 1.01;
	const struct model *m = b->model;
	double u = 0, v = 0, least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		u += list[i].loads;
		v += list[i].stores;
	}
	if (u <= 0 || v <= 0)
		return false;
	for (size_t i = 0; i < m->n_mixes; i++) {
		struct beside x;
		struct line l;

		if (!is_used(b, &m->mixes[i], list, n))
			continue;
		collect(m, &m->mixes[i], &l);
		if (l.n < 3)
			continue;
		x = bound(&l, u, v);
		if (value(&x, u, v) < least) {
			least = value(&x, u, v);
			*ret = x;
		}
	}
	return isfinite(least) && least > shows * fmax(u, v);
}
