/* The session: keeps a board busy until every kernel has its visits.
 *
 *	open -> ready -> (run range -> samples, faults -> done)* -> bye
 *	  ^                         |
 *	  +------ the board died ---+
 *
 * The host never trusts the board to remember: whatever a request did not
 * bring is asked for again, and after a death the list simply goes on. */
#include "host/link/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/pack.h"
#include "common/wire.h"
#include "host/link/intake.h"
#include "host/link/lines.h"
#include "host/link/session_plan.h"

enum {
	STEP_MS = 100, /* how often stop and progress are looked at */
	BYE_MS = 2000,
	/* Silence, as a part of the board's limit, after which a request is
	 * repeated in case its `done` was lost. */
	QUIET_PART = 4,
	/* Boards that start and bring nothing, or kernels lost one after
	 * another: after so many the board is given up, not the kernels. */
	MAX_FRUITLESS = 3,
	MAX_LOST_IN_A_ROW = 32,
	READ_BYTES = 1 << 16,
};

struct live {
	const struct session *q;
	const struct transport *transport;
	struct arena arena;
	struct intake in;
	struct plan plan;
	struct lines lines;
	struct stream stream;
	bool is_open, dead, ready, asked, done, said_bye;
	bool was_ready; /* at least once */
	uint64_t seq;
	uint32_t silent_ms;
	unsigned n_fruitless, n_lost_in_a_row;
	struct link_progress progress;
	time_t reported;
	char why[128]; /* the board is dead */
};

static const char *board_name(const struct live *s)
{
	return s->q->request->board->name;
}

static void report(struct live *s)
{
	s->progress.n_done = s->plan.n_done;
	s->progress.n_total = s->plan.n_total;
	s->reported = time(NULL);
	if (s->q->report)
		s->q->report(s->q->context, &s->progress);
}

/* The board is given up: say how it ended and what it said last. */
static int give_up(struct live *s, const char *expected, struct err *e)
{
	char tail[INTAKE_TAIL_LINES * (INTAKE_TAIL_BYTES + 3)];

	intake_tail(&s->in, tail, sizeof(tail));
	return err_set(e, ERR_FAILED, "%s: %s (%s)%s%s", board_name(s),
		       expected, s->why, *tail ? "; it said last: " : "", tail);
}

static void die(struct live *s, const char *why)
{
	s->dead = true;
	(void)snprintf(s->why, sizeof(s->why), "%s", why);
}

/* ---- records ---------------------------------------------------------- */

static void take_info(struct live *s)
{
	const struct pack_header *h = pack_header(s->q->pack);

	plan_set_visits(
		&s->plan,
		s->q->extra_visits +
			(strcmp(s->in.clock, "core") == 0 ? 1 : h->n_visits));
	report(s);
}

static void take_result(struct live *s, const struct intake_event *ev)
{
	if (ev->kind == INTAKE_SAMPLE) {
		plan_sample(&s->plan, ev->k, ev->visit);
	} else {
		plan_fault(&s->plan, ev->k);
		s->progress.n_faults++;
	}
	s->n_fruitless = 0;
	s->n_lost_in_a_row = 0;
	if (s->plan.request.in_flight == PLAN_NONE &&
	    plan_request_complete(&s->plan))
		s->done = true;
	report(s);
}

static int take_line(void *context, const char *line, size_t n, struct err *e)
{
	struct live *s = context;
	const struct plan_request *r = &s->plan.request;
	struct intake_event ev;
	int ret = intake_line(&s->in, line, n, &ev, e);

	if (ret != ERR_OK)
		return ret;
	switch (ev.kind) {
	case INTAKE_INFO:
		take_info(s);
		if (s->asked)
			die(s, "it started again by itself");
		break;
	case INTAKE_READY:
		s->ready = true;
		break;
	case INTAKE_SAMPLE:
	case INTAKE_FAULT:
		take_result(s, &ev);
		break;
	case INTAKE_DONE:
		if (ev.from == r->from && ev.to == r->to &&
		    ev.visit == r->visit)
			s->done = true;
		break;
	case INTAKE_ERROR:
		/* A refused command is repeated like a lost one. */
		s->done = true;
		break;
	case INTAKE_BYE:
		s->said_bye = true;
		break;
	default:
		break;
	}
	return ERR_OK;
}

/* ---- the stream ------------------------------------------------------- */

