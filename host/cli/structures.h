/* The parts of `anechoic structures`. */
#ifndef CLI_STRUCTURES_H
#define CLI_STRUCTURES_H

#include "host/campaign/campaign.h"
#include "host/structures/structures.h"

/* Append bandwidths by all cores at once, or why there are none; strings in the
 * campaign's arena.  ERR_INTERRUPTED alone is an error. */
int structures_add_all(const struct campaign_request *q, struct campaign *c,
		       struct structures *s, struct err *e);

#endif
