/* Find the matrix of classes and ports. Measure pairs first, then mixes that
 * separate the remaining matrices, then random mixes as a check. Contradictory
 * evidence is measured again. Classes that stay contradictory leave the matrix
 * and are reported. */
#include <math.h>
#include <stdlib.h>

#include "host/base/monotonic.h"
#include "host/ports/evidence.h"

enum {
	MAX_SEPARATIONS = 80,
	MAX_REPAIRS = 64,
	/* Search for another matrix with up to this many ports more than the
	 * minimum. */
	MORE_PORTS = 3,
	FEW_MEMBERS = 2, /* of a class that is easily excluded */
	CHECK_PARTS = 5,
	CHECK_COUNT = 4,
	/* Steps of the solver to make rows disjoint, apart from those of other
	 * questions: without an answer each claim may have ports of another kind
	 * of forms.  Chosen as STEPS in infer_run.c. */
	DISJOINT_STEPS = 30 * 1000,
};

/* Two matrices must differ in a mix by at least this, relative. */
static const double least_difference = 0.06;

static struct ports_mix matrix_search_mix_of(const struct infer *in,
					     const struct matrix_experiment *x)
{
	struct ports_mix mix = { .n = 0 };

	for (size_t i = 0; i < x->n; i++)
		if (x->part[i].count > 0)
			infer_add(&mix, in->classes[x->part[i].row].form,
				  x->part[i].count);
	return mix;
}

/* ---- contradictions ------------------------------------------------------ */

/* Repeat the measurements that contradict each other. *ret_changed: the
 * evidence has changed. */
static int matrix_search_repeat(struct infer *in, const bool *core,
				bool *ret_changed)
{
	size_t n = in->evidence.n / sizeof(struct mix_evidence);

	*ret_changed = false;
	for (size_t i = 0; i < n; i++) {
		struct mix_evidence *e = (void *)in->evidence.bytes;
		struct matrix_experiment *x = (void *)in->experiments.bytes;
		struct ports_value v;

		if (!core[i])
			continue;
		if (infer_measure(in, PORTS_MATRIX, &e[i].mix, 1, &v) != ERR_OK)
			return in->e->code;
		if (!v.has_value || fabs(v.cycles / e[i].value.cycles - 1) <
					    infer_tolerance(&v))
			continue;
		e[i].value = v;
		x[i] = evidence_bounds(in, &e[i].mix, &v);
		*ret_changed = true;
	}
	return ERR_OK;
}

/* Exclude mixes that are slower than the other evidence allows: the scheduler
 * causes that, not the ports. They are reported as conflicts. Returns whether
 * there were any. */
static bool leave_weak(struct infer *in, const bool *core)
{
	const struct mix_evidence *e = (const void *)in->evidence.bytes;
	bool *dropped = (void *)in->dropped.bytes;
	bool any = false;

	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++) {
		if (!core[i] || !e[i].weak)
			continue;
		infer_conflict(in, &e[i].mix, e[i].value.cycles, 0);
		dropped[i] = true;
		any = true;
	}
	return any;
}

static bool fits_without(struct infer *in, size_t c)
{
	struct matrix_problem p = evidence_problem_without(in, c);

	return matrix_fits(&p);
}

/* The classes of a contradiction: n[c] is how many of its mixes have class c,
 * fits[c] whether all others fit without it. Returns whether one does. */
static bool suspects_of(struct infer *in, const bool *core,
			unsigned n[PORTS_MAX_CLASSES],
			unsigned fits[PORTS_MAX_CLASSES])
{
	const struct mix_evidence *e = (const void *)in->evidence.bytes;
	double start = monotonic_cpu_s();
	bool any = false;

	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++)
		for (size_t k = 0; core[i] && k < e[i].mix.n; k++)
			n[in->f[e[i].mix.part[k].form].class_id]++;
	for (size_t c = 0; c < in->n_classes; c++) {
		fits[c] = n[c] > 0 && fits_without(in, c);
		any |= fits[c] > 0;
	}
	in->w->matrix_seconds += monotonic_cpu_s() - start;
	return any;
}

