/* See collected.h. */
#include "host/estimate/collected.h"

#include <string.h>

#include "host/base/file.h"

enum {
	/* Accesses in flight at once, at most: assumed.  One for each entry of
	 * a reorder buffer of this size. */
	IN_FLIGHT = 512,
};

/* A window as a sample.  If the window before ends where this one starts, its
 * last accesses are put in front and do not count.  Else the first accesses do
 * not count, unless the samples start here. */
static struct estimate_sample sample_of(struct arena *a,
					const struct cache_window *before,
					const struct cache_window *w)
{
	bool behind = before && before->first + before->n == w->first;
	size_t n = !behind ? 0 : before->n < IN_FLIGHT ? before->n : IN_FLIGHT;
	struct cache_record *records =
		ARENA_ARRAY(a, struct cache_record, n + w->n);
	struct estimate_sample ret = { n + w->n, n, records };

	if (n > 0)
		memcpy(records, before->records + before->n - n,
		       n * sizeof(*records));
	memcpy(records + n, w->records, w->n * sizeof(*records));
	if (!behind && w->first > 0)
		ret.n_before = w->n < IN_FLIGHT ? w->n : IN_FLIGHT;
	return ret;
}

/* Copy the windows of all vCPUs of a process: they are mapped until the next
 * one is looked at. */
static void take_samples(struct arena *a, const struct cache_sim *s,
			 struct buffer *samples)
{
	const struct cache_trace *t;

	for (size_t i = 0; (t = cache_sim_trace(s, i)) != NULL; i++)
		for (size_t k = 0; k < t->n; k++) {
			const struct cache_window *w = &t->windows[k];
			struct estimate_sample x =
				sample_of(a, k > 0 ? w - 1 : NULL, w);

			buffer_add(samples, &x, sizeof(x));
		}
}

/* Add the counts of n of a process's simulated hierarchies, from `first` on. */
static void sum_counts(const struct cache_sim *s, size_t first, size_t n,
		       const struct cache_hierarchy *hierarchies,
		       struct cache_counts *sums)
{
	for (size_t h = 0; h < n; h++)
		for (size_t l = 0; l < hierarchies[first + h].n_levels; l++) {
			struct cache_counts x =
				cache_sim_counts(s, first + h, l);

			cache_counts_add(&sums[h * CACHE_MAX_LEVELS + l], &x);
		}
}

static bool jump_of(void *context, uint32_t jump, uint32_t *ret_block)
{
	return guest_jump(context, jump, ret_block);
}

static bool place_of(void *context, uint32_t place, uint32_t *ret_block,
		     uint32_t *ret_access)
{
	return guest_place(context, place, ret_block, ret_access);
}

void estimate_collect(struct arena *a, struct guest_run *run,
		      const struct caches_simulated *simulated,
		      struct estimate_input *in)
{
	size_t n = (simulated->n + 1) * CACHE_MAX_LEVELS;
	struct cache_counts *sums = ARENA_ARRAY(a, struct cache_counts, n);
	struct cache_counts *tlbs = ARENA_ARRAY(a, struct cache_counts, n);
	struct buffer samples = { 0 };

	in->n_tlbs = simulated->n_tlbs;
	in->tlb_of = simulated->tlb_of;
	in->place = place_of;
	in->jump = jump_of;
	in->context = run;
	for (uint32_t i = 0; i < in->p->n_processes; i++) {
		const struct cache_sim *s = guest_caches(run, i);

		if (!s)
			continue;
		in->unit_bytes = cache_sim_line_bytes(s);
		take_samples(a, s, &samples);
		sum_counts(s, 0, in->n_tlbs, simulated->at, tlbs);
		sum_counts(s, in->n_tlbs, in->n_hierarchies, simulated->at,
			   sums);
	}
	in->counts = sums;
	in->tlb_counts = tlbs;
	in->samples = buffer_take_list(
		a, &samples, sizeof(struct estimate_sample), &in->n_samples);
}
