/* Transport "process": the board's command runs the runtime as a process of
 * this machine, with its pack in a file.  A kernel that kills the process
 * counts as a death of the board. */
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
	.open = open_process,
};
