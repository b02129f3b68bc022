/* See collect_images.h.
 *
 * Nothing is sent to the board: its runtime waits a moment for a host and then runs
 * its pack by itself. */
#include "host/cli/collect_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/board_places.h"
#include "host/campaign/imported.h"
#include "host/cli/ports.h"
#include "host/cli/request.h"

enum {
	PAUSE_MS =
		500, /* chosen: no runtime pauses within a line for as long */
	MAX_LOG = 1 << 30,
};

/* The line, and what it brought. */
struct taking {
	const struct collect_images *x;
	struct stream stream;
	struct buffer log;
	uint64_t pack;   /* of the image that is to boot */
	bool is_started; /* by a command, not by hand */
	uint32_t timeout_s, silent_ms;
};

/* Does this line of n bytes begin a boot?  Its number is not above the one before it;
 * an info record with a higher one answers `hello`, or is of a further core. */
static bool begins_boot(const char *line, size_t n, uint64_t *seq)
{
	static const char info[] = " info ";
	char number[24] = "";
	char *end;
	uint64_t before = *seq;

	if (n == 0 || line[0] != '@')
		return false;
	memcpy(number, line + 1,
	       n - 1 < sizeof(number) - 1 ? n - 1 : sizeof(number) - 1);
	*seq = strtoull(number, &end, 10);
	return *seq <= before && n > (size_t)(end - number) + sizeof(info) &&
	       memcmp(line + 1 + (end - number), info, sizeof(info) - 1) == 0;
}

/* Where the last boot begins, the end if none does: what came before may be of another
 * image. */
static size_t last_boot(const struct buffer *log)
{
	uint64_t seq = UINT64_MAX;
	size_t found = log->n;

	for (size_t at = 0, n; at < log->n; at += n + 1) {
		const char *line = (const char *)log->bytes + at;
		const char *end = memchr(line, '\n', log->n - at);

		n = end ? (size_t)(end - line) : log->n - at;
		if (begins_boot(line, n, &seq))
			found = at;
	}
	return found;
}

/* Has the image's log come to its end?  The whole log of another one is dropped. */
static bool is_whole(struct taking *t)
{
	struct arena a = { 0 };
	struct err ignored = { .code = ERR_OK };
	size_t from = last_boot(&t->log);
	struct link_log log;
	bool whole = false;

	if (link_log_scan(&a, t->x->q->tty, t->log.bytes + from,
			  t->log.n - from, &log, &ignored) == ERR_OK) {
		whole = log.is_complete && log.pack_id == t->pack;
		if (log.is_complete && !whole) {
			request_notice(arena_printf(
				&a, "the board ran another image than %s",
				t->x->path));
			t->log.n = 0;
		}
	}
	arena_free(&a);
	return whole;
}

/* Has the board been silent for its limit?  One that is booted by hand has none
 * until then. */
static bool is_silent(const struct taking *t)
{
	enum { MS = 1000 };

	return t->silent_ms / MS >= t->timeout_s &&
	       (t->is_started || last_boot(&t->log) < t->log.n);
}

/* Wait for the image's log. */
static int take_log(struct taking *t, struct err *e)
{
	size_t n_seen = 0;
	char bytes[4096];

	t->silent_ms = 0;
	for (;;) {
		int n = t->stream.read(t->stream.state, bytes, sizeof(bytes),
				       PAUSE_MS);

		if (*t->x->q->stop)
			return err_set(e, ERR_INTERRUPTED,
				       "interrupted; the same command goes on");
		if (n == STREAM_GONE || n == STREAM_FAILED)
			return err_set(e, ERR_FAILED, "%s",
				       t->stream.end_reason(t->stream.state));
		if (n > 0)
			buffer_add(&t->log, bytes, (size_t)n);
		if (t->log.n > MAX_LOG)
			return err_set(
				e, ERR_INPUT,
				"%s: a gigabyte without the end of a log",
				t->x->q->tty);
		t->silent_ms = n > 0 ? 0 : t->silent_ms + PAUSE_MS;
		if (is_silent(t))
			return err_set(e, ERR_FAILED,
				       "%s: silent for %u s, without the end "
				       "of the log of %s; the same command "
				       "goes on",
				       t->x->q->tty, (unsigned)t->timeout_s,
				       t->x->path);
		if (n > 0 || t->log.n == n_seen)
			continue;
		if (is_whole(t))
			return ERR_OK;
		n_seen = t->log.n;
	}
}

