/* Links: what carries a pack to a board and records back.  A transport is one
 * file and one line in CMakeLists.txt; the session on top of it (session.c)
 * is the same for all: it decodes the wire, stores what arrives, notices gaps
 * and has lost kernels run again. */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "host/base/arena.h"
#include "host/base/board.h"
#include "host/base/err.h"
#include "host/isa/isa.h"
#include "host/store/store.h"

/* Open connection: a byte stream. */
struct stream {
	void *state;
	/* Up to n bytes within timeout_ms; 0 on timeout, -1 when the other
	 * side is gone. */
	int (*read)(void *state, char *bytes, size_t n, int timeout_ms);
	/* 0, or -1 when the other side is gone. */
	int (*write)(void *state, const char *bytes, size_t n);
	/* Why it ended, in words: "exit status 1", "signal 9 (Killed)". */
	const char *(*end_reason)(void *state);
	/* Stop the board and free the state. */
	void (*close)(void *state);
};

struct link_request {
	const struct board *board;
	const char *image; /* file to boot or run */
	const char *pack;  /* pack file (process, fake) */
	const char *core;  /* --core FILE (fake) */
	const struct catalogue *catalogue; /* fake: to decode kernels */
	const char *log;   /* --log FILE: recorded console (log transport) */
};

struct transport {
	const char *name;
	bool can_restart; /* session may open it again after a death */
	int (*open)(struct arena *a, const struct link_request *q,
		    struct stream *ret_stream, struct err *e);
};

/* Registry, generated. */
extern const struct transport *const transports[];
const struct transport *transport_find(const char *name);

/* Progress, called after every stored record and about once a second. */
struct link_progress {
	size_t n_done, n_total; /* visits */
	size_t n_faults, n_lost;
};
typedef void link_report(void *context, const struct link_progress *p);

struct session {
	const struct link_request *request;
	struct store *store;
	int64_t run;
	const void *pack;  /* checked */
	const bool *skip;  /* kernels not wanted (resume), or NULL */
	link_report *report;
	void *context;
	const volatile int *stop; /* nonzero: Ctrl-C, end cleanly */
};

/* Run every kernel of the pack to its number of visits and store what comes.
 * Restarts a dead board and goes on after the kernel that killed it (fault
 * cause "lost" after two deaths in the same kernel).  ERR_FAILED when the
 * board cannot be made to go on, ERR_INTERRUPTED on stop; everything received
 * is stored either way. */
int session_run(const struct session *q, struct err *e);

#endif
