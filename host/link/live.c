/* Reads a session's stream and handles its records; see live.h. */
#include "host/link/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum {
	READ_BYTES = 1 << 14,
	/* How long to wait for a line that is down: enough to plug in a cable
	 * or for an adapter to reappear. */
	AWAY_LIMIT_MS = 120 * 1000,
	/* Firmware may print for minutes before it boots anything.  So many
	 * silence limits without a useful record end the start. */
	CHATTER_LIMITS = 4,
	/* A single refusal may be caused by a damaged record.  This many in a
	 * row mean that the board was reset unnoticed, or does not accept the
	 * pack; the board is restarted. */
	MAX_REFUSED = 4,
	NS_PER_MS = 1000 * 1000,
};

const char *live_board(const struct live *s)
{
	return s->q->request->board->name;
}

static uint32_t board_limit_ms(const struct live *s)
{
	return s->q->request->board->timeout_s * 1000;
}

uint32_t live_quiet_ms(const struct live *s)
{
	return board_limit_ms(s) / LIVE_QUIET_PART;
}

void live_report(struct live *s)
{
	s->parallel->progress.n_done = s->plan.work->n_done;
	s->parallel->progress.n_total = s->plan.work->n_total;
	s->reported = time(NULL);
	if (s->q->report)
		s->q->report(s->q->context, &s->parallel->progress);
}

void live_set_dead(struct live *s, const char *why)
{
	/* A board that has restarted stays LIVE_REBOOTED. */
	if (s->state != LIVE_REBOOTED)
		s->state = LIVE_DEAD;
	(void)snprintf(s->why, sizeof(s->why), "%s", why);
}

void live_plan_visits(struct live *s)
{
	const struct pack_header *h = pack_header(s->q->pack);
	bool quiet = s->in.clock == CLOCK_CORE && !s->in.shared;

	uint32_t n = quiet ? 1 : h->n_visits;

	s->parallel->progress.repeats = n > 1;
	if (n > s->q->fewer_visits)
		n -= s->q->fewer_visits;
	plan_set_visits(s->plan.work, n, s->q->extra_visits);
	live_report(s);
}

/* ---- records ---------------------------------------------------------- */

/* A board that starts numbers its records from 0.  A board that only answers
 * "hello" continues its numbers. */
static void take_info(struct live *s)
{
	live_plan_visits(s);
	if (s->in.next_seq != 1)
		return;
	s->got_ready = s->in.has_pack = s->in.has_our_pack = false;
	if (!s->has_work)
		return;
	live_set_dead(s, "it restarted by itself");
	s->state = LIVE_REBOOTED;
}

/* A board that was sent a pack and has another one has restarted, and the
 * records of its start were lost. */
static void take_pack(struct live *s)
{
	if (s->state != LIVE_READY || !s->q->load || s->in.has_our_pack)
		return;
	live_set_dead(s, "it restarted unnoticed");
	s->state = LIVE_REBOOTED;
}

static void take_result(struct live *s, const struct intake_event *ev)
{
	size_t before = s->plan.work->n_done;

	if (ev->kind == INTAKE_SAMPLE) {
		plan_sample(&s->plan, ev->k, ev->visit);
	} else {
		plan_fault(&s->plan, ev->k);
		s->parallel->progress.n_faults++;
	}
	if (s->plan.work->n_done != before || !s->has_work)
		s->heard_ms = link_now_ms();
	s->got_result = true;
	s->n_fruitless = 0;
	s->n_lost_in_a_row = 0;
	if (s->plan.request.in_flight == PLAN_NONE &&
	    plan_request_complete(&s->plan))
		s->is_done = true;
	live_report(s);
}

/* The runtime's records so far are of an earlier start. */
static void forget_start(struct live *s)
{
	intake_restart(&s->in);
	s->is_heard = s->got_ready = false;
	s->in.has_pack = s->in.has_our_pack = false;
}

/* The board's firmware is at a known prompt: type the answer.  A board that had
 * work has been reset. */
