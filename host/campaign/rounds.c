/* The one loop over the stages: the solver's result of a round decides what the
 * next round measures. */
#include "host/campaign/rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/monotonic.h"
#include "host/campaign/rounds_log.h"
#include "host/campaign/work.h"
#include "host/store/store_run.h"

enum {
	/* Two visits that agree are enough; kernels whose visits disagree get
	 * the third. */
	FIRST_ROUND_LESS = 1,
	/* How often all kernels are judged again after the last round.  Each
	 * time fewer are doubted. */
	MOST_AGAIN = 3,
	MS_PER_S = 1000,
};

struct rounds {
	struct arena a;
	const struct rounds_request *q;
	struct session session;
	struct rounds_result *result;
	struct work work;
	struct solve_memory *memory;
	struct solve_advice advice; /* of the last round */
	bool disturbed;             /* did most of its visits end early? */
	struct pace pace;
	unsigned n_again; /* judge_again() */
	bool resumed;     /* some kernels had visits before */
	bool ref;         /* the samples so far are of a reference clock */
	struct rounds_log log;
	double began; /* the first round of this session; 0: not yet */
	/* For the report: the visits of earlier rounds; what this round had
	 * when it began; what later ones are expected to make; what is done
	 * now. */
	size_t n_before, n_round_first, n_later;
	bool round_began;
	struct link_progress last;
	char now[64];
};

/* ---- what is settled --------------------------------------------------- */

int rounds_settled(struct store *s, int64_t run, bool *settled, size_t n,
		   struct err *e)
{
	struct arena a = { 0 };
	struct solve_progress p = { .store = s,
				    .run = run,
				    .memory = solve_remember(),
				    .n = n,
				    .settled = settled };
	uint32_t *visits = ARENA_ARRAY(&a, uint32_t, n);
	struct solve_advice advice;

	memset(settled, 0, n * sizeof(*settled));
	if (solve_settled(&p, NULL, &advice, e) == ERR_OK &&
	    store_progress(s, run, 0, n, visits, e) == ERR_OK)
		work_drop_missing(settled, visits, n);
	solve_forget(p.memory);
	arena_free(&a);
	return e->code;
}

static int find_clock(struct rounds *r, struct err *e)
{
	struct run run;

	if (store_run_get(r->session.store, &r->a, r->session.run, &run, e) ==
	    ERR_OK)
		r->ref = run.clock == CLOCK_REF;
	return e->code;
}

/* A run with one visit of each kernel (--once) only shows faults. */
static bool is_judged(const struct rounds *r)
{
	return pack_header(r->session.pack)->n_visits > 1;
}

static struct solve_progress progress_of(const struct rounds *r)
{
	return (struct solve_progress){ .store = r->session.store,
					.run = r->session.run,
					.memory = r->memory,
					.n = r->work.n,
					.settled = r->work.settled,
					.unproved = r->work.unproved };
}

/* Judge the samples so far.  More visits help only on a reference clock. */
static int judge_samples(struct rounds *r, struct err *e)
{
	struct solve_progress p = progress_of(r);
	struct solve_advice before = r->advice;

	if (find_clock(r, e) != ERR_OK)
		return e->code;
	if (!r->ref || !is_judged(r))
		memset(r->work.settled, true,
		       r->work.n * sizeof(*r->work.settled));
	else if (solve_settled(&p, r->session.skip, &r->advice, e) != ERR_OK)
		return e->code;
	r->disturbed = 2 * (r->advice.n_short - before.n_short) >
		       r->advice.n_visits - before.n_visits;
	solve_undisturbed(r->memory, r->work.any, r->work.n);
	work_drop_missing(r->work.settled, r->work.visits, r->work.n);
	return ERR_OK;
}

/* ---- when it was settled ------------------------------------------------ */

