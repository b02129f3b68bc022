/* Samples of a vCPU's accesses: windows of consecutive accesses, spread over
 * the whole run.
 *
 * The run is divided into stretches of equal length, each with one window.  Its
 * place is pseudo-random, so that it does not follow the program's periods, and
 * the same accesses give the same windows.  When all windows are in use,
 * stretches are merged in pairs, and each pair keeps one of its windows.  So
 * memory is bounded, and a run that fits is kept whole.  What the caches hold
 * at a window's first access is exact, as all accesses are simulated; which
 * misses are in flight there is not known. */
#ifndef CACHE_TRACE_H
#define CACHE_TRACE_H

#include "common/types.h"

enum {
	CACHE_TRACE_WINDOW = 2048, /* records of a window, at most */
	CACHE_TRACE_WINDOWS = 256,
	/* Records have the levels of this many hierarchies, the first ones. */
	CACHE_TRACE_HIERARCHIES = 16,
};

/* One line of one execution of an instruction. */
struct cache_record {
	uint64_t line; /* as given to cache_access() */
	uint64_t now;  /* as given to cache_access() */
	/* 4 bits for each hierarchy, the lowest for the first: number of levels
	 * that missed; 0: the first level hit. */
	uint64_t levels;
	uint32_t place; /* the instruction, as given to cache_access() */
	bool store;
	bool same; /* the same execution as the record before */
	/* Mispredicted jumps since the record before, at most 255, and the
	 * last of them, as given to cache_cpu_redirect(). */
	uint8_t n_redirects;
	uint32_t redirect;
};

struct cache_window {
	uint64_t first; /* lines that the vCPU accessed before it */
	size_t n;
	struct cache_record *records;
};

struct cache_trace {
	uint64_t seen;    /* lines accessed so far */
	uint64_t spacing; /* lines of a stretch */
	uint64_t end;     /* of the window that is being filled */
	uint64_t next;    /* where the next window starts, or later */
	size_t n;
	struct cache_window windows[CACHE_TRACE_WINDOWS];
};

/* Number of levels of a hierarchy that missed for a record. */
static inline unsigned cache_record_level(const struct cache_record *r,
					  size_t hierarchy)
{
	return (unsigned)(r->levels >> (4 * hierarchy) & 15);
}

/* NULL if memory is short. */
struct cache_trace *cache_trace_new(void);
void cache_trace_free(struct cache_trace *t);

/* Forget all accesses. */
void cache_trace_clear(struct cache_trace *t);

/* Is the next access to be kept? */
static inline bool cache_trace_wants(const struct cache_trace *t)
{
	return t->seen < t->end || t->seen >= t->next;
}

/* Count an access that is not kept. */
static inline void cache_trace_skip(struct cache_trace *t)
{
	t->seen++;
}

/* Keep an access that cache_trace_wants().  If memory for a window is short, it
 * is not kept. */
void cache_trace_keep(struct cache_trace *t, const struct cache_record *r);

#endif
