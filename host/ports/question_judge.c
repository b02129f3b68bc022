/* The verdict about a form whose question is answered; see question.h. */
#include <math.h>

#include "host/ports/question.h"

static bool has_lost(const struct question *q, size_t i)
{
	const struct saturation_result *seen = question_seen(q, i);

	for (size_t t = 0; t < q->w->n_targets; t++)
		if (seen[t].lost)
			return true;
	return false;
}

/* May a uop be missing that only an impossible kernel would show? */
static bool may_miss_uops(const struct question *q, size_t i)
{
	const struct saturation_result *seen = question_seen(q, i);
	uint32_t form = q->w->forms[i];
	const struct form_state *f = &q->w->in->f[form];
	const struct assignment *a = &q->asking[i].best;

	if (f->slots > 0 && a->explains &&
	    a->cycles >= f->slots + infer_shared(q->w->in, form))
		return false;
	for (size_t t = 0; t < q->w->n_targets; t++)
		if (seen[t].apart)
			return true;
	return false;
}

/* Did a kernel show fewer cycles than the assignment and one more in these ports? */
static bool shows_fewer(const struct question *q, size_t i, model_ports without,
			model_ports port)
{
	const struct saturation_result *seen = question_seen(q, i);
	struct assignments_kernel shown;

	for (size_t t = 0; t < q->w->n_targets; t++) {
		model_ports ports = q->targets[t];

		if ((without & ~ports) != 0 || (port & ports) != 0 ||
		    !isfinite(seen[t].u) || !question_shows(&seen[t], &shown))
			continue;
		if (shown.most <
		    assignments_within(&q->asking[i].best, ports) + 1)
			return true;
	}
	return false;
}

/* Cycles of these uops alone if one of the part had these ports only; 0: as the
 * part has. */
static double cycles_with(const struct question *q, size_t i,
			  const struct assignment *of, size_t part,
			  model_ports without)
{
	struct assignment a = *of;
	struct model_use uses[ASSIGNMENTS_MAX_USES];
	size_t n;

	if (without != 0 && a.n < ASSIGNMENTS_MAX_PARTS) {
		a.part[part].cycles--;
		a.part[a.n].ports = without;
		a.part[a.n].whole = false;
		a.part[a.n++].cycles = 1;
	}
	n = assignments_uses(&a, question_least_uops(q->w->in, q->w->forms[i]),
			     uses);
	return model_port_bound(uses, n, NULL);
}

/* Uops of the breakers of a form on just these ports. */
static double n_of_breakers(const struct infer *in, uint32_t form,
			    model_ports ports)
{
	const struct ports_form *x = &in->q->forms[form];
	double n = 0;

	for (size_t k = 0; k < x->n_breakers; k++) {
		const struct form_state *f = &in->f[x->breakers[k]];

		for (size_t u = 0; u < f->n_uses; u++)
			if (f->uses[u].ports == ports)
				n += f->uses[u].n_uops * f->uses[u].cycles;
	}
	return n;
}

/* The uops without those of the breakers. */
static struct assignment without_breakers(const struct question *q, size_t i)
{
	struct assignment a = q->asking[i].best;

	for (size_t k = 0; k < a.n; k++) {
		double n = n_of_breakers(q->w->in, q->w->forms[i],
					 a.part[k].ports);

		a.part[k].cycles -= (unsigned)fmin(n, a.part[k].cycles);
	}
	return a;
}

/* The uops of a form with breakers have those of the breakers among them, which may
 * take the port that a uop of the form lacks: neither its time alone nor a kernel
 * that lacks none of the other ports shows that.  Would the form take longer for
 * it? */
static bool may_lack_port(const struct question *q, size_t i)
{
	const struct assignment *a = &q->asking[i].best;
	const struct assignment own = without_breakers(q, i);
	const struct form_state *f = &q->w->in->f[q->w->forms[i]];
	double most = f->alone.cycles * (1 + infer_tolerance(&f->alone));

	if (q->w->in->q->forms[q->w->forms[i]].n_breakers == 0)
		return false;
	for (size_t k = 0; k < a->n; k++)
		for (model_ports left =
			     own.part[k].cycles > 0 ? own.part[k].ports : 0;
		     left != 0; left &= left - 1) {
			model_ports port = left & (~left + 1);
			model_ports without = a->part[k].ports & ~port;

			if (without != 0 &&
			    cycles_with(q, i, a, k, without) <= most &&
			    cycles_with(q, i, &own, k, without) >
				    cycles_with(q, i, &own, k, 0) &&
			    !shows_fewer(q, i, without, port))
				return true;
		}
	return false;
}