static void take_step(struct live *s, const struct step *step)
{
	if (s->has_work) {
		forget_start(s);
		live_set_dead(s, "it is at its firmware's prompt");
		s->state = LIVE_REBOOTED;
	}
	s->is_heard = false;
	if (dialogue_is_stuck(&s->dialogue))
		return;
	listen_notify_step(s->q->request, step);
	if (s->stream.write(s->stream.state, step->keys, step->n_keys) != 0)
		live_set_dead(s, s->stream.end_reason(s->stream.state));
}

static bool is_last_command(const struct live *s, const struct intake_event *ev)
{
	return ev->from == s->last_from && ev->to == s->last_to &&
	       ev->visit == s->plan.request.visit;
}

/* A record: the runtime runs.  One that repeats `ready` has not received its
 * command.  A damaged record may be firmware's text. */
static void take_life(struct live *s, enum intake_kind kind)
{
	if (kind != INTAKE_DAMAGED) {
		if (!s->is_heard)
			dialogue_restart(&s->dialogue);
		s->is_heard = true;
	}
	if (kind != INTAKE_READY || !s->has_work)
		s->silent_ms = 0;
}

static int take_event(void *context, const struct intake_event *ev,
		      size_t n_bytes, struct err *e)
{
	struct live *s = context;

	(void)e;
	if (ev->kind != INTAKE_TEXT)
		take_life(s, ev->kind);
	switch (ev->kind) {
	case INTAKE_INFO:
		take_info(s);
		break;
	case INTAKE_PACK:
		take_pack(s);
		break;
	case INTAKE_READY:
		s->got_ready = true;
		break;
	case INTAKE_SAMPLE:
	case INTAKE_FAULT:
		if (s->q->traffic)
			s->q->traffic->record_bytes += n_bytes + 1;
		take_result(s, ev);
		break;
	case INTAKE_START:
		plan_start(&s->plan, ev->k);
		break;
	case INTAKE_DONE:
		if (s->q->traffic)
			s->q->traffic->inside_ticks += ev->inside;
		if (is_last_command(s, ev))
			s->is_done = true;
		break;
	case INTAKE_ACK:
		s->ack = ev->ack;
		s->is_acked = true;
		break;
	case INTAKE_ERROR:
		/* A refused command is repeated, like a lost one. */
		s->is_done = true;
		s->is_refused = true;
		break;
	case INTAKE_BYE:
		s->got_bye = true;
		break;
	default:
		break;
	}
	return ERR_OK;
}

static int take_line(void *context, const char *line, size_t n, struct err *e)
{
	struct live *s = context;

	return intake_line(&s->in, line, n, take_event, s, e);
}

int live_give_up(struct live *s, const char *problem, struct err *e)
{
	char tail[INTAKE_TAIL_LINES * (INTAKE_TAIL_BYTES + 3)];

	/* The prompt that the board may wait at. */
	if (lines_end(&s->lines, take_line, s, e) != ERR_OK)
		return e->code;
	intake_tail(&s->in, tail, sizeof(tail));
	return err_set(e, ERR_FAILED, "%s: %s (%s)%s%s", live_board(s), problem,
		       s->why, *tail ? "; its last output: " : "", tail);
}

/* ---- the stream ------------------------------------------------------- */

/* The line is down.  This does not count as silence of the board. */
static int wait_for_line(struct live *s, struct err *e)
{
	s->was_away = true;
	s->away_ms += LIVE_STEP_MS;
	s->lines.n = 0;
	s->heard_ms = link_now_ms();
	if (s->away_ms < AWAY_LIMIT_MS)
		return ERR_OK;
	return err_set(e, ERR_FAILED,
		       "%s: the line was down for %d s (%s); continue "
		       "with --resume",
		       live_board(s), AWAY_LIMIT_MS / 1000,
		       s->stream.end_reason(s->stream.state));
}

