/* The keys of files of caches: one table has the name, type and bounds of each,
 * and its place in struct cache_hierarchy. */
#ifndef CACHE_CACHES_KEYS_H
#define CACHE_CACHES_KEYS_H

#include "host/base/arena.h"
#include "host/cache/hierarchy.h"

/* `ways` of a cache or TLB that is fully associative, while its size is not yet
 * known. */
#define CACHES_FULL UINT32_MAX

enum caches_type {
	CACHES_TEXT, /* anything; it is set nowhere */
	CACHES_NUMBER,
	CACHES_POWER, /* of two */
	CACHES_BYTES, /* K, M or G may follow */
	CACHES_PAGE,  /* bytes, a power of two */
	CACHES_WAYS,  /* a number, or `full` */
	CACHES_RATE,  /* above 0, with digits behind a point */
	CACHES_WORD,  /* one of two */
};

struct caches_key {
	const char *name; /* '#' stands for the number of a level */
	/* In struct cache_hierarchy: place and bytes of what it sets, for the
	 * first of n_levels levels, and the bytes from one level to the next.
	 * Without a number n_levels is 0. */
	size_t at, size, step;
	unsigned n_levels;
	enum caches_type type;
	const char *expected; /* of a number, power or ways: its unit */
	uint64_t min, max;
	const char *no, *yes; /* words for false and true */
	bool not_first;       /* the first level has no such key */
	bool lists;           /* it may have several values */
};

/* The key of a name, and its level, from 0; NULL: there is none. */
const struct caches_key *caches_key_find(const char *name, unsigned *ret_level);

/* What a value must be, in words; belongs to `a`. */
const char *caches_key_expected(struct arena *a, const struct caches_key *k);

/* Set what the key stands for.  False: the value is not as expected. */
bool caches_key_read(const struct caches_key *k, unsigned level,
		     const char *value, struct cache_hierarchy *h);

#endif