/* Kernels that showed no whole number. */
static size_t n_vague(const struct question *q, size_t i)
{
	const struct saturation_result *seen = question_seen(q, i);
	struct assignments_kernel shown;
	size_t n = 0;

	for (size_t t = 0; t < q->w->n_targets; t++)
		n += isfinite(seen[t].u) && !question_shows(&seen[t], &shown);
	return n;
}

/* A form whose stores do not go to the line of all others
 * (ports_form.stores_apart).  On some cores a store to another line than that
 * of the store before keeps all store ports busy for a cycle.  In a kernel that
 * saturates two of them it looks like two uops. */
static bool may_change_lines(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	if (!in->q->forms[form].stores_apart)
		return false;
	for (size_t k = 0; k < f->n_uses; k++)
		for (size_t c = 0; c < in->n_classes; c++)
			if (!in->classes[c].out &&
			    in->q->forms[in->classes[c].form].stores &&
			    in->solution.row[c] == f->uses[k].ports &&
			    f->uses[k].n_uops * f->uses[k].cycles > 1)
				return true;
	return false;
}

/* A member of a class that has other uops than it is none. */
static void leave_class(const struct infer *in, struct form_state *f)
{
	if (f->class_id != PORTS_NONE &&
	    (f->n_uses != 1 || f->uses[0].n_uops != 1 ||
	     f->uses[0].cycles != 1 ||
	     f->uses[0].ports != in->solution.row[f->class_id]))
		f->class_id = PORTS_NONE;
}

/* Lower the verdict of a form if something speaks against its uses. */
static void doubt_uses(struct question *q, size_t i, struct form_state *f)
{
	struct infer *in = q->w->in;
	const struct asking *a = &q->asking[i];
	size_t slower = a->slower + n_vague(q, i);

	if (!a->all || a->open || may_miss_uops(q, i) || may_lack_port(q, i)) {
		f->verdict = PORTS_OPEN;
		f->how = "from saturation kernels; other ports may "
			 "explain them as well";
	}
	if (slower > 0) {
		/* A uop that holds several ports is rare: kernels that show
		 * more speak against it. */
		f->slower = f->verdict == PORTS_OK &&
			    !assignments_has_whole(&a->best);
		f->verdict = PORTS_OPEN;
		f->how = slower > QUESTION_MOST_SLOWER
				 ? "from saturation kernels, several of which "
				   "show more"
				 : "from most saturation kernels: one or two "
				   "of them show more";
	}
	if (may_change_lines(in, q->w->forms[i])) {
		f->slower = false;
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(in->a,
				      "%s; its stores go to another line than "
				      "the kernel's, which may look like one "
				      "more uop",
				      f->how);
	}
	if (slower > QUESTION_MOST_SLOWER ||
	    (a->slower == 0 && question_n_wrong(q, i, &a->best, false) > 0))
		f->verdict = PORTS_UNSURE;
}

/* Is a form whose uses agree with all kernels the best guess?  Where one
 * assignment is left these kernels found it. */
static bool is_like(const struct asking *a)
{
	return a->like != PORTS_NONE &&
	       !(a->done && a->all && a->n == 1 && a->slower == 0);
}

void question_judge(struct question *q, size_t i)
{
	struct infer *in = q->w->in;
	struct form_state *f = &in->f[q->w->forms[i]];
	const struct asking *a = &q->asking[i];

	f->n_uses = 0;
	f->n_checks = 0;
	f->how = "from saturation kernels";
	if (is_like(a)) {
		published_take(in, q->w->forms[i], (uint32_t)a->like,
			       a->n_checks);
		if (!a->confirmed)
			f->verdict = PORTS_OPEN;
		leave_class(in, f);
		return;
	}
	if (!a->done || a->n == 0 || (a->slower > 0 && !a->best.explains)) {
		f->verdict = has_lost(q, i) ? PORTS_UNFINISHED : PORTS_UNSURE;
		f->how = "no uops of whole cycles explain its saturation "
			 "kernels";
	} else if ((!a->all || a->open || question_n_shown(q, i) == 0) &&
		   has_lost(q, i)) {
		f->verdict = PORTS_UNFINISHED;
	} else {
		f->n_uses = assignments_uses(
			&a->best, question_least_uops(in, q->w->forms[i]),
			f->uses);
		f->verdict = PORTS_OK;
		doubt_uses(q, i, f);
	}
	leave_class(in, f);
}