/* Read once and digest it. */
static int pump(struct live *s, struct err *e)
{
	char bytes[READ_BYTES];
	int n = s->stream.read(s->stream.state, bytes, sizeof(bytes), STEP_MS);
	int ret = ERR_OK;

	if (n > 0) {
		s->silent_ms = 0;
		ret = lines_feed(&s->lines, bytes, (size_t)n, take_line, s, e);
	} else if (n == 0) {
		s->silent_ms += STEP_MS;
	} else {
		die(s, s->stream.end_reason(s->stream.state));
		ret = lines_end(&s->lines, take_line, s, e);
	}
	if (ret == ERR_OK)
		ret = intake_commit(&s->in, n <= 0, e);
	if (ret == ERR_OK && s->q->stop && *s->q->stop)
		ret = err_set(e, ERR_INTERRUPTED,
			      "%s: interrupted; --resume goes on",
			      board_name(s));
	if (time(NULL) != s->reported && s->in.clock[0])
		report(s);
	return ret;
}

static uint32_t limit_ms(const struct live *s)
{
	return s->q->request->board->timeout_s * 1000;
}

static void check_silence(struct live *s)
{
	char why[64];

	if (s->silent_ms < limit_ms(s))
		return;
	(void)snprintf(why, sizeof(why), "silent for %u s", limit_ms(s) / 1000);
	die(s, why);
}

static void send(struct live *s, struct wire_line *w)
{
	size_t n = wire_end(w);

	if (s->stream.write(s->stream.state, w->text, n) != 0)
		die(s, s->stream.end_reason(s->stream.state));
	s->seq++;
}

static void send_run(struct live *s)
{
	const struct plan_request *r = &s->plan.request;
	struct wire_line w;

	wire_begin(&w, s->seq, "run");
	wire_u64(&w, "from", r->from);
	wire_u64(&w, "to", r->to);
	wire_u64(&w, "visit", r->visit);
	send(s, &w);
}

static void close_board(struct live *s)
{
	if (s->is_open)
		s->stream.close(s->stream.state);
	s->is_open = false;
}

/* ---- starting --------------------------------------------------------- */

/* Wait for `ready`.  A board that has introduced itself and then falls quiet
 * waits too: its `ready` was lost. */
static int await_ready(struct live *s, struct err *e)
{
	while (!s->ready && !s->dead && !s->said_bye) {
		int ret = pump(s, e);

		if (ret != ERR_OK)
			return ret;
		if (s->in.clock[0] && s->silent_ms >= limit_ms(s) / QUIET_PART)
			return ERR_OK;
		check_silence(s);
	}
	return ERR_OK;
}

static int start(struct live *s, struct err *e)
{
	int ret = s->transport->open(&s->arena, s->q->request, &s->stream, e);

	if (ret != ERR_OK)
		return ret;
	s->is_open = true;
	s->dead = s->ready = s->asked = s->said_bye = false;
	s->seq = 0;
	s->silent_ms = 0;
	s->lines.n = 0;
	intake_restart(&s->in);
	ret = await_ready(s, e);
	if (ret != ERR_OK)
		return ret;
	if (s->said_bye && !s->dead)
		die(s, "it said bye");
	if (!s->dead && !s->in.clock[0])
		die(s, "no info record");
	if (!s->dead) {
		s->was_ready = true;
		return ERR_OK;
	}
	close_board(s);
	/* What has never worked does not get better by itself. */
	if (!s->was_ready || ++s->n_fruitless >= MAX_FRUITLESS)
		return give_up(s, "a runtime that gets ready", e);
	return ERR_OK;
}

/* ---- requests --------------------------------------------------------- */

/* Store that a kernel cannot be had. */
static int lose(struct live *s, uint32_t k, struct err *e)
{
	int ret = intake_lost(&s->in, k, e);

	if (ret != ERR_OK)
		return ret;
	plan_fault(&s->plan, k);
	s->progress.n_lost++;
	report(s);
	if (++s->n_lost_in_a_row < MAX_LOST_IN_A_ROW)
		return ERR_OK;
	if (!s->dead)
		die(s, "its records do not arrive");
	return give_up(s, "a board that finishes kernels", e);
}

/* Send the request and wait until it is done or the board dead. */
static int run_request(struct live *s, struct err *e)
{
	bool repeated = false;

	s->done = false;
	s->asked = true;
	s->silent_ms = 0;
	send_run(s);
	while (!s->done && !s->dead) {
		int ret = pump(s, e);

		if (ret != ERR_OK)
			return ret;
		if (s->said_bye)
			die(s, "it said bye");
		if (!repeated && !s->dead &&
		    s->silent_ms >= limit_ms(s) / QUIET_PART) {
			send_run(s);
			repeated = true;
		}
		check_silence(s);
	}
	return ERR_OK;
}

static int count_missing(struct live *s, struct err *e)
{
	plan_count_attempt(&s->plan);
	for (;;) {
		uint32_t k = plan_given_up(&s->plan);

		if (k == PLAN_NONE)
			return ERR_OK;

		int ret = lose(s, k, e);

		if (ret != ERR_OK)
			return ret;
	}
}

