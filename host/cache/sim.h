/* Exact simulation of many hierarchies of LRU caches in one pass.
 *
 * Hierarchies with equal first levels share them, and so on downwards: the
 * levels form a forest in which each level is looked up with the misses of its
 * parent.  A first-level hit on a set's last used line compares one tag.
 *
 * Only the C library is needed, and there are no globals.  Several vCPUs may
 * call cache_access() at the same time, each with its own struct cache_cpu;
 * levels that they share are locked.  All other calls need that no vCPU
 * is in cache_access(). */
#ifndef CACHE_SIM_H
#define CACHE_SIM_H

#include "host/cache/hierarchy.h"
#include "host/cache/trace.h"

struct cache_sim;
struct cache_cpu;

struct cache_options {
	/* Divide misses into classes.  Each access then updates a fully
	 * associative cache, too. */
	bool classes;
	/* Keep samples of the accesses for times; see trace.h. */
	bool trace;
};

/* Counts of one level, of all vCPUs.  Each miss has one class, found when it
 * happens: `cold` if the level has never been asked for this line (a shared
 * level: by any vCPU), else `capacity` if a fully associative LRU cache of the
 * same size that was given the same accesses misses it too, else `conflict`.
 * Without classes only `cold` is counted. */
struct cache_counts {
	uint64_t accesses; /* lines that the level was searched for */
	uint64_t misses;
	uint64_t cold, capacity, conflict;
	/* Modified lines that left the level for the next one or for memory.
	 * Lines that are in a cache at the end stay there. */
	uint64_t writebacks;
};

static inline void cache_counts_add(struct cache_counts *to,
				    const struct cache_counts *x)
{
	to->accesses += x->accesses;
	to->misses += x->misses;
	to->cold += x->cold;
	to->capacity += x->capacity;
	to->conflict += x->conflict;
	to->writebacks += x->writebacks;
}

/* NULL if memory is short.  The hierarchies must be as hierarchy.h says. */
struct cache_sim *cache_sim_new(const struct cache_hierarchy *h, size_t n,
				const struct cache_options *o);
void cache_sim_free(struct cache_sim *s);

/* Unit of line numbers: the shortest line of any level, in bytes. */
uint32_t cache_sim_line_bytes(const struct cache_sim *s);

/* One more vCPU with empty private caches, owned by `s`.  NULL if memory is
 * short. */
struct cache_cpu *cache_cpu_new(struct cache_sim *s);

/* One execution of an instruction that accesses memory.
 * lines: distinct line numbers, address / cache_sim_line_bytes(), in the order
 * of the accesses.  place: the counter to charge, of an instruction or a basic
 * block; small numbers, as an array is indexed by it.  now: instructions that
 * the vCPU has executed so far, for samples; never decreasing. */
void cache_access(struct cache_cpu *cpu, const uint64_t *lines, size_t n,
		  bool store, uint32_t place, uint64_t now);

/* Note a mispredicted jump of a vCPU in its samples.  jump: a number by which
 * the caller knows it. */
void cache_cpu_redirect(struct cache_cpu *cpu, uint32_t jump);

/* Set whether later accesses of a vCPU are counted.  If not, they change the
 * caches, but no counts, charges or samples.  A new vCPU counts. */
void cache_cpu_count(struct cache_cpu *cpu, bool counts);

/* Counts of a level of a hierarchy. */
struct cache_counts cache_sim_counts(const struct cache_sim *s,
				     size_t hierarchy, size_t level);

/* Misses of a level that were charged to a place. */
uint64_t cache_sim_misses(const struct cache_sim *s, size_t hierarchy,
			  size_t level, uint32_t place);

/* Was memory short when a vCPU was created or during an access?  If so, counts
 * are too small. */
bool cache_sim_short(const struct cache_sim *s);

/* Set all counts to zero; the caches keep their lines.  Samples are dropped. */
void cache_sim_forget(struct cache_sim *s);

/* Samples of the accesses of the i-th vCPU, the newest first; NULL: there are
 * no more, or no samples. */
const struct cache_trace *cache_sim_trace(const struct cache_sim *s, size_t i);

#endif
