/* Probes that a board answers; see probe.h. */
#include "host/structures/probe.h"

#include <string.h>
#include <time.h>

#include "host/campaign/code.h"
#include "host/campaign/runs.h"
#include "host/solve/sandwich.h"
#include "host/solve/stats.h"
#include "host/store/store_run.h"

enum {
	/* A row holds some hundred loads that miss all caches. */
	SANDWICH_NS = 40 * 1000,
	ROWS = 12,
};

/* ---- a run -------------------------------------------------------------------- */

struct answers {
	struct probe_board *b;
	const struct core_probe *const *probes;
	const struct snippet *code;
	size_t n;
	struct probe_value *ret;
};

static int learn_kernel(void *context, const struct kernel_result *r,
			struct err *e)
{
	struct probe_board *b = context;
	struct shape shape = { .class = (uint8_t)r->kernel.class };

	(void)e;
	for (size_t i = 0; i < r->n_samples; i++) {
		struct visit_facts f;

		if (estimate_visit_facts(&b->calibration, &shape,
					 &r->samples[i], &f))
			buffer_add(&b->facts, &f, sizeof(f));
	}
	return ERR_OK;
}

static int take_kernel(void *context, const struct kernel_result *r,
		       struct err *e)
{
	struct answers *x = context;

	(void)e;
	for (size_t i = 0; i < x->n; i++) {
		if (strcmp(r->kernel.label, x->code[i].label) != 0)
			continue;
		x->ret[i] = passes_value(
			&x->b->calibration, &r->kernel, r->samples,
			r->n_samples,
			probe_per_body(x->b->campaign, x->probes[i]));
		x->ret[i].label = x->code[i].label;
	}
	return ERR_OK;
}

/* The chains of the pack: a body of each is one operation of one cycle. */
static void read_chains(const void *pack, struct calibration *ret)
{
	const struct pack_header *h = pack_header(pack);

	for (int i = 0; i < PACK_N_CALIB; i++) {
		if (h->calib[i] == PACK_NO_KERNEL)
			continue;
		ret->kernels[i].ops_per_body = 1;
		for (int k = 0; k < PACK_LENGTHS; k++)
			ret->kernels[i].unroll[k] =
				pack_kernels(pack)[h->calib[i]].unroll[k];
	}
}

/* Each kernel gets its visits once: what is judged here is how far they are
 * apart. */
static int measure_pack(struct answers *x, struct err *e)
{
	struct campaign *c = x->b->campaign;
	size_t n = pack_header(c->pack.bytes)->n_kernels;
	bool *wanted = ARENA_ARRAY(&c->arena, bool, n);
	struct workspace w = { .folder = NULL };
	struct rounds_result result = { .seconds = 0 };
	struct run run = runs_describe(c, "probes");
	struct rounds_request rounds = {
		.campaign = c,
		.workspace = &w,
		.store = x->b->store,
		.wanted = wanted,
		.seconds = x->b->seconds,
	};

	for (size_t i = 0; i < n; i++)
		wanted[i] = true;
	if (runs_new(c, x->b->store, &run, e) != ERR_OK) {
		store_rollback(x->b->store);
		return e->code;
	}
	rounds.run = x->b->run = run.id;
	read_chains(c->pack.bytes, &x->b->calibration);
	if (workspace_make(c, &w, e) == ERR_OK &&
	    workspace_fill(c, &w, e) == ERR_OK &&
	    rounds_run(&rounds, &result, e) == ERR_OK &&
	    store_run_finish(x->b->store, run.id, e) == ERR_OK &&
	    store_kernels(x->b->store, run.id, learn_kernel, x->b, e) ==
		    ERR_OK) {
		estimate_calibrate(&x->b->calibration,
				   (const void *)x->b->facts.bytes,
				   x->b->facts.n / sizeof(struct visit_facts));
		(void)store_kernels(x->b->store, run.id, take_kernel, x, e);
	}
	workspace_remove(&w);
	return e->code;
}

/* Ask those of one kind of pages that are in doubt. */
struct pass {
	const struct core_probe *list;
	size_t n;
	const bool *settled;
	struct probe_value *now; /* what it gives */
};

static int ask_some(struct probe_board *b, const struct pass *q, bool huge,
		    struct err *e)
{
	const struct core_probe *list = q->list;
	size_t n = q->n;
	struct campaign *c = b->campaign;
	struct arena *a = &c->arena;
	struct snippet *code = ARENA_ARRAY(a, struct snippet, n + 1);
	const struct core_probe **probes =
		ARENA_ARRAY(a, const struct core_probe *, n + 1);
	struct answers x = { .b = b, .probes = probes, .code = code };
	size_t *of = ARENA_ARRAY(a, size_t, n + 1);

	for (size_t i = 0; i < n; i++) {
		if (list[i].huge != huge || q->settled[i])
			continue;
		if (probe_code(c, b->parser, &list[i], &code[x.n], e) != ERR_OK)
			return e->code;
		probes[x.n] = &list[i];
		of[x.n++] = i;
	}
	if (x.n == 0)
		return ERR_OK;
	c->profile.memory_flags = huge ? PACK_MEMORY_HUGE : 0;
	c->profile.sandwich_ns = SANDWICH_NS;
	c->profile.n_sandwiches = ROWS;
	c->profile.n_visits = 1;
	x.ret = ARENA_ARRAY(a, struct probe_value, x.n);
	if (code_pack(c, b->parser, code, x.n, e) != ERR_OK ||
	    measure_pack(&x, e) != ERR_OK)
		return e->code;
	for (size_t k = 0; k < x.n; k++)
		q->now[of[k]] = x.ret[k];
	return ERR_OK;
}

static int ask_pass(void *board, const struct core_probe *list,
		    const bool *settled, size_t n, struct probe_value *ret,
		    struct err *e)
{
	const struct pass q = {
		.list = list, .n = n, .settled = settled, .now = ret
	};

	if (ask_some(board, &q, true, e) == ERR_OK)
		(void)ask_some(board, &q, false, e);
	return e->code;
}

static void pause_passes(void)
{
	/* METHOD: a sibling is busy for up to 0.9 s at a time. */
	const struct timespec t = { .tv_nsec = 300 * 1000 * 1000 };

	(void)nanosleep(&t, NULL);
}

int probe_ask(void *board, const struct core_probe *list, size_t n,
	      struct probe_value *ret, struct err *e)
{
	struct probe_board *b = board;

	b->passes.ask = ask_pass;
	b->passes.context = b;
	b->passes.pause = pause_passes;
	return passes_ask(&b->passes, list, n, ret, e);
}

void probe_close(struct probe_board *b)
{
	buffer_free(&b->facts);
}
