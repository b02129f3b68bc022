/* All other forms, by floods.
 *
 * A flood keeps a set of ports busy to the last cycle.  What an instruction
 * adds to its time, times the ports, is the cycles of its uops that have
 * nowhere else to go:
 *
 *	u(Q) = (t(flood + x) - t(flood)) * |Q|
 *
 * and what each set takes by itself follows by inclusion and exclusion,
 * smallest set first.  Sets are those of classes; for a form that has more
 * uops than those explain, also unions of classes.  A set is flooded only
 * where all sets around it took something. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/ports/infer.h"

enum {
	MAX_TARGETS = 96,
	MAX_FLOOD = 240, /* blockers of one flood */
	MAX_LEVELS = 12,
	GRAIN = 8,
};

/* A share of a uop that counts as one that is there. */
static const double some = 0.3;

/* A set of ports that can be flooded. */
struct target {
	model_ports ports;
	unsigned n_ports;
	bool is_class;
	struct matrix_experiment fill; /* of rows */
	/* Time of a flood by its size in grains; 0: not measured. */
	struct ports_value base[MAX_FLOOD / GRAIN + 1];
};

struct flooding {
	struct infer *in;
	size_t n_targets;
	struct target *targets; /* smallest first */
	size_t n_forms;
	uint32_t *forms; /* the others */
	/* u of form f and target t at f * n_targets + t; NAN: not measured. */
	double *u;
	bool *sure;
	bool *lost; /* of each form: a flood of it was not measured */
};

/* ---- targets ------------------------------------------------------------- */

/* Do these rows hang together, so that none is a flood beside the others? */
static bool is_connected(const struct infer *in, uint32_t rows)
{
	uint32_t reached = rows & -rows, before = 0;

	while (reached != before) {
		model_ports set = matrix_union(&in->solution, reached);

		before = reached;
		for (size_t r = 0; r < in->n_classes; r++)
			if ((rows >> r & 1) && (in->solution.row[r] & set) != 0)
				reached |= 1u << r;
	}
	return reached == rows;
}

static bool is_class(const struct infer *in, model_ports ports)
{
	for (size_t r = 0; r < in->n_classes; r++)
		if (in->solution.row[r] == ports)
			return true;
	return false;
}

static void find_targets(struct flooding *w)
{
	struct infer *in = w->in;
	struct matrix_flat *flats =
		ARENA_ARRAY(in->a, struct matrix_flat, MATRIX_MAX_FLATS);
	size_t n = matrix_flats(&in->problem, &in->solution, flats);

	w->targets = ARENA_ARRAY(in->a, struct target, MAX_TARGETS);
	for (size_t i = 0; i < n && w->n_targets < MAX_TARGETS; i++) {
		struct target t = {
			.ports = flats[i].ports,
			.n_ports = model_ports_count(flats[i].ports),
			.is_class = is_class(in, flats[i].ports),
		};

		if ((t.is_class || is_connected(in, flats[i].rows)) &&
		    matrix_fill(&in->solution, flats[i].rows, PORTS_NONE,
				&t.fill) &&
		    t.fill.n < PORTS_MAX_PARTS)
			w->targets[w->n_targets++] = t;
	}
}

static bool lies_in(const struct target *x, const struct target *y)
{
	return x->ports != y->ports && (x->ports & ~y->ports) == 0;
}

/* ---- one flood ----------------------------------------------------------- */

/* Blockers for this form, as grains; 0: too many.  The flood must outlast what
 * else bounds the form, leave the front end room, and be so long that the
 * form's other uops hide beside it. */
static size_t grains_for(const struct infer *in, const struct target *t,
			 const struct form_state *f)
{
	double q = t->n_ports;
	double slots = f->slots > 0 ? f->slots : fmin(f->slots_high, 8);
	double n = 1.3 * slots * q + 2;

	n = fmax(n, 1.3 * f->alone.cycles * q);
	n = fmax(n, 1.3 * slots * q / (in->width - q));
	n = fmax(n, 4 * q);
	n = ceil(n / GRAIN);
	return n * GRAIN > MAX_FLOOD ? 0 : (size_t)n;
}

/* Whole fills, about so many blockers. */
static uint32_t n_fills(const struct target *t, size_t grains)
{
	uint32_t n = (uint32_t)(grains * GRAIN + t->n_ports - 1) / t->n_ports;

	return n == 0 ? 1 : n;
}

static struct ports_mix flood(const struct infer *in, const struct target *t,
			      size_t grains)
{
	struct ports_mix mix = { .n = 0 };

	for (size_t i = 0; i < t->fill.n; i++)
		if (t->fill.part[i].count > 0)
			infer_add(&mix, in->classes[t->fill.part[i].row].form,
				  t->fill.part[i].count * n_fills(t, grains));
	return mix;
}

