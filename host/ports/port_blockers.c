/* Port blockers: forms that disable ports of other forms while in flight.
 *
 * With 512-bit instructions in flight, some cores disable a vector port. One
 * such instruction then slows down a whole kernel of other vector instructions,
 * and its cost grows with the length of the kernel. The cost of uops with fixed
 * ports does not grow. No matrix can describe such forms together with the
 * others, so they are detected and excluded. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	SAMPLE = 96,   /* forms that are tried first */
	LEAST = 3,     /* of these, port blockers needed to go on */
	LONGEST = 200, /* instances in a saturation kernel */
	/* At most one of MOST_BLOCKERS forms may be a port blocker. If more
	 * seem to be, it is the saturated form that changes with its
	 * neighbours, such as a move that the renamer eliminates only in some
	 * contexts. */
	MOST_BLOCKERS = 2,
};

/* Fraction of the cost of one disabled port that counts, in the first kernel
 * and from one length to the next. */
static const double first_share = 0.5, slope_share = 0.75;

struct suspects {
	uint32_t saturated;
	unsigned size; /* ports of the saturated form */
	size_t n;
	uint32_t *forms;
	bool changes; /* the saturated form changes with its neighbours */
	bool proven;  /* it does not: an earlier batch showed that */
};

/* Instances of a kernel in which one disabled port costs more than the form
 * costs alone; 0: too many. */
static uint32_t blockers_kernel_length(const struct infer *in, unsigned size,
				       uint32_t form)
{
	double n = ceil(size * (size - 1) * (2 * in->f[form].alone.cycles + 2));

	return n > LONGEST ? 0 : (uint32_t)n;
}

static int blockers_measure(struct infer *in, const struct suspects *s,
			    uint32_t times, struct ports_value *values)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, s->n + 1);

	for (size_t i = 0; i < s->n; i++) {
		infer_add(&mixes[i], s->saturated,
			  times * blockers_kernel_length(in, s->size,
							 s->forms[i]));
		infer_add(&mixes[i], s->forms[i], 1);
	}
	return infer_measure(in, PORTS_MERGE, mixes, s->n, values);
}

/* Keep n suspects of n_values measured forms. */
static void blockers_keep(struct suspects *s, size_t n, size_t n_values)
{
	s->n = n;
	s->changes |= !s->proven && n >= LEAST && MOST_BLOCKERS * n > n_values;
}

/* First kernel: keep the forms that cost it more than their time alone. */
static int blockers_sift(struct infer *in, struct suspects *s)
{
	struct ports_value *v =
		ARENA_ARRAY(in->a, struct ports_value, s->n + 1);
	size_t n = 0, n_values = 0;

	if (blockers_measure(in, s, 1, v) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t length =
			blockers_kernel_length(in, s->size, s->forms[i]);
		double base = length * in->f[s->saturated].alone.cycles;
		double most = base + in->f[s->forms[i]].alone.cycles +
			      first_share * base / (s->size - 1);

		n_values += v[i].has_value;
		if (v[i].has_value && v[i].cycles > most)
			s->forms[n++] = s->forms[i];
	}
	blockers_keep(s, n, n_values);
	return ERR_OK;
}

/* Keep the forms whose cost grows with the kernel's length. */
static int blockers_confirm(struct infer *in, struct suspects *s)
{
	struct ports_value *once =
		ARENA_ARRAY(in->a, struct ports_value, s->n + 1);
	struct ports_value *twice =
		ARENA_ARRAY(in->a, struct ports_value, s->n + 1);
	size_t n = 0;

	if (blockers_measure(in, s, 1, once) != ERR_OK ||
	    blockers_measure(in, s, 2, twice) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t length =
			blockers_kernel_length(in, s->size, s->forms[i]);
		double base = length * in->f[s->saturated].alone.cycles;
		double rise = twice[i].cycles - once[i].cycles;

		if (once[i].has_value && twice[i].has_value &&
		    rise > base * (1 + slope_share / (s->size - 1)))
			s->forms[n++] = s->forms[i];
	}
	s->n = n;
	return ERR_OK;
}

/* Choose at most `most` forms, evenly spread, that can be tried. */
static size_t blockers_choose(const struct infer *in, uint32_t saturated,
			      unsigned size, size_t most, uint32_t *forms)
{
	size_t all = infer_n_in_batch(in), step = (all + most - 1) / most;
	size_t seen = 0, n = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		if (infer_in_batch(in, i) && seen++ % step == 0 &&
		    i != saturated && in->f[i].alone.has_value &&
		    in->f[i].blocks_ports == 0 &&
		    blockers_kernel_length(in, size, (uint32_t)i) > 0)
			forms[n++] = (uint32_t)i;
	return n;
}

static int blockers_find(struct infer *in, struct suspects *s, size_t most)
{
	s->n = blockers_choose(in, s->saturated, s->size, most, s->forms);
	if (blockers_sift(in, s) != ERR_OK || s->changes || s->n == 0)
		return in->e->code;
	return blockers_confirm(in, s);
}

static void blockers_mark(struct infer *in, const struct suspects *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct form_state *f = &in->f[s->forms[i]];

		f->blocks_ports = s->size;
		f->verdict = PORTS_CLOSES;
		f->how = arena_printf(in->a,
				      "it closes ports: while it is about, %s "
				      "has fewer than %u",
				      in->q->forms[s->saturated].name, s->size);
	}
}

int infer_port_blockers(struct infer *in, uint32_t saturated, unsigned size,
			bool *ret_changes, bool *ret_blocked)
{
	struct suspects s = {
		.saturated = saturated,
		.size = size,
		.forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms + 1),
	};
	bool all = infer_n_in_batch(in) <= SAMPLE;

	*ret_changes = *ret_blocked = false;
	if (size < 2)
		return ERR_OK;
	if (blockers_find(in, &s, SAMPLE) != ERR_OK)
		return in->e->code;
	*ret_changes = s.changes;
	if (s.changes || s.n < (all ? 1 : LEAST))
		return ERR_OK;
	if (!all && blockers_find(in, &s, in->q->n_forms) != ERR_OK)
		return in->e->code;
	*ret_changes = s.changes;
	if (s.changes)
		return ERR_OK;
	*ret_blocked = s.n > 0;
	blockers_mark(in, &s);
	return ERR_OK;
}

int infer_batch_blockers(struct infer *in, size_t class_id)
{
	struct suspects s = {
		.saturated = in->classes[class_id].form,
		.size = in->classes[class_id].size,
		.forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms + 1),
		.proven = true,
	};

	if (s.size < 2 || in->q->forms[s.saturated].memory)
		return ERR_OK;
	/* Earlier batches may not have had any. */
	if (!in->classes[class_id].blocked) {
		if (blockers_find(in, &s, SAMPLE) != ERR_OK || s.n < LEAST)
			return in->e->code;
		in->classes[class_id].blocked = true;
	}
	if (blockers_find(in, &s, in->q->n_forms) == ERR_OK)
		blockers_mark(in, &s);
	return in->e->code;
}
