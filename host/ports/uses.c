/* What the floods of a form say of its uops; see floods.h. */
#include <math.h>

#include "host/ports/cells.h"
#include "host/ports/floods.h"

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

/* In whole uops of the sets that can be told apart. */
static bool cells(const struct flooding *w, size_t i, struct cells_answer *ret)
{
	const struct form_state *f = &w->in->f[w->forms[i]];
	model_ports sets[FLOODS_MAX_TARGETS];
	double u[FLOODS_MAX_TARGETS];
	struct cells_problem p = {
		.n_sets = w->n_targets,
		.sets = sets,
		.u = u,
		.slots = f->slots > 0 ? f->slots : (unsigned)f->slots_high,
		.width = w->in->width,
		.alone = f->alone.cycles,
		.above = infer_tolerance(&f->alone),
	};

	for (size_t t = 0; t < w->n_targets; t++) {
		sets[t] = w->targets[t].ports;
		u[t] = w->seen[i * w->n_targets + t].u;
	}
	return cells_solve(&p, ret);
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

static bool is_lost(const struct flooding *w, size_t i)
{
	for (size_t t = 0; t < w->n_targets; t++)
		if (w->seen[i * w->n_targets + t].lost)
			return true;
	return false;
}

/* A flood too short for all uops of the form shows less of them than there
 * are, or more. */
static bool agrees(const struct flooding *w, size_t i,
		   const struct cells_answer *a)
{
	for (size_t t = 0; t < w->n_targets; t++) {
		const struct flooded *x = &w->seen[i * w->n_targets + t];

		if (x->grains > 0 && isfinite(x->u) &&
		    fabs(expected(w, i, t, a) - x->u) > cells_some)
			return false;
	}
	return true;
}

bool floods_are_sound(struct flooding *w, size_t i)
{
	struct flooded *x = &w->seen[i * w->n_targets];
	struct cells_answer answer;
	bool lost = is_lost(w, i), solved = !lost && cells(w, i, &answer);

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

	/* Half of its floods would make it look faster than it is. */
	if (is_lost(w, i)) {
		f->verdict = PORTS_UNFINISHED;
		f->n_uses = 0;
		return false;
	}

	f->how = unions ? "by floods of classes and their unions"
			: "by floods of classes";
	if (cells(w, i, &answer)) {
		f->verdict = agrees(w, i, &answer) ? PORTS_OK : PORTS_UNSURE;
		f->n_uses = 0;
		for (size_t k = 0; k < answer.n_uses; k++)
			floods_use(f, answer.uses[k].ports,
				   answer.uses[k].n_uops,
				   answer.uses[k].cycles);
		return answer.is_open || answer.n_uops < f->slots;
	}

	double sum = invert(w, i, unions, own, &sure);

	f->verdict = sure ? PORTS_OK : PORTS_UNSURE;
	set_uses(w, f, own, sum);
	return f->slots > 0 && sum + cells_some < f->slots;
}