static void exclude_for(struct infer *in, const bool *core, size_t c)
{
	const struct mix_evidence *e = (const void *)in->evidence.bytes;

	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++)
		if (core[i])
			infer_conflict(in, &e[i].mix, e[i].value.cycles, 0);
	evidence_exclude_class(in, c);
}

/* Exclude one class of a contradiction: the one without which all others fit
 * (of several, the one with the fewest members), otherwise the one with the
 * most conflicts. */
static void matrix_search_exclude_one(struct infer *in, const bool *core)
{
	unsigned n[PORTS_MAX_CLASSES] = { 0 }, fits[PORTS_MAX_CLASSES] = { 0 };
	bool any = suspects_of(in, core, n, fits);

	exclude_for(in, core, evidence_worst(in, any ? fits : n));
}

/* Exclude a class of few members without which all others fit: it is more
 * likely to be no class than all others to be slower than their ports. Returns
 * whether there is one. */
static bool exclude_small(struct infer *in, const bool *core)
{
	unsigned n[PORTS_MAX_CLASSES] = { 0 }, fits[PORTS_MAX_CLASSES] = { 0 };
	size_t worst;

	if (!suspects_of(in, core, n, fits))
		return false;
	worst = evidence_worst(in, fits);
	if (evidence_n_members(in, worst) > FEW_MEMBERS)
		return false;
	exclude_for(in, core, worst);
	return true;
}

/* The solver ran out of time: exclude the class with the fewest ports. */
static void matrix_search_give_up(struct infer *in)
{
	unsigned n[PORTS_MAX_CLASSES] = { 0 };

	for (size_t c = 0; c < in->n_classes; c++)
		n[c] = !in->classes[c].out;
	evidence_exclude_class(in, evidence_worst(in, n));
}

/* Find a matrix that fits all credible evidence. */
static int matrix_search_solve(struct infer *in)
{
	bool measured_again = false;

	for (int repair = 0; repair < MAX_REPAIRS; repair++) {
		struct matrix_problem *p = evidence_problem(in);
		bool *core = ARENA_ARRAY(in->a, bool, p->n_experiments + 1);
		bool changed = false, replaced = false;
		double start = monotonic_cpu_s();
		enum sat_answer answer;

		/* Additional evidence never reduces the number of ports;
		 * excluding evidence may. */
		if (in->n_ports == 0 || in->n_ports >= MATRIX_MAX_PORTS ||
		    repair > 0)
			in->n_ports = 1;
		answer = matrix_solve(p, &in->n_ports, &in->solution, core);
		in->w->matrix_seconds += monotonic_cpu_s() - start;
		if (answer == SAT_YES)
			return ERR_OK;
		if (answer == SAT_UNKNOWN) {
			matrix_search_give_up(in);
			continue;
		}
		/* There are only so many of these. */
		if (leave_weak(in, core)) {
			in->n_ports = 0;
			repair--;
			continue;
		}
		if (!measured_again &&
		    matrix_search_repeat(in, core, &changed) != ERR_OK)
			return in->e->code;
		if (!measured_again && !changed &&
		    evidence_substitute(in, core, &replaced) != ERR_OK)
			return in->e->code;
		measured_again = !replaced;
		if (changed || replaced || exclude_small(in, core) ||
		    evidence_loosen(in, core))
			continue;
		matrix_search_exclude_one(in, core);
		measured_again = false;
	}
	return err_set(in->e, ERR_FAILED,
		       "ports: no matrix of ports explains the times "
		       "of the classes");
}

/* ---- separating matrices --------------------------------------------- */

/* Measure a mix that separates two matrices; *ret is false when none does. */
static int matrix_search_separate(struct infer *in,
				  const struct matrix_solution *other,
				  bool *ret_measured)
{
	struct matrix_experiment x;
	struct ports_mix mix;
	struct ports_value v;

	*ret_measured = false;
	if (!matrix_separate(evidence_problem(in), &in->solution, other,
			     least_difference, &x))
		return ERR_OK;
	mix = matrix_search_mix_of(in, &x);
	if (infer_measure(in, PORTS_MATRIX, &mix, 1, &v) != ERR_OK)
		return in->e->code;
	in->undecided |= !v.has_value;
	if (!v.has_value)
		return ERR_OK;
	evidence_add(in, &mix, &v, false);
	*ret_measured = true;
	return matrix_search_solve(in);
}

