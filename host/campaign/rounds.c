/* The one loop over the stages: the solver's result of a round decides what the
 * next round measures. */
#include "host/campaign/rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/monotonic.h"
#include "host/campaign/pace.h"

enum {
	/* Two visits that agree are enough; kernels whose visits disagree get
	 * the third. */
	FIRST_ROUND_LESS = 1,
	/* How often all kernels are judged again after the last round.  Each time
	 * fewer are doubted. */
	MOST_AGAIN = 3,
	MS_PER_S = 1000,
};

/* The share of the settled kernels that a time is printed for. */
static const double most = 0.95;

/* Keys of the environment: how many kernels were settled after how many seconds
 * of measuring, "12.1:45000,20.3:60100"; of all kernels, and of rank 0. */
static const char *const settled_keys[] = { "settled_after",
					    "settled_after_base" };

enum { LOG_ALL, LOG_BASE, N_LOGS };

struct rounds {
	struct arena a;
	const struct rounds_request *q;
	struct session session;
	struct rounds_result *result;
	size_t n; /* kernels of the pack */
	const struct pack_kernel *kernels;
	uint8_t *rank;
	bool *settled, *unproved, *skip;
	uint32_t *visits; /* as store_progress() */
	struct solve_memory *memory;
	struct solve_advice advice; /* of the last round */
	bool disturbed;             /* did most of its visits end early? */
	struct pace pace;
	unsigned n_again; /* judge_again() */
	bool ref;         /* the samples so far are of a reference clock */
	struct buffer logs[N_LOGS]; /* struct pace_point */
};

/* ---- what is settled --------------------------------------------------- */

/* A kernel without a sample is not settled. */
static void drop_missing(bool *settled, const uint32_t *visits, size_t n)
{
	for (size_t k = 0; k < n; k++)
		settled[k] = settled[k] && visits[k] > 0;
}

int rounds_settled(struct store *s, int64_t run, bool *settled, size_t n,
		   struct err *e)
{
	struct arena a = { 0 };
	struct solve_memory *m = solve_remember();
	uint32_t *visits = ARENA_ARRAY(&a, uint32_t, n);
	struct solve_advice advice;

	memset(settled, 0, n * sizeof(*settled));
	if (solve_settled(s, run, m, NULL, settled, NULL, n, &advice, e) ==
		    ERR_OK &&
	    store_progress(s, run, 0, n, visits, e) == ERR_OK)
		drop_missing(settled, visits, n);
	solve_forget(m);
	arena_free(&a);
	return e->code;
}

static int find_clock(struct rounds *r, struct err *e)
{
	struct run run;

	if (store_run_get(r->session.store, &r->a, r->session.run, &run, e) ==
	    ERR_OK)
		r->ref = strcmp(run.clock, "ref") == 0;
	return e->code;
}

/* A run with one visit of each kernel (--once) only shows faults. */
static bool is_judged(const struct rounds *r)
{
	return pack_header(r->session.pack)->n_visits > 1;
}

/* Judge the samples so far.  More visits help only on a reference clock. */
static int judge_samples(struct rounds *r, struct err *e)
{
	const struct session *s = &r->session;
	struct solve_advice before = r->advice;

	if (find_clock(r, e) != ERR_OK)
		return e->code;
	if (!r->ref || !is_judged(r))
		memset(r->settled, true, r->n * sizeof(*r->settled));
	else if (solve_settled(s->store, s->run, r->memory, s->skip, r->settled,
			       r->unproved, r->n, &r->advice, e) != ERR_OK)
		return e->code;
	r->disturbed = 2 * (r->advice.n_short - before.n_short) >
		       r->advice.n_visits - before.n_visits;
	drop_missing(r->settled, r->visits, r->n);
	return ERR_OK;
}

static bool is_calib(const struct rounds *r, size_t k)
{
	return r->kernels[k].flags & PACK_KERNEL_CALIB;
}

static bool is_wanted(const struct rounds *r, size_t k)
{
	return !is_calib(r, k) && (!r->q->wanted || r->q->wanted[k]);
}

