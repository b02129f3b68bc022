/* See published.h. */
#include "host/ports/published.h"

#include <math.h>
#include <string.h>

#include "host/ports/assignments.h"

/* Is what was found for the form certain, and found for it alone? */
static bool is_certain(const struct infer *in, uint32_t form)
{
	return in->q->forms[form].batch < in->batch &&
	       in->answers[form].verdict == PORTS_OK && !in->f[form].wide &&
	       in->f[form].n_uses > 0 && in->f[form].n_checks == 0;
}

/* Cycles of an instance by the uses and slots of `like`. */
static double bound_of(const struct infer *in, const struct form_state *like)
{
	double uops = 0;

	for (size_t i = 0; i < like->n_uses; i++)
		uops += like->uses[i].n_uops;
	if (like->slots > 0)
		uops = like->slots;
	return fmax(model_port_bound(like->uses, like->n_uses, NULL),
		    uops / in->width);
}

static bool may_be_alike(const struct infer *in, const struct form_state *f,
			 const struct form_state *like)
{
	double bound = bound_of(in, like);
	double some =
		in->filler == PORTS_NONE ? infer_uneven : infer_equal_times;
	double off = infer_tolerance(&f->alone);

	if (f->slots > 0 && like->slots > 0 && f->slots != like->slots)
		return false;
	return f->alone.cycles > bound * (1 - infer_equal_times - off) &&
	       f->alone.cycles < bound * (1 + some + off);
}

size_t published_list(const struct infer *in, uint32_t form,
		      uint32_t ret[PUBLISHED_MOST])
{
	uint32_t published = in->q->forms[form].published;
	size_t n = 0, votes[PUBLISHED_MOST] = { 0 };

	for (uint32_t i = 0; published && i < in->q->n_forms; i++) {
		size_t k = 0;

		if (in->q->forms[i].published != published ||
		    !is_certain(in, i) ||
		    !may_be_alike(in, &in->f[form], &in->f[i]))
			continue;
		while (k < n &&
		       !infer_have_equal_uses(&in->f[ret[k]], &in->f[i]))
			k++;
		if (k == PUBLISHED_MOST)
			continue;
		ret[k] = k == n ? i : ret[k];
		n += k == n;
		votes[k]++;
		for (; k > 0 && votes[k] > votes[k - 1]; k--) {
			size_t vote = votes[k];
			uint32_t like = ret[k];

			votes[k] = votes[k - 1];
			votes[k - 1] = vote;
			ret[k] = ret[k - 1];
			ret[k - 1] = like;
		}
	}
	return n;
}

/* Did a kernel show the cycles of all uops on these ports?  True if no kernel
 * can. */
static bool is_covered(const struct saturation *w, size_t i, model_ports ports)
{
	const struct saturation_result *seen = &w->seen[i * w->n_targets];
	bool possible = false;

	for (size_t t = 0; t < w->n_targets; t++) {
		if ((ports & ~w->targets[t].ports) != 0)
			continue;
		if (isfinite(seen[t].u))
			return true;
		possible |= isnan(seen[t].u);
	}
	return !possible;
}

bool published_agrees(const struct saturation *w, size_t i, uint32_t like,
		      unsigned *ret_n, bool *ret_all)
{
	const struct form_state *f = &w->in->f[like];
	const struct saturation_result *seen = &w->seen[i * w->n_targets];

	*ret_n = 0;
	*ret_all = true;
	for (size_t k = 0; k < f->n_uses; k++)
		*ret_all &= is_covered(w, i, f->uses[k].ports);
	for (size_t t = 0; t < w->n_targets; t++) {
		double expected, off = fmax(assignments_some, seen[t].off);

		if (seen[t].grains == 0 || !isfinite(seen[t].u))
			continue;
		expected = saturation_expected(w, i, t, f->uses, f->n_uses);
		if (expected > seen[t].u + off ||
		    (!seen[t].at_most && expected < seen[t].u - off))
			return false;
		(*ret_n)++;
	}
	return true;
}

void published_take(const struct infer *in, uint32_t form, uint32_t like,
		    unsigned n_checks)
{
	struct form_state *f = &in->f[form];

	f->n_uses = in->f[like].n_uses;
	memcpy(f->uses, in->f[like].uses, f->n_uses * sizeof(*f->uses));
	f->n_checks = n_checks;
	f->verdict = PORTS_OK;
	f->how = arena_printf(in->a,
			      "as %s, which is the same in published tables: "
			      "checked by %u saturation kernels",
			      in->q->forms[like].name, n_checks);
}
