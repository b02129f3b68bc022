/* A board that is asked what kernels leave in its registers: the command
 * `registers` of the wire (common/wire.md), outside of a session. */
#ifndef LINK_OBSERVE_H
#define LINK_OBSERVE_H

#include "host/link/lines.h"
#include "host/link/link.h"

enum { OBSERVE_GPRS = 32, OBSERVE_READ = 4096 };

struct observer {
	struct stream stream;
	bool open;
	uint64_t seq; /* of the next command */
	struct lines lines;
	char kind[WIRE_KIND_MAX + 1]; /* of the last record that answers */
	uint64_t gpr[OBSERVE_GPRS];
};

/* Start the board and wait until it is ready.  Call observer_close() also after a
 * failure.  ERR_FAILED: the board ended, or was silent. */
int observer_open(struct observer *o, struct arena *a,
		  const struct transport *t, const struct link_request *q,
		  struct err *e);
void observer_close(struct observer *o);

/* Run length `length` of kernel k with n iterations.  *ret_ok: it ran to its end,
 * and o->gpr has the registers, 0 for those that common/wire.md excludes; else it
 * faulted, or the board refuses.  ERR_FAILED as above. */
struct observed_run {
	uint64_t kernel, length, n;
};
int observer_run(struct observer *o, const struct observed_run *run,
		 bool *ret_ok, struct err *e);

#endif