/* Does the kernel get visits in the rounds over kernels with few (pace.h)? */
static bool needs_visits(const struct rounds *r, size_t k)
{
	return is_wanted(r, k) && (!r->settled[k] || r->unproved[k]) &&
	       r->visits[k] < PACE_FEW_VISITS;
}

/* Set n_open to how many wanted kernels of each rank are not settled.  Returns
 * for how many kernels needs_visits() is true. */
static size_t count_open(const struct rounds *r, size_t n_open[PACE_RANKS])
{
	size_t n_few_visits = 0;

	memset(n_open, 0, PACE_RANKS * sizeof(*n_open));
	for (size_t k = 0; k < r->n; k++) {
		bool open = is_wanted(r, k) && !r->settled[k];

		n_open[r->rank[k]] += open;
		n_few_visits += needs_visits(r, k);
	}
	return n_few_visits;
}

/* ---- when it was settled ------------------------------------------------ */

static void add_point(struct buffer *log, double seconds, size_t n_settled)
{
	struct pace_point p = { seconds, n_settled };

	buffer_add(log, &p, sizeof(p));
}

/* Read the points that an earlier session of the run stored.  Text that cannot
 * be read is ignored: the points are only displayed. */
static int read_log(void *context, const char *key, const char *value,
		    struct err *e)
{
	struct rounds *r = context;

	(void)e;
	for (int i = 0; i < N_LOGS; i++) {
		const char *at = value;
		double seconds;
		size_t n_settled;
		int n = 0;

		if (strcmp(key, settled_keys[i]) != 0)
			continue;
		while (sscanf(at, "%lf:%zu%n", &seconds, &n_settled, &n) == 2) {
			add_point(&r->logs[i], seconds, n_settled);
			r->result->seconds = seconds;
			at += n;
			at += *at == ',';
		}
	}
	return 0;
}

static int write_log(const struct rounds *r, int which, struct err *e)
{
	const struct buffer *log = &r->logs[which];
	const struct pace_point *list = (const void *)log->bytes;
	struct buffer text = { 0 };

	for (size_t i = 0; i < log->n / sizeof(*list); i++)
		buffer_printf(&text, "%s%.2f:%zu", i ? "," : "",
			      list[i].seconds, list[i].n_settled);
	buffer_add(&text, "", 1);
	(void)store_env(r->session.store, r->session.run, settled_keys[which],
			(const char *)text.bytes, e);
	buffer_free(&text);
	return e->code;
}

