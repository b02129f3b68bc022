/* See rounds.h. */
#include "tests/adversary/rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/arena.h"
#include "host/campaign/pace.h"
#include "host/link/link.h"
#include "target/core/measure.h"
#include "tests/adversary/board.h"

enum {
	FIRST_VISITS = 2, /* one less than a pack: host/campaign/rounds.c */
	FEW_ROWS = 3,     /* of a visit that ended early: host/solve/solve.c */
	CHUNK = 128,      /* kernels of a request: host/link/session_plan.h */
	N_REQUESTS = (N_KERNELS + CHUNK - 1) / CHUNK,
	CLEAN_ROWS = 4,  /* one of them may be the warm-up */
	CLEAN_VISITS = 2 /* that agree, for a value */
};

_Static_assert(MAX_VISITS ==
		       FIRST_VISITS + PACE_MAX_VISITS + PACE_SMALL_VISITS - 1,
	       "room for all rounds");

struct campaign {
	const struct machine *m;
	const struct kernels *kernels;
	struct core cores[MAX_CORES];
	struct rng rng;
	double limit_ns;
	double pause_ns; /* between two visits */
	bool few_visits; /* only kernels with few visits */
	struct sample samples[N_KERNELS][MAX_VISITS];
	uint64_t *values[N_KERNELS][MAX_VISITS]; /* of those samples */
	unsigned taken_by[N_KERNELS][MAX_VISITS];
	unsigned clean[N_KERNELS]; /* visits */
	struct solver_kernel list[N_KERNELS];
	struct outcome *outcome;
};

/* At place `at` of the kernel's samples. */
static void keep(struct campaign *r, unsigned kernel, size_t at, unsigned core,
		 const struct measurement *m)
{
	size_t bytes = (size_t)m->n_rows * m->row * sizeof(*m->values);
	uint64_t *values = xrealloc(NULL, bytes, 1);
	struct sample *x = &r->samples[kernel][at];

	r->values[kernel][at] = values;
	memcpy(values, m->values, bytes);
	*x = (struct sample){ .kernel = kernel,
			      .visit = (uint32_t)at,
			      .core = core,
			      .n_iterations = m->n,
			      .n_rows = m->n_rows,
			      .row = m->row,
			      .values = values };
	memcpy(x->calib_iterations, m->c, sizeof(m->c));
	r->taken_by[kernel][at] = core;
}

static void visit(struct campaign *r, unsigned kernel, size_t at, unsigned core)
{
	static struct measurement m;
	struct core *c = &r->cores[core];
	double begin = c->now;

	c->measured = r->kernels->list[kernel].width;
	if (!measure_kernel(kernel, (uint32_t)at, &m)) {
		fprintf(stderr, "kernel %u: a fault\n", kernel);
		abort();
	}
	r->outcome->measured_ns += c->now - begin;
	r->outcome->n_visits++;
	r->clean[kernel] += board_clean_rows() >= CLEAN_ROWS;
	keep(r, kernel, at, core, &m);
	core_pass(c, r->pause_ns);
}

static bool is_wanted(const struct campaign *r, unsigned kernel)
{
	return r->list[kernel].n == 0 || r->outcome->answers[kernel].doubtful;
}

/* As in host/campaign/rounds.c. */
static bool needs_visits(const struct campaign *r, unsigned kernel)
{
	return (is_wanted(r, kernel) || r->outcome->answers[kernel].unproved) &&
	       r->list[kernel].n < PACE_FEW_VISITS;
}

/* Does the round visit it? */
static bool is_visited(const struct campaign *r, unsigned kernel)
{
	return r->few_visits ? needs_visits(r, kernel) : is_wanted(r, kernel);
}

static void begin_request(struct core *c, const struct solver_silence *silence)
{
	const double thousand = 1000, between_ns = 1e6;

	core_idle(c, between_ns);
	measure_expect((uint32_t)lround(silence->probe * thousand),
		       (uint32_t)lround(silence->reading * thousand),
		       silence->ignored);
}

/* As host/link/live.c: passes begin some time apart.  *pass: when the last one
 * did. */
static void begin_pass(struct core *c, double *pass)
{
	const double apart_ns = LINK_PASS_MS * 1e6;

	if (c->now < *pass + apart_ns)
		core_idle(c, *pass + apart_ns - c->now);
	*pass = c->now;
}

/* One core's share of a round: owner[visit][request] is a core. */
static void take(struct campaign *r, unsigned core, unsigned n_visits,
		 unsigned owner[][N_REQUESTS],
		 const struct solver_silence *silence)
{
	struct core *c = &r->cores[core];
	double pass = -INFINITY;
	const char *problem;

	board_attach(c, r->kernels);
	c->measured = WIDTH_NONE;
	problem = measure_open(&r->kernels->pack, ARCH_CLOCK_REF);
	if (problem) {
		fprintf(stderr, "%s\n", problem);
		abort();
	}
	(void)board_clean_rows();
	for (unsigned v = 0; v < n_visits; v++) {
		begin_pass(c, &pass);
		if (!r->m->stays && machine_has(r->m, DISTURB_PLACE))
			(void)measure_move();
		for (unsigned k = KERNEL_FIRST; k < N_KERNELS; k++) {
			if (owner[v][k / CHUNK] != core || !is_visited(r, k))
				continue;
			if (k == KERNEL_FIRST || k % CHUNK == 0)
				begin_request(c, silence);
			visit(r, k, r->list[k].n + v, core);
			if (r->outcome->measured_ns > r->limit_ns) {
				r->outcome->given_up = true;
				return;
			}
		}
	}
}

