/* Probes that a board answers; see probe.h. */
#include "host/structures/probe.h"

#include <math.h>
#include <string.h>

#include "common/row.h"
#include "host/campaign/code.h"
#include "host/campaign/runs.h"
#include "host/solve/sandwich.h"
#include "host/solve/stats.h"
#include "host/store/store_run.h"

enum {
	/* A row holds some hundred loads that miss all caches. */
	SANDWICH_NS = 40 * 1000,
	ROWS = 12,
	LEAST_ROWS = 4, /* that say something, of sandwiches */
	LEAST_CORE =
		2, /* the same of a core clock, which ends at two equal ones */
	MOST_PASSES = 6, /* over the probes that are in doubt */
};

/* Two passes agree if their values differ by less, or by less than half of their
 * rows do. */
static const double same = 0.02, roughly_same = 0.1;

/* METHOD: another thread of the core is busy if the sibling's probe takes so many
 * times what it does without. */
static const double max_idle = 1.1;

/* METHOD: rows whose chains were slower than their lower quartile by more were
 * disturbed. */
static const double max_slower = 1.03;

/* ---- rows --------------------------------------------------------------------- */

/* The cycles of a body in each row. */
struct bodies {
	const struct calibration *calibration;
	double most_tpc; /* of a row that counts */
	double idle; /* the probe of one without another thread; 0: unknown */
	double *cycles; /* of idle rows, */
	size_t n;
	double *busy_cycles; /* and of others */
	size_t n_busy;
	bool core; /* clock */
};

/* Cycles of an iteration of the sibling's probe; 0: it was not run. */
static double probe_of(const struct sample *m, const struct sandwich_row *r)
{
	return sandwich_probe(r->probes, PROBE_SIBLING, r->reading,
			      m->calib_iterations[PACK_CALIB_PROBE]);
}

/* The lengths of a row in cycles; false: its chains disagree. */
static bool read_row(const struct bodies *b, const struct sample *m, size_t row,
		     double *ret_short, double *ret_long, bool *ret_busy)
{
	struct sandwich_row r;

	*ret_busy = false;

	if (row_is_core(m->row)) {
		*ret_short = (double)m->values[row * m->row];
		*ret_long = (double)m->values[row * m->row + PACK_LENGTHS - 1];
		return true;
	}
	if (!sandwich_ok(m) || !sandwich_read(b->calibration, m, row, &r) ||
	    !r.chains_agree || r.tpc > b->most_tpc)
		return false;
	*ret_busy = b->idle > 0 && probe_of(m, &r) > max_idle * b->idle;
	*ret_short = r.lengths[0] / r.tpc;
	*ret_long = r.lengths[PACK_LENGTHS - 1] / r.tpc;
	return true;
}

static void add_rows(struct bodies *b, const struct kernel_row *k,
		     const struct sample *m)
{
	double bodies = (double)m->n_iterations *
			(k->unroll[PACK_LENGTHS - 1] - k->unroll[0]);

	b->core |= row_is_core(m->row);
	for (uint32_t i = 0; bodies > 0 && i < m->n_rows; i++) {
		double least, most;
		bool busy;

		if (!read_row(b, m, i, &least, &most, &busy))
			continue;
		if (busy)
			b->busy_cycles[b->n_busy++] = (most - least) / bodies;
		else
			b->cycles[b->n++] = (most - least) / bodies;
	}
}

/* Half of the rows are between low and high: of those without another thread of the
 * core, if there are enough. */
static struct probe_value value_of(struct bodies *b, double per_body)
{
	const size_t least = b->core ? LEAST_CORE : LEAST_ROWS;
	double *v = b->cycles;
	size_t n = b->n;
	bool busy = n < least;

	for (size_t i = 0; busy && i < b->n_busy; i++)
		v[n++] = b->busy_cycles[i];
	if (n < least)
		return (struct probe_value){ .known = false };
	stats_sort(v, n);
	return (struct probe_value){
		.known = v[n / 2] > 0,
		.busy = busy,
		.low = v[n / 4] / per_body,
		.cycles = v[n / 2] / per_body,
		.high = v[n - 1 - n / 4] / per_body,
	};
}

/* ---- a run -------------------------------------------------------------------- */

struct answers {
	struct probe_board *b;
	const struct core_probe *const *probes;
	const struct snippet *code;
	size_t n;
	struct probe_value *ret;
	struct calibration calibration;
	struct buffer tpc, silence; /* of all rows; doubles */
	double most_tpc;
};

static int take_clock(void *context, const struct kernel_result *r,
		      struct err *e)
{
	struct answers *x = context;

	(void)e;
	for (size_t k = 0; k < r->n_samples; k++)
		for (uint32_t i = 0; i < r->samples[k].n_rows; i++) {
			struct sandwich_row row;

			if (sandwich_ok(&r->samples[k]) &&
			    sandwich_read(&x->calibration, &r->samples[k], i,
					  &row) &&
			    row.chains_agree) {
				double probe = probe_of(&r->samples[k], &row);

				buffer_add(&x->tpc, &row.tpc, sizeof(row.tpc));
				if (probe > 0)
					buffer_add(&x->silence, &probe,
						   sizeof(probe));
			}
		}
	return ERR_OK;
}

