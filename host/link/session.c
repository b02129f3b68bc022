/* The session: runs requests on a board until every kernel has its visits.
 *
 *	open -> ready -> (run range -> samples, faults -> done)* -> bye
 *	  ^                         |
 *	  +------ the board died ---+
 *
 * The host does not rely on state of the board: it requests missing results
 * again, and after a death it continues with its list. */
#include "host/link/live.h"

#include "host/link/deaths.h"

enum {
	/* After this many starts without a result, or kernels lost in a row,
	 * the session gives up the board rather than the kernels. */
	MAX_FRUITLESS = 3,
	MAX_LOST_IN_A_ROW = 32,
	/* How long to listen to a board that may already be running: it
	 * repeats `ready` each second. */
	LISTEN_MS = 2500,
	/* Silence after a record before "hello", and before the second one;
	 * twice as long before each further one: a simulated core checks its
	 * pack for a minute, and would answer all of them then. */
	HELLO_MS = 1000,
	/* A board is asked to end, so that it can power off, and a simulation
	 * writes its files. */
	BYE_MS = 2000,
};

/* ---- sending ---------------------------------------------------------- */

static uint64_t thousandths(double cycles)
{
	const double most = 1e6;

	return cycles > 0 && cycles < most ? (uint64_t)(1000 * cycles) : 0;
}

/* Does the board take the kernels of a request as lists, in an order of its
 * own?  Elsewhere the order ascends, and one range is sent at a time. */
static bool takes_lists(const struct live *s)
{
	return s->in.takes_work && s->stream.queues;
}

/* Send the command for the kernels from..to-1. */
static void send_command(struct live *s, struct wire_line *w, uint32_t from,
			 uint32_t to)
{
	const struct link_silence *silence = &s->q->silence;

	wire_u64(w, "visit", s->plan.request.visit);
	if (silence->probe > 0) {
		wire_u64(w, "probe", thousandths(silence->probe));
		wire_u64(w, "reading", thousandths(silence->reading));
	}
	if (silence->ignored)
		wire_u64(w, "ignored", silence->ignored);
	live_send(s, w);
	s->last_from = from;
	s->last_to = to;
}

/* Ranges of kernels that need a quiet core, and of those that do not. */
struct session_lists {
	uint64_t pairs[2][2 * PLAN_CHUNK];
	size_t n[2];
	uint32_t first, end; /* of both */
};

static void send_lists(struct live *s, struct session_lists *l)
{
	struct wire_line w;

	if (l->n[0] + l->n[1] == 0 || live_is_dead(s))
		return;
	wire_begin(&w, s->seq, "work");
	wire_u64(&w, "place", s->place);
	wire_list(&w, "k", l->pairs[0], l->n[0]);
	wire_list(&w, "any", l->pairs[1], l->n[1]);
	send_command(s, &w, l->first, l->end);
	l->n[0] = l->n[1] = 0;
}

/* Lists that fit a line each: all but the first wait in the pipe.  A board that
 * is gone gets no more of them. */
static void send_work(struct live *s)
{
	struct session_lists l = { .n = { 0 } };
	uint32_t from, to = s->plan.request.from;

	while (!live_is_dead(s) && plan_range(&s->plan, to, &from, &to)) {
		int list = s->plan.work->kernels[from].any;

		l.first = l.n[0] + l.n[1] ? l.first : from;
		l.end = to;
		l.pairs[list][l.n[list]++] = from;
		l.pairs[list][l.n[list]++] = to;
		if (l.n[0] + l.n[1] == 2 * PLAN_CHUNK)
			send_lists(s, &l);
	}
	send_lists(s, &l);
}

/* Send what the request still lacks: a list, or its first range. */
static void send_request(void *context)
{
	struct live *s = context;
	uint32_t from, to;
	struct wire_line w;

	if (takes_lists(s)) {
		send_work(s);
	} else if (plan_range(&s->plan, s->plan.request.from, &from, &to)) {
		wire_begin(&w, s->seq, "run");
		wire_u64(&w, "from", from);
		wire_u64(&w, "to", to);
		send_command(s, &w, from, to);
	}
}

