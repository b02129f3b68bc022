/* What is published about a core, with what was measured. */
#ifndef CLI_PUBLISHED_H
#define CLI_PUBLISHED_H

#include "host/isa/catalogue.h"
#include "host/store/store.h"

struct published {
	const char *isa;
	const char *cpu; /* LLVM's name, by which the run was made; NULL: any */
	double low, high; /* measured slots per cycle; 0: not measured */
	/* To compare latencies with LLVM's tables; NULL: they are not. */
	const struct catalogue *catalogue;
};

/* Print each published fact about the core of a run with its source; for the
 * width a warning if the measured one differs by more than 5 %; for how many
 * forms LLVM's table of the core has the measured latency, if 50 can be
 * compared, and a warning if for less than a quarter.  Of a core with
 * an identity alone its name is printed; of an unknown core nothing. */
int published_print(struct store *s, int64_t run, const struct published *p,
		    struct err *e);

#endif
