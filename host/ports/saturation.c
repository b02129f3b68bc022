/* Saturation kernels of forms outside the classes.
 *
 * A saturation kernel keeps a set Q of ports busy in every cycle. When an
 * instruction x is added, the additional time multiplied by the number of ports
 * is the number of cycles of its uops that are confined to Q:
 *
 *	u(Q) = (t(kernel + x) - t(kernel)) * |Q|
 *
 * question.c chooses Q, and derives the form's uops from what several sets
 * show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/ports/assignments.h"
#include "host/ports/saturation.h"

enum {
	REPEATS = 2,
	LENGTHS = 3, /* of a kernel, where the scheduler makes mixes slower */
};

bool saturation_lies_in(const struct saturation_target *x,
			const struct saturation_target *y)
{
	return x->ports != y->ports && (x->ports & ~y->ports) == 0;
}

/* ---- one saturation kernel ------------------------------------------- */

/* Length of the kernel for this form, in grains; 0: too long. The kernel must
 * outlast other limits of the form, leave room in the front end, and be long
 * enough to hide the form's other uops. */
static size_t grains_for(const struct infer *in,
			 const struct saturation_target *t,
			 const struct form_state *f, double cycles)
{
	double q = t->n_ports;
	double slots = f->slots > 0 ? f->slots : fmin(f->slots_high, 8);
	double n = 1.3 * slots * q + 2;

	n = fmax(n, 1.3 * f->alone.cycles * q);
	n = fmax(n, 1.3 * slots * q / (in->width - q));
	n = fmax(n, 4 * q);
	/* Otherwise a wider set would be the bottleneck. */
	n = fmax(n, 1.15 * cycles * q);
	n = ceil(n / SATURATION_GRAIN);
	return n * SATURATION_GRAIN > SATURATION_MAX_INSTANCES ? 0 : (size_t)n;
}

/* May the form join the fill of a target? */
static bool may_fill(const struct infer *in, const struct saturation_target *t,
		     uint32_t form)
{
	for (size_t i = 0; i < t->fill.n; i++)
		if (t->fill.part[i].count > 0 &&
		    !infer_may_mix(in, in->classes[t->fill.part[i].row].form,
				   form))
			return false;
	return true;
}

bool saturation_plan(struct saturation *w, struct saturation_job *job)
{
	const struct saturation_target *t = &w->targets[job->target];
	uint32_t form = w->forms[job->form];
	struct saturation_result *x =
		&w->seen[job->form * w->n_targets + job->target];

	x->apart = !may_fill(w->in, t, form);
	job->grains = x->apart ? 0
			       : grains_for(w->in, t, &w->in->f[form],
					    w->cycles[job->form]);
	if (job->grains == 0)
		x->u = HUGE_VAL;
	return job->grains > 0;
}

/* Number of whole fills with about this many blockers. */
static uint32_t n_fills(const struct saturation_target *t, size_t grains)
{
	uint32_t one = (uint32_t)saturation_load_of(&t->fill);
	uint32_t n = ((uint32_t)(grains * SATURATION_GRAIN) + one - 1) / one;

	return n == 0 ? 1 : n;
}

/* The mix of a kernel of this length. */
static struct ports_mix saturation_mix(const struct infer *in,
				       const struct saturation_target *t,
				       size_t grains)
{
	struct ports_mix mix = { .n = 0 };

	for (size_t i = 0; i < t->fill.n; i++)
		if (t->fill.part[i].count > 0)
			infer_add(&mix, in->classes[t->fill.part[i].row].form,
				  t->fill.part[i].count * n_fills(t, grains));
	return mix;
}

