/* The matrix of classes and ports: pairs first, then whatever separates the
 * matrices that are left, then random mixes as check.  Where the evidence
 * contradicts itself it is measured again; what stays contradictory leaves the
 * matrix and is told. */
#include <math.h>
#include <time.h>

#include "host/ports/infer.h"
#include "host/ports/pairs.h"

enum {
	MAX_SEPARATIONS = 80,
	MAX_REPAIRS = 64,
	/* Columns beyond the fewest that fit, in which to look for another
	 * matrix. */
	MORE_PORTS = 3,
	CHECK_PARTS = 5,
	CHECK_COUNT = 4,
};

/* A real scheduler is slower than the best one, by up to a tenth where ports
 * are scarce: the best lies so far below what is measured, or so far above.
 * One port of seven more or less is an eighth. */
static const double below = 0.11, above = 0.03;
/* A mix that separates two matrices differs by at least this. */
static const double least_difference = 0.06;

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- evidence ----------------------------------------------------------- */

static struct matrix_experiment experiment_of(const struct infer *in,
					      const struct ports_mix *mix,
					      const struct ports_value *v)
{
	double t = infer_tolerance(v);
	struct matrix_experiment x = {
		.n = mix->n,
		.low = v->cycles * (1 - fmax(t, below)),
		.high = v->cycles * (1 + fmax(t, above)),
	};

	for (size_t i = 0; i < mix->n; i++) {
		x.part[i].row = (uint32_t)in->f[mix->part[i].form].class_id;
		x.part[i].count = mix->part[i].count;
	}
	return x;
}

static void add_evidence(struct infer *in, const struct ports_mix *mix,
			 const struct ports_value *v, bool weak)
{
	struct evidence e = { *mix, *v, weak };
	struct matrix_experiment x = experiment_of(in, mix, v);
	bool dropped = !v->has_value;

	buffer_add(&in->evidence, &e, sizeof(e));
	buffer_add(&in->experiments, &x, sizeof(x));
	buffer_add(&in->dropped, &dropped, sizeof(dropped));
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

/* A class whose mixes no matrix explains: it and its members are left to the
 * floods. */
static void throw_out(struct infer *in, size_t c)
{
	const struct evidence *e = (const void *)in->evidence.bytes;
	bool *dropped = (void *)in->dropped.bytes;

	in->classes[c].out = true;
	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++)
		for (size_t k = 0; k < e[i].mix.n; k++)
			if (e[i].mix.part[k].form == in->classes[c].form)
				dropped[i] = true;
}

/* ---- pairs -------------------------------------------------------------- */

static unsigned gcd(unsigned a, unsigned b)
{
	return b == 0 ? a : gcd(b, a % b);
}

static struct ports_mix pair_mix(const struct infer *in, size_t i, size_t j)
{
	unsigned x = in->classes[i].size, y = in->classes[j].size;
	unsigned common = gcd(x, y);
	struct ports_mix mix = { .n = 0 };

	infer_add(&mix, in->classes[i].form, x / common);
	infer_add(&mix, in->classes[j].form, y / common);
	return mix;
}

/* What a pair's time says of its union; false when no matrix can take so
 * long or so short. */
static bool note_pair(const struct infer *in, struct pair_bounds *b, size_t i,
		      size_t j, const struct matrix_experiment *x)
{
	double n = x->part[0].count + x->part[1].count;
	double low = ceil(n / x->high - 1e-6), high = floor(n / x->low + 1e-6);

	if (high < 1 || high < fmax(in->classes[i].size, in->classes[j].size))
		return false;
	/* At the width any larger union looks the same. */
	if (high >= in->cap)
		high = b->high[i][j];
	return low <= high &&
	       pairs_note(b, i, j, (unsigned)fmax(low, 1), (unsigned)high);
}

static size_t plan_pairs(const struct infer *in, const struct pair_bounds *b,
			 size_t i, struct ports_mix *mixes, size_t *with)
{
	size_t n = 0;

	for (size_t j = 0; j < in->n_classes; j++) {
		if (j == i || in->classes[j].out || in->classes[i].out ||
		    b->size[j] > b->size[i] ||
		    (b->size[j] == b->size[i] && j < i) || pairs_known(b, i, j))
			continue;
		with[n] = j;
		mixes[n++] = pair_mix(in, i, j);
	}
	return n;
}

