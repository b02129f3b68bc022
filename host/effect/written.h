/* What the file of this effect offers to tests. */
#ifndef EFFECT_WRITTEN_H
#define EFFECT_WRITTEN_H

#include "host/experiment/experiment.h"
#include "host/model/complete.h"

/* A record of the model: the latencies of `form` from the registers that it
 * computes with are `cycles` longer if `writer` wrote one of them, however long
 * before. */
struct written {
	const char *form, *writer;
	double cycles; /* from 0 to WRITTEN_MOST_CYCLES */
};

enum { WRITTEN_MOST_CYCLES = 100 };

/* The chain of `a` whose other source is a result of `b`; false if `a` has no
 * other source, they are the same form, share no register class, or one would
 * read the other's numbers as another type. */
bool written_chain(const struct catalogue *c, const struct experiment *a,
		   const struct experiment *b, struct experiment *ret);

/* Cycles by which the latencies of `reader` from the registers that it computes
 * with are longer if `writer` wrote one of them.  0 where that was not
 * measured. */
double written_cycles(const struct completion *k,
		      const struct completed_form *reader,
		      const struct completed_form *writer);

#endif
