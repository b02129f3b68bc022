/* Sending a pack over the line.
 *
 *	load -> ack, (data... sync -> ack)*, start -> pack, ready
 *
 * Chunks go out a window at a time without an answer, for a board that writes
 * may not listen; then the board says which of them it lacks, and those go
 * out again.  Everything may be repeated, so whatever gets lost is asked for
 * again after a quarter of the board's limit. */
#include "host/link/live.h"

#include "common/load.h"
#include "common/squeeze.h"

_Static_assert((int)INTAKE_WINDOW >= (int)LOAD_WINDOW, "an ack holds a window");

enum {
	/* A refusal may be the answer to a damaged record.  So many in a row
	 * are not: the board has been reset and nobody heard, or it does not
	 * want the pack; it starts again. */
	MAX_REFUSED = 4,
};

struct load {
	struct live *s;
	size_t n; /* bytes */
	uint32_t n_chunks;
	uint32_t from, to; /* the window */
	unsigned n_refused;
};

typedef void load_say(struct load *l);
typedef bool load_heard(const struct load *l);

static void say_load(struct load *l)
{
	struct wire_line w;

	wire_begin(&w, l->s->seq, "load");
	wire_u64(&w, "bytes", l->n);
	wire_u64(&w, "chunk", LOAD_CHUNK);
	live_send(l->s, &w);
}

static void say_chunk(struct load *l, uint32_t chunk)
{
	const unsigned char *pack = l->s->q->pack;
	size_t from = (size_t)chunk * LOAD_CHUNK;
	size_t n = l->n - from < LOAD_CHUNK ? l->n - from : LOAD_CHUNK;
	unsigned char squeezed[LOAD_CHUNK];
	size_t n_squeezed = squeeze(pack + from, n, squeezed, n);
	struct wire_line w;

	wire_begin(&w, l->s->seq, "data");
	wire_u64(&w, "at", chunk);
	if (n_squeezed) {
		wire_u64(&w, "n", n_squeezed);
		wire_bytes(&w, "b", squeezed, n_squeezed);
	} else {
		wire_bytes(&w, "b", pack + from, n);
	}
	live_send(l->s, &w);
}

static void say_sync(struct load *l)
{
	struct wire_line w;

	wire_begin(&w, l->s->seq, "sync");
	wire_u64(&w, "from", l->from);
	wire_u64(&w, "to", l->to);
	live_send(l->s, &w);
}

static void say_start(struct load *l)
{
	live_say(l->s, "start");
}

static bool is_acked(const struct load *l)
{
	return l->s->acked && l->s->ack.from == l->from &&
	       l->s->ack.to == l->to;
}

static bool is_ready(const struct load *l)
{
	return l->s->ready && l->s->in.has_our_pack;
}

/* Say it, again when nothing comes of it, until the answer is heard or the
 * board dead. */
static int ask(struct load *l, load_say *say, load_heard *heard, struct err *e)
{
	struct live *s = l->s;
	uint32_t said_ms = 0;

	s->acked = s->refused = s->was_away = false;
	live_wait(s);
	say(l);
	while (!s->dead && !heard(l)) {
		int ret = live_pump(s, e);
		bool again = s->refused;

		if (ret != ERR_OK)
			return ret;
		if (s->said_bye)
			live_die(s, "it said bye");
		if (s->refused && ++l->n_refused >= MAX_REFUSED)
			live_die(s, "it refuses the pack");
		if (s->silent_ms < said_ms)
			said_ms = 0;
		again |= s->was_away ||
			 s->silent_ms >= said_ms + live_quiet_ms(s);
		if (again && !s->dead && s->away_ms == 0 && !heard(l)) {
			s->refused = s->was_away = false;
			said_ms = s->silent_ms;
			say(l);
		}
		live_check_silence(s);
	}
	return ERR_OK;
}

static int interrupted(const struct live *s, struct err *e)
{
	if (!s->q->stop || !*s->q->stop)
		return ERR_OK;
	return err_set(e, ERR_INTERRUPTED, "%s: interrupted; --resume goes on",
		       live_board(s));
}

/* Bring a window over: all of it first, then what is missing. */
static int send_window(struct load *l, struct err *e)
{
	struct live *s = l->s;
	struct intake_ack missing = { .n_missing = 0 };
	int ret = ERR_OK;

	for (uint32_t i = l->from; i < l->to; i++)
		missing.missing[missing.n_missing++] = i;
	while (ret == ERR_OK && missing.n_missing > 0 && !s->dead) {
		for (size_t i = 0; i < missing.n_missing && ret == ERR_OK;
		     i++) {
			say_chunk(l, missing.missing[i]);
			ret = interrupted(s, e);
		}
		if (ret == ERR_OK)
			ret = ask(l, say_sync, is_acked, e);
		missing = s->ack;
		l->n_refused = 0;
	}
	/* A board that takes windows is alive. */
	s->n_fruitless = 0;
	return ret;
}

int live_load(struct live *s, struct err *e)
{
	struct load l = {
		.s = s,
		.n = pack_header(s->q->pack)->total_bytes,
	};
	uint64_t start_ms = link_now_ms();
	int ret;

	l.n_chunks = (uint32_t)((l.n - 1) / LOAD_CHUNK + 1);
	if (l.n_chunks > LOAD_MAX_CHUNKS)
		return err_set(e, ERR_FAILED,
			       "%s: a pack of at most %d bytes to send, not "
			       "%zu (choose fewer --forms)",
			       live_board(s), LOAD_MAX_CHUNKS * LOAD_CHUNK,
			       l.n);
	/* From here on a board that introduces itself has been reset. */
	s->asked = true;
	ret = ask(&l, say_load, is_acked, e);
	while (ret == ERR_OK && !s->dead && l.to < l.n_chunks) {
		l.from = l.to;
		l.to = l.n_chunks - l.from < LOAD_WINDOW ? l.n_chunks
							 : l.from + LOAD_WINDOW;
		ret = send_window(&l, e);
	}
	if (s->q->traffic && ret == ERR_OK && !s->dead) {
		s->q->traffic->pack_bytes += l.n;
		s->q->traffic->pack_ms += link_now_ms() - start_ms;
	}
	s->ready = false;
	if (ret == ERR_OK && !s->dead)
		ret = ask(&l, say_start, is_ready, e);
	return ret;
}