static bool is_done(const void *context)
{
	return ((const struct live *)context)->is_done;
}

/* ---- ending ------------------------------------------------------------ */

static void close_board(struct live *s)
{
	if (s->state != LIVE_CLOSED)
		s->stream.close(s->stream.state);
	s->state = LIVE_CLOSED;
}

void live_bye(struct live *s)
{
	if (s->state == LIVE_READY)
		live_send_plain(s, "bye");
}

static int shut_down(struct live *s, struct err *e)
{
	int ret = ERR_OK;

	s->silent_ms = 0;
	live_bye(s);
	while (ret == ERR_OK && !live_is_dead(s) && !s->got_bye &&
	       s->silent_ms < BYE_MS && s->away_ms < BYE_MS)
		ret = live_pump(s, e);
	close_board(s);
	return ret;
}

/* The session is over, so what the board says is read and dropped. */
void live_end(struct live *s)
{
	uint64_t end_ms = link_now_ms() + BYE_MS;
	char bytes[256];

	while (s->state == LIVE_READY && link_now_ms() < end_ms &&
	       s->stream.read(s->stream.state, bytes, sizeof(bytes),
			      LIVE_STEP_MS) >= 0)
		;
	close_board(s);
}

/* ---- starting --------------------------------------------------------- */

/* Is the board independent of its link?  See stream.restart. */
static bool is_independent(const struct live *s)
{
	return s->stream.restart != NULL;
}

/* Silence to wait for before "hello". */
static uint32_t hello_ms(const struct live *s)
{
	uint32_t quiet = live_quiet_ms(s);

	return quiet < HELLO_MS ? quiet : HELLO_MS;
}

/* The newline ends an incomplete line of an earlier host. */
static void send_hello(struct live *s)
{
	if (s->stream.write(s->stream.state, "\n", 1) != 0)
		live_set_dead(s, s->stream.end_reason(s->stream.state));
	live_send_plain(s, "hello");
}

/* Does the board wait for commands? */
static bool is_waiting(const struct live *s)
{
	bool known =
		s->in.clock != CLOCK_NONE && (s->in.has_pack || !s->q->load);

	if (s->got_ready && (known || !is_independent(s)))
		return true;
	/* A board that sent its info record and is silent also waits: its
	 * `ready` was lost. */
	return known && s->silent_ms >= live_quiet_ms(s);
}

/* Wait for `ready`.  An independent board may have sent its other records long
 * ago.  It gets a "hello" after a record of the runtime and some silence, or at
 * once after `ready`.  Before, nothing is typed but the board's dialogue: a
 * firmware that counts down would take it for a key press. */
static int await_ready(struct live *s, struct err *e)
{
	uint32_t asked_ms = 0;

	live_wait(s);
	while (!is_waiting(s) && !live_is_dead(s) && !s->got_bye) {
		int ret = live_pump(s, e);

		if (ret != ERR_OK)
			return ret;
		if (s->silent_ms < asked_ms)
			asked_ms = 0;
		if (is_independent(s) && !live_is_dead(s) && !is_waiting(s) &&
		    s->is_heard &&
		    (s->got_ready ||
		     s->silent_ms >= 2 * asked_ms + hello_ms(s))) {
			asked_ms = s->silent_ms;
			s->got_ready = false;
			send_hello(s);
		}
		live_check_prompt(s);
		live_check_silence(s);
	}
	return ERR_OK;
}

/* Wait until the board is ready and send the pack if needed. */
static int prepare_board(struct live *s, struct err *e)
{
	int ret = await_ready(s, e);

	if (ret != ERR_OK)
		return ret;
	if (s->got_bye && !live_is_dead(s))
		live_set_dead(s, "it sent bye");
	if (!live_is_dead(s) && s->in.clock == CLOCK_NONE)
		live_set_dead(s, "it sent no info record");
	if (!live_is_dead(s) && live_settle(s, e) != ERR_OK)
		return e->code;
	if (!live_is_dead(s) && s->q->load && !s->in.has_our_pack)
		return live_load(s, e);
	return ERR_OK;
}

