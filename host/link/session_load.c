/* Sends a pack over the line.
 *
 *	load -> ack, (data... sync -> ack)*, start -> pack, ready
 *
 * The chunks of a window are sent without waiting for an answer, because a
 * board that writes may not read.  The board then lists the chunks that it
 * lacks, and they are sent again.  Every record may be repeated: the session
 * repeats one that is not answered within a quarter of the board's limit. */
#include "host/link/live.h"

#include "common/load.h"
#include "common/squeeze.h"

_Static_assert((int)INTAKE_WINDOW >= (int)LOAD_WINDOW, "an ack holds a window");

struct pack_load {
	struct live *s;
	size_t n; /* bytes of the pack */
	uint32_t n_chunks;
	uint32_t from, to; /* chunks of the window */
};

static void send_load(void *context)
{
	struct pack_load *l = context;
	struct wire_line w;

	wire_begin(&w, l->s->seq, "load");
	wire_u64(&w, "bytes", l->n);
	wire_u64(&w, "chunk", LOAD_CHUNK);
	live_send(l->s, &w);
}

static void send_chunk(struct pack_load *l, uint32_t chunk)
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

static void send_sync(void *context)
{
	struct pack_load *l = context;
	struct wire_line w;

	wire_begin(&w, l->s->seq, "sync");
	wire_u64(&w, "from", l->from);
	wire_u64(&w, "to", l->to);
	live_send(l->s, &w);
}

static void send_start(void *context)
{
	struct pack_load *l = context;

	/* A `ready` from before does not answer it. */
	l->s->got_ready = false;
	live_send_plain(l->s, "start");
}

static bool is_acked(const void *context)
{
	const struct pack_load *l = context;

	return l->s->is_acked && l->s->ack.from == l->from &&
	       l->s->ack.to == l->to;
}

static bool is_ready(const void *context)
{
	const struct pack_load *l = context;

	return l->s->got_ready && l->s->in.has_our_pack;
}

/* Transfer a window: send all chunks, then those that are missing. */
static int send_pack_window(struct pack_load *l, struct err *e)
{
	struct live *s = l->s;
	struct intake_ack missing = { .n_missing = 0 };
	int ret = ERR_OK;

	for (uint32_t i = l->from; i < l->to; i++)
		missing.missing[missing.n_missing++] = i;
	while (ret == ERR_OK && missing.n_missing > 0 && !live_is_dead(s)) {
		for (size_t i = 0; i < missing.n_missing && ret == ERR_OK;
		     i++) {
			send_chunk(l, missing.missing[i]);
			ret = live_check_stop(s, e);
		}
		if (ret == ERR_OK)
			ret = live_ask(s, send_sync, is_acked, l, e);
		missing = s->ack;
		s->n_refused = 0;
	}
	/* The board makes progress. */
	s->n_fruitless = 0;
	return ret;
}

int live_load(struct live *s, struct err *e)
{
	struct pack_load l = {
		.s = s,
		.n = pack_header(s->q->pack)->total_bytes,
	};
	uint64_t start_ms = link_now_ms();
	int ret;

	l.n_chunks = (uint32_t)((l.n - 1) / LOAD_CHUNK + 1);
	if (l.n_chunks > LOAD_MAX_CHUNKS)
		return err_set(e, ERR_FAILED,
			       "%s: packs sent over the line may have %d "
			       "bytes, this one has %zu; choose fewer --forms",
			       live_board(s), LOAD_MAX_CHUNKS * LOAD_CHUNK,
			       l.n);
	/* From here on an info record means that the board was reset. */
	s->has_work = true;
	s->n_refused = 0;
	ret = live_ask(s, send_load, is_acked, &l, e);
	while (ret == ERR_OK && !live_is_dead(s) && l.to < l.n_chunks) {
		l.from = l.to;
		l.to = l.n_chunks - l.from < LOAD_WINDOW ? l.n_chunks
							 : l.from + LOAD_WINDOW;
		ret = send_pack_window(&l, e);
	}
	if (s->q->traffic && ret == ERR_OK && !live_is_dead(s)) {
		s->q->traffic->pack_bytes += l.n;
		s->q->traffic->pack_ms += link_now_ms() - start_ms;
	}
	s->got_ready = false;
	if (ret == ERR_OK && !live_is_dead(s))
		ret = live_ask(s, send_start, is_ready, &l, e);
	return ret;
}
