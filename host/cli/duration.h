/* Times as they stand on the command line. */
#ifndef CLI_DURATION_H
#define CLI_DURATION_H

#include "common/types.h"

/* Seconds of "90s", "10m" or "1h"; false when it is no time above zero. */
bool duration_parse(const char *text, double *ret_seconds);

#endif
