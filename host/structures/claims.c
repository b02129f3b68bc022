/* Findings as claims, and as a run of a store; see structures.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/solve.h"
#include "host/store/store_run.h"
#include "host/structures/structures.h"

static int by_key(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int order = strcmp(x->kind, y->kind);

	if (order == 0)
		order = strcmp(x->source, y->source);
	return order ? order : strcmp(x->destination, y->destination);
}

/* The value is in front of how it was found: of an interval it is none of its
 * bounds. */
static const char *detail_of(struct arena *a, const struct core_finding *x)
{
	char value[FINDING_NUMBER];

	if (!x->known || x->low >= x->high)
		return x->reason;
	finding_number(value, x->unit, x->value);
	return arena_printf(a, "%s; %s", value, x->reason);
}

static struct claim claim_of(struct arena *a, const struct core_finding *x,
			     const struct claim *like)
{
	struct claim c = *like;

	c.kind = CLAIM_STRUCTURE;
	c.source = x->key;
	c.destination = finding_unit_key(x->unit);
	c.has_value = x->known || x->at_least;
	c.low_cycles = x->low;
	c.high_cycles = x->at_least ? x->low : x->high;
	c.verdict = x->noisy      ? VERDICT_NOISY
		    : x->known    ? VERDICT_OK
		    : x->at_least ? VERDICT_AT_LEAST
				  : VERDICT_NOT_SHOWN;
	c.label = x->label ? x->label : "";
	c.detail = detail_of(a, x);
	return c;
}

static void add_point(struct buffer *claims, const struct claim *like,
		      const char *x, const struct probe_value *v)
{
	struct claim c = *like;

	c.kind = CLAIM_CURVE;
	c.destination = x;
	c.has_value = v->known;
	c.low_cycles = v->low;
	c.high_cycles = v->high;
	c.verdict = v->known ? VERDICT_OK : VERDICT_NOT_SHOWN;
	c.label = v->label ? v->label : "";
	buffer_add(claims, &c, sizeof(c));
}

static void add_curves(struct arena *a, struct buffer *claims,
		       const struct structures *s, struct claim like)
{
	like.source = FINDING_CURVE_BYTES;
	for (size_t i = 0; i < s->levels.n_points; i++)
		add_point(
			claims, &like,
			arena_printf(
				a, "%llu",
				(unsigned long long)s->levels.points[i].bytes),
			&s->levels.points[i].value);
	like.source = FINDING_CURVE_PAGES;
	for (size_t i = 0; i < s->pages.n_points; i++) {
		const struct pages_point *p = &s->pages.points[i];
		const struct probe_value v = { .known = true,
					       .low = p->apart,
					       .high = p->apart };

		add_point(claims, &like,
			  arena_printf(a, "%u", (unsigned)p->pages), &v);
	}
}

struct view_claims structures_claims(struct arena *a,
				     const struct structures *s,
				     const struct claim *like)
{
	struct claim base = *like;
	struct view_claims ret;
	struct buffer b = { 0 };
	struct claim *list;

	base.form = base.source = base.destination = base.label = "";
	base.detail = "";
	base.solver_version = SOLVER_VERSION;
	for (size_t i = 0; i < s->n; i++) {
		struct claim c = claim_of(a, &s->list[i], &base);

		buffer_add(&b, &c, sizeof(c));
	}
	add_curves(a, &b, s, base);
	list = buffer_take_list(a, &b, sizeof(*list), &ret.n);
	if (ret.n > 0)
		qsort(list, ret.n, sizeof(*list), by_key);
	ret.list = list;
	return ret;
}

/* ---- a store ------------------------------------------------------------------ */

struct facts {
	struct arena *a;
	struct buffer list; /* of const char *[2] */
};

static int keep_fact(void *context, const char *key, const char *value,
		     struct err *e)
{
	struct facts *f = context;
	const char *const fact[] = { arena_strdup(f->a, key),
				     arena_strdup(f->a, value) };

	(void)e;
	/* The new run has no pack. */
	if (strcmp(key, "pack") != 0)
		buffer_add(&f->list, fact, sizeof(fact));
	return ERR_OK;
}

static int write_run(struct store *store, struct run *run,
		     const struct facts *f, struct err *e)
{
	const char *const(*fact)[2] = (const void *)f->list.bytes;

	run->what = "structures";
	run->forms = "";
	if (store_run_new(store, run, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < f->list.n / sizeof(*fact); i++)
		if (store_env(store, run->id, fact[i][0], fact[i][1], e) !=
		    ERR_OK)
			return e->code;
	return store_run_finish(store, run->id, e);
}

static int write_claims(struct arena *a, struct store *store,
			const struct run *run, const struct structures *s,
			struct err *e)
{
	const struct claim like = { .run = run->id,
				    .isa = run->isa,
				    .board = run->board };
	struct view_claims list = structures_claims(a, s, &like);

	for (size_t i = 0; i < list.n; i++)
		if (store_claim(store, &list.list[i], e) != ERR_OK)
			return e->code;
	return store_commit(store, e);
}

int structures_store(struct arena *a, struct store *store, int64_t like,
		     const struct structures *s, struct err *e)
{
	struct facts f = { .a = a };
	struct run run;

	if (store_run_get(store, a, like, &run, e) == ERR_OK &&
	    store_envs(store, like, keep_fact, &f, e) == ERR_OK &&
	    store_begin(store, e) == ERR_OK &&
	    (write_run(store, &run, &f, e) != ERR_OK ||
	     write_claims(a, store, &run, s, e) != ERR_OK))
		store_rollback(store);
	buffer_free(&f.list);
	return e->code;
}
