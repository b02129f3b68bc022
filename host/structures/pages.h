/* Translation of addresses: what it adds to a load when the lines of a chase lie in
 * more and more pages.
 *
 * Two chases go through the same number of lines: one has each in a page of its
 * own, the other has them one behind the other.  Both ask the caches for as many
 * lines, evenly distributed over their sets, so what the first takes longer is
 * translation: nothing while the first level of buffers holds all pages, then a hit
 * in the second level, then a walk of the page tables. */
#ifndef STRUCTURES_PAGES_H
#define STRUCTURES_PAGES_H

#include "host/structures/chases.h"

enum { PAGES_MOST_POINTS = 96, PAGES_LEVELS = 2 };

struct pages_point {
	uint32_t pages;
	double apart, together; /* cycles of a load */
};

struct pages_found {
	uint32_t page_bytes; /* 0: not known */
	size_t n;            /* levels of buffers */
	struct {
		/* The last number of pages that fitted, and the first that did
		 * not. */
		uint32_t low, high;
		double cycles; /* that a hit adds */
	} level[PAGES_LEVELS];
	/* That a miss in all adds; without a second level not known, because
	 * that may have served the pages. */
	double walk, walk_low, walk_high;
	const char *no_walk; /* why; NULL: it is known */
	const char *reason;  /* why there is no level; or NULL */
	size_t n_points;
	struct pages_point points[PAGES_MOST_POINTS];
};

/* With the caches that were found.  ERR_OK also if nothing was. */
int pages_find(struct arena *a, const struct probe_oracle *o,
	       const struct levels_found *levels, struct pages_found *ret,
	       struct err *e);

/* The two chases of more pages than the last level of buffers holds: each line in a
 * page of its own, and one behind the other. */
void pages_walks(const struct probe_oracle *o,
		 const struct levels_found *levels, const struct pages_found *f,
		 struct core_probe ret[2]);

/* Two chases of more pages than the first level of buffers holds, and less than the
 * second, that fit the first level of caches: as above.  False: there are none. */
bool pages_hits(const struct probe_oracle *o, const struct levels_found *levels,
		const struct pages_found *f, struct core_probe ret[2]);

#endif
