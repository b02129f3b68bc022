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

/* Only the first of several equal forms is compared with every unit.  Nothing
 * follows from a lost one for the others. */
static void find_heads(const struct infer *in, struct unit_candidate *list,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		list[i].head = i;
		list[i].compared = true;
		for (size_t k = i; k-- > 0;) {
			/* Sorted by cycles: all that follow are faster
			 * still. */
			if (list[k].cycles <
			    list[i].cycles * (1 - infer_equal_times))
				break;
			if (list[k].head == k && !in->f[list[k].form].lost &&
			    units_is_alike(in, &list[k], &list[i])) {
				list[i].head = k;
				list[i].compared = false;
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
 * partner.
 *
 * *measured: has a mix with the representative had a value?  Until then,
 * *ret_known is as units_measure_with() says; if false, nothing changes.
 * Afterwards a missing value is due to the other form. */
static int compare_with(struct infer *in, struct unit_candidate *list, size_t n,
			const size_t *members, size_t n_members,
			uint32_t representative, int unit, bool *measured,
			bool *ret_known)
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
	*ret_known |= *measured;
	for (size_t i = 0; *ret_known && i < n_mixed; i++) {
		*measured |= values[i].has_value;
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
	/* Those equal to a form that shares the unit, or whose mix had no
	 * value. */
	JOIN_EQUAL,
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
		return list[i].head != i &&
		       (list[list[i].head].unit == unit ||
			in->f[list[list[i].head].form].lost);
	return !infer_may_mix(in, representative, list[i].form);
}

/* Find the forms that share a unit.  *measured: as compare_with().  *ret_known:
 * can the representative be measured with others?  If not, none was found. */
static int join_unit(struct infer *in, struct unit_candidate *list, size_t n,
		     uint32_t representative, int unit, bool *measured,
		     bool *ret_known)
{
	size_t *members = ARENA_ARRAY(in->a, size_t, n + 1);

	*ret_known = true;
	for (enum join join = 0; join < N_JOINS && *ret_known; join++) {
		size_t n_members = 0;

		for (size_t i = 0; i < n; i++)
			if (is_next(in, list, i, join, representative, unit))
				members[n_members++] = i;
		if (compare_with(in, list, n, members, n_members,
				 representative, unit, measured,
				 ret_known) != ERR_OK)
			return in->e->code;
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

/* Exclude a form that cannot be measured with others.  The forms that are equal
 * to it get another head. */
static void drop_representative(struct infer *in, struct unit_candidate *list,
				size_t n, size_t first)
{
	size_t head = first;

	for (size_t i = 0; i < n; i++) {
		if (i == first || list[i].head != first)
			continue;
		if (head == first)
			head = i;
		list[i].head = head;
	}
	list[first].unit = PORTS_NONE;
	in->f[list[first].form].lost = true;
}

void units_drop(struct infer *in, struct unit *u)
{
	struct ports_answer_form *answer = &in->answers[u->representative];

	u->dropped = true;
	in->f[u->representative].lost = true;
	answer->verdict = PORTS_UNFINISHED;
	answer->n_uses = 0;
}

/* Compare the forms of the list with the units of earlier batches. */
static int join_earlier(struct infer *in, struct unit_candidate *list, size_t n,
			struct units *units)
{
	for (size_t i = 0; i < units->n; i++) {
		struct unit *u = &units->list[i];
		bool known;

		if (u->dropped)
			continue;
		if (join_unit(in, list, n, u->representative, (int)i,
			      &u->measured, &known) != ERR_OK)
			return in->e->code;
		if (!known)
			units_drop(in, u);
	}
	return ERR_OK;
}

/* Compare with all units the forms that only have been through a form that
 * seemed equal to them. */
static int compare_separated(struct infer *in, struct unit_candidate *list,
			     size_t n, struct units *units)
{
	size_t *members = ARENA_ARRAY(in->a, size_t, n + 1);

	for (size_t k = 0; k < units->n; k++) {
		struct unit *u = &units->list[k];
		size_t n_members = 0;
		bool known;

		for (size_t i = 0; i < n; i++)
			if (list[i].unit == PORTS_NONE && list[i].head == i &&
			    !list[i].compared && !in->f[list[i].form].lost)
				members[n_members++] = i;
		if (u->dropped || n_members == 0)
			continue;
		if (compare_with(in, list, n, members, n_members,
				 u->representative, (int)k, &u->measured,
				 &known) != ERR_OK)
			return in->e->code;
		if (!known)
			units_drop(in, u);
	}
	for (size_t i = 0; i < n; i++)
		list[i].compared |= list[i].head == i;
	return ERR_OK;
}

int units_join(struct infer *in, struct unit_candidate *list, size_t n,
	       struct units *units)
{
	find_heads(in, list, n);
	if (join_earlier(in, list, n, units) != ERR_OK)
		return in->e->code;
	while (units->n < UNITS_MAX) {
		size_t first = choose_representative(in, list, n);
		int unit = (int)units->n;
		bool measured = false, known;

		if (first == n)
			return ERR_OK;
		list[first].head = first;
		if (!list[first].compared) {
			if (compare_separated(in, list, n, units) != ERR_OK)
				return in->e->code;
			continue;
		}
		list[first].unit = unit;
		if (join_unit(in, list, n, list[first].form, unit, &measured,
			      &known) != ERR_OK)
			return in->e->code;
		if (!known) {
			drop_representative(in, list, n, first);
			continue;
		}
		units->list[units->n++] =
			(struct unit){ .representative = list[first].form,
				       .cycles = list[first].cycles,
				       .measured = measured };
	}
	return ERR_OK;
}
