/* The rows of a sample on a core clock, while it is measured. */
#ifndef CORE_CORE_ROWS_H
#define CORE_CORE_ROWS_H

#include <string.h>

#include "target/core/measure.h"

/* Cycles of row 0. */
static inline uint64_t row_cycles(const struct measurement *m)
{
	return m->values[0] + m->values[1] + m->values[2];
}

/* Are rows `r` and `r` + 1 equal, and did nothing else run in one of them?  The
 * solver takes a value for exact only where rows are. */
static inline bool rows_agree(const struct measurement *m, uint32_t r)
{
	const uint64_t *v = m->values + (size_t)r * ROW_CORE;
	const uint64_t *i = m->retired + (size_t)r * ROW_CORE;

	return memcmp(v, v + ROW_CORE, ROW_CORE * sizeof(*v)) == 0 &&
	       memcmp(i, i + ROW_CORE, ROW_CORE * sizeof(*i)) == 0;
}

static inline void drop_first_row(struct measurement *m)
{
	size_t bytes = ROW_CORE * sizeof(*m->values);

	memmove(m->values, m->values + ROW_CORE, bytes);
	memmove(m->retired, m->retired + ROW_CORE, bytes);
}

#endif
