/* Derive the uops of a form from its saturation kernels; see saturation.h. */
#include <math.h>

#include "host/ports/cells.h"
#include "host/ports/saturation.h"

enum {
	MOST_AGAINST = 2, /* kernels that may be ignored */
	MOST_TRIED = 40,  /* pairs of kernels to try */
	/* Effort of a search that is repeated, and of one where slots do not
	 * limit the number of uops. */
	LITTLE_EFFORT = 1000,
	SOME_EFFORT = 10 * 1000,
};

/* Tolerance around whole numbers for kernels that a real scheduler disturbs. */
static const double roughly = 0.5;

/* Inconsistent kernels become longer by this factor. */
static const double longer = 1.6;

/* Cycles of each target without its subsets, smallest target first. Returns the
 * sum. */
static double uses_invert(const struct saturation *w, size_t f, bool unions,
			  double *own, bool *ret_sure)
{
	const struct saturation_result *x = &w->seen[f * w->n_targets];
	double sum = 0;

	*ret_sure = true;
	for (size_t t = 0; t < w->n_targets; t++) {
		own[t] = 0;
		if (!saturation_takes_part(&w->targets[t], unions))
			continue;
		if (!isfinite(x[t].u)) {
			*ret_sure = false;
			continue;
		}
		own[t] = x[t].u;
		for (size_t k = 0; k < t; k++)
			if (saturation_lies_in(&w->targets[k], &w->targets[t]))
				own[t] -= own[k];
		if (fabs(own[t] - round(own[t])) <= cells_some)
			own[t] = round(own[t]);
		else
			*ret_sure = false;
		if (own[t] < 0) {
			*ret_sure &= own[t] > -cells_some;
			own[t] = 0;
		}
		sum += own[t];
	}
	return sum;
}

void saturation_add_use(struct form_state *f, model_ports ports, double n_uops,
			double cycles)
{
	if (n_uops > 0 && f->n_uses < PORTS_MAX_USES)
		infer_add_use(f, ports, n_uops, cycles);
}

/* If there are more cycles than slots, one uop holds its port for longer: the
 * one on the set with the most cycles. */
static void set_uses(const struct saturation *w, struct form_state *f,
		     const double *own, double sum)
{
	double over = f->slots > 0 && sum > f->slots ? sum - f->slots : 0;
	size_t most = 0;

	for (size_t t = 1; t < w->n_targets; t++)
		if (own[t] > own[most])
			most = t;
	f->n_uses = 0;
	for (size_t t = 0; t < w->n_targets; t++) {
		model_ports ports = w->targets[t].ports;

		if (over > 0 && t == most && own[t] - over >= 1) {
			saturation_add_use(f, ports, own[t] - over - 1, 1);
			saturation_add_use(f, ports, 1, 1 + over);
		} else {
			saturation_add_use(f, ports, own[t], 1);
		}
	}
}

/* Find whole uops in the cells, ignoring up to two kernels, x and y (or
 * PORTS_NONE). */
static bool cells_without(const struct saturation *w, size_t i, int x, int y,
			  double rough, struct cells_answer *ret)
{
	const struct form_state *f = &w->in->f[w->forms[i]];
	model_ports sets[SATURATION_MAX_TARGETS];
	double u[SATURATION_MAX_TARGETS];
	struct cells_problem p = {
		.n_sets = w->n_targets,
		.sets = sets,
		.u = u,
		.slots = f->slots > 0 ? f->slots : (unsigned)f->slots_high,
		/* A slow form hides its number of slots. Allow one or two slow
		 * uops, not many fast ones. */
		.least = f->slots == 0 && w->in->filler != PORTS_NONE
				 ? (unsigned)f->slots_low
				 : 0,
		.width = w->in->width,
		.alone = f->alone.cycles,
		.above = infer_tolerance(&f->alone),
		.rough = rough,
		.effort = rough > 0                     ? LITTLE_EFFORT
			  : w->in->filler == PORTS_NONE ? SOME_EFFORT
							: 0,
	};

	for (size_t t = 0; t < w->n_targets; t++) {
		sets[t] = w->targets[t].ports;
		u[t] = (int)t == x || (int)t == y
			       ? HUGE_VAL
			       : w->seen[i * w->n_targets + t].u;
	}
	return cells_solve(&p, ret);
}