static int matrix_search_settle(struct infer *in)
{
	for (int i = 0; i < MAX_SEPARATIONS; i++) {
		struct matrix_solution other;
		bool measured;
		double start = monotonic_cpu_s();
		enum sat_answer answer = matrix_other(evidence_question(in),
						      in->n_ports + MORE_PORTS,
						      &in->solution, 1, &other);

		in->w->matrix_seconds += monotonic_cpu_s() - start;
		in->w->n_matrices = 1;
		in->w->all_matrices = answer == SAT_NO;
		if (answer != SAT_YES)
			return ERR_OK;
		in->w->n_matrices = 2;
		if (matrix_search_separate(in, &other, &measured) != ERR_OK)
			return in->e->code;
		if (!measured)
			return ERR_OK;
	}
	return ERR_OK;
}

/* ---- the check ----------------------------------------------------------- */

static struct ports_mix random_mix(struct infer *in)
{
	struct ports_mix mix = { .n = 0 };
	size_t want = 2 + (size_t)(infer_random(in) * (CHECK_PARTS - 1));

	for (size_t tries = 0; tries < 64 && mix.n < want; tries++) {
		size_t c = (size_t)(infer_random(in) * (double)in->n_classes);
		uint32_t count = 1 + (uint32_t)(infer_random(in) * CHECK_COUNT);
		bool there = in->classes[c].out;

		for (size_t k = 0; k < mix.n; k++)
			there |= mix.part[k].form == in->classes[c].form;
		if (!there)
			infer_add(&mix, in->classes[c].form, count);
	}
	return mix;
}

/* Does the matrix explain the mix within the tolerance for a real scheduler?
 * *ret_slow: the mix is slower than that. */
static bool matrix_search_explains(struct infer *in,
				   const struct ports_mix *mix,
				   const struct ports_value *v, bool *ret_slow)
{
	struct matrix_experiment x =
		evidence_within(in, mix, v, evidence_far_below);
	double t = matrix_cycles(evidence_problem(in), &in->solution, &x);

	*ret_slow = t < x.low;
	return !v->has_value || (t >= x.low && t <= x.high);
}

/* Move mixes that the matrix does not explain to the front. Returns how many
 * there are. */
static size_t matrix_search_unexplained(struct infer *in,
					struct ports_mix *mixes,
					struct ports_value *values, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		bool slow;

		if (matrix_search_explains(in, &mixes[i], &values[i], &slow))
			continue;
		mixes[left] = mixes[i];
		values[left++] = values[i];
	}
	return left;
}

static int compare_slower(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How much slower than the matrix the scheduler makes a mix: the largest of these,
 * but for one mix in RARE, if several are slower at all; else 0. */
static void note_scheduler(struct infer *in, const struct ports_mix *mixes,
			   const struct ports_value *values, size_t n)
{
	enum { RARE = 100 };
	double *slower = ARENA_ARRAY(in->a, double, n + 1);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		struct matrix_experiment x =
			evidence_within(in, &mixes[i], &values[i], 0);
		double t =
			matrix_cycles(evidence_problem(in), &in->solution, &x);

		if (values[i].has_value)
			slower[k++] = fmin(values[i].cycles / t - 1 -
						   infer_tolerance(&values[i]),
					   evidence_far_below);
	}
	qsort(slower, k, sizeof(*slower), compare_slower);
	in->slowdown = k < RARE ? 0 : fmax(0, slower[k - 1 - k / RARE]);
}

/* Check random mixes. A mix that the matrix does not explain becomes evidence
 * after it was measured twice. */
static int matrix_search_check(struct infer *in, size_t n, bool *ret_clean)
{
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n);
	struct ports_value *values = ARENA_ARRAY(in->a, struct ports_value, n);

	for (size_t i = 0; i < n; i++)
		mixes[i] = random_mix(in);
	for (int repeat = 0; repeat < 2; repeat++) {
		if (infer_measure(in, PORTS_CHECK, mixes, n, values) != ERR_OK)
			return in->e->code;
		if (repeat == 0)
			note_scheduler(in, mixes, values, n);
		n = matrix_search_unexplained(in, mixes, values, n);
	}
	*ret_clean = n == 0;
	for (size_t i = 0; i < n; i++) {
		bool slow;

		(void)matrix_search_explains(in, &mixes[i], &values[i], &slow);
		evidence_add(in, &mixes[i], &values[i], slow);
	}
	return ERR_OK;
}

