/* Shared by caches.c and caches_others.c, which read files of caches. */
#ifndef CACHE_CACHES_INNER_H
#define CACHE_CACHES_INNER_H

#include "host/base/conf.h"
#include "host/cache/caches.h"

enum { CACHES_MAX_LATENCY = 100 * 1000 };

/* Read a whole number from `min` to `max`; if `units`, K, M or G may follow it.
 * False if `s` is anything else. */
bool caches_number(const char *s, bool units, uint64_t min, uint64_t max,
		   uint64_t *ret);

/* caches_others.c: keys that belong to no level and have one value. */
bool caches_other_key(const char *key);
int caches_read_other(const struct conf *conf, const struct conf_entry *x,
		      struct cache_hierarchy *h, struct err *e);

/* Call after the last key.  ERR_INPUT if a key requires another one that is
 * absent.  Sets the defaults of absent keys. */
int caches_check_others(const char *path, struct cache_hierarchy *h,
			struct err *e);

#endif