/* Count the visits of a round; a round that was stopped lacks some. */
static void count_visits(struct campaign *r, unsigned kernel, unsigned n_visits)
{
	size_t at = r->list[kernel].n, n = at;

	for (unsigned v = 0; v < n_visits; v++, at++) {
		if (!r->values[kernel][at])
			continue;
		r->values[kernel][n] = r->values[kernel][at];
		r->samples[kernel][n] = r->samples[kernel][at];
		r->taken_by[kernel][n] = r->taken_by[kernel][at];
		n++;
	}
	r->list[kernel].n = n;
}

static void run_round(struct campaign *r, unsigned n_visits,
		      const struct solver_silence *silence)
{
	const double between_ns = 1e9; /* the solver's, and a new start */
	unsigned owner[MAX_VISITS][N_REQUESTS];

	for (unsigned v = 0; v < n_visits; v++)
		for (unsigned i = 0; i < N_REQUESTS; i++)
			owner[v][i] = rng_below(&r->rng, r->m->n_cores);
	for (unsigned core = 0; core < r->m->n_cores; core++) {
		if (r->outcome->given_up)
			break;
		take(r, core, n_visits, owner, silence);
		core_idle(&r->cores[core], between_ns);
	}
	for (unsigned k = KERNEL_FIRST; k < N_KERNELS; k++)
		if (is_visited(r, k))
			count_visits(r, k, n_visits);
}

/* Visits so far, and those that ended early. */
static void count_short(const struct campaign *r, size_t *ret_n,
			size_t *ret_short)
{
	*ret_n = *ret_short = 0;
	for (unsigned k = KERNEL_FIRST; k < N_KERNELS; k++) {
		*ret_n += r->list[k].n;
		for (size_t v = 0; v < r->list[k].n; v++)
			*ret_short += r->samples[k][v].n_rows < FEW_ROWS;
	}
}

/* All kernels have rank 0.  Returns how many have few visits. */
static size_t count_open(const struct campaign *r, size_t n_open[PACE_RANKS])
{
	size_t n_few_visits = 0;

	memset(n_open, 0, PACE_RANKS * sizeof(*n_open));
	for (unsigned k = KERNEL_FIRST; k < N_KERNELS; k++) {
		n_open[0] += is_wanted(r, k);
		n_few_visits += needs_visits(r, k);
	}
	return n_few_visits;
}

static void begin(struct campaign *r)
{
	const double least_pass_ns = 5e9, longest_pass_ns = 10e9;

	for (unsigned i = 0; i < r->m->n_cores; i++)
		r->cores[i] = core_new(r->m, i);
	r->rng = rng_new(r->m->seed, 3);
	r->pause_ns = rng_between(&r->rng, least_pass_ns, longest_pass_ns) /
		      N_MEASURED * r->m->n_cores;
	for (unsigned k = 0; k < N_KERNELS; k++)
		r->list[k] = (struct solver_kernel){
			.pack = &r->kernels->pack.table[k],
			.chain = r->kernels->list[k].chain,
			.width = r->kernels->list[k].width,
			.kind = r->kernels->list[k].kind,
			.samples = r->samples[k],
			.cores = r->taken_by[k],
		};
}

static void end(struct campaign *r)
{
	for (unsigned k = KERNEL_FIRST; k < N_KERNELS; k++) {
		r->outcome->out_of_reach[k] = r->list[k].n == MAX_VISITS &&
					      r->clean[k] < CLEAN_VISITS;
		for (size_t v = 0; v < r->list[k].n; v++)
			free(r->values[k][v]);
	}
}

static void run_rounds(struct campaign *r)
{
	struct solver_silence silence = { 0 };
	size_t n_open[PACE_RANKS], n = 0, n_short = 0;
	struct pace_round next;
	struct pace pace;
	unsigned round = 0;

	(void)count_open(r, n_open);
	pace_begin(&pace, n_open, FIRST_VISITS, false);
	while (!r->outcome->given_up && pace_next(&pace, &next)) {
		size_t n_before = n, short_before = n_short, n_few_visits;

		r->few_visits = next.few_visits;
		run_round(r, next.visits, &silence);
		solver_solve(r->list, N_KERNELS, round++, r->outcome->answers,
			     &silence);
		count_short(r, &n, &n_short);
		next.disturbed = 2 * (n_short - short_before) > n - n_before;
		n_few_visits = count_open(r, n_open);
		pace_settled(&pace, &next, n_open, n_few_visits);
	}
}

void rounds_run(const struct machine *m, const struct kernels *k,
		double limit_ns, struct outcome *ret)
{
	struct campaign *r = xrealloc(NULL, 1, sizeof(*r));

	memset(r, 0, sizeof(*r));
	*ret = (struct outcome){ .n_visits = 0 };
	r->m = m;
	r->kernels = k;
	r->outcome = ret;
	r->limit_ns = limit_ns;
	begin(r);
	run_rounds(r);
	end(r);
	free(r);
}
