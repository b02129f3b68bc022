/* Listens to a board before its session begins.  The making of the kernels
 * takes seconds, in which a board that was switched on boots and counts down: a
 * thread keeps what it prints and types its dialogue, and the first session
 * takes over. */
#ifndef LINK_LISTEN_H
#define LINK_LISTEN_H

#include "host/link/dialogue.h"
#include "host/link/link.h"

enum { LISTEN_KEPT = 1 << 20 }; /* bytes, the last ones */

struct listener;

/* Open the board's line and begin.  *q, but for its files, outlives the
 * listener; q->notice is called from another thread.  ERR_USAGE or ERR_FAILED
 * with advice if the line cannot be opened. */
int listen_open(const struct link_request *q, struct listener **ret,
		struct err *e);

/* What was heard. */
struct heard {
	struct stream stream; /* the taker closes it */
	struct dialogue dialogue;
	const char *bytes; /* n of them; as long as the listener */
	size_t n;
	size_t n_old; /* of them, from before the last key that was typed */
};

/* Stop listening and hand over.  False if already taken. */
bool listen_take(struct listener *l, struct heard *ret);

/* NULL does nothing. */
void listen_close(struct listener *l);

/* Tell the user that the step was answered. */
void listen_notify_step(const struct link_request *q, const struct step *step);

#endif
