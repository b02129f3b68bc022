/* A cycle of pointers through memory: what a chase of loads follows.
 *
 * Places are `step` bytes apart; with `per`, `per` of them form a column, and
 * columns are `stride` bytes apart.  Each place holds the address of another
 * one, in a random order that no prefetcher knows.  With `group`, all places of
 * a group of so many come before those of the next one: then few pages are in
 * use at once, and translation costs nothing.
 *
 *	0		CHAIN_CELLS addresses of places, evenly distributed over
 *			the numbers of places: where chases begin, and where they
 *			keep where they are
 *	CHAIN_AT	place 0
 *
 * Made in place, so that a runtime needs no other memory. */
#ifndef COMMON_CHAIN_H
#define COMMON_CHAIN_H

#include "common/types.h"

enum {
	/* Behind the cells, and in none of the sets of small caches that these
	 * are in. */
	CHAIN_AT = 4096 + 2048,
	CHAIN_CELLS = 64,
	CHAIN_MOST_PLACES = 1 << 25,
};

/* In pack_image.memory. */
struct chain {
	uint32_t places;
	uint32_t step;   /* bytes, a multiple of 8 */
	uint32_t stride; /* the same; not used without `per` */
	uint16_t per;    /* places of a column; 0: all */
	uint16_t group;  /* places of a group; 0: all */
};

_Static_assert(sizeof(struct chain) == 16, "pack_image.memory");

/* Are the places apart, and do they lie in so many bytes? */
bool chain_fits(const struct chain *c, uint64_t bytes) MUST_CHECK;

/* Offset of the i-th place. */
uint64_t chain_place(const struct chain *c, uint32_t i);

/* Bytes of memory up to the end of the last place. */
uint64_t chain_bytes(const struct chain *c);

/* Make the cycle and the cells in `memory`, which is said to be at `address`.
 * The chain must fit it. */
void chain_fill(const struct chain *c, void *memory, uint64_t address);

#endif
