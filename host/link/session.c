/* The session: keeps a board busy until every kernel has its visits.
 *
 *	open -> ready -> (run range -> samples, faults -> done)* -> bye
 *	  ^                         |
 *	  +------ the board died ---+
 *
 * The host never trusts the board to remember: whatever a request did not
 * bring is asked for again, and after a death the list simply goes on. */
#include "host/link/live.h"

#include <string.h>

enum {
	BYE_MS = 2000,
	/* Boards that start and bring nothing, or kernels lost one after
	 * another: after so many the board is given up, not the kernels. */
	MAX_FRUITLESS = 3,
	MAX_LOST_IN_A_ROW = 32,
	/* A board that was running before we came is asked who it is once the
	 * line has been quiet for so long: firmware that counts down to its
	 * boot would take anything said earlier as a key pressed. */
	HELLO_MS = 3000,
};

/* ---- sending ---------------------------------------------------------- */

static uint64_t thousandths(double cycles)
{
	const double most = 1e6;

	return cycles > 0 && cycles < most ? (uint64_t)(1000 * cycles) : 0;
}

static void send_range(struct live *s, uint32_t from, uint32_t to)
{
	const struct link_silence *silence = &s->q->silence;
	struct wire_line w;

	wire_begin(&w, s->seq, "run");
	wire_u64(&w, "from", from);
	wire_u64(&w, "to", to);
	wire_u64(&w, "visit", s->plan.request.visit);
	if (silence->probe > 0) {
		wire_u64(&w, "probe", thousandths(silence->probe));
		wire_u64(&w, "reading", thousandths(silence->reading));
	}
	if (silence->ignored)
		wire_u64(&w, "ignored", silence->ignored);
	live_send(s, &w);
	s->last_from = from;
	s->last_to = to;
}

/* A command for each range of the request. */
static void send_run(struct live *s)
{
	uint32_t from, to = s->plan.request.from;

	while (!s->dead && plan_range(&s->plan, to, &from, &to))
		send_range(s, from, to);
}

static void close_board(struct live *s)
{
	if (s->is_open)
		s->stream.close(s->stream.state);
	s->is_open = false;
}

/* ---- starting --------------------------------------------------------- */

/* Does the board live beside its link? */
static bool lives_beside(const struct live *s)
{
	return s->stream.restart != NULL;
}

/* How long to keep quiet before asking a board who it is: twice as long after
 * each start that came to nothing, because the question may have been the key
 * that stopped it. */
static uint32_t hello_ms(const struct live *s)
{
	uint32_t quiet = live_quiet_ms(s);
	uint32_t wait = (uint32_t)HELLO_MS << s->n_fruitless;

	return quiet < wait ? quiet : wait;
}

/* What an earlier host left unfinished on the line must not spoil the first
 * record of this one. */
static void say_hello(struct live *s)
{
	if (s->stream.write(s->stream.state, "\n", 1) != 0)
		live_die(s, s->stream.end_reason(s->stream.state));
	live_say(s, "hello");
}

/* Has the board said all it has to say before it waits? */
static bool is_waiting(const struct live *s)
{
	bool known = s->in.clock[0] && (s->in.has_pack || !s->q->load);

	if (s->ready && (known || !lives_beside(s)))
		return true;
	/* A board that has introduced itself and then falls quiet waits too:
	 * its `ready` was lost. */
	return known && s->silent_ms >= live_quiet_ms(s);
}

/* Wait for `ready`.  A board that outlives its link may have been ready long
 * before: it is asked, at once when it is heard to wait. */
static int await_ready(struct live *s, struct err *e)
{
	uint32_t asked_ms = 0;

	live_wait(s);
	while (!is_waiting(s) && !s->dead && !s->said_bye) {
		int ret = live_pump(s, e);

		if (ret != ERR_OK)
			return ret;
		if (s->silent_ms < asked_ms)
			asked_ms = 0;
		if (lives_beside(s) && !s->dead && !is_waiting(s) &&
		    (s->ready || s->silent_ms >= asked_ms + hello_ms(s))) {
			asked_ms = s->silent_ms;
			s->ready = false;
			say_hello(s);
		}
		live_check_silence(s);
	}
	return ERR_OK;
}

