/* What the kernels of a form showed; see question.h. */
#include <math.h>

#include "host/ports/question.h"

/* Slots of a form whose number is not known, at most. */
enum { MAX_SLOTS = 8 };

struct saturation_result *question_seen(const struct question *q, size_t i)
{
	return &q->w->seen[i * q->w->n_targets];
}

/* Kernels of the form that showed something. */
size_t question_n_shown(const struct question *q, size_t i)
{
	const struct saturation_result *seen = question_seen(q, i);
	size_t n = 0;

	for (size_t t = 0; t < q->w->n_targets; t++)
		n += isfinite(seen[t].u);
	return n;
}

/* Whole cycles that a kernel may show, within its error.  False: none. */
bool question_shows(const struct saturation_result *x,
		    struct assignments_kernel *ret)
{
	double off = fmax(assignments_some, x->off);
	double least = fmax(0, ceil(x->u - off));

	ret->most = (unsigned)floor(x->u + off);
	ret->least = x->at_most || least > ret->most ? 0 : (unsigned)least;
	return x->at_most || least <= ret->most;
}

unsigned question_slots(const struct form_state *f)
{
	return f->slots > 0 ? f->slots
			    : (unsigned)fmin(f->slots_high, MAX_SLOTS);
}

/* Uops that cycles are divided among: the least where fillers showed them. */
unsigned question_least_uops(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];
	unsigned slots = f->slots == 0 && in->filler != PORTS_NONE
				 ? (unsigned)f->slots_low
				 : question_slots(f);

	return slots + infer_shared(in, form);
}

/* Kernels that these uses do not explain.  `forget`: they are to be measured
 * again. */
size_t question_n_wrong(struct question *q, size_t i,
			const struct assignment *a, bool forget)
{
	struct saturation *w = q->w;
	struct saturation_result *seen = question_seen(q, i);
	struct model_use uses[ASSIGNMENTS_MAX_USES];
	size_t n_uses = assignments_uses(
		a, question_least_uops(w->in, w->forms[i]), uses);
	size_t n = 0;

	for (size_t t = 0; t < w->n_targets; t++) {
		struct assignments_kernel shown;
		double off = fmax(assignments_some, seen[t].off);

		if (seen[t].grains == 0 || !isfinite(seen[t].u) ||
		    seen[t].at_most || !question_shows(&seen[t], &shown) ||
		    fabs(saturation_expected(w, i, t, uses, n_uses) -
			 seen[t].u) <= off)
			continue;
		n++;
		if (forget)
			seen[t] = (struct saturation_result){ .u = NAN };
	}
	return n;
}
