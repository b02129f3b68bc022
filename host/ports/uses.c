/* What the floods of a form say of its uops; see floods.h. */
#include <math.h>

#include "host/ports/cells.h"
#include "host/ports/floods.h"

enum {
	MOST_AGAINST = 2, /* floods that are not believed */
	MOST_TRIED = 40,  /* pairs of them */
	/* Of a search that is repeated; and of one in which slots do not bound
	 * how many uops there are. */
	LITTLE_EFFORT = 1000,
	SOME_EFFORT = 10 * 1000,
};

/* A flood that a real scheduler spoils shows uops only roughly. */
static const double roughly = 0.5;

/* Floods that do not hang together are so much longer the next time. */
static const double longer = 1.6;

/* Cycles by themselves of each target, smallest first; returns their sum. */
static double invert(const struct flooding *w, size_t f, bool unions,
		     double *own, bool *ret_sure)
{
	const struct flooded *x = &w->seen[f * w->n_targets];
	double sum = 0;

	*ret_sure = true;
	for (size_t t = 0; t < w->n_targets; t++) {
		own[t] = 0;
		if (!floods_takes_part(&w->targets[t], unions))
			continue;
		if (!isfinite(x[t].u)) {
			*ret_sure = false;
			continue;
		}
		own[t] = x[t].u;
		for (size_t k = 0; k < t; k++)
			if (floods_lies_in(&w->targets[k], &w->targets[t]))
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

void floods_use(struct form_state *f, model_ports ports, double n_uops,
		double cycles)
{
	if (n_uops > 0 && f->n_uses < PORTS_MAX_USES)
		f->uses[f->n_uses++] =
			(struct model_use){ ports, n_uops, cycles };
}

/* More cycles than slots: one uop holds its port for longer.  It is that of
 * the set that took most. */
static void set_uses(const struct flooding *w, struct form_state *f,
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
			floods_use(f, ports, own[t] - over - 1, 1);
			floods_use(f, ports, 1, 1 + over);
		} else {
			floods_use(f, ports, own[t], 1);
		}
	}
}

/* In whole uops of the sets that can be told apart; two of the floods (or
 * PORTS_NONE) are not believed. */
static bool cells_without(const struct flooding *w, size_t i, int x, int y,
			  double rough, struct cells_answer *ret)
{
	const struct form_state *f = &w->in->f[w->forms[i]];
	model_ports sets[FLOODS_MAX_TARGETS];
	double u[FLOODS_MAX_TARGETS];
	struct cells_problem p = {
		.n_sets = w->n_targets,
		.sets = sets,
		.u = u,
		.slots = f->slots > 0 ? f->slots : (unsigned)f->slots_high,
		/* What is slow hides how many slots it takes: a uop or two
		 * that hold a port for long, not many that do not. */
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

static bool cells(const struct flooding *w, size_t i, struct cells_answer *ret)
{
	return cells_without(w, i, PORTS_NONE, PORTS_NONE, 0, ret);
}

/* What the flood of a target would show of these uses. */
static double expected(const struct flooding *w, size_t i, size_t t,
		       const struct cells_answer *a)
{
	const struct infer *in = w->in;
	const struct target *target = &w->targets[t];
	const struct form_state *f = &in->f[w->forms[i]];
	struct ports_mix mix =
		floods_mix(in, target, w->seen[i * w->n_targets + t].grains);
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

static size_t n_lost(const struct flooding *w, size_t i)
{
	size_t n = 0;

	for (size_t t = 0; t < w->n_targets; t++)
		n += w->seen[i * w->n_targets + t].lost;
	return n;
}

/* Floods that these uses do not explain. */
static size_t n_against(const struct flooding *w, size_t i,
			const struct cells_answer *a, double rough)
{
	size_t n = 0;

	for (size_t t = 0; t < w->n_targets; t++) {
		const struct flooded *x = &w->seen[i * w->n_targets + t];

		n += x->grains > 0 && isfinite(x->u) &&
		     fabs(expected(w, i, t, a) - x->u) > rough;
	}
	return n;
}

/* A flood too short for all uops of the form shows less of them than there
 * are, or more. */
static bool agrees(const struct flooding *w, size_t i,
		   const struct cells_answer *a)
{
	return n_against(w, i, a, cells_some) == 0;
}

static bool is_believed(const struct flooding *w, size_t i, size_t t)
{
	const struct flooded *x = &w->seen[i * w->n_targets + t];

	return x->grains > 0 && isfinite(x->u);
}

/* What most of the floods agree on: all but one of them, or but two.  Real
 * schedulers bind a uop to a port before they know which will be free, and
 * with what keeps the others busy a flood shows more than there is. */
static bool most_agree(const struct flooding *w, size_t i,
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
		floods_use(f, a->uses[k].ports, a->uses[k].n_uops,
			   a->uses[k].cycles);
}

bool floods_are_sound(struct flooding *w, size_t i)
{
	struct flooded *x = &w->seen[i * w->n_targets];
	struct cells_answer answer;
	bool lost = n_lost(w, i) > 0, solved = !lost && cells(w, i, &answer);

	if (solved && agrees(w, i, &answer))
		return true;
	if (solved)
		w->cycles[i] = fmax(w->cycles[i], answer.cycles);
	if (!lost)
		w->cycles[i] *= longer;
	for (size_t t = 0; t < w->n_targets; t++)
		if (!lost || x[t].lost)
			x[t] = (struct flooded){ .u = NAN };
	return false;
}

/* Fill in the uses; true when floods of unions may tell more. */
bool floods_conclude(struct flooding *w, size_t i, bool unions)
{
	struct form_state *f = &w->in->f[w->forms[i]];
	struct cells_answer answer;
	double own[FLOODS_MAX_TARGETS];
	bool sure;

	/* Half of its floods would make it look faster than it is; without one
	 * of them, its time by itself must agree, and no slot of it be without
	 * a uop: that may be the uop which the lost flood would show. */
	if (n_lost(w, i) > 0 &&
	    (n_lost(w, i) > 1 || !cells(w, i, &answer) || !answer.explains ||
	     answer.n_uops < f->slots || !agrees(w, i, &answer))) {
		f->verdict = PORTS_UNFINISHED;
		f->n_uses = 0;
		return false;
	}

	f->how = unions ? "by floods of classes and their unions"
			: "by floods of classes";
	if (cells(w, i, &answer)) {
		f->verdict = !agrees(w, i, &answer)     ? PORTS_UNSURE
			     : unions && answer.is_open ? PORTS_OPEN
							: PORTS_OK;
		set_answer(f, &answer);
		return answer.is_open || answer.n_uops < f->slots;
	}
	if (w->in->filler == PORTS_NONE && most_agree(w, i, &answer)) {
		f->verdict = PORTS_OK;
		f->how = "by most floods of classes: one or two of them show "
			 "more";
		set_answer(f, &answer);
		return false;
	}

	double sum = invert(w, i, unions, own, &sure);

	f->verdict = sure ? PORTS_OK : PORTS_UNSURE;
	set_uses(w, f, own, sum);
	/* More than the front end is known to bring: no sum of uops. */
	if (w->in->filler == PORTS_NONE) {
		f->verdict = PORTS_MISFIT;
		f->n_uses = 0;
		f->how = "no uops on fixed ports show its floods";
		return false;
	}
	return f->slots > 0 && sum + cells_some < f->slots;
}
