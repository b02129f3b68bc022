/* See observe.h. */
#include "host/link/observe.h"

#include <stdio.h>
#include <string.h>

enum { STEP_MS = 100, READY_MS = 60 * 1000, ANSWER_MS = 10 * 1000 };

static int take_line(void *context, const char *line, size_t n, struct err *e)
{
	struct observer *o = context;
	struct wire_record r;

	(void)e;
	if (wire_parse(line, n, &r) != WIRE_OK)
		return ERR_OK;
	if (wire_is(&r, "registers") &&
	    !wire_get_bytes(&r, "g", o->gpr, sizeof(o->gpr)))
		return ERR_OK;
	if (wire_is(&r, "registers") || wire_is(&r, "ready") ||
	    wire_is(&r, "fault") || wire_is(&r, "error"))
		(void)snprintf(o->kind, sizeof(o->kind), "%s", r.kind);
	return ERR_OK;
}

/* Until a record answers. */
static int await(struct observer *o, int timeout_ms, struct err *e)
{
	uint64_t end = link_now_ms() + (uint64_t)timeout_ms;

	while (o->kind[0] == '\0') {
		char bytes[OBSERVE_READ];
		int got = o->stream.read(o->stream.state, bytes, sizeof(bytes),
					 STEP_MS);

		if (got < 0)
			return err_set(e, ERR_FAILED, "the runtime ended: %s",
				       o->stream.end_reason(o->stream.state));
		(void)lines_feed(&o->lines, bytes, (size_t)got, take_line, o,
				 e);
		if (link_now_ms() >= end)
			return err_set(e, ERR_FAILED,
				       "no answer of the runtime within %d s",
				       timeout_ms / 1000);
	}
	return ERR_OK;
}

static int send(struct observer *o, struct wire_line *w, struct err *e)
{
	size_t n = wire_end(w);

	o->seq++;
	o->kind[0] = '\0';
	return o->stream.write(o->stream.state, w->text, n) == 0
		       ? ERR_OK
		       : err_set(e, ERR_FAILED, "the runtime ended: %s",
				 o->stream.end_reason(o->stream.state));
}

int observer_open(struct observer *o, struct arena *a,
		  const struct transport *t, const struct link_request *q,
		  struct err *e)
{
	*o = (struct observer){ .open = false };
	if (t->open(a, q, &o->stream, e) != ERR_OK)
		return e->code;
	o->open = true;
	if (await(o, READY_MS, e) == ERR_OK && strcmp(o->kind, "ready") != 0)
		(void)err_set(e, ERR_FAILED, "the runtime is not ready");
	return e->code;
}

int observer_run(struct observer *o, const struct observed_run *run,
		 bool *ret_ok, struct err *e)
{
	struct wire_line w;

	wire_begin(&w, o->seq, "registers");
	wire_u64(&w, "k", run->kernel);
	wire_u64(&w, "n", run->n);
	wire_u64(&w, "length", run->length);
	if (send(o, &w, e) != ERR_OK)
		return e->code;
	do {
		/* A board repeats that it is ready. */
		o->kind[0] = '\0';
		if (await(o, ANSWER_MS, e) != ERR_OK)
			return e->code;
	} while (strcmp(o->kind, "ready") == 0);
	*ret_ok = strcmp(o->kind, "registers") == 0;
	return ERR_OK;
}

void observer_close(struct observer *o)
{
	struct err ignored = { .code = ERR_OK, .message = "" };
	struct wire_line w;

	if (!o->open)
		return;
	wire_begin(&w, o->seq, "bye");
	(void)send(o, &w, &ignored);
	o->stream.close(o->stream.state);
	o->open = false;
}
