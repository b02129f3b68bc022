#include "host/node/core.h"

#include <stdio.h>
#include <string.h>

enum { STEP_MS = 100, READY_MS = 20 * 1000, PING_MS = 5000, BYE_MS = 1000 };

/* ---- records ------------------------------------------------------------ */

static void take_rows(struct node_core *c, const struct wire_record *r)
{
	uint64_t d[CORE_MAX_ROWS];
	uint64_t from;
	int n = wire_get_list(r, "d", d, ARRAY_LEN(d));

	if (n < 0 || n % CORE_ROW || !wire_get_u64(r, "from", &from) ||
	    from != c->n_rows || from + (uint64_t)n / CORE_ROW > CORE_MAX_ROWS)
		return;
	memcpy(c->rows[from], d, (size_t)n * sizeof(*d));
	c->n_rows += (size_t)n / CORE_ROW;
}

static void take_problem(struct node_core *c, const struct wire_record *r)
{
	char cause[CORE_FIELD / 2];

	c->failed = true;
	if (wire_is(r, "fault") &&
	    wire_get_word(r, "cause", cause, sizeof(cause)))
		(void)snprintf(c->text, sizeof(c->text), "fault: %s", cause);
	else if (!wire_get_word(r, "m", c->text, sizeof(c->text)))
		c->text[0] = '\0';
	for (char *p = c->text; *p; p++)
		if (*p == '_')
			*p = ' ';
}

/* Fields that a record may lack keep their value. */
static void number(const struct wire_record *r, const char *key, uint64_t *ret)
{
	if (!wire_get_u64(r, key, ret))
		return;
}

static void word(const struct wire_record *r, const char *key,
		 char ret[CORE_FIELD])
{
	if (!wire_get_word(r, key, ret, CORE_FIELD))
		return;
}

static int take_line(void *context, const char *line, size_t n, struct err *e)
{
	struct node_core *c = context;
	struct wire_record r;

	(void)e;
	if (wire_parse(line, n, &r) != WIRE_OK)
		return ERR_OK;
	(void)snprintf(c->kind, sizeof(c->kind), "%s", r.kind);
	if (wire_is(&r, "info")) {
		number(&r, "hz", &c->hz);
		number(&r, "sve_bytes", &c->vector_bytes);
		number(&r, "vlenb", &c->vector_bytes);
		word(&r, "cpu", c->cpu);
		word(&r, "kernel", c->kernel);
	} else if (wire_is(&r, "rows")) {
		take_rows(c, &r);
	} else if (wire_is(&r, "staged") || wire_is(&r, "sustained")) {
		number(&r, "n", &c->n);
		number(&r, "chain", &c->n_chain);
		number(&r, "now", &c->now);
	} else if (wire_is(&r, "error") || wire_is(&r, "fault")) {
		take_problem(c, &r);
	}
	return ERR_OK;
}

/* ---- the stream --------------------------------------------------------- */

static int gone(struct node_core *c, struct err *e)
{
	return err_set(e, ERR_FAILED, "the runtime of a core ended: %s",
		       c->stream.end_reason(c->stream.state));
}

/* Handle one line at most, so that no record of interest is overtaken.  Bytes
 * are read in blocks: the stream may wait before each read. */
static int pump(struct node_core *c, struct err *e)
{
	const char *from, *end;
	size_t n;

	if (c->at == c->n_bytes) {
		int got = c->stream.read(c->stream.state, c->bytes,
					 sizeof(c->bytes), STEP_MS);

		if (got < 0)
			return gone(c, e);
		c->at = 0;
		c->n_bytes = (size_t)got;
	}
	from = c->bytes + c->at;
	n = c->n_bytes - c->at;
	end = memchr(from, '\n', n);
	if (end)
		n = (size_t)(end - from) + 1;
	c->at += n;
	(void)lines_feed(&c->lines, from, n, take_line, c, e);
	if (c->stop && *c->stop)
		return err_set(e, ERR_INTERRUPTED, "interrupted");
	return ERR_OK;
}

int core_wait(struct node_core *c, const char *kind, int timeout_ms,
	      struct err *e)
{
	uint64_t end = link_now_ms() + (uint64_t)timeout_ms;

	while (strcmp(c->kind, kind) != 0 && !c->failed) {
		if (pump(c, e) != ERR_OK)
			return e->code;
		if (link_now_ms() >= end)
			return err_set(e, ERR_FAILED,
				       "no answer '%s' from the runtime of a "
				       "core within %d s",
				       kind, timeout_ms / 1000);
	}
	return ERR_OK;
}

int core_send(struct node_core *c, struct wire_line *w, struct err *e)
{
	size_t n = wire_end(w);

	c->seq++;
	c->kind[0] = '\0';
	c->failed = false;
	c->n_rows = 0;
	if (c->stream.write(c->stream.state, w->text, n) != 0)
		return gone(c, e);
	return ERR_OK;
}

int core_ping(struct node_core *c, struct err *e)
{
	struct wire_line w;

	wire_begin(&w, c->seq, "sustain");
	wire_u64(&w, "begin", 0);
	wire_u64(&w, "ticks", 0);
	if (core_send(c, &w, e) == ERR_OK)
		(void)core_wait(c, "sustained", PING_MS, e);
	if (e->code == ERR_OK && c->failed)
		(void)err_set(e, ERR_FAILED, "the runtime refuses: %s",
			      c->text);
	return e->code;
}

int core_open(struct node_core *c, struct arena *a, const struct transport *t,
	      const struct link_request *q, const volatile int *stop,
	      struct err *e)
{
	c->stop = stop;
	if (t->open(a, q, &c->stream, e) != ERR_OK)
		return e->code;
	c->open = true;
	if (core_wait(c, "ready", READY_MS, e) != ERR_OK)
		return e->code;
	if (c->failed || c->hz == 0)
		return err_set(e, ERR_FAILED,
			       "the runtime of a core cannot be used: %s",
			       c->failed ? c->text : "no rate of its clock");
	return ERR_OK;
}

void core_close(struct node_core *c)
{
	struct wire_line w;
	struct err ignored = { .code = ERR_OK, .message = "" };

	if (!c->open)
		return;
	wire_begin(&w, c->seq, "bye");
	if (core_send(c, &w, &ignored) == ERR_OK)
		(void)core_wait(c, "bye", BYE_MS, &ignored);
	c->stream.close(c->stream.state);
	c->open = false;
}