struct job {
	size_t form, target; /* indices into the lists of struct flooding */
	size_t grains;
};

static int measure_bases(struct flooding *w, const struct job *jobs, size_t n)
{
	struct infer *in = w->in;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	struct ports_value **to =
		ARENA_ARRAY(in->a, struct ports_value *, n + 1);
	size_t n_mixes = 0;

	for (size_t i = 0; i < n; i++) {
		struct target *t = &w->targets[jobs[i].target];
		struct ports_value *v = &t->base[jobs[i].grains];

		if (v->has_value || v->cycles < 0)
			continue;
		v->cycles = -1; /* asked for */
		mixes[n_mixes] = flood(in, t, jobs[i].grains);
		to[n_mixes++] = v;
	}
	if (infer_measure(in, PORTS_FLOOD, mixes, n_mixes, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_mixes; i++)
		*to[i] = values[i].has_value
				 ? values[i]
				 : (struct ports_value){ .cycles = -1 };
	return ERR_OK;
}

static void note_u(struct flooding *w, const struct job *j,
		   const struct ports_value *v)
{
	const struct target *t = &w->targets[j->target];
	const struct ports_value *base = &t->base[j->grains];
	size_t at = j->form * w->n_targets + j->target;
	double u, off;

	if (!v->has_value || !base->has_value) {
		w->u[at] = NAN;
		w->sure[at] = false;
		return;
	}
	u = (v->cycles - base->cycles) * t->n_ports;
	off = 4.5 * t->n_ports * base->cycles * hypot(v->sigma, base->sigma);
	w->u[at] = fmax(0, u);
	w->sure[at] = fabs(u - round(u)) < 0.3 && off < 0.6;
}

/* Run the jobs; those that come out between two numbers once more. */
static int run_jobs(struct flooding *w, struct job *jobs, size_t n)
{
	struct infer *in = w->in;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);

	if (measure_bases(w, jobs, n) != ERR_OK)
		return in->e->code;
	for (int repeat = 0; repeat < 2 && n > 0; repeat++) {
		size_t left = 0;

		for (size_t i = 0; i < n; i++) {
			mixes[i] = flood(in, &w->targets[jobs[i].target],
					 jobs[i].grains);
			infer_add(&mixes[i], w->forms[jobs[i].form], 1);
		}
		if (infer_measure(in, PORTS_FLOOD, mixes, n, values) != ERR_OK)
			return in->e->code;
		for (size_t i = 0; i < n; i++) {
			size_t at =
				jobs[i].form * w->n_targets + jobs[i].target;

			note_u(w, &jobs[i], &values[i]);
			if (!w->sure[at])
				jobs[left++] = jobs[i];
		}
		n = left;
	}
	return ERR_OK;
}

/* ---- which floods -------------------------------------------------------- */

static bool takes_part(const struct flooding *w, size_t t, bool unions)
{
	return unions || w->targets[t].is_class;
}

enum need { NEED_NOTHING, NEED_FLOOD, NEED_WAIT };

/* A set inside one that took nothing takes nothing; one inside a set not yet
 * flooded waits. */
static enum need need_of(struct flooding *w, size_t f, size_t t, bool unions)
{
	double *u = &w->u[f * w->n_targets];
	enum need need = NEED_FLOOD;

	if (!isnan(u[t]) || !takes_part(w, t, unions))
		return NEED_NOTHING;
	for (size_t k = 0; k < w->n_targets; k++) {
		if (!lies_in(&w->targets[t], &w->targets[k]) ||
		    !takes_part(w, k, unions))
			continue;
		if (isnan(u[k])) {
			need = NEED_WAIT;
		} else if (u[k] < some) {
			u[t] = 0;
			w->sure[f * w->n_targets + t] = true;
			return NEED_NOTHING;
		}
	}
	return need;
}

static int flood_level(struct flooding *w, const bool *wanted, bool unions,
		       size_t *ret_n)
{
	size_t room = w->n_forms * w->n_targets, n = 0;
	struct job *jobs = xrealloc(NULL, room + 1, sizeof(*jobs));

	for (size_t f = 0; f < w->n_forms; f++)
		for (size_t t = w->n_targets; wanted[f] && t-- > 0;) {
			const struct form_state *s = &w->in->f[w->forms[f]];
			struct job j = { f, t, 0 };

			if (need_of(w, f, t, unions) != NEED_FLOOD)
				continue;
			j.grains = grains_for(w->in, &w->targets[t], s);
			if (j.grains == 0)
				w->u[f * w->n_targets + t] = HUGE_VAL;
			else
				jobs[n++] = j;
		}
	*ret_n = n;
	(void)run_jobs(w, jobs, n);
	/* What could not be had is as good as everything. */
	for (size_t f = 0; f < n; f++) {
		double *u = &w->u[jobs[f].form * w->n_targets + jobs[f].target];

		if (isnan(*u)) {
			*u = HUGE_VAL;
			w->lost[jobs[f].form] = true;
		}
	}
	free(jobs);
	return w->in->e->code;
}