/* Look for prompts in the bytes, and for records in its lines. */
static int take_bytes(struct live *s, const char *bytes, size_t n,
		      struct err *e)
{
	uint64_t now_ms = link_now_ms();
	int ret = ERR_OK;

	for (size_t from = 0, i = 0; i < n && ret == ERR_OK; i++) {
		const struct step *step =
			dialogue_take(&s->dialogue, bytes[i], now_ms);

		if (bytes[i] != '\n' && i + 1 < n && !step)
			continue;
		ret = lines_feed(&s->lines, bytes + from, i + 1 - from,
				 take_line, s, e);
		from = i + 1;
		if (step && ret == ERR_OK)
			take_step(s, step);
	}
	return ret;
}

/* What a firmware prints is a sign of life until the board has work.  Then only
 * records are: a shell repeats what it is sent. */
static int handle_input(struct live *s, const char *bytes, int n,
			uint64_t waited_ms, struct err *e)
{
	if (n == STREAM_AWAY)
		return wait_for_line(s, e);
	if (n == STREAM_FAILED) {
		live_set_dead(s, s->stream.end_reason(s->stream.state));
		return live_give_up(s, "its console does not work", e);
	}
	s->away_ms = 0;
	if (n > 0) {
		s->silent_ms += (uint32_t)waited_ms;
		if (!s->has_work)
			s->silent_ms = 0;
		return take_bytes(s, bytes, (size_t)n, e);
	}
	if (n == 0) {
		s->silent_ms += LIVE_STEP_MS;
		return ERR_OK;
	}
	live_set_dead(s, s->stream.end_reason(s->stream.state));
	return lines_end(&s->lines, take_line, s, e);
}

/* Releases the lock while it waits. */
static int read_stream(struct live *s, char *bytes, size_t n)
{
	int got;

	(void)pthread_mutex_unlock(&s->parallel->lock);
	got = s->stream.read(s->stream.state, bytes, n, LIVE_STEP_MS);
	(void)pthread_mutex_lock(&s->parallel->lock);
	return got;
}

int live_check_stop(const struct live *s, struct err *e)
{
	if (!s->parallel->is_over && !(s->q->stop && *s->q->stop))
		return ERR_OK;
	return err_set(e, ERR_INTERRUPTED,
		       "%s: interrupted; continue with --resume",
		       live_board(s));
}

int live_pump(struct live *s, struct err *e)
{
	char bytes[READ_BYTES];
	uint64_t start_ms = link_now_ms();
	int n = read_stream(s, bytes, sizeof(bytes));
	int ret = handle_input(s, bytes, n, link_now_ms() - start_ms, e);

	if (ret == ERR_OK)
		ret = intake_commit(&s->in, n <= 0, e);
	if (ret == ERR_OK)
		ret = live_check_stop(s, e);
	if (time(NULL) != s->reported && s->in.clock != CLOCK_NONE)
		live_report(s);
	return ret;
}

int live_take_over(struct live *s, struct listener *l, bool *ret_done,
		   struct err *e)
{
	struct heard h;

	*ret_done = listen_take(l, &h);
	if (!*ret_done)
		return ERR_OK;
	s->stream = h.stream;
	/* What came before the last key is of the firmware, or of an earlier
	 * start of the runtime. */
	if (lines_feed(&s->lines, h.bytes, h.n_old, take_line, s, e) != ERR_OK)
		return e->code;
	if (h.n_old > 0)
		forget_start(s);
	(void)lines_feed(&s->lines, h.bytes + h.n_old, h.n - h.n_old, take_line,
			 s, e);
	s->dialogue = h.dialogue;
	return e->code;
}

bool live_time_is_up(const struct live *s)
{
	return s->q->until_ms != 0 && link_now_ms() >= s->q->until_ms;
}