double saturation_expected(const struct saturation *w, size_t i, size_t t,
			   const struct model_use *of, size_t n_of)
{
	const struct infer *in = w->in;
	const struct saturation_target *target = &w->targets[t];
	const struct form_state *f = &in->f[w->forms[i]];
	struct ports_mix mix = saturation_mix(
		in, target, w->seen[i * w->n_targets + t].grains);
	struct model_use uses[PORTS_MAX_PARTS + ASSIGNMENTS_MAX_USES];
	double slots = 0, n_uops = 0, base, both;
	size_t n = 0;

	for (size_t k = 0; k < mix.n; k++) {
		int32_t c = in->f[mix.part[k].form].class_id;

		slots += mix.part[k].count;
		uses[n++] = (struct model_use){ in->solution.row[c],
						mix.part[k].count, 1 };
	}
	base = fmax(model_port_bound(uses, n, NULL), slots / in->width);
	for (size_t k = 0; k < n_of; k++) {
		n_uops += of[k].n_uops;
		uses[n++] = of[k];
	}
	slots += f->slots > 0 ? f->slots : n_uops;
	both = fmax(model_port_bound(uses, n, NULL), slots / in->width);
	return (both - base) * target->n_ports;
}

static int measure_bases(struct saturation *w,
			 const struct saturation_job *jobs, size_t n)
{
	struct infer *in = w->in;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	struct ports_value **to =
		ARENA_ARRAY(in->a, struct ports_value *, n + 1);
	size_t n_mixes = 0;

	for (size_t i = 0; i < n; i++) {
		struct saturation_target *t = &w->targets[jobs[i].target];
		struct ports_value *v = &t->base[jobs[i].grains];

		if (v->has_value || v->cycles < 0)
			continue;
		v->cycles = -1; /* requested in this round */
		mixes[n_mixes] = saturation_mix(in, t, jobs[i].grains);
		to[n_mixes++] = v;
	}
	if (infer_measure(in, PORTS_SATURATION, mixes, n_mixes, values) !=
	    ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_mixes; i++)
		*to[i] = values[i];
	return ERR_OK;
}

static struct saturation_result *result_of(const struct saturation *w,
					   const struct saturation_job *j)
{
	return &w->seen[j->form * w->n_targets + j->target];
}

/* Kernels of several lengths showed different cycles: the scheduler makes some of
 * them slower, and none faster.  Note that.  Does a shorter one show less? */
static bool shows_more(struct saturation_result *x, double u)
{
	if (!isfinite(x->u))
		return false;
	x->at_most |= fabs(x->u - u) > 2 * assignments_some;
	return x->u <= u;
}

static void note_u(struct saturation *w, const struct saturation_job *j,
		   const struct ports_value *v)
{
	const struct saturation_target *t = &w->targets[j->target];
	const struct ports_value *base = &t->base[j->grains];
	struct saturation_result *to = result_of(w, j);
	double u, off, most, in_width = w->in->width;
	bool too_much;

	if (!v->has_value || !base->has_value)
		return;
	u = (v->cycles - base->cycles) * t->n_ports;
	/* More cycles than the form takes alone come from the scheduler or the
	 * front end. */
	most = w->in->f[w->forms[j->form]].alone.cycles * t->n_ports;
	too_much = w->in->filler == PORTS_NONE && u > most + assignments_some;
	if (w->in->filler == PORTS_NONE && u > most)
		u = most;
	if (w->in->slowdown > 0 && shows_more(to, u))
		return;
	off = 4.5 * t->n_ports * base->cycles * hypot(v->sigma, base->sigma);
	*to = (struct saturation_result){
		.u = fmax(0, u),
		.off = off,
		.grains = j->grains,
		.at_most = to->at_most,
		.sure = fabs(u - round(u)) < assignments_some && off < 0.6 &&
			!(too_much &&
			  t->n_ports > infer_nearly_full * in_width),
	};
	w->cycles[j->form] = fmax(w->cycles[j->form], to->u);
}

/* Is the kernel to be measured again?  A scheduler that makes mixes slower may have
 * added to it. */
static bool is_doubtful(const struct saturation *w,
			const struct saturation_result *x)
{
	return !x->sure || (w->in->slowdown > 0 && x->u > assignments_some);
}

/* Measure the jobs.  Repeat those without a value, and those that are not close
 * to a whole number; with a scheduler that makes mixes slower, in other lengths. */
