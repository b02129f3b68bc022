/* What measuring took. */
#ifndef CLI_TIMING_PRINT_H
#define CLI_TIMING_PRINT_H

#include "host/campaign/rounds.h"

/* Print the figures that `make bench` reads; of the whole run if it was
 * resumed. */
int timing_print(struct store *s, int64_t run, const struct rounds_result *r,
		 struct err *e);

#endif