static size_t n_rows(const struct infer *in)
{
	size_t n = 0;

	for (size_t c = 0; c < in->n_classes; c++)
		n += !in->classes[c].out;
	return n;
}

int infer_matrix(struct infer *in)
{
	if (in->n_classes == in->n_rows)
		return ERR_OK;
	in->n_rows = in->n_classes;
	if (evidence_pairs(in) != ERR_OK ||
	    evidence_confirm_pairs(in) != ERR_OK ||
	    matrix_search_solve(in) != ERR_OK)
		return in->e->code;
	return matrix_search_settle(in);
}

/* Report the other matrices that fit. If the mix that would decide between them
 * has no value, leave the classes in which they differ to the saturation
 * kernels. */
static void leave_undecided(struct infer *in, unsigned ports)
{
	struct matrix_solution other;
	double start = monotonic_cpu_s();

	infer_alternatives(in, evidence_question(in), ports);
	in->w->matrix_seconds += monotonic_cpu_s() - start;
	for (size_t i = 0; in->undecided && i < in->n_classes; i++) {
		enum sat_answer answer;

		start = monotonic_cpu_s();
		answer = matrix_other(evidence_question(in), ports,
				      &in->solution, 1, &other);
		in->w->matrix_seconds += monotonic_cpu_s() - start;
		if (answer != SAT_YES ||
		    undecided_exclude_classes(in, &other) == 0)
			return;
	}
}

/* ---- hidden overlaps ----------------------------------------------------- */

static void make_disjoint(struct infer *in)
{
	double start = monotonic_cpu_s();
	struct matrix_problem p = *evidence_problem(in);
	uint64_t steps = DISJOINT_STEPS;

	p.steps = &steps;
	matrix_disjoint(&p, &in->n_ports, &in->solution);
	in->w->matrix_seconds += monotonic_cpu_s() - start;
}

/* Where the scheduler makes mixes slower than their ports, the fastest of several
 * orders is the value of a mix. */
static int reorder(struct infer *in)
{
	struct mix_evidence *e = (void *)in->evidence.bytes;
	struct matrix_experiment *x = (void *)in->experiments.bytes;
	size_t n = in->evidence.n / sizeof(*e);
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);

	for (size_t i = 0; i < n; i++) {
		mixes[i] = e[i].mix;
		values[i] = e[i].value;
	}
	if (infer_measure_orders(in, PORTS_CHECK, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		double low = x[i].low;

		e[i].value = values[i];
		x[i] = evidence_bounds(in, &e[i].mix, &e[i].value);
		x[i].low = fmin(x[i].low, low);
	}
	in->n_ports = 0;
	return matrix_search_solve(in) != ERR_OK ? in->e->code
						 : matrix_search_settle(in);
}

int infer_matrix_check(struct infer *in)
{
	bool clean = false, reordered = false;
	unsigned before;

	for (int i = 0; i < 3 && !clean && n_rows(in) > 1; i++) {
		if (matrix_search_check(in, in->q->n_checks, &clean) != ERR_OK)
			return in->e->code;
		if (in->slowdown > 0 && !reordered) {
			reordered = true;
			i--;
			clean = false;
			if (reorder(in) != ERR_OK)
				return in->e->code;
			continue;
		}
		if (!clean && (matrix_search_solve(in) != ERR_OK ||
			       matrix_search_settle(in) != ERR_OK))
			return in->e->code;
	}
	in->confirmed = clean;
	before = in->n_ports;
	make_disjoint(in);
	while (evidence_exclude_bridge(in)) {
		if (matrix_search_solve(in) != ERR_OK ||
		    matrix_search_settle(in) != ERR_OK)
			return in->e->code;
		make_disjoint(in);
	}
	if (in->w->n_matrices > 1)
		leave_undecided(in, in->n_ports > before + MORE_PORTS
					    ? in->n_ports
					    : before + MORE_PORTS);
	return ERR_OK;
}
