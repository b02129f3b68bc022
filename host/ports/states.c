/* Forms with two states: what an instance takes in a mix of this form alone is
 * not what it takes elsewhere.
 *
 * Both times are right.  A body may be read from a cache of decoded
 * instructions or not, its instances may use more registers or fewer, or other
 * addresses, and instances of one form may wait for each other and for nothing
 * else.  No port explains the slower state.
 *
 * Seen on an Emerald Rapids: a comparison with a 16-bit immediate takes 3.2
 * cycles where it is decoded again in each iteration, else 0.2. */
#include <math.h>

#include "host/ports/units.h"

/* Chosen: two times of one state differ less than this, relative. */
static const double differ = 0.1;

/* Is a whole mix with other forms faster than one instance alone? */
static bool is_faster_mixed(const struct form_state *f)
{
	double alone = f->alone.cycles * (1 - infer_tolerance(&f->alone));

	return f->most_cycles > 0 && alone > f->most_cycles * (1 + differ);
}

/* The front end alone may take so long. */
static bool is_limited_by_front_end(const struct infer *in,
				    const struct form_state *f)
{
	double slots = fmax(1, f->slots);

	return f->wide || f->alone.cycles * in->width <=
				  slots * (1 + infer_uneven) * (1 + differ);
}

bool infer_has_states(const struct infer *in, size_t form)
{
	const struct model_span *t = &in->q->forms[form].throughput;
	const struct form_state *f = &in->f[form];
	bool slower;

	if (!f->alone.has_value)
		return false;
	slower = is_faster_mixed(f) ||
		 (t->has_value && f->alone.cycles > t->high * (1 + differ));
	return (slower && !is_limited_by_front_end(in, f)) ||
	       (t->has_value &&
		f->alone.cycles * (1 + infer_uneven) < t->low * (1 - differ));
}

void infer_note_states(struct infer *in)
{
	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];
		const struct model_span *t = &in->q->forms[i].throughput;

		if (!infer_in_batch(in, i) || f->verdict != PORTS_OK ||
		    !infer_has_states(in, i))
			continue;
		units_doubt_slower(in, i);
		if (is_faster_mixed(f))
			f->how = arena_printf(
				in->a,
				"%s; %.3g cycles alone, but at most %.3g in a "
				"mix with other forms",
				f->how, f->alone.cycles, f->most_cycles);
		else
			f->how = arena_printf(
				in->a,
				"%s; %.3g cycles alone, but its throughput was "
				"measured as %.3g to %.3g",
				f->how, f->alone.cycles, t->low, t->high);
	}
}
