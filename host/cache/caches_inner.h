/* Shared by the readers of files of caches. */
#ifndef CACHE_CACHES_INNER_H
#define CACHE_CACHES_INNER_H

#include "host/base/conf.h"
#include "host/cache/caches.h"

enum { CACHES_MAX_LATENCY = 100 * 1000 };

/* A whole number from `min` to `max`, with K, M or G behind it if `units`. */
bool caches_number(const char *s, bool units, uint64_t min, uint64_t max,
		   uint64_t *ret);

/* caches_others.c: keys that belong to no level and have one value. */
bool caches_other_key(const char *key);
int caches_read_other(const struct conf *conf, const struct conf_entry *x,
		      struct cache_hierarchy *h, struct err *e);

/* After all keys: ERR_INPUT if some lack others; sets what is absent. */
int caches_check_others(const char *path, struct cache_hierarchy *h,
			struct err *e);

#endif