static int measure_pairs(struct infer *in, struct pair_bounds *b, size_t i,
			 bool (*is_bad)[PORTS_MAX_CLASSES])
{
	struct ports_mix mixes[PORTS_MAX_CLASSES];
	struct ports_value values[PORTS_MAX_CLASSES];
	size_t with[PORTS_MAX_CLASSES];
	size_t n = plan_pairs(in, b, i, mixes, with);

	if (infer_measure(in, PORTS_MATRIX, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t k = 0; k < n; k++) {
		struct matrix_experiment x =
			experiment_of(in, &mixes[k], &values[k]);

		add_evidence(in, &mixes[k], &values[k], false);
		if (values[k].has_value && !note_pair(in, b, i, with[k], &x))
			is_bad[i][with[k]] = is_bad[with[k]][i] = true;
	}
	pairs_settle(b);
	return ERR_OK;
}

static unsigned n_members(const struct infer *in, size_t c)
{
	unsigned n = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		n += in->f[i].class_id == (int32_t)c;
	return n;
}

/* Which class to leave out: the one with more complaints, then the one with
 * fewer members, then the narrowest: one uop that is not pipelined looks like
 * a pipelined one on fewer ports. */
static bool is_worse(const struct infer *in, const unsigned *complaints,
		     size_t x, size_t y)
{
	unsigned nx = n_members(in, x), ny = n_members(in, y);

	if (complaints[x] != complaints[y])
		return complaints[x] > complaints[y];
	if (nx != ny)
		return nx < ny;
	return in->classes[x].size < in->classes[y].size;
}

static size_t worst_class(const struct infer *in, const unsigned *complaints)
{
	size_t worst = 0;

	for (size_t c = 1; c < in->n_classes; c++)
		if (is_worse(in, complaints, c, worst))
			worst = c;
	return worst;
}

/* Classes with pairs that no matrix has, worst first. */
static void drop_bad(struct infer *in, bool (*is_bad)[PORTS_MAX_CLASSES])
{
	unsigned bad[PORTS_MAX_CLASSES] = { 0 };

	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t j = 0; j < in->n_classes; j++)
			bad[i] += is_bad[i][j];
	for (;;) {
		size_t worst = worst_class(in, bad);

		if (bad[worst] == 0)
			return;
		throw_out(in, worst);
		for (size_t i = 0; i < in->n_classes; i++)
			bad[i] -= is_bad[worst][i];
		bad[worst] = 0;
	}
}

/* Widest first: what lies in a wide class, or apart from one, settles many
 * other pairs. */
static int all_pairs(struct infer *in)
{
	struct pair_bounds b = { .n = in->n_classes, .cap = in->cap };
	bool is_bad[PORTS_MAX_CLASSES][PORTS_MAX_CLASSES] = { { 0 } };

	for (size_t i = 0; i < in->n_classes; i++)
		b.size[i] = in->classes[i].size;
	pairs_start(&b);
	for (unsigned size = in->cap; size > 0; size--)
		for (size_t i = 0; i < in->n_classes; i++)
			if (in->classes[i].size == size &&
			    measure_pairs(in, &b, i, is_bad) != ERR_OK)
				return in->e->code;
	drop_bad(in, is_bad);
	return ERR_OK;
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
		x[i] = experiment_of(in, &e[i].mix, &v);
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

/* The class that the contradiction is about most. */
static void blame(struct infer *in, const bool *core)
{
	const struct evidence *e = (const void *)in->evidence.bytes;
	unsigned n[PORTS_MAX_CLASSES] = { 0 };

	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++) {
		if (!core[i])
			continue;
		infer_conflict(in, &e[i].mix, e[i].value.cycles, 0);
		for (size_t k = 0; k < e[i].mix.n; k++)
			n[in->f[e[i].mix.part[k].form].class_id]++;
	}
	throw_out(in, worst_class(in, n));
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

		in->n_ports = 1;
		answer = matrix_solve(p, &in->n_ports, &in->solution, core);
		in->w->matrix_seconds += now() - start;
		if (answer == SAT_YES)
			return ERR_OK;
		if (answer == SAT_UNKNOWN)
			break;
		if (leave_weak(in, core))
			continue;
		if (!measured_again && again(in, core, &changed) != ERR_OK)
			return in->e->code;
		measured_again = true;
		if (changed)
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
	if (!v.has_value)
		return ERR_OK;
	add_evidence(in, &mix, &v, false);
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
				     &in->solution, &other);

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

/* A mix that the matrix does not explain becomes evidence, once it has been
 * measured twice. */
static int check(struct infer *in, size_t n, bool *ret_clean)
{
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n);
	struct ports_value *values = ARENA_ARRAY(in->a, struct ports_value, n);

	for (size_t i = 0; i < n; i++)
		mixes[i] = random_mix(in);
	*ret_clean = true;
	if (infer_measure(in, PORTS_CHECK, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		for (int repeat = 0; repeat < 2 && values[i].has_value;
		     repeat++) {
			struct matrix_experiment x =
				experiment_of(in, &mixes[i], &values[i]);
			double t =
				matrix_cycles(problem(in), &in->solution, &x);

			if (t >= x.low && t <= x.high)
				break;
			if (repeat > 0) {
				add_evidence(in, &mixes[i], &values[i],
					     t < x.low);
				*ret_clean = false;
			} else if (infer_measure(in, PORTS_CHECK, &mixes[i], 1,
						 &values[i]) != ERR_OK) {
				return in->e->code;
			}
		}
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
	bool clean = false;

	if (in->n_classes == 0)
		return ERR_OK;
	if (all_pairs(in) != ERR_OK || solve(in) != ERR_OK ||
	    settle(in) != ERR_OK)
		return in->e->code;
	for (int i = 0; i < 3 && !clean && n_rows(in) > 1; i++) {
		if (check(in, in->q->n_checks, &clean) != ERR_OK)
			return in->e->code;
		if (!clean && (solve(in) != ERR_OK || settle(in) != ERR_OK))
			return in->e->code;
	}
	return ERR_OK;
}
