/* See listen.h. */
#include "host/link/listen.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"

enum {
	STEP_MS = 50,
	READ_BYTES = 4096,
	NOTICE_BYTES = 512,
};

struct listener {
	struct arena arena;
	const struct link_request *q;
	struct stream stream;
	pthread_t thread;
	bool is_taken;
	atomic_bool over;
	/* ---- of the thread, until it has ended ---- */
	struct dialogue dialogue;
	struct buffer bytes;
	size_t n_old;
};

void listen_notify_step(const struct link_request *q, const struct step *step)
{
	char text[NOTICE_BYTES];

	(void)snprintf(text, sizeof(text), "%s: answered '%s' (%s:%d)",
		       q->board->name, step->text, q->board->path, step->line);
	if (q->notice)
		q->notice(text);
}

static void keep_bytes(struct listener *l, const char *bytes, size_t n)
{
	size_t drop = LISTEN_KEPT / 2;

	if (l->bytes.n + n > LISTEN_KEPT) {
		memmove(l->bytes.bytes, l->bytes.bytes + drop,
			l->bytes.n - drop);
		l->bytes.n -= drop;
		l->n_old = l->n_old > drop ? l->n_old - drop : 0;
	}
	buffer_add(&l->bytes, bytes, n);
}

/* False if the line is gone. */
static bool take_bytes(struct listener *l, const char *bytes, size_t n)
{
	size_t before;

	keep_bytes(l, bytes, n);
	before = l->bytes.n - n;
	for (size_t i = 0; i < n; i++) {
		const struct step *step =
			dialogue_take(&l->dialogue, bytes[i], link_now_ms());

		if (!step || dialogue_is_stuck(&l->dialogue))
			continue;
		l->n_old = before + i + 1;
		listen_notify_step(l->q, step);
		if (l->stream.write(l->stream.state, step->keys,
				    step->n_keys) != 0)
			return false;
	}
	return true;
}

static void *listen(void *context)
{
	struct listener *l = context;
	char bytes[READ_BYTES];
	int n = 0;

	while (!atomic_load(&l->over) && (n >= 0 || n == STREAM_AWAY)) {
		n = l->stream.read(l->stream.state, bytes, sizeof(bytes),
				   STEP_MS);
		if (n > 0 && !take_bytes(l, bytes, (size_t)n))
			break;
	}
	return NULL;
}

int listen_open(const struct link_request *q, struct listener **ret,
		struct err *e)
{
	const struct transport *transport;
	struct listener *l = xrealloc(NULL, 1, sizeof(*l));

	*l = (struct listener){ .q = q };
	dialogue_open(&l->dialogue, q->board);
	if (transport_of(q->board, q->tty, &transport, e) != ERR_OK ||
	    transport->open(&l->arena, q, &l->stream, e) != ERR_OK) {
		arena_free(&l->arena);
		free(l);
		return e->code;
	}
	if (pthread_create(&l->thread, NULL, listen, l) != 0) {
		l->stream.close(l->stream.state);
		arena_free(&l->arena);
		free(l);
		return err_set(e, ERR_SYSTEM, "cannot create a thread: %s",
			       strerror(errno));
	}
	*ret = l;
	return ERR_OK;
}

static void stop(struct listener *l)
{
	atomic_store(&l->over, true);
	(void)pthread_join(l->thread, NULL);
	l->is_taken = true;
}

bool listen_take(struct listener *l, struct heard *ret)
{
	if (l->is_taken)
		return false;
	stop(l);
	*ret = (struct heard){
		.stream = l->stream,
		.dialogue = l->dialogue,
		.bytes = (const char *)l->bytes.bytes,
		.n = l->bytes.n,
		.n_old = l->n_old,
	};
	return true;
}

void listen_close(struct listener *l)
{
	if (!l)
		return;
	if (!l->is_taken) {
		stop(l);
		l->stream.close(l->stream.state);
	}
	buffer_free(&l->bytes);
	arena_free(&l->arena);
	free(l);
}