/* Add a point: how many kernels are settled. */
static int note_settled(struct rounds *r, struct err *e)
{
	size_t n[ROUNDS_N_LOGS] = { 0 };

	for (size_t k = 0; k < r->work.n; k++) {
		bool counts = !work_is_calib(&r->work, k) && r->work.settled[k];

		n[ROUNDS_LOG_ALL] += counts;
		n[ROUNDS_LOG_BASE] += counts && r->work.rank[k] == 0;
	}
	return rounds_log_add(&r->log, r->session.store, r->session.run,
			      r->result->seconds, n, e);
}

/* ---- the report --------------------------------------------------------- */

/* The visits of a session, as part of those of the run. */
static void report_round(void *context, const struct link_progress *p)
{
	struct rounds *r = context;
	struct link_progress all = *p;

	if (!r->round_began) {
		r->round_began = true;
		r->n_round_first = p->n_done;
	}
	r->last = *p;
	all.n_done = r->n_before + p->n_done - r->n_round_first;
	all.n_total = r->n_before + p->n_total - r->n_round_first +
		      (p->repeats ? r->n_later : 0);
	all.n_slow = p->repeats ? r->n_later : 0;
	all.now = r->now;
	r->q->report(r->q->context, &all);
}

/* What a round measures, for people. */
static void name_round(struct rounds *r, const struct pace_round *round)
{
	size_t n = 0;
	bool first = false;

	for (size_t k = 0; k < r->work.n; k++)
		n += work_is_wanted(&r->work, k) && !r->work.skip[k];
	for (unsigned i = 0; i < PACE_RANKS; i++)
		first = first || (!r->resumed && (round->ranks >> i & 1) &&
				  !r->pace.ranks[i].visited);
	(void)snprintf(r->now, sizeof(r->now),
		       first ? "first visits of %zu kernels"
			     : "%zu kernels need more visits",
		       n);
	r->n_later = pace_expected(&r->pace, round);
	r->round_began = false;
}

/* ---- the rounds --------------------------------------------------------- */

static int prepare_rounds(struct rounds *r, struct err *e)
{
	struct session *s = &r->session;
	bool any = false;

	work_init(&r->work, &r->a, s->pack, r->q->wanted);
	if (store_progress(s->store, s->run, 0, r->work.n, r->work.visits, e) !=
		    ERR_OK ||
	    rounds_log_read(&r->log, s->store, s->run, &r->result->seconds,
			    e) != ERR_OK)
		return e->code;
	for (size_t k = 0; k < r->work.n; k++)
		any = any || r->work.visits[k] > 0;
	r->resumed = any;
	if (find_clock(r, e) != ERR_OK ||
	    (any && r->ref && is_judged(r) && judge_samples(r, e) != ERR_OK))
		return e->code;
	for (size_t k = 0; k < r->work.n && r->q->wanted; k++)
		r->work.settled[k] =
			r->work.settled[k] && !work_is_wanted(&r->work, k);
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

static size_t n_cores_of(const struct rounds *r)
{
	return r->session.n_cores > 0 ? r->session.n_cores : 1;
}

static int run_round(struct rounds *r, const struct pace_round *round,
		     struct err *e)
{
	struct session *s = &r->session;
	double start = monotonic_s();
	int ret;

	if (r->began == 0)
		r->began = start;

	work_choose(&r->work, round);
	s->extra_visits = extra_visits(r, round);
	name_round(r, round);
	/* Visits agree only on a reference clock; only rounds over few kernels
	 * have room for checks. */
	if (r->ref && is_judged(r) && !r->q->wanted)
		work_add_checks(&r->work, round, PACE_SMALL * n_cores_of(r),
				r->pace.first_visits);
	ret = session_run(s, e);
	if (r->round_began)
		r->n_before += r->last.n_done - r->n_round_first;
	r->result->seconds += monotonic_s() - start;
	r->result->span = monotonic_s() - r->began;
	return ret;
}

static bool time_is_up(const struct rounds *r)
{
	return r->session.until_ms > 0 && link_now_ms() >= r->session.until_ms;
}

/* Is a round over all ranks?  So it is where a board must boot for each
 * session, and on a serial line without a limit of time. */
static bool is_together(const struct rounds *r)
{
	const struct campaign *c = r->q->campaign;
	const char *transport = c->board->transport;

	return c->request->tty ? r->q->seconds <= 0
			       : strcmp(transport, "process") != 0 &&
					 strcmp(transport, "fake") != 0;
}

static void start_pace(struct rounds *r)
{
	uint32_t n_visits = pack_header(r->session.pack)->n_visits;
	size_t n_open[PACE_RANKS];

	(void)work_open(&r->work, n_open);
	pace_begin(&r->pace, n_open,
		   is_judged(r) ? n_visits - FIRST_ROUND_LESS : 1,
		   is_together(r) || !is_judged(r));
}

/* Store the lowest baseline of the sibling's probe in this run.  Later port
 * searches on the same kind of core start from it. */
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
	struct solve_progress p = progress_of(r);
	size_t n_open[PACE_RANKS], n_few_visits;

	r->n_again++;
	if (solve_settled_again(&p, e) != ERR_OK)
		return e->code;
	work_drop_missing(r->work.settled, r->work.visits, r->work.n);
	n_few_visits = work_open(&r->work, n_open);
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
		work_opened(&r->work, round.n_opened);
		n_few_visits = work_open(&r->work, n_open);
		pace_settled(&r->pace, &round, n_open, n_few_visits);
	}
	return store_probe(r, e);
}

