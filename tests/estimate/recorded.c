/* recorded GUEST SHARE: the accesses of a real program, recorded while its
 * caches were simulated, give the same misses to a brute force that remembers
 * when each line was last used.  The profile says so if there was too little
 * memory to count all misses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cache/sim.h"
#include "host/guest/collect.h"
#include "host/isa/isa.h"

enum {
	N_LEVELS = 3,
	SMALL_HEAP = 1 << 16, /* bytes: the caches fit, their counts do not */
};

/* Small, so that a short program misses in all of them. */
static const struct cache_hierarchy hierarchy = {
	.name = "small",
	.n_levels = N_LEVELS,
	.levels = { { .bytes = 2048, .line_bytes = 64, .ways = 4 },
		    { .bytes = 12288, .line_bytes = 64, .ways = 6 },
		    { .bytes = 65536, .line_bytes = 64, .ways = 16 } },
};

/* When each line was last used; a line that left is marked as never used. */
struct slow {
	size_t n;
	struct {
		uint64_t line, used;
	} * lines;
};

static bool slow_access(struct slow *s, const struct cache_level *l,
			uint64_t line, uint64_t now)
{
	uint64_t sets = cache_level_sets(l);
	size_t oldest = SIZE_MAX, free_at = SIZE_MAX;
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->lines[i].used == 0) {
			free_at = i;
			continue;
		}
		if (s->lines[i].line % sets != line % sets)
			continue;
		if (s->lines[i].line == line) {
			s->lines[i].used = now;
			return true;
		}
		n++;
		if (oldest == SIZE_MAX ||
		    s->lines[i].used < s->lines[oldest].used)
			oldest = i;
	}
	if (n == l->ways)
		free_at = oldest;
	else if (free_at == SIZE_MAX)
		free_at = s->n++;
	s->lines[free_at].line = line;
	s->lines[free_at].used = now;
	return false;
}

/* Returns whether all records and the sums of the misses agree. */
static bool compare(const struct cache_sim *s, const struct cache_trace *t)
{
	struct slow slow[N_LEVELS] = { { 0 } };
	uint64_t misses[N_LEVELS] = { 0 }, now = 0, wrong = 0;

	for (size_t l = 0; l < N_LEVELS; l++)
		slow[l].lines = calloc(hierarchy.levels[l].bytes / 64 + 1,
				       sizeof(*slow[l].lines));
	for (size_t w = 0; w < t->n; w++)
		for (size_t i = 0; i < t->windows[w].n; i++) {
			const struct cache_record *r =
				&t->windows[w].records[i];
			unsigned level = 0;

			now++;
			while (level < N_LEVELS &&
			       !slow_access(&slow[level],
					    &hierarchy.levels[level], r->line,
					    now))
				misses[level++]++;
			wrong += level != cache_record_level(r, 0);
		}
	for (size_t l = 0; l < N_LEVELS; l++) {
		uint64_t is = cache_sim_counts(s, 0, l).misses;

		printf("l%zu: %llu misses, brute force %llu\n", l + 1,
		       (unsigned long long)is, (unsigned long long)misses[l]);
		wrong += is != misses[l] || is == 0;
		free(slow[l].lines);
	}
	printf("%llu accesses, %llu wrong\n", (unsigned long long)now,
	       (unsigned long long)wrong);
	return wrong == 0 && now == t->seen;
}

/* Does a run whose caches have `bytes` bytes of memory note that they were too
 * few? */
static bool notes_shortage(const struct guest_request *like, uint64_t bytes,
			   bool expected)
{
	struct guest_request q = *like;
	struct err e = { 0 };
	struct arena a = { 0 };
	struct guest_run *run;
	struct profile p;
	bool is;

	q.heap_bytes = bytes;
	q.trace = false;
	if (guest_run(&q, &run, &e) != ERR_OK) {
		printf("%s\n", e.message);
		return false;
	}
	guest_profile(&a, run, &p);
	is = strstr(p.notes, "memory for the caches") != NULL;
	if (is != expected)
		printf("%llu bytes for the caches, notes: %s\n",
		       (unsigned long long)bytes, p.notes);
	guest_close(run);
	arena_free(&a);
	return is == expected;
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct arena a = { 0 };
	struct catalogue *c = NULL;
	struct guest_run *run;
	const struct cache_sim *s;
	const struct cache_trace *t;
	char *words[] = { argc > 1 ? argv[1] : NULL, NULL };
	bool good;

	struct guest_request q = { .program = argc > 1 ? argv[1] : NULL,
				   .argv = words,
				   .share = argc > 2 ? argv[2] : NULL,
				   .accesses = true,
				   .trace = true,
				   .n_hierarchies = 1,
				   .hierarchies = &hierarchy };

	if (argc < 3)
		return 2;
	if (catalogue_load(&a, isa_find("x86_64"), NULL, &c, &e) == ERR_OK)
		q.c = c;
	if (!q.c || guest_run(&q, &run, &e) != ERR_OK) {
		printf("%s\n", e.message);
		return 2;
	}
	s = guest_caches(run, 0);
	t = s ? cache_sim_trace(s, 0) : NULL;
	/* Kept whole: the windows lie behind each other. */
	good = t && t->spacing == CACHE_TRACE_WINDOW && compare(s, t);
	guest_close(run);
	good = notes_shortage(&q, 0, false) && good;
	good = notes_shortage(&q, SMALL_HEAP, true) && good;
	catalogue_free(c);
	arena_free(&a);
	return !good;
}
