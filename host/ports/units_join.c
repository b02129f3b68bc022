/* Which forms share a unit; see units.h. */
#include <math.h>

#include "host/ports/units.h"

/* Do the forms have equal times, slots and ports? */
static bool units_is_alike(const struct infer *in,
			   const struct unit_candidate *x,
			   const struct unit_candidate *y)
{
	const struct form_state *f = &in->f[x->form], *g = &in->f[y->form];

	if (fabs(x->cycles / y->cycles - 1) > infer_equal_times ||
	    f->slots != g->slots || f->n_uses != g->n_uses)
		return false;
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports != g->uses[i].ports ||
		    f->uses[i].n_uops != g->uses[i].n_uops ||
		    f->uses[i].cycles != g->uses[i].cycles)
			return false;
	return true;
}

/* Only the first of several equal forms is compared with every unit. */
static void find_heads(const struct infer *in, struct unit_candidate *list,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		list[i].head = i;
		for (size_t k = i; k-- > 0;) {
			/* Sorted by cycles: all that follow are faster
			 * still. */
			if (list[k].cycles <
			    list[i].cycles * (1 - infer_equal_times))
				break;
			if (list[k].head == k &&
			    units_is_alike(in, &list[k], &list[i])) {
				list[i].head = k;
				break;
			}
		}
	}
}

/* A form of the unit that shares kernels with this one: the representative, or
 * else a member; PORTS_NONE: none. */
static int32_t partner_of(const struct infer *in,
			  const struct unit_candidate *list, size_t n, int unit,
			  uint32_t representative, uint32_t form)
{
	if (infer_may_mix(in, representative, form))
		return (int32_t)representative;
	for (size_t i = 0; i < n; i++)
		if (list[i].unit == unit &&
		    infer_may_mix(in, list[i].form, form))
			return (int32_t)list[i].form;
	return PORTS_NONE;
}

/* Compare n_members of the n forms of the list with a unit. Forms that do not
 * share it become representatives of their own; so do those without a
 * partner. *ret_known: as units_measure_with(); if false, nothing changes. */
static int compare_with(struct infer *in, struct unit_candidate *list, size_t n,
			const size_t *members, size_t n_members,
			uint32_t representative, int unit, bool *ret_known)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, n_members + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n_members + 1);
	size_t *mixed = ARENA_ARRAY(in->a, size_t, n_members + 1), n_mixed = 0;

	for (size_t i = 0; i < n_members; i++) {
		struct unit_candidate *c = &list[members[i]];
		int32_t partner =
			partner_of(in, list, n, unit, representative, c->form);

		if (partner == PORTS_NONE) {
			c->head = members[i];
			continue;
		}
		mixes[n_mixed] =
			units_compare_mix(in, (uint32_t)partner, c->form);
		mixed[n_mixed++] = members[i];
	}
	if (units_measure_with(in, representative, mixes, n_mixed, values,
			       ret_known) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; *ret_known && i < n_mixed; i++) {
		if (units_is_shared(in, &mixes[i], &values[i]))
			list[mixed[i]].unit = unit;
		else
			list[mixed[i]].head = mixed[i];
		in->f[list[mixed[i]].form].lost |= !values[i].has_value;
	}
	return ERR_OK;
}

/* Which forms without a unit are compared with one. */
enum join {
	JOIN_HEADS, /* of equal forms the first one */
	JOIN_EQUAL, /* those equal to a form that shares the unit */
	/* Those that share no kernel with the representative: they may with a
	 * form that shares the unit. */
	JOIN_APART,
	N_JOINS,
};

static bool is_next(const struct infer *in, const struct unit_candidate *list,
		    size_t i, enum join join, uint32_t representative, int unit)
{
	if (list[i].unit != PORTS_NONE)
		return false;
	if (join == JOIN_HEADS)
		return list[i].head == i;
	if (join == JOIN_EQUAL)
		return list[list[i].head].unit == unit;
	return !infer_may_mix(in, representative, list[i].form);
}

/* Find the forms that share a unit.  *ret_known: can the representative be
 * measured with others?  If not, none was found. */
static int join_unit(struct infer *in, struct unit_candidate *list, size_t n,
		     uint32_t representative, int unit, bool *ret_known)
{
	size_t *members = ARENA_ARRAY(in->a, size_t, n + 1);
	bool known;

	*ret_known = true;
	for (enum join join = 0; join < N_JOINS && *ret_known; join++) {
		size_t n_members = 0;

		for (size_t i = 0; i < n; i++)
			if (is_next(in, list, i, join, representative, unit))
				members[n_members++] = i;
		if (compare_with(in, list, n, members, n_members,
				 representative, unit, &known) != ERR_OK)
			return in->e->code;
		if (join == JOIN_HEADS)
			*ret_known = known;
	}
	return ERR_OK;
}

/* The representative of the next unit: of the forms that are about as fast as
 * the fastest one left, the one that suits mixes best.  n: none is left. */
static size_t choose_representative(const struct infer *in,
				    const struct unit_candidate *list, size_t n)
{
	const struct ports_form *forms = in->q->forms;
	size_t first = 0, best;

	while (first < n &&
	       (list[first].unit != PORTS_NONE || in->f[list[first].form].lost))
		first++;
	best = first;
	for (size_t i = first; i < n; i++)
		if (list[i].unit == PORTS_NONE && !in->f[list[i].form].lost &&
		    list[i].cycles <
			    list[first].cycles * (1 + infer_equal_times) &&
		    forms[list[i].form].rank < forms[list[best].form].rank)
			best = i;
	return best;
}

int units_join(struct infer *in, struct unit_candidate *list, size_t n,
	       struct units *units)
{
	bool known;

	find_heads(in, list, n);
	for (size_t u = 0; u < units->n; u++)
		if (join_unit(in, list, n, units->list[u].representative,
			      (int)u, &known) != ERR_OK)
			return in->e->code;
	while (units->n < UNITS_MAX) {
		size_t first = choose_representative(in, list, n);
		int unit = (int)units->n;

		if (first == n)
			return ERR_OK;
		list[first].unit = unit;
		list[first].head = first;
		if (join_unit(in, list, n, list[first].form, unit, &known) !=
		    ERR_OK)
			return in->e->code;
		if (!known) {
			list[first].unit = PORTS_NONE;
			in->f[list[first].form].lost = true;
			continue;
		}
		units->list[units->n++] =
			(struct unit){ .representative = list[first].form,
				       .cycles = list[first].cycles };
	}
	return ERR_OK;
}