static bool uses_cells(const struct saturation *w, size_t i,
		       struct cells_answer *ret)
{
	return cells_without(w, i, PORTS_NONE, PORTS_NONE, 0, ret);
}

/* The value that the kernel of a target would show for these uses. */
static double uses_expected(const struct saturation *w, size_t i, size_t t,
			    const struct cells_answer *a)
{
	const struct infer *in = w->in;
	const struct saturation_target *target = &w->targets[t];
	const struct form_state *f = &in->f[w->forms[i]];
	struct ports_mix mix = saturation_mix(
		in, target, w->seen[i * w->n_targets + t].grains);
	struct model_use uses[PORTS_MAX_PARTS + MODEL_MAX_PORTS];
	double n_slots = 0, base, both;
	size_t n = 0;

	for (size_t k = 0; k < mix.n; k++) {
		int32_t c = in->f[mix.part[k].form].class_id;

		n_slots += mix.part[k].count;
		uses[n++] = (struct model_use){ in->solution.row[c],
						mix.part[k].count, 1 };
	}
	base = fmax(model_port_bound(uses, n, NULL), n_slots / in->width);
	n_slots += f->slots > 0 ? f->slots : a->n_uops;
	for (size_t k = 0; k < a->n_uses; k++)
		uses[n++] = a->uses[k];
	both = fmax(model_port_bound(uses, n, NULL), n_slots / in->width);
	return (both - base) * target->n_ports;
}

static size_t n_lost(const struct saturation *w, size_t i)
{
	size_t n = 0;

	for (size_t t = 0; t < w->n_targets; t++)
		n += w->seen[i * w->n_targets + t].lost;
	return n;
}

/* May a uop be missing that only an impossible kernel would show? */
static bool may_miss_uops(const struct saturation *w, size_t i,
			  const struct cells_answer *a)
{
	const struct form_state *f = &w->in->f[w->forms[i]];

	if (f->slots > 0 && a->n_uops >= f->slots && a->explains)
		return false;
	for (size_t t = 0; t < w->n_targets; t++)
		if (w->seen[i * w->n_targets + t].apart)
			return true;
	return false;
}

/* Number of kernels that these uses do not explain. */
static size_t n_against(const struct saturation *w, size_t i,
			const struct cells_answer *a, double rough)
{
	size_t n = 0;

	for (size_t t = 0; t < w->n_targets; t++) {
		const struct saturation_result *x =
			&w->seen[i * w->n_targets + t];

		n += x->grains > 0 && isfinite(x->u) &&
		     fabs(uses_expected(w, i, t, a) - x->u) > rough;
	}
	return n;
}

/* Does a kernel agree? One that is too short for all uops of the form may show
 * too little or too much. */
static bool uses_agrees(const struct saturation *w, size_t i,
			const struct cells_answer *a)
{
	return n_against(w, i, a, cells_some) == 0;
}

static bool is_believed(const struct saturation *w, size_t i, size_t t)
{
	const struct saturation_result *x = &w->seen[i * w->n_targets + t];

	return x->grains > 0 && isfinite(x->u);
}

/* Find uses on which all kernels agree, except one or two. A real scheduler
 * assigns a uop to a port before it knows which port will be free. With other
 * ports busy, a kernel then shows too many cycles. */
static bool most_agree(const struct saturation *w, size_t i,
		       struct cells_answer *ret)
{
	struct cells_answer a;
	size_t best = MOST_AGAINST + 1;
	size_t n_tried = 0;

	if (cells_without(w, i, PORTS_NONE, PORTS_NONE, roughly, &a)) {
		best = n_against(w, i, &a, roughly);
		*ret = a;
	}
	for (size_t x = 0; x < w->n_targets && best > 1; x++) {
		if (!is_believed(w, i, x) ||
		    !cells_without(w, i, (int)x, PORTS_NONE, roughly, &a) ||
		    n_against(w, i, &a, roughly) >= best)
			continue;
		best = n_against(w, i, &a, roughly);
		*ret = a;
	}
	for (size_t x = 0; x < w->n_targets && best > MOST_AGAINST; x++)
		for (size_t y = x + 1; y < w->n_targets; y++) {
			if (!is_believed(w, i, x) || !is_believed(w, i, y) ||
			    n_tried++ > MOST_TRIED ||
			    !cells_without(w, i, (int)x, (int)y, roughly, &a) ||
			    n_against(w, i, &a, roughly) >= best)
				continue;
			best = n_against(w, i, &a, roughly);
			*ret = a;
		}
	return best <= MOST_AGAINST;
}

