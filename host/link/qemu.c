/* Transport "qemu": the board's command boots the image in QEMU; the console is
 * QEMU's standard input and output. */
#include "host/link/link.h"
#include "host/link/spawn.h"

static int open_qemu(struct arena *a, const struct link_request *q,
		     struct stream *ret_stream, struct err *e)
{
	(void)a;
	return spawn_open(q, ret_stream, e);
}

const struct transport transport_qemu = {
	.name = "qemu",
	.can_restart = true,
	.open = open_qemu,
};