static void judge_clock(struct answers *x)
{
	enum { FEW = 40, TENTH = 10 };
	double *tpc = (double *)(void *)x->tpc.bytes;
	double *probes = (double *)(void *)x->silence.bytes;
	size_t n = x->tpc.n / sizeof(*tpc);
	size_t n_probes = x->silence.n / sizeof(*probes);

	if (n_probes >= FEW) {
		stats_sort(probes, n_probes);
		if (x->b->idle <= 0 || probes[n_probes / TENTH] < x->b->idle)
			x->b->idle = probes[n_probes / TENTH];
	}

	x->most_tpc = 0;
	if (n > 0) {
		stats_sort(tpc, n);
		x->most_tpc = max_slower * tpc[n / 4];
	}
	buffer_free(&x->tpc);
	buffer_free(&x->silence);
}

static int take_kernel(void *context, const struct kernel_result *r,
		       struct err *e)
{
	struct answers *x = context;
	struct arena *a = &x->b->campaign->arena;
	struct bodies b = { .calibration = &x->calibration,
			    .most_tpc = x->most_tpc,
			    .idle = x->b->idle };
	size_t n_rows = 0;

	(void)e;
	for (size_t k = 0; k < r->n_samples; k++)
		n_rows += r->samples[k].n_rows;
	for (size_t i = 0; i < x->n; i++) {
		if (strcmp(r->kernel.label, x->code[i].label) != 0)
			continue;
		b.cycles = ARENA_ARRAY(a, double, n_rows + 1);
		b.busy_cycles = ARENA_ARRAY(a, double, n_rows + 1);
		b.n = b.n_busy = 0;
		for (size_t k = 0; k < r->n_samples; k++)
			add_rows(&b, &r->kernel, &r->samples[k]);
		x->ret[i] = value_of(
			&b, probe_per_body(x->b->campaign, x->probes[i]));
		x->ret[i].label = x->code[i].label;
	}
	return ERR_OK;
}

/* The chains of the pack: a body of each is one operation of one cycle. */
static void read_chains(const void *pack, struct calibration *ret)
{
	const struct pack_header *h = pack_header(pack);

	*ret = (struct calibration){ .usable = true };
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
	struct run run = runs_describe(c, "code");
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
	read_chains(c->pack.bytes, &x->calibration);
	if (workspace_make(c, &w, e) == ERR_OK &&
	    workspace_fill(c, &w, e) == ERR_OK &&
	    rounds_run(&rounds, &result, e) == ERR_OK &&
	    store_run_finish(x->b->store, run.id, e) == ERR_OK &&
	    store_kernels(x->b->store, run.id, take_clock, x, e) == ERR_OK) {
		judge_clock(x);
		(void)store_kernels(x->b->store, run.id, take_kernel, x, e);
	}
	workspace_remove(&w);
	return e->code;
}

/* Ask those of one kind of pages that are in doubt. */
struct pass {
	const struct core_probe *list;
	size_t n;
	bool *settled;
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
	b->n_probes += x.n;
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

/* Disturbances only add time, and last longer than a pass: the lowest value
 * counts, as soon as two passes gave it.  One with another thread of the core counts
 * only until there is one without. */
static void take_pass(struct probe_value *best, const struct probe_value *now,
		      double part, bool *settled)
{
	double lower, apart, spread;

	if (!now->known)
		return;
	if (best->known && now->busy && !best->busy)
		return;
	if (!best->known || (best->busy && !now->busy)) {
		*best = *now;
		best->alone = true;
		return;
	}
	lower = now->cycles < best->cycles ? now->cycles : best->cycles;
	apart = fabs(now->cycles - best->cycles);
	spread = fmax(best->high - best->low, now->high - now->low);
	*settled = apart <= fmax(part * lower, spread / 2);
	if (now->cycles < best->cycles)
		*best = *now;
	best->alone = !*settled;
}

int probe_ask(void *board, const struct core_probe *list, size_t n,
	      struct probe_value *ret, struct err *e)
{
	struct probe_board *b = board;
	struct arena *a = &b->campaign->arena;
	struct pass q = {
		.list = list,
		.n = n,
		.settled = ARENA_ARRAY(a, bool, n + 1),
		.now = ARENA_ARRAY(a, struct probe_value, n + 1),
	};

	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct probe_value){ .known = false };
		q.settled[i] = false;
	}
	for (int pass = 0; pass < MOST_PASSES; pass++) {
		if (pass > 0 && b->n_probes > b->n_enough)
			break;
		for (size_t i = 0; i < n; i++)
			q.now[i] = (struct probe_value){ .known = false };
		if (ask_some(b, &q, true, e) != ERR_OK ||
		    ask_some(b, &q, false, e) != ERR_OK)
			return e->code;
		for (size_t i = 0; i < n; i++)
			take_pass(&ret[i], &q.now[i],
				  list[i].rough ? roughly_same : same,
				  &q.settled[i]);
	}
	for (size_t i = 0; i < n; i++) {
		b->n_values += ret[i].known;
		b->n_busy += ret[i].known && ret[i].busy;
		b->n_alone += ret[i].known && ret[i].alone;
	}
	return ERR_OK;
}
