/* Ports of all forms outside the classes, from saturation kernels.
 *
 * A saturation kernel keeps a set Q of ports busy in every cycle. When an
 * instruction x is added, the additional time multiplied by the number of ports
 * is the number of cycles of its uops that are confined to Q:
 *
 *	u(Q) = (t(kernel + x) - t(kernel)) * |Q|
 *
 * The cycles of each set follow by inclusion and exclusion, smallest set first.
 * The sets are those of the classes, and unions of classes for forms with more
 * uops than the classes explain. A set is measured only if u > 0 for all sets
 * that contain it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/ports/cells.h"
#include "host/ports/saturation.h"

enum { MAX_LEVELS = 12, REPEATS = 3, ATTEMPTS = 3 };

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
	return n * SATURATION_GRAIN > SATURATION_MAX_BLOCKERS ? 0 : (size_t)n;
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

struct ports_mix saturation_mix(const struct infer *in,
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

static void note_u(struct saturation *w, const struct saturation_job *j,
		   const struct ports_value *v)
{
	const struct saturation_target *t = &w->targets[j->target];
	const struct ports_value *base = &t->base[j->grains];
	struct saturation_result *to =
		&w->seen[j->form * w->n_targets + j->target];
	double u, off, most, in_width = w->in->width;
	bool too_much;

	if (!v->has_value || !base->has_value)
		return;
	u = (v->cycles - base->cycles) * t->n_ports;
	/* More cycles than the form takes alone come from the scheduler or the
	 * front end. */
	most = w->in->f[w->forms[j->form]].alone.cycles * t->n_ports;
	too_much = w->in->filler == PORTS_NONE && u > most + cells_some;
	if (w->in->filler == PORTS_NONE && u > most)
		u = most;
	off = 4.5 * t->n_ports * base->cycles * hypot(v->sigma, base->sigma);
	*to = (struct saturation_result){
		.u = fmax(0, u),
		.grains = j->grains,
		.sure = fabs(u - round(u)) < cells_some && off < 0.6 &&
			!(too_much &&
			  t->n_ports > infer_nearly_full * in_width),
	};
	w->cycles[j->form] = fmax(w->cycles[j->form], to->u);
}

/* Measure the jobs. Repeat those without a value, and those that are not close
 * to a whole number. */
int saturation_run(struct saturation *w, struct saturation_job *jobs, size_t n)
{
	struct infer *in = w->in;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);

	for (int repeat = 0; repeat < REPEATS && n > 0; repeat++) {
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
			if (!w->seen[jobs[i].form * w->n_targets +
				     jobs[i].target]
				     .sure)
				jobs[left++] = jobs[i];
		}
		n = left;
	}
	return ERR_OK;
}

/* A front end with a varying width disturbs kernels that nearly fill it. Values
 * that are not whole numbers are then treated as unknown. */
static void forget_uneven(struct saturation *w,
			  const struct saturation_job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct saturation_target *t = &w->targets[jobs[i].target];
		struct saturation_result *x =
			&w->seen[jobs[i].form * w->n_targets + jobs[i].target];

		if (w->in->filler == PORTS_NONE && !x->sure && isfinite(x->u) &&
		    t->n_ports > infer_nearly_full * w->in->width)
			x->u = HUGE_VAL;
	}
}

/* ---- which kernels to measure ---------------------------------------- */

bool saturation_takes_part(const struct saturation_target *t, bool unions)
{
	return unions || t->is_class;
}

enum need { NEED_NOTHING, NEED_FLOOD, NEED_WAIT };

/* If nothing is confined to a set, nothing is confined to its subsets. A subset
 * of a set that is not measured yet has to wait. */
static enum need saturation_need_of(struct saturation *w, size_t f, size_t t,
				    bool unions)
{
	struct saturation_result *x = &w->seen[f * w->n_targets];
	enum need need = NEED_FLOOD;

	if (!isnan(x[t].u) || !saturation_takes_part(&w->targets[t], unions))
		return NEED_NOTHING;
	for (size_t k = 0; k < w->n_targets; k++) {
		if (!saturation_lies_in(&w->targets[t], &w->targets[k]) ||
		    !saturation_takes_part(&w->targets[k], unions))
			continue;
		if (isnan(x[k].u)) {
			need = NEED_WAIT;
		} else if (x[k].u < cells_some) {
			x[t] = (struct saturation_result){ .u = 0,
							   .sure = true };
			return NEED_NOTHING;
		}
	}
	return need;
}