static void set_answer(struct form_state *f, const struct cells_answer *a)
{
	f->n_uses = 0;
	for (size_t k = 0; k < a->n_uses; k++)
		saturation_add_use(f, a->uses[k].ports, a->uses[k].n_uops,
				   a->uses[k].cycles);
}

/* Do the form's ports take longer than the form itself? */
static bool exceeds_time_alone(const struct form_state *f)
{
	double least = 1 + fmax(infer_equal_times, infer_tolerance(&f->alone));

	return model_port_bound(f->uses, f->n_uses, NULL) >
	       f->alone.cycles * least;
}

bool saturation_is_consistent(struct saturation *w, size_t i)
{
	struct saturation_result *x = &w->seen[i * w->n_targets];
	struct cells_answer answer;
	bool lost = n_lost(w, i) > 0,
	     solved = !lost && uses_cells(w, i, &answer);

	if (solved && uses_agrees(w, i, &answer))
		return true;
	if (solved)
		w->cycles[i] = fmax(w->cycles[i], answer.cycles);
	if (!lost)
		w->cycles[i] *= longer;
	for (size_t t = 0; t < w->n_targets; t++)
		if (!lost || x[t].lost)
			x[t] = (struct saturation_result){ .u = NAN };
	return false;
}

/* Derive the uses of a form. Returns true when kernels of unions may add
 * information. */
static bool derive_uses(struct saturation *w, size_t i, bool unions)
{
	struct form_state *f = &w->in->f[w->forms[i]];
	struct cells_answer answer;
	double own[SATURATION_MAX_TARGETS];
	bool sure;

	/* Without half of its kernels a form would look too fast. If a kernel
	 * is lost, the uses must explain the time alone and all slots, because
	 * the missing uop may be the one that the lost kernel would show. */
	if (n_lost(w, i) > 0 &&
	    (n_lost(w, i) > 1 || !uses_cells(w, i, &answer) ||
	     !answer.explains || answer.n_uops < f->slots ||
	     !uses_agrees(w, i, &answer))) {
		f->verdict = PORTS_UNFINISHED;
		f->n_uses = 0;
		return false;
	}

	f->how = unions ? "from saturation kernels of classes and their unions"
			: "from saturation kernels of classes";
	if (uses_cells(w, i, &answer)) {
		f->verdict = !uses_agrees(w, i, &answer) ? PORTS_UNSURE
			     : (unions && answer.is_open) ||
					     may_miss_uops(w, i, &answer)
				     ? PORTS_OPEN
				     : PORTS_OK;
		set_answer(f, &answer);
		return answer.is_open || answer.n_uops < f->slots;
	}
	if (w->in->filler == PORTS_NONE && most_agree(w, i, &answer)) {
		f->verdict = PORTS_OPEN;
		f->how =
			"from most saturation kernels of classes: one or two of them show "
			"more";
		set_answer(f, &answer);
		return false;
	}

	double sum = uses_invert(w, i, unions, own, &sure);

	f->verdict = sure ? PORTS_OK : PORTS_UNSURE;
	set_uses(w, f, own, sum);
	if (exceeds_time_alone(f)) {
		f->verdict = PORTS_UNSURE;
		f->how =
			"from saturation kernels, whose uops would take longer than the form alone";
	}
	/* More uops than slots are known: these are not uops. */
	if (w->in->filler == PORTS_NONE) {
		f->verdict = PORTS_MISFIT;
		f->n_uses = 0;
		f->how =
			"no uops on fixed ports explain its saturation kernels";
		return false;
	}
	return f->slots > 0 && sum + cells_some < f->slots;
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

bool saturation_derive_uses(struct saturation *w, size_t i, bool unions)
{
	struct infer *in = w->in;
	struct form_state *f = &in->f[w->forms[i]];
	bool more = derive_uses(w, i, unions);

	if (f->verdict == PORTS_OK && may_change_lines(in, w->forms[i])) {
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(in->a,
				      "%s; its stores go to another line than "
				      "the kernel's, which may look like one "
				      "more uop",
				      f->how);
	}
	return more;
}
