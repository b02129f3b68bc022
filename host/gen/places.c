/* Places of accesses; see places.h. */
#include "host/gen/places.h"

#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/isa/layout.h"
#include "host/isa/memory.h"

enum {
	/* Consecutive accesses use different banks of the first-level cache: on
	 * Golden Cove three loads start in a cycle if they are consecutive in
	 * memory, two if they access one word. */
	PLACES = 16,
	/* A read-modify-write of one word takes up to twelve cycles; 24 places
	 * hide that at two in a cycle. */
	MODIFY_PLACES = 24,
};

/* The places of a form's accesses, relative to its base: `n` places at this
 * distance in bytes. */
struct places {
	int64_t first, step;
	size_t n;
};

bool places_alone(const struct assigner *a, size_t s)
{
	for (size_t k = 0; k < a->x->n_steps; k++)
		if (k != s && a->bases[k].n > 0)
			return false;
	return true;
}

bool places_unchained(const struct experiment_step *s)
{
	return s->src < 0 || s->form->operands[s->src].role == ROLE_NONE;
}

bool places_move_on(const struct assigner *a, size_t s)
{
	const struct experiment_step *st = places_step(a, s);

	return !experiment_keeps_place(a->c, a->x) && !st->helper &&
	       a->bases[s].n > 0 && places_by_number(st->form) &&
	       (a->x->kind == EXPERIMENT_MIX || places_alone(a, s)) &&
	       (places_unchained(st) || (st->form->access & ACCESS_STORE &&
					 experiment_is_closed(a->c, a->x)));
}

/* The farthest place: by its displacement, and within the memory. */
static int64_t last_place(const struct form *f, const struct operand *o)
{
	int64_t last = PLACES_MIDDLE - f->access_bytes;
	int64_t most = o->imm_max * f->unit_bytes;

	return o->imm_max > o->imm_min && most < last ? most : last;
}

/* The number of places from `first` that end by `last`. */
static size_t fit_places(const struct places *p, int64_t last)
{
	if (p->step <= 0 || last < p->first)
		return 1;
	return (size_t)((last - p->first) / p->step) + 1;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t most_places(const struct form *f)
{
	return places_modify(f) ? MODIFY_PLACES : PLACES;
}

/* A few lines are enough, and more are worse: displacements with the same
 * encoding give instructions that are decoded and fused alike. */
static bool go_by_lines(const struct assigner *a, const struct form *f,
			int64_t last, struct places *p)
{
	const struct isa_memory *m = a->c->isa->memory;
	bool alike = m->shortest < m->longest && f->access == ACCESS_LOAD;

	p->first = alike ? m->shortest : 0;
	p->n = least(fit_places(p, alike ? m->longest : last), most_places(f));
	return alike || p->n >= PLACES_FEW;
}

/* In a mix, a form has no more places than its region holds, four for vectors
 * of 64 bytes, or a plain store than a line holds. */
static struct places places_of(const struct assigner *a, size_t s)
{
	const struct form *f = places_step(a, s)->form;
	const struct operand *o = &f->operands[form_part(f, ROLE_DISPLACEMENT)];
	bool mix = a->x->kind == EXPERIMENT_MIX;
	int64_t last = last_place(f, o);
	struct places p = { .step = layout_step(f), .n = 1 };
	int64_t room;

	if (places_boundary(f)) {
		p.step = places_boundary(f);
		if (places_boundary(f) != LAYOUT_PAGE)
			p.n = least(fit_places(&p, last), PLACES);
	} else if (p.step != f->access_bytes && !mix && p.step > 0 &&
		   go_by_lines(a, f, last, &p)) {
		return p;
	} else if (p.step > 0) {
		p.first = 0;
		p.step = f->access_bytes;
		p.n = least(fit_places(&p, last), most_places(f));
	}
	room = a->in_line[s] ? LAYOUT_LINE : PLACES_REGION;
	if (mix && p.step > 0 && p.step <= room)
		p.n = least(p.n, (size_t)(room / p.step));
	return p;
}

bool gen_shares_line(const struct catalogue *c, const struct form *f)
{
	return f->access == ACCESS_STORE && places_by_number(f) &&
	       !places_boundary(f) && layout_step(f) <= LAYOUT_LINE &&
	       !form_is_uncached(c, f);
}

bool places_in_line(const struct assigner *a, size_t s)
{
	return a->x->kind == EXPERIMENT_MIX && a->bases[s].n > 0 &&
	       gen_shares_line(a->c, places_step(a, s)->form);
}

/* The first step whose region this step uses: its own, or the first store's. */
static size_t first_of_region(const struct assigner *a, size_t s)
{
	for (size_t t = 0; t < s && a->in_line[s]; t++)
		if (a->in_line[t])
			return t;
	return s;
}

int64_t places_region(const struct assigner *a, size_t s)
{
	size_t before = 0, first = first_of_region(a, s);

	for (size_t t = 0; t < first; t++)
		before += a->bases[t].n > 0 && first_of_region(a, t) == t;
	return (int64_t)(before % PLACES_REGIONS * PLACES_REGION);
}

bool places_reach_region(const struct assigner *a, size_t s)
{
	const struct form *f = places_step(a, s)->form;
	const struct operand *o = &f->operands[form_part(f, ROLE_DISPLACEMENT)];
	struct places p = places_of(a, s);
	int64_t last =
		places_region(a, s) + p.step * (int64_t)(p.n > 0 ? p.n - 1 : 0);

	return p.step * (int64_t)p.n <= PLACES_REGION &&
	       last <= last_place(f, o);
}

/* Forms of a mix use separate regions, so that none loads what another stores:
 * by their displacement if it reaches, else by their base.  Plain stores share
 * one. */
static int64_t region(const struct assigner *a, size_t s)
{
	if (a->x->kind != EXPERIMENT_MIX || !places_reach_region(a, s))
		return 0;
	return places_region(a, s);
}

int64_t address_imm(const struct assigner *a, size_t s, int i, size_t op)
{
	const struct form *f = places_step(a, s)->form;
	const struct operand *o = &f->operands[i];
	struct places p;

	if (o->role != ROLE_DISPLACEMENT || !places_move_on(a, s))
		return o->imm;
	p = places_of(a, s);
	return o->imm +
	       (p.first + region(a, s) + p.step * (int64_t)(op % p.n)) /
		       f->unit_bytes;
}

size_t address_period(const struct assigner *a)
{
	size_t period = 1;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		size_t n = places_move_on(a, s) ? places_of(a, s).n
						: a->bases[s].n;

		if (n > period)
			period = n;
	}
	return period;
}
