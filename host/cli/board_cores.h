/* The cores of a board that a command measures, one after another. */
#ifndef CLI_BOARD_CORES_H
#define CLI_BOARD_CORES_H

#include "host/campaign/campaign.h"
#include "host/link/link.h"

/* The cores that `core` of the board's file asks for; none: the one that runs.
 * For `all` and `each-kind` the board is asked, and each core is visited.
 * attached: it runs the campaign's pack. */
int board_cores(struct campaign *c, bool attached, struct link_cores *ret,
		struct err *e);

#endif
