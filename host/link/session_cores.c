/* The cores of a board: which there are, and how a session gets to one.  The
 * runtime that is asked by `hello core=N` goes on on that core, and says info,
 * pack and ready from there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/link/live.h"

enum { MOVE_TRIES = 3 };

static void send_move(struct live *s, uint64_t core)
{
	struct wire_line w;

	wire_begin(&w, s->seq, "hello");
	wire_u64(&w, "core", core);
	live_send(s, &w);
}

static bool is_there(const struct live *s, uint64_t core)
{
	return s->got_ready && s->in.has_core && s->in.core_number == core;
}

static int move(struct live *s, uint64_t core, struct err *e)
{
	for (int i = 0; i < MOVE_TRIES && !live_is_dead(s); i++) {
		s->got_ready = s->is_refused = false;
		s->in.has_pack = s->in.has_our_pack = false;
		live_wait(s);
		send_move(s, core);
		while (!live_is_dead(s) && !s->is_refused &&
		       !is_there(s, core) && s->silent_ms < live_quiet_ms(s))
			if (live_pump(s, e) != ERR_OK)
				return e->code;
		if (s->is_refused)
			return err_set(e, ERR_FAILED,
				       "%s: core %" PRIu64 " did not start",
				       live_board(s), core);
		if (is_there(s, core))
			return ERR_OK;
	}
	if (!live_is_dead(s))
		live_set_dead(s, "it did not answer 'hello core=N'");
	return ERR_OK;
}

static int complain_of_runtime(const struct live *s, struct err *e)
{
	return err_set(e, ERR_FAILED,
		       "%s: 'core' works with an image of this version only; a "
		       "process or an older image cannot list its cores",
		       live_board(s));
}

/* ---- which there are ----------------------------------------------------- */

/* "0-3,8": at most LINK_MAX_BOARD_CORES.  False: malformed. */
static bool read_ranges(const char *text, struct link_cores *ret)
{
	while (*text) {
		char *end;
		uint64_t from = strtoull(text, &end, 10), to = from;

		if (end == text)
			return false;
		if (*end == '-') {
			text = end + 1;
			to = strtoull(text, &end, 10);
			if (end == text)
				return false;
		}
		if (to < from || (*end && *end != ','))
			return false;
		for (uint64_t n = from; n <= to; n++) {
			if (ret->n == LINK_MAX_BOARD_CORES)
				return true;
			ret->cores[ret->n++] = n;
			if (n == UINT64_MAX)
				break;
		}
		text = end + (*end == ',');
	}
	return true;
}

static bool is_known_kind(const uint64_t *kinds, size_t n, uint64_t kind)
{
	for (size_t i = 0; i < n; i++)
		if (kinds[i] == kind)
			return true;
	return false;
}

/* Go to each core, the current one first; keep those that start, or the first
 * of each kind. */
static int visit(struct live *s, const struct link_cores *all, struct err *e)
{
	struct link_cores *ret = s->cores;
	uint64_t first = s->in.core_number;
	uint64_t kinds[LINK_MAX_BOARD_CORES];

	for (size_t i = 0; i <= all->n; i++) {
		struct err why = { .code = ERR_OK };
		uint64_t core = i ? all->cores[i - 1] : first;

		if (i > 0 && core == first)
			continue;
		if (i > 0 && move(s, core, &why) != ERR_OK) {
			if (why.code != ERR_FAILED) {
				*e = why;
				return e->code;
			}
			if (s->request.notice)
				s->request.notice(why.message);
			continue;
		}
		if (live_is_dead(s))
			return live_give_up(s, "its cores are not known", e);
		if (s->each_kind && is_known_kind(kinds, ret->n, s->in.kind))
			continue;
		kinds[ret->n] = s->in.kind;
		ret->cores[ret->n++] = core;
	}
	return ERR_OK;
}

int live_settle(struct live *s, struct err *e)
{
	struct link_cores all = { .n = 0 };

	if ((s->in.wants_core || s->cores) && !s->in.has_core)
		return complain_of_runtime(s, e);
	if (s->in.wants_core && s->in.core_number != s->in.wanted_core)
		return move(s, s->in.wanted_core, e);
	if (!s->cores)
		return ERR_OK;
	if (!read_ranges(s->in.cores, &all))
		return err_set(e, ERR_FAILED,
			       "%s: info record: cores=%s is no list of ranges",
			       live_board(s), s->in.cores);
	s->cores->n = 0;
	return visit(s, &all, e);
}
