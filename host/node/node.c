/* The measurements, one after the other, twice. */
#include "host/node/node.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"
#include "host/campaign/workspace.h"
#include "host/isa/isa.h"
#include "host/machine/machine.h"
#include "host/machine/uncore.h"
#include "host/node/core.h"
#include "host/node/plan.h"
#include "host/node/recur.h"
#include "host/node/trial.h"
#include "host/plan/plan.h"

enum {
	USUAL_MS = 200,
	READY_MS = 60 * 1000, /* the limit of a pack */
	/* Passes over all: what disturbs for seconds is in one of them. */
	PASSES = 2,
	/* More of them for rows that have no value yet. */
	REPAIRS = 3,
	MAX_CORES = 1024,
};

struct job {
	const struct node_request *q;
	struct campaign *c;
	struct node_result *r;
	struct node_plan plan;
	struct workspace w;
	uint32_t first; /* kernel of plan.codes[0] in the pack */
	uint32_t chain_long, chain_short; /* node_trial */
	size_t n_cores;
	uint32_t cpus[MAX_CORES];
	struct node_core *cores;
	size_t n_open;
	struct trial_result *results; /* of each row */
	struct uncore uncore;         /* n is 0: none */
};

/* ---- preparing ---------------------------------------------------------- */

/* CPUs that this process may run on.  A board that is not this machine has
 * one. */
static void find_cpus(struct job *j)
{
	bool process = strcmp(j->c->board->transport, "process") == 0;
	cpu_set_t allowed;

	j->cpus[0] = 0;
	j->n_cores = 0;
	if (process && sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &allowed) && j->n_cores < MAX_CORES)
				j->cpus[j->n_cores++] = cpu;
	if (j->n_cores == 0)
		j->n_cores = 1;
	if (j->q->most_cores && j->q->most_cores < j->n_cores)
		j->n_cores = j->q->most_cores;
}

