/* A process of this machine: the board's command runs the runtime, which
 * takes its pack from a file.  A kernel that kills it is a death like any
 * other board's. */
#include "host/link/link.h"
#include "host/link/spawn.h"

static int open_process(struct arena *a, const struct link_request *q,
			struct stream *ret_stream, struct err *e)
{
	(void)a;
	if (spawn_open(q, ret_stream, e) == ERR_OK)
		ret_stream->queues = true;
	return e->code;
}

const struct transport transport_process = {
	.name = "process",
	.can_restart = true,
	.starts_fast = true,
	.open = open_process,
};