int saturation_run(struct saturation *w, struct saturation_job *jobs, size_t n)
{
	struct infer *in = w->in;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	const int n_repeats = in->slowdown > 0 ? LENGTHS : REPEATS;

	for (int repeat = 0; repeat < n_repeats && n > 0; repeat++) {
		size_t left = 0;

		if (measure_bases(w, jobs, n) != ERR_OK)
			return in->e->code;
		for (size_t i = 0; i < n; i++) {
			mixes[i] =
				saturation_mix(in, &w->targets[jobs[i].target],
					       jobs[i].grains);
			infer_add(&mixes[i], w->forms[jobs[i].form], 1);
		}
		if (infer_measure(in, PORTS_SATURATION, mixes, n, values) !=
		    ERR_OK)
			return in->e->code;
		for (size_t i = 0; i < n; i++) {
			note_u(w, &jobs[i], &values[i]);
			if (!is_doubtful(w, result_of(w, &jobs[i])))
				continue;
			jobs[left] = jobs[i];
			jobs[left++].grains += in->slowdown > 0;
		}
		n = left;
	}
	return ERR_OK;
}

static bool saturation_is_known(const struct infer *in, int32_t class_id)
{
	return class_id != PORTS_NONE && !in->classes[class_id].out;
}

/* Where slots are unknown, a form of two uops may look like a member of a
 * class; and a uop that holds several ports for a cycle like one of any of
 * these.  Kernels of other classes show it. */
static bool is_doubtful_member(const struct infer *in, uint32_t form)
{
	int32_t c = in->f[form].class_id;

	return saturation_is_known(in, c) && in->classes[c].form != form &&
	       (in->filler == PORTS_NONE || in->classes[c].size == 1);
}

static void saturation_start(struct saturation *w)
{
	struct infer *in = w->in;

	w->forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms);
	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		const struct form_state *f = &in->f[i];

		if (infer_in_batch(in, i) && f->alone.has_value && !f->lost &&
		    !f->wide && f->blocks_ports == 0 &&
		    (is_doubtful_member(in, i) ||
		     !saturation_is_known(in, f->class_id)))
			w->forms[w->n_forms++] = i;
	}
	saturation_find_targets(w);
	w->seen = ARENA_ARRAY(in->a, struct saturation_result,
			      w->n_forms * w->n_targets + 1);
	w->cycles = ARENA_ARRAY(in->a, double, w->n_forms + 1);
	for (size_t i = 0; i < w->n_forms * w->n_targets; i++)
		w->seen[i].u = NAN;
}

/* Add uops to the form if there are some and it has room. */
static void saturation_add_use(struct form_state *f, model_ports ports,
			       double n_uops, double cycles)
{
	if (n_uops > 0 && f->n_uses < PORTS_MAX_USES)
		infer_add_use(f, ports, n_uops, cycles);
}

static void set_class(const struct infer *in, struct form_state *f)
{
	f->verdict = PORTS_OK;
	f->how = "with its class no faster than by itself";
	saturation_add_use(f, in->solution.row[f->class_id], 1, 1);
}

/* Without a filler the width is the rate of the fastest mix.  The front end may
 * be wider if a form is faster than that, or the form shares slots. */
static void set_wide(const struct infer *in, struct form_state *f)
{
	bool faster =
		in->filler == PORTS_NONE &&
		f->alone.cycles * in->width <
			1 - fmax(infer_equal_rates, infer_tolerance(&f->alone));

	f->verdict = faster ? PORTS_OPEN : PORTS_OK;
	f->how = faster ? "faster than any mix of several forms, so its slots "
			  "are not known"
			: "as fast as the front end";
}

/* Set the uses of members of classes, and of forms as fast as the front end. */
static void set_known(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!infer_in_batch(in, i) || f->blocks_ports > 0)
			continue;
		if (f->wide) {
			set_wide(in, f);
			continue;
		}
		if (!saturation_is_known(in, f->class_id)) {
			f->contradicts = f->class_id != PORTS_NONE;
			f->class_id = PORTS_NONE;
			continue;
		}
		set_class(in, f);
	}
}

void saturation_begin(struct saturation *w)
{
	saturation_start(w);
	set_known(w->in);
}
