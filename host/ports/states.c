/* Forms with two states: alone they take another time than the throughput that other
 * kernels measured.
 *
 * Both are right.  A body may be read from a cache of decoded instructions or not, and
 * its instances may use more registers or fewer, or other addresses.  What makes the
 * slower one slow is then no port.
 *
 * Seen on an Emerald Rapids: a comparison with a number of 16 bits takes 3.2 cycles
 * where it is decoded again in each iteration, else 0.2. */
#include <math.h>

#include "host/ports/infer.h"

/* Chosen: two times of one state differ less than this, relative. */
static const double differ = 0.1;

bool infer_has_states(const struct infer *in, size_t form)
{
	const struct model_span *t = &in->q->forms[form].throughput;
	const struct ports_value *v = &in->f[form].alone;

	return t->has_value && v->has_value &&
	       (v->cycles > t->high * (1 + differ) ||
		v->cycles < t->low * (1 - differ));
}

void infer_note_states(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];
		const struct model_span *t = &in->q->forms[i].throughput;

		if (!infer_in_batch(in, i) || f->verdict != PORTS_OK ||
		    !infer_has_states(in, i))
			continue;
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(in->a,
				      "%s; %.3g cycles alone, but its "
				      "throughput was measured as %.3g to %.3g",
				      f->how, f->alone.cycles, t->low, t->high);
	}
}
