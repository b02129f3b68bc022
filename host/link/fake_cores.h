/* The invented cores of the fake board. */
#ifndef LINK_FAKE_CORES_H
#define LINK_FAKE_CORES_H

#include "host/fake/core.h"
#include "host/link/link.h"

enum { FAKE_MAX_CORES = 8 };

/* Read the files of q->core, "big.core,little.core".  *ret_n, which begins with
 * 0, counts those that need core_free(), also after an error. */
int fake_load_cores(struct arena *a, const struct link_request *q,
		    struct core cores[FAKE_MAX_CORES], size_t *ret_n,
		    struct err *e);

#endif