static int store_log(const struct taking *t, struct arena *a, struct err *e)
{
	const struct imported_request q = {
		.share = share_folder(a),
		.path = t->x->q->tty,
		.db = t->x->q->db,
		.board = t->x->q->board,
	};
	size_t from = last_boot(&t->log);
	struct imported m = { .run = 0 };
	struct store *s;

	if (imported_open(&q, t->log.bytes + from, t->log.n - from, &m, e) ==
		    ERR_OK &&
	    store_open(q.db, true, &s, e) == ERR_OK) {
		(void)imported_store(&q, &m, s, e);
		store_close(s);
	}
	if (e->code == ERR_OK)
		printf("  stored: %zu samples, %zu faults\n",
		       m.counts.n_samples, m.counts.n_faults);
	imported_close(&m);
	return e->code;
}

/* Write the next image.  *ret_more: there is one. */
static int next_image(struct taking *t, struct arena *a, unsigned number,
		      bool *ret_more, struct err *e)
{
	struct campaign_request *q = t->x->q;
	struct port_search_next next = { 0 };
	struct buffer image = { 0 };

	if (ports_next_image(q, t->x->path, &image, &next, e) == ERR_OK &&
	    next.n_kernels > 0) {
		printf("image %u: %s, %zu kernels\n", number, t->x->path,
		       next.n_kernels);
		(void)fflush(stdout);
		if (!q->reset_command && !t->x->console->command)
			request_notice(arena_printf(
				a, "put %s on the board and boot it",
				t->x->path));
	}
	buffer_free(&image);
	*ret_more = next.n_kernels > 0;
	t->pack = next.pack;
	return e->code;
}

static int open_line(struct taking *t, struct arena *a, struct err *e)
{
	struct campaign_request *q = t->x->q;
	struct link_request *line = ARENA_NEW(a, struct link_request);
	const struct transport *transport;

	*line = (struct link_request){ .baud = q->baud,
				       .reset_command = q->reset_command,
				       .notice = request_notice };
	if (t->x->console->command) {
		if (console_open(t->x->console, &q->console, e) != ERR_OK)
			return e->code;
		q->tty = console_path(q->console);
		line->console = q->console;
	}
	line->tty = q->tty;
	if (board_get(a, share_folder(a), q->board, q->isa, &line->board, e) !=
		    ERR_OK ||
	    transport_of(line->board, q->tty, &transport, e) != ERR_OK)
		return e->code;
	t->is_started = q->reset_command || t->x->console->command;
	t->timeout_s = line->board->timeout_s;
	return transport->open(a, line, &t->stream, e);
}

/* An image, its boot and its log. */
static int boot_image(struct taking *t, struct arena *a, struct err *e)
{
	if (!t->stream.state)
		(void)open_line(t, a, e);
	if (!t->stream.state)
		return e->code;
	t->log.n = 0;
	if (t->stream.restart &&
	    t->stream.restart(t->stream.state, e) != ERR_OK)
		return e->code;
	return take_log(t, e) == ERR_OK ? store_log(t, a, e) : e->code;
}

int collect_images(const struct collect_images *x, struct arena *a,
		   struct err *e)
{
	struct taking t = { .x = x };
	bool more = true;

	x->q->stop = interrupt_flag();
	for (unsigned n = 1; more && e->code == ERR_OK; n++)
		if (next_image(&t, a, n, &more, e) == ERR_OK && more)
			(void)boot_image(&t, a, e);
	if (t.stream.state)
		t.stream.close(t.stream.state);
	buffer_free(&t.log);
	return e->code;
}