/* ---- what follows -------------------------------------------------------- */

/* Cycles by themselves of each target, smallest first; returns their sum. */
static double invert(const struct flooding *w, size_t f, bool unions,
		     double *own, bool *ret_sure)
{
	const double *u = &w->u[f * w->n_targets];
	double sum = 0;

	*ret_sure = true;
	for (size_t t = 0; t < w->n_targets; t++) {
		own[t] = 0;
		if (!takes_part(w, t, unions))
			continue;
		if (!isfinite(u[t])) {
			*ret_sure = false;
			continue;
		}
		own[t] = u[t];
		for (size_t k = 0; k < t; k++)
			if (lies_in(&w->targets[k], &w->targets[t]))
				own[t] -= own[k];
		if (fabs(own[t] - round(own[t])) <= some)
			own[t] = round(own[t]);
		else
			*ret_sure = false;
		if (own[t] < 0) {
			*ret_sure &= own[t] > -some;
			own[t] = 0;
		}
		sum += own[t];
	}
	return sum;
}

static void add_use(struct form_state *f, model_ports ports, double n_uops,
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
			add_use(f, ports, own[t] - over - 1, 1);
			add_use(f, ports, 1, 1 + over);
		} else {
			add_use(f, ports, own[t], 1);
		}
	}
}

/* Fill in the uses; true when floods of unions may tell more. */
static bool conclude(struct flooding *w, size_t i, bool unions)
{
	struct form_state *f = &w->in->f[w->forms[i]];
	double own[MAX_TARGETS];
	bool sure;

	/* Half of its floods would make it look faster than it is. */
	if (w->lost[i]) {
		f->verdict = PORTS_UNFINISHED;
		f->n_uses = 0;
		return false;
	}

	double sum = invert(w, i, unions, own, &sure);

	f->verdict = sure ? PORTS_OK : PORTS_UNSURE;
	f->how = unions ? "by floods of classes and their unions"
			: "by floods of classes";
	set_uses(w, f, own, sum);
	return f->slots > 0 && sum + some < f->slots;
}

static int flood_all(struct flooding *w, bool *wanted, bool unions)
{
	size_t n = 1;

	for (int level = 0; level < MAX_LEVELS && n > 0; level++)
		if (flood_level(w, wanted, unions, &n) != ERR_OK)
			return w->in->e->code;
	for (size_t f = 0; f < w->n_forms; f++)
		if (wanted[f])
			wanted[f] = conclude(w, f, unions);
	return ERR_OK;
}

static void start(struct flooding *w)
{
	struct infer *in = w->in;

	w->forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms);
	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		const struct form_state *f = &in->f[i];
		bool in_class = f->class_id != PORTS_NONE &&
				!in->classes[f->class_id].out;

		if (f->alone.has_value && !f->wide && !in_class)
			w->forms[w->n_forms++] = i;
	}
	find_targets(w);
	w->u = ARENA_ARRAY(in->a, double, w->n_forms * w->n_targets + 1);
	w->sure = ARENA_ARRAY(in->a, bool, w->n_forms * w->n_targets + 1);
	w->lost = ARENA_ARRAY(in->a, bool, w->n_forms + 1);
	for (size_t i = 0; i < w->n_forms * w->n_targets; i++)
		w->u[i] = NAN;
}

/* Members of classes, and forms as fast as the front end. */
static void set_known(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (f->wide) {
			f->verdict = PORTS_OK;
			f->how = "as fast as the front end";
			continue;
		}
		if (f->class_id == PORTS_NONE || in->classes[f->class_id].out) {
			f->class_id = PORTS_NONE;
			continue;
		}
		f->verdict = PORTS_OK;
		f->how = "with its class no faster than by itself";
		add_use(f, in->solution.row[f->class_id], 1, 1);
	}
}

int infer_floods(struct infer *in)
{
	struct flooding w = { .in = in };
	bool *wanted;

	start(&w);
	set_known(in);
	wanted = ARENA_ARRAY(in->a, bool, w.n_forms + 1);
	memset(wanted, true, w.n_forms);
	if (flood_all(&w, wanted, false) != ERR_OK)
		return in->e->code;
	return flood_all(&w, wanted, true);
}
