/* Times and budgets as people write them. */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include "host/base/err.h"

/* Seconds of "90s", "10m" or "1h"; false if it is not a time above zero. */
bool duration_parse(const char *text, double *ret_seconds);

/* "90s", "10m", "1h": seconds; "5000": kernels; NULL: neither.  ERR_USAGE. */
int budget_parse(const char *text, double *ret_seconds, size_t *ret_kernels,
		 struct err *e);

#endif