static int add_calibration(struct job *j, struct err *e)
{
	struct experiment *list;
	size_t n;

	if (plan_calibrate(&j->c->arena, j->c->catalogue, &list, &n, e) !=
	    ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		if (gen_add(j->c->gen, &list[i], e) != ERR_OK)
			return e->code;
	j->first = (uint32_t)gen_n_kernels(j->c->gen);
	return ERR_OK;
}

static int make_pack(struct job *j, struct err *e)
{
	struct campaign *c = j->c;
	const struct pack_kernel *chain;

	c->profile = campaign_profile(c->board, c->kernel_cycles);
	/* A core waits until all others are started. */
	c->profile.ready_ms = READY_MS;
	c->gen = gen_new(c->catalogue, &c->profile);
	if (add_calibration(j, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < j->plan.n_codes; i++) {
		const struct node_code *k = &j->plan.codes[i];
		struct gen_code g = {
			.label = arena_printf(&c->arena, "node:%s%s",
					      node_kind_name(k->kind),
					      k->width ? k->width->name : ""),
			.body = k->body,
			.n = k->n_body,
			.flags = k->width ? k->width->flags : 0,
		};

		if (gen_add_code(c->gen, &g, e) != ERR_OK)
			return e->code;
	}
	if (gen_finish(c->gen, &c->pack, e) != ERR_OK)
		return e->code;
	chain = &pack_kernels(
		c->pack.bytes)[pack_header(c->pack.bytes)->calib[0]];
	j->chain_long = chain->unroll[PACK_LENGTHS - 1];
	j->chain_short = chain->unroll[0];
	return ERR_OK;
}

static int check_board(const struct job *j, struct err *e)
{
	const struct transport *t = transport_find(j->c->board->transport);

	if (!t || strcmp(t->name, "fake") == 0 ||
	    strcmp(t->name, "serial") == 0)
		return err_set(e, ERR_USAGE,
			       "board '%s' cannot run this: it needs a process "
			       "or an emulator that this program starts",
			       j->c->board->name);
	return ERR_OK;
}

static int open_cores(struct job *j, struct err *e)
{
	const struct transport *t = transport_find(j->c->board->transport);
	struct link_request q;

	if (workspace_fill(j->c, &j->w, e) != ERR_OK)
		return e->code;
	q = workspace_request(j->c, &j->w);
	j->cores = xrealloc(NULL, j->n_cores, sizeof(*j->cores));
	memset(j->cores, 0, j->n_cores * sizeof(*j->cores));
	for (; j->n_open < j->n_cores; j->n_open++) {
		q.cpu = strcmp(t->name, "process") == 0
				? (int)j->cpus[j->n_open]
				: LINK_ANY_CPU;
		if (core_open(&j->cores[j->n_open], &j->c->arena, t, &q,
			      j->q->campaign->stop, e) != ERR_OK) {
			j->n_open++;
			return e->code;
		}
	}
	return ERR_OK;
}

/* Cores that cannot begin together are measured alone. */
static int check_clocks(struct job *j, struct err *e)
{
	const char *problem;

	if (trial_check_clocks(j->cores, j->n_cores, &problem, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; problem && i < j->plan.n; i++)
		if (j->plan.rows[i].n_cores > 1)
			j->plan.rows[i].problem = problem;
	return ERR_OK;
}

/* ---- measuring ---------------------------------------------------------- */

static int measure_row(struct job *j, size_t i, struct err *e)
{
	struct node_row *row = &j->plan.rows[i];
	const struct node_code *code = &j->plan.codes[j->plan.code[i]];
	bool shared =
		strcmp(row->level, "memory") == 0 && row->kind != NODE_LATENCY;
	struct node_trial t = {
		.cores = j->cores,
		.n_cores = row->n_cores,
		.stream = j->c->isa->stream,
		.code = code,
		.kernel = j->first + j->plan.code[i],
		.chain_long = j->chain_long,
		.chain_short = j->chain_short,
		.array = row->bytes,
		.line = j->r->levels.line,
		.ms = j->q->ms ? j->q->ms : USUAL_MS,
		.clock = !shared,
		.uncore = shared && row->kind == NODE_STORE && j->uncore.n
				  ? &j->uncore
				  : NULL,
	};
	const char *problem = NULL;

	if (row->problem)
		return ERR_OK;
	if (trial_run(&t, &j->results[i], row, &problem, e) != ERR_OK)
		return e->code;
	if (problem)
		row->problem = arena_strdup(&j->c->arena, problem);
	return ERR_OK;
}

static void solve_row(struct job *j, size_t i)
{
	struct node_row *row = &j->plan.rows[i];
	struct buffer *r = &j->results[i].rates, *c = &j->results[i].clocks;

	row->value = recur((double *)(void *)r->bytes, r->n / sizeof(double));
	row->clock = recur((double *)(void *)c->bytes, c->n / sizeof(double));
	if (row->kind == NODE_LATENCY && row->value.value > 0) {
		struct node_value v = row->value;

		row->value.value = 1e9 / v.value;
		row->value.low = 1e9 / v.high;
		row->value.high = 1e9 / v.low;
	}
}

/* One pass; `missing`: only over rows that have neither value nor problem. */
static int pass(struct job *j, size_t done, bool missing, struct err *e)
{
	for (size_t i = 0; i < j->plan.n; i++) {
		const struct node_row *row = &j->plan.rows[i];

		if (missing && (row->problem || row->value.value > 0))
			continue;
		if (measure_row(j, i, e) != ERR_OK)
			return e->code;
		solve_row(j, i);
		if (j->q->report)
			j->q->report(j->q->context, done + i + 1,
				     PASSES * j->plan.n, row);
	}
	return ERR_OK;
}

static int measure_all(struct job *j, struct err *e)
{
	for (size_t k = 0; k < PASSES + REPAIRS; k++)
		if (pass(j, (k < PASSES ? k : PASSES - 1) * j->plan.n,
			 k >= PASSES, e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < j->plan.n; i++)
		if (!j->plan.rows[i].problem &&
		    j->plan.rows[i].value.value <= 0)
			j->plan.rows[i].problem =
				"a core was disturbed in every window";
	return ERR_OK;
}

/* ---- the whole ---------------------------------------------------------- */

static int run_job(struct job *j, struct err *e)
{
	struct node_result *r = j->r;
	struct machine_load *load =
		ARENA_ARRAY(&j->c->arena, struct machine_load, 2);

	if (make_pack(j, e) != ERR_OK || open_cores(j, e) != ERR_OK ||
	    check_clocks(j, e) != ERR_OK)
		return e->code;
	node_plan_scale(&j->c->arena, &j->plan, j->cores[0].vector_bytes);
	r->ref_hz = (double)j->cores[0].hz;
	memcpy(r->cpu, j->cores[0].cpu, sizeof(r->cpu));
	(void)snprintf(r->kernel, sizeof(r->kernel), "%.*s",
		       (int)sizeof(r->kernel) - 1, j->cores[0].kernel);
	r->has_stolen = machine_load_read(j->q->root, &load[0]);
	if (strcmp(j->c->board->transport, "process") == 0)
		(void)uncore_open(&j->c->arena, j->q->root, &j->uncore);
	if (measure_all(j, e) != ERR_OK)
		return e->code;
	if (r->has_stolen && machine_load_read(j->q->root, &load[1]))
		r->stolen = machine_stolen(&load[0], &load[1]);
	return ERR_OK;
}

static void clean_up(struct job *j)
{
	for (size_t i = 0; i < j->n_open; i++)
		core_close(&j->cores[i]);
	for (size_t i = 0; j->results && i < j->plan.n; i++) {
		buffer_free(&j->results[i].rates);
		buffer_free(&j->results[i].clocks);
	}
	free(j->cores);
	uncore_close(&j->uncore);
	workspace_remove(&j->w);
}

static int prepare(struct job *j, struct err *e)
{
	struct campaign *c = j->c;
	struct node_result *r = j->r;

	find_cpus(j);
	/* The sizes of caches come after what no option mends. */
	if (check_board(j, e) != ERR_OK ||
	    workspace_make(c, &j->w, e) != ERR_OK ||
	    node_levels_find(&c->arena, j->q->root, j->q->levels, j->cpus[0],
			     &r->levels, e) != ERR_OK ||
	    node_plan_make(&c->arena,
			   &(struct node_plan_request){
				   .c = c->catalogue,
				   .levels = &r->levels,
				   .n_cores = j->n_cores,
				   .memory = j->q->memory,
				   .loads_of_all = j->q->loads_of_all,
			   },
			   &j->plan, e) != ERR_OK)
		return e->code;
	r->board = c->board;
	r->catalogue = c->catalogue;
	r->n_cores = j->n_cores;
	r->rows = j->plan.rows;
	r->n = j->plan.n;
	j->results = ARENA_ARRAY(&c->arena, struct trial_result, r->n);
	return ERR_OK;
}

int node_run(const struct node_request *q, struct campaign *c,
	     struct node_result *ret, struct err *e)
{
	/* Too large for the stack. */
	struct job *j = xrealloc(NULL, 1, sizeof(*j));

	memset(j, 0, sizeof(*j));
	*ret = (struct node_result){ .n = 0 };
	j->q = q;
	j->c = c;
	j->r = ret;
	if (prepare(j, e) == ERR_OK)
		(void)run_job(j, e);
	clean_up(j);
	free(j);
	return e->code;
}