/* After a death: blame the kernel that was running. */
static int bury(struct live *s, struct err *e)
{
	uint32_t k = s->plan.request.in_flight;

	close_board(s);
	if (!s->transport->can_restart)
		return give_up(s, "a board that stays alive", e);
	if (k == PLAN_NONE) {
		if (++s->n_fruitless >= MAX_FRUITLESS)
			return give_up(s, "a board that stays alive", e);
		return ERR_OK;
	}
	if (++s->plan.kernels[k].deaths < PLAN_MAX_DEATHS)
		return ERR_OK;
	return lose(s, k, e);
}

static int drive(struct live *s, struct err *e)
{
	int ret = ERR_OK;

	while (ret == ERR_OK) {
		if (!s->is_open) {
			ret = start(s, e);
			continue;
		}
		if (!plan_next(&s->plan))
			break;
		ret = run_request(s, e);
		if (ret != ERR_OK)
			break;
		ret = s->dead ? bury(s, e) : count_missing(s, e);
	}
	return ret;
}

/* Let the board leave by itself, so that a machine powers off. */
static int say_bye(struct live *s, struct err *e)
{
	struct wire_line w;
	int ret = ERR_OK;

	wire_begin(&w, s->seq, "bye");
	s->silent_ms = 0;
	send(s, &w);
	while (ret == ERR_OK && !s->dead && !s->said_bye &&
	       s->silent_ms < BYE_MS)
		ret = pump(s, e);
	return ret;
}

/* ---- the whole -------------------------------------------------------- */

/* A resumed run goes on with the clock it has samples of. */
static int remember_clock(struct live *s, struct err *e)
{
	struct run run;
	int ret = store_run_get(s->q->store, &s->arena, s->q->run, &run, e);

	if (ret == ERR_OK && plan_has_samples(&s->plan))
		(void)snprintf(s->in.clock_before, sizeof(s->in.clock_before),
			       "%s", run.clock);
	return ret;
}

static int set_up(struct live *s, const struct session *q, struct err *e)
{
	const struct pack_header *h = pack_header(q->pack);
	const struct board *board = q->request->board;
	const struct isa *isa = isa_by_pack(h->isa);

	s->q = q;
	s->transport = transport_find(board->transport);
	if (!s->transport)
		return err_set(e, ERR_INPUT, "%s: a known transport, not '%s'",
			       board->path, board->transport);

	int ret = plan_init(&s->plan, &s->arena, q, e);

	if (ret != ERR_OK)
		return ret;

	struct intake_kernel *kernels =
		ARENA_ARRAY(&s->arena, struct intake_kernel, h->n_kernels);

	for (uint32_t k = 0; k < h->n_kernels; k++) {
		const struct pack_kernel *kernel = &pack_kernels(q->pack)[k];

		kernels[k].accept = s->plan.kernels[k].wanted;
		kernels[k].id = kernel->id;
		kernels[k].label = pack_label(q->pack, kernel);
		memcpy(kernels[k].unroll, kernel->unroll,
		       sizeof(kernel->unroll));
	}
	s->in = (struct intake){
		.store = q->store,
		.run = q->run,
		.isa = isa ? isa->name : "",
		.pack_id = h->id,
		.n_kernels = h->n_kernels,
		.kernels = kernels,
		.code = ERR_FAILED,
	};
	return remember_clock(s, e);
}

/* What the line did to records belongs to the evidence of a run. */
static int store_losses(struct live *s, struct err *e)
{
	const struct intake_counts *c = &s->in.counts;
	const struct {
		const char *key;
		size_t n;
	} facts[] = {
		{ "wire_damaged", c->n_damaged },
		{ "wire_refused", c->n_refused },
		{ "wire_missing", c->n_missing },
	};

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		char value[32];

		if (facts[i].n == 0)
			continue;
		(void)snprintf(value, sizeof(value), "%zu", facts[i].n);
		if (store_env(s->q->store, s->q->run, facts[i].key, value, e) !=
		    ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

int session_run(const struct session *q, struct err *e)
{
	/* Some buffers of a page or more: not for the stack. */
	struct live *s = xrealloc(NULL, 1, sizeof(*s));

	memset(s, 0, sizeof(*s));

	int ret = set_up(s, q, e);

	if (ret == ERR_OK)
		ret = drive(s, e);
	if (ret == ERR_OK)
		ret = say_bye(s, e);
	close_board(s);

	/* Whatever ended the session, what came before it is kept; the first
	 * error stays in *e. */
	int kept = intake_commit(&s->in, true, e);

	if (kept == ERR_OK && s->in.store)
		kept = store_losses(s, e);
	arena_free(&s->arena);
	free(s);
	return ret != ERR_OK ? ret : kept;
}