/* Add a point: how many kernels are settled. */
static int note_settled(struct rounds *r, struct err *e)
{
	size_t n[N_LOGS] = { 0 };

	for (size_t k = 0; k < r->n; k++) {
		bool counts = !is_calib(r, k) && r->settled[k];

		n[LOG_ALL] += counts;
		n[LOG_BASE] += counts && r->rank[k] == 0;
	}
	for (int i = 0; i < N_LOGS; i++) {
		add_point(&r->logs[i], r->result->seconds, n[i]);
		if (write_log(r, i, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static double most_reached(const struct rounds *r, int which)
{
	const struct buffer *log = &r->logs[which];

	return pace_reached((const void *)log->bytes,
			    log->n / sizeof(struct pace_point), most);
}

/* ---- the rounds --------------------------------------------------------- */

static int prepare_rounds(struct rounds *r, struct err *e)
{
	struct session *s = &r->session;
	const void *pack = s->pack;
	bool any = false;

	r->n = pack_header(pack)->n_kernels;
	r->kernels = pack_kernels(pack);
	r->rank = ARENA_ARRAY(&r->a, uint8_t, r->n);
	r->settled = ARENA_ARRAY(&r->a, bool, r->n);
	r->unproved = ARENA_ARRAY(&r->a, bool, r->n);
	r->skip = ARENA_ARRAY(&r->a, bool, r->n);
	r->visits = ARENA_ARRAY(&r->a, uint32_t, r->n);
	for (size_t k = 0; k < r->n; k++)
		r->rank[k] = (uint8_t)experiment_rank(
			pack_label(pack, &r->kernels[k]));
	if (store_progress(s->store, s->run, 0, r->n, r->visits, e) != ERR_OK ||
	    store_envs(s->store, s->run, read_log, r, e) != ERR_OK)
		return e->code;
	for (size_t k = 0; k < r->n; k++)
		any = any || r->visits[k] > 0;
	if (find_clock(r, e) != ERR_OK ||
	    (any && r->ref && is_judged(r) && judge_samples(r, e) != ERR_OK))
		return e->code;
	for (size_t k = 0; k < r->n && r->q->wanted; k++)
		r->settled[k] = r->settled[k] && !is_wanted(r, k);
	return ERR_OK;
}

/* Extra visits of kernels that have the visits the clock asks for.  On a core
 * clock those are enough, unless --redo wants more. */
static uint32_t extra_visits(const struct rounds *r,
			     const struct pace_round *round)
{
	if (r->ref && is_judged(r))
		return round->visits;
	return r->q->wanted != NULL;
}

static int run_round(struct rounds *r, const struct pace_round *round,
		     struct err *e)
{
	struct session *s = &r->session;
	double start = monotonic_s();
	int ret;

	for (size_t k = 0; k < r->n; k++)
		r->skip[k] =
			round->few_visits
				? !needs_visits(r, k)
				: r->settled[k] || !is_wanted(r, k) ||
					  !(round->ranks >> r->rank[k] & 1);
	s->extra_visits = extra_visits(r, round);
	ret = session_run(s, e);
	r->result->seconds += monotonic_s() - start;
	return ret;
}

static bool time_is_up(const struct rounds *r)
{
	return r->session.until_ms > 0 && link_now_ms() >= r->session.until_ms;
}

/* Does a session cost next to nothing? */
static bool is_cheap(const struct campaign *c)
{
	const char *transport = c->board->transport;

	return strcmp(transport, "process") == 0 ||
	       strcmp(transport, "fake") == 0;
}

/* Is a round over all ranks?  So it is where a board must boot for each
 * session, and on a serial line without a limit of time. */
static bool is_together(const struct rounds *r)
{
	const struct campaign *c = r->q->campaign;

	return c->request->tty ? r->q->seconds <= 0 : !is_cheap(c);
}

static void start_pace(struct rounds *r)
{
	uint32_t n_visits = pack_header(r->session.pack)->n_visits;
	size_t n_open[PACE_RANKS];

	(void)count_open(r, n_open);
	pace_begin(&r->pace, n_open,
		   is_judged(r) ? n_visits - FIRST_ROUND_LESS : 1,
		   is_together(r) || !is_judged(r));
}

/* Store the lowest baseline of the sibling's probe in this run.  Later port searches
 * on the same kind of core start from it. */
static int store_probe(struct rounds *r, struct err *e)
{
	const struct calibration *c = &r->advice.calibration;
	struct solve_probe probe = { .cycles = 0 };

	for (int core = 0; core < ESTIMATE_CORES; core++) {
		double cycles = c->baseline[core][0][PROBE_SIBLING];

		if (cycles > 0 && (probe.cycles == 0 || cycles < probe.cycles))
			probe = (struct solve_probe){
				.cycles = cycles,
				.reading = c->reading[core],
				.unroll =
					c->kernels[PACK_CALIB_PROBE].unroll[2],
			};
	}
	return solve_store_probe(r->q->store, r->q->run, &probe, e);
}

/* A round judges only what it measured.  Its visits may have shown that others
 * need more: judge all of them. */
static int judge_again(struct rounds *r, struct err *e)
{
	const struct session *s = &r->session;
	size_t n_open[PACE_RANKS], n_few_visits;

	r->n_again++;
	if (solve_settled_again(s->store, s->run, r->memory, r->settled,
				r->unproved, r->n, e) != ERR_OK)
		return e->code;
	drop_missing(r->settled, r->visits, r->n);
	n_few_visits = count_open(r, n_open);
	pace_reopen(&r->pace, n_open, n_few_visits);
	return ERR_OK;
}

/* Choose the next round; *ret_any: is there one? */
static int next_round(struct rounds *r, struct pace_round *ret, bool *ret_any,
		      struct err *e)
{
	*ret_any = pace_next(&r->pace, ret);
	if (*ret_any || !r->ref || !is_judged(r) || r->n_again == MOST_AGAIN)
		return ERR_OK;
	if (judge_again(r, e) == ERR_OK)
		*ret_any = pace_next(&r->pace, ret);
	return e->code;
}

static int run_rounds(struct rounds *r, struct err *e)
{
	struct pace_round round;

	start_pace(r);
	while (!r->result->time_is_up) {
		bool any;
		size_t n_open[PACE_RANKS], n_few_visits;

		if (next_round(r, &round, &any, e) != ERR_OK)
			return e->code;
		if (!any)
			break;
		if (run_round(r, &round, e) != ERR_OK ||
		    judge_samples(r, e) != ERR_OK ||
		    note_settled(r, e) != ERR_OK)
			return e->code;
		r->result->time_is_up = time_is_up(r);
		r->session.silence = (struct link_silence){
			.probe = r->advice.calibration
					 .baseline[0][0][PROBE_SIBLING],
			.reading = r->advice.calibration.reading[0],
			.ignored = r->advice.ignored,
		};
		round.disturbed = r->disturbed;
		n_few_visits = count_open(r, n_open);
		pace_settled(&r->pace, &round, n_open, n_few_visits);
	}
	return store_probe(r, e);
}

static void summarise_rounds(struct rounds *r)
{
	struct rounds_result *ret = r->result;

	for (size_t k = 0; k < r->n; k++) {
		bool missing = r->visits[k] == 0;

		if (!is_calib(r, k) && !r->settled[k]) {
			ret->n_missing += missing;
			ret->n_open += !missing;
		}
	}
	ret->most_after = most_reached(r, LOG_ALL);
	ret->most_base_after = most_reached(r, LOG_BASE);
}

static struct session make_session(const struct rounds_request *q,
				   const struct link_request *request,
				   struct link_passes *passes)
{
	const struct campaign *c = q->campaign;
	uint64_t ms = (uint64_t)(MS_PER_S * q->seconds);

	return (struct session){
		.request = request,
		.store = q->store,
		.run = q->run,
		.traffic = q->traffic,
		.pack = c->pack.bytes,
		.cores = q->workspace->cores,
		.n_cores = q->workspace->n_cores,
		.load = c->request->tty && !q->attached,
		.report = q->report,
		.context = q->context,
		.stop = c->request->stop,
		.passes = passes,
		.boards = link_keep_boards(),
		.fewer_visits = FIRST_ROUND_LESS,
		.block = pace_block(q->seconds),
		.until_ms = q->seconds > 0 ? link_now_ms() + ms : 0,
	};
}

int rounds_run(const struct rounds_request *q, struct rounds_result *ret,
	       struct err *e)
{
	struct rounds_result result = { .seconds = 0 };
	struct link_passes passes = { .began_ms = 0 };
	struct link_request request =
		workspace_request(q->campaign, q->workspace);
	struct rounds r = { .q = q,
			    .session = make_session(q, &request, &passes),
			    .memory = solve_remember(),
			    .result = &result };

	if (prepare_rounds(&r, e) == ERR_OK) {
		r.session.skip = r.skip;
		r.session.visits = r.visits;
		/* Each request of a few kernels of one rank costs a serial line
		 * as much as a third of their records.  It is worth that only
		 * where not all kernels will be measured. */
		if (!q->campaign->request->tty || q->seconds > 0)
			r.session.rank = r.rank;
		if (run_rounds(&r, e) == ERR_OK)
			summarise_rounds(&r);
	}
	if (e->code == ERR_OK &&
	    solve_run(q->store, q->run, &result.solved, e) == ERR_OK)
		*ret = result;
	link_end_boards(r.session.boards);
	solve_forget(r.memory);
	for (int i = 0; i < N_LOGS; i++)
		buffer_free(&r.logs[i]);
	arena_free(&r.a);
	return e->code;
}
