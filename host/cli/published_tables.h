/* The measured latencies of a run, compared with those of LLVM's tables. */
#ifndef CLI_PUBLISHED_TABLES_H
#define CLI_PUBLISHED_TABLES_H

#include "host/isa/catalogue.h"
#include "host/store/store.h"

/* Print the share of forms without memory access whose exact latency, from the
 * slowest register to the first result, is that of LLVM's table for the core `llvm`
 * within 5 %, and a warning if it is less than a quarter.  Prints nothing if fewer than 50 forms can be
 * compared. */
int published_tables(struct store *s, int64_t run, const struct catalogue *c,
		     const char *llvm, struct err *e);

#endif