/* Reset the state for a new start.  After LIVE_REBOOTED the records already
 * received belong to the new start and stay valid. */
static void begin_start(struct live *s)
{
	if (s->state != LIVE_REBOOTED) {
		s->is_heard = s->got_ready = false;
		s->in.has_pack = s->in.has_our_pack = false;
		dialogue_restart(&s->dialogue);
	}
	s->has_work = s->got_bye = s->was_away = s->is_noted = false;
	s->start_pass = LIVE_NO_PASS;
	s->state = LIVE_STARTING;
}

/* Reset the board unless it is heard: a running runtime sends records, a
 * firmware that boots shows a known prompt. */
static int listen_or_reset(struct live *s, struct err *e)
{
	uint64_t end_ms = link_now_ms() + LISTEN_MS;

	live_wait(s);
	while (!s->is_heard && !s->dialogue.since_ms && !live_is_dead(s)) {
		if (link_now_ms() >= end_ms)
			return s->stream.restart(s->stream.state, e);
		if (live_pump(s, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* Open the stream, or take over the one of a listener, with what it heard. */
static int open_stream(struct live *s, struct err *e)
{
	struct listener *l = s->request.listener;
	bool done = false;

	begin_start(s);
	if (l && live_take_over(s, l, &done, e) != ERR_OK)
		return e->code;
	if (!done &&
	    s->transport->open(&s->arena, &s->request, &s->stream, e) != ERR_OK)
		s->state = LIVE_CLOSED;
	return e->code;
}

/* Open the link if it is closed. */
static int open_board(struct live *s, struct err *e)
{
	if (s->state != LIVE_CLOSED)
		return ERR_OK;
	s->seq = 0;
	s->lines.n = 0;
	intake_restart(&s->in);
	if (open_stream(s, e) != ERR_OK)
		return e->code;
	if (is_independent(s) && s->q->request->reset_command)
		return listen_or_reset(s, e);
	return ERR_OK;
}

/* Restart a dead board: close the link, so that it is reopened; or run the
 * reset command; or nothing if the board restarted by itself. */
static int restart_board(struct live *s, struct err *e)
{
	if (!is_independent(s)) {
		close_board(s);
		return ERR_OK;
	}
	if (s->state == LIVE_REBOOTED) {
		begin_start(s);
		return ERR_OK;
	}
	begin_start(s);
	s->lines.n = 0;
	intake_restart(&s->in);
	return s->stream.restart(s->stream.state, e);
}

static int start_board(struct live *s, struct err *e)
{
	int ret = open_board(s, e);

	if (ret != ERR_OK)
		return ret;
	ret = prepare_board(s, e);
	if (ret != ERR_OK)
		return ret;
	if (!live_is_dead(s)) {
		s->was_ready = true;
		s->state = LIVE_READY;
		return ERR_OK;
	}
	/* Give up at once if a board that this program starts has never been
	 * ready.  A board that was ready and left may only have heard nothing
	 * in time. */
	if ((!s->was_ready && !s->got_ready && !is_independent(s)) ||
	    ++s->n_fruitless >= MAX_FRUITLESS)
		return live_give_up(s, "the runtime did not get ready", e);
	return restart_board(s, e);
}

/* ---- requests --------------------------------------------------------- */

/* Store the fault "lost" for a kernel. */
static int record_lost(struct live *s, uint32_t k, struct err *e)
{
	int ret = intake_lost(&s->in, k, e);

	if (ret != ERR_OK)
		return ret;
	plan_fault(&s->plan, k);
	s->parallel->progress.n_lost++;
	live_report(s);
	if (++s->n_lost_in_a_row < MAX_LOST_IN_A_ROW)
		return ERR_OK;
	if (s->state == LIVE_STARTING || s->state == LIVE_READY)
		live_set_dead(s, "its records do not arrive");
	return live_give_up(s, "the board finishes no kernels", e);
}

/* Send the request and wait until it is done or the board is dead.  Repeat it
 * if the board is silent for long or the line was down. */
static int run_request(struct live *s, struct err *e)
{
	uint64_t start_ms = link_now_ms();

	s->is_done = s->got_result = false;
	s->has_work = true;
	s->n_refused = 0;
	if (live_ask(s, send_request, is_done, s, e) != ERR_OK)
		return e->code;
	if (s->q->traffic)
		s->q->traffic->record_ms += link_now_ms() - start_ms;
	return ERR_OK;
}

/* The request ended.  Without any result the board may have restarted without
 * the pack that it was sent; "hello" makes it tell which one it has. */
static int count_missing(struct live *s, struct err *e)
{
	if (s->q->load && !s->got_result && is_independent(s))
		send_hello(s);
	plan_count_attempt(&s->plan);
	for (;;) {
		uint32_t k = plan_given_up(&s->plan);

		if (k == PLAN_NONE)
			return ERR_OK;

		int ret = record_lost(s, k, e);

		if (ret != ERR_OK)
			return ret;
	}
}

/* Count a death of the board for the kernel that was running; should the
 * session give up on the kernel?  Two hangs are enough.  An independent board
 * may have been restarted by another user, so one more death is allowed; from
 * the second on the kernel runs alone and is the cause. */
static bool is_fatal(const struct live *s, struct plan_kernel *k)
{
	k->deaths++;
	if (s->state == LIVE_HUNG)
		k->hangs++;
	return k->hangs >= PLAN_MAX_DEATHS ||
	       k->deaths >= PLAN_MAX_DEATHS + is_independent(s);
}

/* After a death of the board: restart it and count the death for the kernel
 * that was running. */
static int handle_death(struct live *s, struct err *e)
{
	uint32_t k = s->plan.request.in_flight;
	bool fatal = k != PLAN_NONE && is_fatal(s, &s->plan.work->kernels[k]);

	if (k != PLAN_NONE && deaths_note(s, k, e) != ERR_OK)
		return e->code;
	if (restart_board(s, e) != ERR_OK)
		return e->code;
	if (!s->transport->can_restart)
		return live_give_up(s, "the board died", e);
	if (k == PLAN_NONE) {
		if (++s->n_fruitless >= MAX_FRUITLESS)
			return live_give_up(s, "the board keeps dying", e);
		return ERR_OK;
	}
	return fatal ? record_lost(s, k, e) : ERR_OK;
}

/* Each pass has a place of its own: some states, such as conflicts of branch
 * predictors, last as long as code stays where it is, and visits at different
 * places do not share them. */
static void begin_place(struct live *s)
{
	s->place += plan_pass(&s->plan) != s->start_pass;
	s->start_pass = plan_pass(&s->plan);
}

static int run_plan(struct live *s, struct err *e)
{
	int ret = ERR_OK;

	while (ret == ERR_OK && !live_time_is_up(s)) {
		if (s->state != LIVE_READY) {
			ret = start_board(s, e);
			continue;
		}
		plan_allow_lists(&s->plan, takes_lists(s));
		if (!plan_next(&s->plan))
			break;
		ret = live_begin_pass(s, e);
		if (ret != ERR_OK || live_time_is_up(s))
			break;
		begin_place(s);
		ret = run_request(s, e);
		if (ret == ERR_OK)
			ret = deaths_forget(s, e);
		if (ret != ERR_OK)
			break;
		ret = live_is_dead(s) ? handle_death(s, e)
				      : count_missing(s, e);
	}
	return ret;
}

int live_run(struct live *s, struct err *e)
{
	int ret;

	/* It stayed from the session before. */
	if (s->state == LIVE_READY)
		live_plan_visits(s);
	s->start_pass = LIVE_NO_PASS;
	ret = run_plan(s, e);
	/* An independent board keeps waiting for the next host. */
	if (ret == ERR_OK && s->state == LIVE_READY && s->q->boards &&
	    !is_independent(s))
		return ret;
	if (ret == ERR_OK && s->state == LIVE_READY && !is_independent(s))
		return shut_down(s, e);
	close_board(s);
	return ret;
}