/* The board, awake, may need the pack first. */
static int prepare(struct live *s, struct err *e)
{
	int ret = await_ready(s, e);

	if (ret != ERR_OK)
		return ret;
	if (s->said_bye && !s->dead)
		live_die(s, "it said bye");
	if (!s->dead && !s->in.clock[0])
		live_die(s, "no info record");
	if (!s->dead && s->q->load && !s->in.has_our_pack)
		return live_load(s, e);
	return ERR_OK;
}

/* What a board that starts again by itself has said since is still true. */
static void begin_start(struct live *s)
{
	if (!s->rebooted)
		s->ready = s->in.has_pack = s->in.has_our_pack = false;
	s->dead = s->asked = s->said_bye = s->rebooted = s->was_away = false;
	s->in_pass = false;
}

/* A board that answers needs no reset.  Asked only where a reset can follow:
 * a boot loader's prompt that takes the question for a key would stay there. */
static int wake(struct live *s, struct err *e)
{
	uint64_t end_ms = link_now_ms() + hello_ms(s);

	live_wait(s);
	say_hello(s);
	while (link_now_ms() < end_ms) {
		int ret = live_pump(s, e);

		if (ret != ERR_OK)
			return ret;
		if (s->in.clock[0] || s->dead)
			return ERR_OK;
	}
	return s->stream.restart(s->stream.state, e);
}

/* Open the link if it is not. */
static int open_board(struct live *s, struct err *e)
{
	if (s->is_open)
		return ERR_OK;
	if (s->transport->open(&s->arena, &s->request, &s->stream, e) != ERR_OK)
		return e->code;
	s->is_open = true;
	s->seq = 0;
	s->lines.n = 0;
	intake_restart(&s->in);
	s->rebooted = false;
	begin_start(s);
	if (lives_beside(s) && s->q->request->reset_command)
		return wake(s, e);
	return ERR_OK;
}

/* A dead board is started again: by opening it anew, by its reset command, or
 * not at all where it does so by itself. */
static int put_down(struct live *s, struct err *e)
{
	s->awake = false;
	if (!lives_beside(s)) {
		close_board(s);
		return ERR_OK;
	}
	if (s->rebooted) {
		begin_start(s);
		return ERR_OK;
	}
	begin_start(s);
	s->lines.n = 0;
	intake_restart(&s->in);
	return s->stream.restart(s->stream.state, e);
}

static int start(struct live *s, struct err *e)
{
	int ret = open_board(s, e);

	if (ret != ERR_OK)
		return ret;
	ret = prepare(s, e);
	if (ret != ERR_OK)
		return ret;
	if (!s->dead) {
		s->was_ready = true;
		s->awake = true;
		return ERR_OK;
	}
	/* What we start and has never worked does not get better by itself;
	 * one that was ready and left only heard nothing in time. */
	if ((!s->was_ready && !s->ready && !lives_beside(s)) ||
	    ++s->n_fruitless >= MAX_FRUITLESS)
		return live_give_up(s, "a runtime that gets ready", e);
	return put_down(s, e);
}

/* ---- requests --------------------------------------------------------- */

/* Store that a kernel cannot be had. */
static int lose(struct live *s, uint32_t k, struct err *e)
{
	int ret = intake_lost(&s->in, k, e);

	if (ret != ERR_OK)
		return ret;
	plan_fault(&s->plan, k);
	s->crew->progress.n_lost++;
	live_report(s);
	if (++s->n_lost_in_a_row < MAX_LOST_IN_A_ROW)
		return ERR_OK;
	if (!s->dead)
		live_die(s, "its records do not arrive");
	return live_give_up(s, "a board that finishes kernels", e);
}

/* Send the request and wait until it is done or the board dead.  It is sent
 * again when the board is quiet for long, or the line was down. */
