/* One core of the node: the runtime on it, and its records. */
#ifndef NODE_CORE_H
#define NODE_CORE_H

#include "common/wire.h"
#include "host/link/lines.h"
#include "host/link/link.h"

enum {
	CORE_MAX_ROWS = 1024, /* SUSTAIN_MAX_ROWS of target/core/sustain.h */
	CORE_ROW = 4,
	CORE_FIELD = 128,
	CORE_READ = 4096,
};

struct node_core {
	struct stream stream;
	bool open;
	uint64_t seq; /* of the next command */
	struct lines lines;
	/* Bytes that were read and not yet handled. */
	char bytes[CORE_READ];
	size_t at, n_bytes;
	const volatile int *stop;

	/* From its records. */
	uint64_t hz;           /* of the REF clock */
	uint64_t vector_bytes; /* of SVE or RVV; 0: none */
	char cpu[CORE_FIELD], kernel[CORE_FIELD];
	char kind[WIRE_KIND_MAX + 1]; /* of the last record */
	char text[CORE_FIELD];        /* of the last error or fault */
	bool failed; /* the last record was an error or a fault */
	uint64_t n, n_chain, now;
	size_t n_rows;
	uint64_t rows[CORE_MAX_ROWS][CORE_ROW];
};

/* Start the runtime and wait until it is ready.  Call core_close() also after
 * a failure.  ERR_FAILED, ERR_INTERRUPTED. */
int core_open(struct node_core *c, struct arena *a, const struct transport *t,
	      const struct link_request *q, const volatile int *stop,
	      struct err *e);
void core_close(struct node_core *c);

/* Finish and send a record begun with wire_begin(&w, c->seq, kind). */
int core_send(struct node_core *c, struct wire_line *w, struct err *e);

/* Wait for a record of this kind, or for an error or fault (c->failed). */
int core_wait(struct node_core *c, const char *kind, int timeout_ms,
	      struct err *e);

/* Ask the runtime for its clock, into c->now. */
int core_ping(struct node_core *c, struct err *e);

#endif