static void summarise_rounds(struct rounds *r)
{
	struct rounds_result *ret = r->result;

	for (size_t k = 0; k < r->work.n; k++) {
		bool missing = r->work.visits[k] == 0;

		if (!work_is_calib(&r->work, k) && !r->work.settled[k]) {
			ret->n_missing += missing;
			ret->n_open += !missing;
		}
	}
	ret->most_after = rounds_log_most(&r->log, ROUNDS_LOG_ALL);
	ret->most_base_after = rounds_log_most(&r->log, ROUNDS_LOG_BASE);
}

static struct session make_session(const struct rounds_request *q,
				   const struct link_request *request)
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
		.stop = c->request->stop,
		.fewer_visits = FIRST_ROUND_LESS,
		.block = pace_block(q->seconds),
		.until_ms = q->seconds > 0 ? link_now_ms() + ms : 0,
	};
}

int rounds_find_cores(const struct rounds_request *q, bool each_kind,
		      struct link_cores *ret, struct err *e)
{
	struct link_request request =
		workspace_request(q->campaign, q->workspace);
	struct session s = make_session(q, &request);

	s.load = false;
	s.n_cores = 0;
	return session_find_cores(&s, each_kind, ret, e);
}

int rounds_run(const struct rounds_request *q, struct rounds_result *ret,
	       struct err *e)
{
	struct rounds_result result = { .seconds = 0 };
	struct link_passes passes = { .began_ms = 0 };
	struct link_request request =
		workspace_request(q->campaign, q->workspace);
	struct rounds r = { .q = q,
			    .session = make_session(q, &request),
			    .memory = solve_remember(),
			    .result = &result };

	r.session.passes = &passes;
	r.session.boards = link_keep_boards();
	if (prepare_rounds(&r, e) == ERR_OK) {
		r.session.skip = r.work.skip;
		r.session.check = r.work.check;
		r.session.report = q->report ? report_round : NULL;
		r.session.context = &r;
		r.session.visits = r.work.visits;
		r.session.last_core = r.work.last_core;
		r.session.any = r.work.any;
		/* Each request of a few kernels of one rank costs a serial line
		 * as much as a third of their records.  It is worth that only
		 * where not all kernels will be measured. */
		if (!q->campaign->request->tty || q->seconds > 0)
			r.session.rank = r.work.rank;
		if (run_rounds(&r, e) == ERR_OK)
			summarise_rounds(&r);
		result.n_cores = n_cores_of(&r);
		if (q->traffic)
			result.inside_ticks = q->traffic->inside_ticks;
	}
	if (e->code == ERR_OK &&
	    solve_run(q->store, q->run, &result.solved, e) == ERR_OK)
		*ret = result;
	link_end_boards(r.session.boards);
	solve_forget(r.memory);
	rounds_log_free(&r.log);
	arena_free(&r.a);
	return e->code;
}