/* Milliseconds until the pass of the current request may start. */
static uint64_t pass_wait_ms(const struct live *s)
{
	const struct link_passes *passes = s->q->passes;
	bool noisy = s->in.shared && s->in.clock == CLOCK_REF;
	uint64_t gone;

	if (!passes || !noisy || passes->began_ms == 0 ||
	    passes->waited_ms >= LINK_WAIT_MS ||
	    plan_pass(&s->plan) < s->parallel->n_passes || live_time_is_up(s))
		return 0;
	gone = link_now_ms() - passes->began_ms;
	return gone < LINK_PASS_MS ? LINK_PASS_MS - gone : 0;
}

int live_begin_pass(struct live *s, struct err *e)
{
	struct link_passes *passes = s->q->passes;
	uint64_t start_ms = link_now_ms(), waited_ms = 0;
	uint64_t ms;

	while ((ms = pass_wait_ms(s)) > 0) {
		uint64_t step = ms < LIVE_STEP_MS ? ms : LIVE_STEP_MS;
		struct timespec t = { .tv_nsec = (long)step * NS_PER_MS };

		if (intake_commit(&s->in, true, e) != ERR_OK)
			return e->code;
		(void)pthread_mutex_unlock(&s->parallel->lock);
		(void)nanosleep(&t, NULL);
		(void)pthread_mutex_lock(&s->parallel->lock);
		waited_ms = link_now_ms() - start_ms;
		if (live_check_stop(s, e) != ERR_OK)
			return e->code;
	}
	if (plan_pass(&s->plan) < s->parallel->n_passes)
		return ERR_OK;
	s->parallel->n_passes = plan_pass(&s->plan) + 1;
	if (passes) {
		passes->began_ms = link_now_ms();
		passes->waited_ms += waited_ms;
	}
	return ERR_OK;
}

void live_wait(struct live *s)
{
	s->silent_ms = 0;
	s->heard_ms = link_now_ms();
}

void live_check_silence(struct live *s)
{
	uint64_t limit_ms = board_limit_ms(s);
	char why[80];

	if (live_is_dead(s))
		return;
	if (s->silent_ms >= limit_ms) {
		(void)snprintf(why, sizeof(why), "silent for %" PRIu64 " s",
			       limit_ms / 1000);
		live_set_dead(s, why);
		s->state = LIVE_HUNG;
	} else if (link_now_ms() - s->heard_ms > CHATTER_LIMITS * limit_ms) {
		(void)snprintf(why, sizeof(why),
			       "no useful record for %" PRIu64 " s",
			       CHATTER_LIMITS * limit_ms / 1000);
		live_set_dead(s, why);
		s->state = LIVE_HUNG;
	}
}

void live_send(struct live *s, struct wire_line *w)
{
	size_t n = wire_end(w);

	if (s->stream.write(s->stream.state, w->text, n) != 0)
		live_set_dead(s, s->stream.end_reason(s->stream.state));
	s->seq++;
}

void live_send_plain(struct live *s, const char *kind)
{
	struct wire_line w;

	wire_begin(&w, s->seq, kind);
	live_send(s, &w);
}

int live_ask(struct live *s, void (*send)(void *context),
	     bool (*is_answered)(const void *context), void *context,
	     struct err *e)
{
	uint32_t sent_ms = 0;

	s->is_refused = s->was_away = s->is_acked = false;
	live_wait(s);
	send(context);
	while (!live_is_dead(s) && !is_answered(context)) {
		if (live_pump(s, e) != ERR_OK)
			return e->code;
		if (s->got_bye)
			live_set_dead(s, "it sent bye");
		if (s->is_refused && !is_answered(context) &&
		    ++s->n_refused >= MAX_REFUSED)
			live_set_dead(s, "it refuses the pack");
		if (s->silent_ms < sent_ms)
			sent_ms = 0;
		if ((s->is_refused || s->was_away ||
		     s->silent_ms >= sent_ms + live_quiet_ms(s)) &&
		    !live_is_dead(s) && s->away_ms == 0 &&
		    !is_answered(context)) {
			s->is_refused = s->was_away = false;
			sent_ms = s->silent_ms;
			send(context);
		}
		live_check_silence(s);
	}
	return ERR_OK;
}
