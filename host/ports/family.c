/* The matrix of classes and ports: pairs first, then whatever separates the
 * matrices that are left, then random mixes as check.  Where the evidence
 * contradicts itself it is measured again; what stays contradictory leaves the
 * matrix and is told. */
#include <math.h>
#include <time.h>

#include "host/ports/evidence.h"

enum {
	MAX_SEPARATIONS = 80,
	MAX_REPAIRS = 64,
	/* Columns beyond the fewest that fit, in which to look for another
	 * matrix. */
	MORE_PORTS = 3,
	CHECK_PARTS = 5,
	CHECK_COUNT = 4,
};

/* A mix that separates two matrices differs by at least this. */
static const double least_difference = 0.06;

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct matrix_problem *problem(struct infer *in)
{
	struct matrix_problem *p = &in->problem;

	p->n_rows = in->n_classes;
	for (size_t i = 0; i < in->n_classes; i++)
		p->size[i] = in->classes[i].out ? 0 : in->classes[i].size;
	p->width = in->width;
	p->cap = in->cap;
	p->experiments = (const void *)in->experiments.bytes;
	p->n_experiments = in->experiments.n / sizeof(*p->experiments);
	p->dropped = (const void *)in->dropped.bytes;
	return p;
}

static struct ports_mix mix_of(const struct infer *in,
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

/* Measure what contradicts itself once more; true when that changed it. */
static int again(struct infer *in, const bool *core, bool *ret_changed)
{
	size_t n = in->evidence.n / sizeof(struct evidence);

	*ret_changed = false;
	for (size_t i = 0; i < n; i++) {
		struct evidence *e = (void *)in->evidence.bytes;
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

/* Mixes that are slower than the rest allows are a scheduler's, and not those
 * of ports: they are told and left out.  True if there were any. */
static bool leave_weak(struct infer *in, const bool *core)
{
	const struct evidence *e = (const void *)in->evidence.bytes;
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

static bool is_about(const struct infer *in, const struct ports_mix *mix,
		     size_t c)
{
	for (size_t k = 0; k < mix->n; k++)
		if (mix->part[k].form == in->classes[c].form)
			return true;
	return false;
}

/* Would a matrix have all the others? */
static bool fits_without(struct infer *in, size_t c)
{
	const struct evidence *e = (const void *)in->evidence.bytes;
	struct matrix_problem p = *problem(in);
	bool *dropped = ARENA_ARRAY(in->a, bool, p.n_experiments + 1);

	for (size_t i = 0; i < p.n_experiments; i++)
		dropped[i] = p.dropped[i] || is_about(in, &e[i].mix, c);
	p.dropped = dropped;
	p.size[c] = 0;
	return matrix_fits(&p);
}

/* One class of the contradiction goes: that without which all others fit - of
 * several the one with the fewest members - or else the one that it is about
 * most. */
static void blame(struct infer *in, const bool *core)
{
	const struct evidence *e = (const void *)in->evidence.bytes;
	unsigned n[PORTS_MAX_CLASSES] = { 0 }, fits[PORTS_MAX_CLASSES] = { 0 };
	double start = now();
	bool any = false;

	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++) {
		if (!core[i])
			continue;
		infer_conflict(in, &e[i].mix, e[i].value.cycles, 0);
		for (size_t k = 0; k < e[i].mix.n; k++)
			n[in->f[e[i].mix.part[k].form].class_id]++;
	}
	for (size_t c = 0; c < in->n_classes; c++) {
		fits[c] = n[c] > 0 && fits_without(in, c);
		any |= fits[c] > 0;
	}
	in->w->matrix_seconds += now() - start;
	evidence_without(in, evidence_worst(in, any ? fits : n));
}

/* No answer in time: the smallest class goes. */
static void give_up(struct infer *in)
{
	unsigned n[PORTS_MAX_CLASSES] = { 0 };

	for (size_t c = 0; c < in->n_classes; c++)
		n[c] = !in->classes[c].out;
	evidence_without(in, evidence_worst(in, n));
}

/* A matrix for all evidence that can be believed. */
static int solve(struct infer *in)
{
	bool measured_again = false;

	for (int repair = 0; repair < MAX_REPAIRS; repair++) {
		struct matrix_problem *p = problem(in);
		bool *core = ARENA_ARRAY(in->a, bool, p->n_experiments + 1);
		bool changed = false;
		double start = now();
		enum sat_answer answer;

		/* More evidence never fits fewer ports; less may. */
		if (in->n_ports == 0 || in->n_ports >= MATRIX_MAX_PORTS ||
		    repair > 0)
			in->n_ports = 1;
		answer = matrix_solve(p, &in->n_ports, &in->solution, core);
		in->w->matrix_seconds += now() - start;
		if (answer == SAT_YES)
			return ERR_OK;
		if (answer == SAT_UNKNOWN) {
			give_up(in);
			continue;
		}
		if (leave_weak(in, core))
			continue;
		if (!measured_again && again(in, core, &changed) != ERR_OK)
			return in->e->code;
		measured_again = true;
		if (changed || evidence_loosen(in, core))
			continue;
		blame(in, core);
		measured_again = false;
	}
	return err_set(in->e, ERR_FAILED,
		       "ports: classes that fit some matrix of ports");
}

/* ---- which matrix -------------------------------------------------------- */

/* Measure what tells two matrices apart; false when nothing does. */
static int separate(struct infer *in, const struct matrix_solution *other,
		    bool *ret_measured)
{
	struct matrix_experiment x;
	struct ports_mix mix;
	struct ports_value v;

	*ret_measured = false;
	if (!matrix_separate(problem(in), &in->solution, other,
			     least_difference, &x))
		return ERR_OK;
	mix = mix_of(in, &x);
	if (infer_measure(in, PORTS_MATRIX, &mix, 1, &v) != ERR_OK)
		return in->e->code;
	in->undecided |= !v.has_value;
	if (!v.has_value)
		return ERR_OK;
	evidence_add(in, &mix, &v, false);
	*ret_measured = true;
	return solve(in);
}

static int settle(struct infer *in)
{
	for (int i = 0; i < MAX_SEPARATIONS; i++) {
		struct matrix_solution other;
		bool measured;
		double start = now();
		enum sat_answer answer =
			matrix_other(problem(in), in->n_ports + MORE_PORTS,
				     &in->solution, 1, &other);

		in->w->matrix_seconds += now() - start;
		in->w->n_matrices = 1;
		in->w->all_matrices = answer == SAT_NO;
		if (answer != SAT_YES)
			return ERR_OK;
		in->w->n_matrices = 2;
		if (separate(in, &other, &measured) != ERR_OK)
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

/* Does the matrix explain the mix, as a real scheduler has it?  *ret_slow: it
 * is slower than that. */
static bool explains(struct infer *in, const struct ports_mix *mix,
		     const struct ports_value *v, bool *ret_slow)
{
	struct matrix_experiment x =
		evidence_within(in, mix, v, evidence_far_below);
	double t = matrix_cycles(problem(in), &in->solution, &x);

	*ret_slow = t < x.low;
	return !v->has_value || (t >= x.low && t <= x.high);
}

/* Mixes that the matrix does not explain, first in the list.  Returns how
 * many. */
static size_t unexplained(struct infer *in, struct ports_mix *mixes,
			  struct ports_value *values, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		bool slow;

		if (explains(in, &mixes[i], &values[i], &slow))
			continue;
		mixes[left] = mixes[i];
		values[left++] = values[i];
	}
	return left;
}

/* A mix that the matrix does not explain becomes evidence, once it has been
 * measured twice. */
static int check(struct infer *in, size_t n, bool *ret_clean)
{
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n);
	struct ports_value *values = ARENA_ARRAY(in->a, struct ports_value, n);

	for (size_t i = 0; i < n; i++)
		mixes[i] = random_mix(in);
	for (int repeat = 0; repeat < 2; repeat++) {
		if (infer_measure(in, PORTS_CHECK, mixes, n, values) != ERR_OK)
			return in->e->code;
		n = unexplained(in, mixes, values, n);
	}
	*ret_clean = n == 0;
	for (size_t i = 0; i < n; i++) {
		bool slow;

		(void)explains(in, &mixes[i], &values[i], &slow);
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
	if (evidence_pairs(in) != ERR_OK || solve(in) != ERR_OK)
		return in->e->code;
	return settle(in);
}

/* Whatever else agrees with all that was measured is told, and what it differs
 * in is left to the floods, if the mix that would decide has no value. */
static void leave_undecided(struct infer *in, unsigned ports)
{
	struct matrix_solution other;
	double start = now();

	infer_others(in, problem(in), ports);
	in->w->matrix_seconds += now() - start;
	for (size_t i = 0; in->undecided && i < in->n_classes; i++) {
		enum sat_answer answer;

		start = now();
		answer = matrix_other(problem(in), ports, &in->solution, 1,
				      &other);
		in->w->matrix_seconds += now() - start;
		if (answer != SAT_YES || undecided_leave(in, &other) == 0)
			return;
	}
}

int infer_matrix_check(struct infer *in)
{
	bool clean = false;
	unsigned before;
	double start;

	for (int i = 0; i < 3 && !clean && n_rows(in) > 1; i++) {
		if (check(in, in->q->n_checks, &clean) != ERR_OK)
			return in->e->code;
		if (!clean && (solve(in) != ERR_OK || settle(in) != ERR_OK))
			return in->e->code;
	}
	before = in->n_ports;
	start = now();
	matrix_apart(problem(in), &in->n_ports, &in->solution);
	in->w->matrix_seconds += now() - start;
	if (in->w->n_matrices > 1)
		leave_undecided(in, in->n_ports > before + MORE_PORTS
					    ? in->n_ports
					    : before + MORE_PORTS);
	return ERR_OK;
}