static int saturation_run_level(struct saturation *w, const bool *wanted,
				bool unions, size_t *ret_n)
{
	size_t room = w->n_forms * w->n_targets, n = 0;
	struct saturation_job *jobs = xrealloc(NULL, room + 1, sizeof(*jobs));

	for (size_t f = 0; f < w->n_forms; f++)
		for (size_t t = w->n_targets; wanted[f] && t-- > 0;) {
			struct saturation_job j = { f, t, 0 };

			if (saturation_need_of(w, f, t, unions) != NEED_FLOOD)
				continue;
			if (saturation_plan(w, &j))
				jobs[n++] = j;
		}
	*ret_n = n;
	(void)saturation_run(w, jobs, n);
	/* Treat a kernel without a value as one that shows no limit. */
	for (size_t i = 0; i < n; i++) {
		struct saturation_result *x =
			&w->seen[jobs[i].form * w->n_targets + jobs[i].target];

		if (isnan(x->u)) {
			x->u = HUGE_VAL;
			x->lost = true;
		}
	}
	forget_uneven(w, jobs, n);
	free(jobs);
	return w->in->e->code;
}

/* ---- the entry point ------------------------------------------------- */

static int saturation_run_levels(struct saturation *w, const bool *wanted,
				 bool unions)
{
	size_t n = 1;

	for (int level = 0; level < MAX_LEVELS && n > 0; level++)
		if (saturation_run_level(w, wanted, unions, &n) != ERR_OK)
			return w->in->e->code;
	return ERR_OK;
}

/* Saturate with all wanted forms, and repeat inconsistent ones; then derive the
 * uses. wanted[f] is then true where kernels of unions may add information. */
static int saturation_run_all(struct saturation *w, bool *wanted, bool unions)
{
	bool *now = ARENA_ARRAY(w->in->a, bool, w->n_forms + 1);
	size_t left = 1;

	memcpy(now, wanted, w->n_forms * sizeof(*now));
	for (int attempt = 0; attempt < ATTEMPTS && left > 0; attempt++) {
		left = 0;
		if (saturation_run_levels(w, now, unions) != ERR_OK)
			return w->in->e->code;
		for (size_t f = 0; f < w->n_forms; f++) {
			now[f] = now[f] && attempt + 1 < ATTEMPTS &&
				 !saturation_is_consistent(w, f);
			left += now[f];
		}
	}
	for (size_t f = 0; f < w->n_forms; f++)
		if (wanted[f])
			wanted[f] = saturation_derive_uses(w, f, unions);
	return ERR_OK;
}

static bool saturation_is_known(const struct infer *in, int32_t class_id)
{
	return class_id != PORTS_NONE && !in->classes[class_id].out;
}

/* Does the form hold ports of a class?  Where slots are unknown, it may also
 * have several uops, which saturation kernels tell apart. */
static bool is_held(const struct infer *in, const struct form_state *f)
{
	return in->filler != PORTS_NONE &&
	       saturation_is_known(in, f->held_class);
}

static void saturation_start(struct saturation *w)
{
	struct infer *in = w->in;

	w->forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms);
	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		const struct form_state *f = &in->f[i];

		if (infer_in_batch(in, i) && f->alone.has_value && !f->lost &&
		    !f->wide && f->blocks_ports == 0 &&
		    (saturation_is_checked(in, i) ||
		     (!saturation_is_known(in, f->class_id) &&
		      !is_held(in, f))))
			w->forms[w->n_forms++] = i;
	}
	saturation_find_targets(w);
	w->seen = ARENA_ARRAY(in->a, struct saturation_result,
			      w->n_forms * w->n_targets + 1);
	w->cycles = ARENA_ARRAY(in->a, double, w->n_forms + 1);
	for (size_t i = 0; i < w->n_forms * w->n_targets; i++)
		w->seen[i].u = NAN;
}

static void set_class(const struct infer *in, struct form_state *f)
{
	bool doubted = in->classes[f->class_id].doubted;

	f->verdict = doubted ? PORTS_OPEN : PORTS_OK;
	f->how = doubted ? "with its class no faster than by itself, but most "
			   "of them have uops on other ports"
			 : "with its class no faster than by itself";
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
		if (is_held(in, f)) {
			f->verdict = PORTS_OK;
			f->how = "with a class of more ports as slow as one "
				 "after the other";
			saturation_add_use(f, in->solution.row[f->held_class],
					   1, f->held_cycles);
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

int infer_saturation(struct infer *in)
{
	struct saturation w = { .in = in };
	bool *wanted;

	saturation_start(&w);
	wanted = ARENA_ARRAY(in->a, bool, w.n_forms + 1);
	memset(wanted, true, w.n_forms);
	if (saturation_check_members(&w, wanted) != ERR_OK)
		return in->e->code;
	set_known(in);
	if (saturation_run_all(&w, wanted, false) != ERR_OK)
		return in->e->code;
	return saturation_run_all(&w, wanted, true);
}
