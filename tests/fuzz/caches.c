/* Fuzzes the reader of files of caches: what it accepts are hierarchies that
 * the simulation can hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/cache/caches.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_level(const struct cache_hierarchy *h, size_t i)
{
	const struct cache_level *l = &h->levels[i];

	if (l->line_bytes < CACHE_MIN_LINE || l->line_bytes > CACHE_MAX_LINE ||
	    (l->line_bytes & (l->line_bytes - 1)) != 0 || l->ways < 1 ||
	    l->ways > CACHE_MAX_WAYS || cache_level_sets(l) < 1 ||
	    cache_level_sets(l) * l->line_bytes * l->ways != l->bytes)
		abort();
	if (i > 0 && (l->line_bytes < h->levels[i - 1].line_bytes ||
		      l->latency < h->levels[i - 1].latency ||
		      l->shared < h->levels[i - 1].shared))
		abort();
}

static void check_tlb(const struct cache_hierarchy *h)
{
	struct cache_hierarchy t = cache_tlb_levels(&h->tlb);

	for (size_t i = 0; i < t.n_levels; i++) {
		const struct cache_level *l = &t.levels[i];

		if (l->line_bytes < CACHE_MIN_PAGE ||
		    (l->line_bytes & (l->line_bytes - 1)) != 0 || l->ways < 1 ||
		    l->ways > CACHE_MAX_WAYS || cache_level_sets(l) < 1 ||
		    cache_level_sets(l) * l->line_bytes * l->ways != l->bytes)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct caches list = { 0 };
	char path[64];
	int fd = memfd_create("caches", 0);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (caches_read(&a, path, &list, &e) == ERR_OK) {
		if (list.n < 1 || list.n > CACHE_MAX_HIERARCHIES)
			abort();
		for (size_t h = 0; h < list.n; h++) {
			if (list.at[h].n_levels < 1 ||
			    list.at[h].n_levels > CACHE_MAX_LEVELS ||
			    strlen(list.at[h].name) >= CACHE_NAME)
				abort();
			for (size_t i = 0; i < list.at[h].n_levels; i++)
				check_level(&list.at[h], i);
			check_tlb(&list.at[h]);
		}
	} else if (e.code == ERR_OK || e.message[0] == '\0' || list.n != 0) {
		abort();
	}
	(void)close(fd);
	arena_free(&a);
	return 0;
}