static int run_request(struct live *s, struct err *e)
{
	uint64_t start_ms = link_now_ms();
	uint32_t sent_ms = 0;

	s->done = s->was_away = false;
	s->asked = true;
	live_wait(s);
	send_run(s);
	while (!s->done && !s->dead) {
		int ret = live_pump(s, e);

		if (ret != ERR_OK)
			return ret;
		if (s->said_bye)
			live_die(s, "it said bye");
		if (s->silent_ms < sent_ms)
			sent_ms = 0;
		if (!s->dead && s->away_ms == 0 &&
		    (s->was_away ||
		     s->silent_ms >= sent_ms + live_quiet_ms(s))) {
			send_run(s);
			sent_ms = s->silent_ms;
			s->was_away = false;
		}
		live_check_silence(s);
	}
	if (s->q->traffic)
		s->q->traffic->record_ms += link_now_ms() - start_ms;
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

/* Count a death against the kernel that was running; has it had its last?  A
 * kernel that hangs the board twice has: it was asked for in vain.  A board on
 * a line that starts again may have been somebody else's doing once; the next
 * times, with the kernel run alone, are its own. */
static bool is_killer(const struct live *s, struct plan_kernel *k)
{
	k->deaths++;
	k->hangs += s->hung;
	return k->hangs >= PLAN_MAX_DEATHS ||
	       k->deaths >= PLAN_MAX_DEATHS + lives_beside(s);
}

/* After a death: blame the kernel that was running. */
static int bury(struct live *s, struct err *e)
{
	uint32_t k = s->plan.request.in_flight;
	bool killer = k != PLAN_NONE && is_killer(s, &s->plan.work->kernels[k]);

	if (put_down(s, e) != ERR_OK)
		return e->code;
	if (!s->transport->can_restart)
		return live_give_up(s, "a board that stays alive", e);
	if (k == PLAN_NONE) {
		if (++s->n_fruitless >= MAX_FRUITLESS)
			return live_give_up(s, "a board that stays alive", e);
		return ERR_OK;
	}
	return killer ? lose(s, k, e) : ERR_OK;
}

/* Let the board leave by itself, so that a machine powers off. */
static int say_bye(struct live *s, struct err *e)
{
	int ret = ERR_OK;

	s->silent_ms = 0;
	live_say(s, "bye");
	while (ret == ERR_OK && !s->dead && !s->said_bye &&
	       s->silent_ms < BYE_MS && s->away_ms < BYE_MS)
		ret = live_pump(s, e);
	return ret;
}

/* Some states of a core last as long as the process: where its memory lies,
 * how its branches share a predictor.  Visits of one kernel that come from
 * different starts do not share them. */
static bool needs_new_start(const struct live *s)
{
	return s->transport->starts_fast && s->q->passes && s->in.shared &&
	       strcmp(s->in.clock, "ref") == 0 && s->in_pass &&
	       plan_pass(&s->plan) != s->pass;
}

static int leave(struct live *s, struct err *e)
{
	int ret = say_bye(s, e);

	close_board(s);
	s->awake = false;
	return ret;
}

static int drive(struct live *s, struct err *e)
{
	int ret = ERR_OK;

	while (ret == ERR_OK && !live_time_is_up(s)) {
		if (!s->awake) {
			ret = start(s, e);
			continue;
		}
		s->plan.n_ranges = s->stream.queues ? PLAN_RANGES : 1;
		if (!plan_next(&s->plan))
			break;
		if (needs_new_start(s)) {
			ret = leave(s, e);
			continue;
		}
		ret = live_begin_pass(s, e);
		if (ret != ERR_OK || live_time_is_up(s))
			break;
		s->in_pass = true;
		s->pass = plan_pass(&s->plan);
		ret = run_request(s, e);
		if (ret != ERR_OK)
			break;
		ret = s->dead ? bury(s, e) : count_missing(s, e);
	}
	return ret;
}

int live_run(struct live *s, struct err *e)
{
	int ret = drive(s, e);

	/* One that lives beside its link waits for the next host instead. */
	if (ret == ERR_OK && s->awake && !lives_beside(s))
		return leave(s, e);
	close_board(s);
	return ret;
}
