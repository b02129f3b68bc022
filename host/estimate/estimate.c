/* Estimates of whole programs; see estimate.h. */
#include "host/estimate/estimate.h"

#include <stdlib.h>
#include <string.h>

#include "host/estimate/inner.h"
#include "host/estimate/print.h"

static const char *const bound_names[ESTIMATE_N_BOUNDS] = {
	[BOUND_PORTS] = "ports",           [BOUND_FRONT_END] = "front end",
	[BOUND_DEPENDENCY] = "dependency", [BOUND_QUEUES] = "queues",
	[BOUND_MEMORY] = "memory",         [BOUND_BRANCHES] = "branches",
	[BOUND_UNKNOWN] = "unknown",
};

const char *estimate_bound_name(enum estimate_bound b)
{
	return bound_names[b];
}

const char *estimate_class_name(size_t class)
{
	static const char *const names[PROFILE_N_CLASSES] = {
		[PROFILE_SCALAR] = "scalar", [PROFILE_VECTOR] = "vector",
		[PROFILE_LOAD] = "load",     [PROFILE_STORE] = "store",
		[PROFILE_BRANCH] = "branch",
	};

	return names[class];
}

/* ---- blocks -------------------------------------------------------------- */

static int estimate_by_cycles(const void *a, const void *b)
{
	const struct estimate_block *x = a, *y = b;
	double more = x->core - y->core;

	if (x->memory)
		more += x->memory[0] - y->memory[0] + x->branches[0] -
			y->branches[0];

	if (more != 0)
		return more > 0 ? -1 : 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

static double jump_cycles(const struct profile_block *b,
			  const struct core_cost *c,
			  const struct cache_hierarchy *h)
{
	return h->branch_penalty ? (double)b->mispredicted *
					   (h->branch_penalty + c->resolution)
				 : 0;
}

static void list_blocks(struct arena *a, const struct core_cost *costs,
			struct program_estimate *x)
{
	const struct profile *p = x->in->p;

	x->blocks = ARENA_ARRAY(a, struct estimate_block, p->n_blocks + 1);
	for (size_t i = 0; i < p->n_blocks; i++) {
		const struct profile_block *b = &p->blocks[i];
		struct estimate_block *e;
		uint64_t insns = b->count * b->n_insns;

		if (b->count == 0)
			continue;
		e = &x->blocks[x->n_blocks++];
		*e = (struct estimate_block){
			.block = (uint32_t)i,
			.core = costs[i].cycles * (double)b->count,
			.bound = costs[i].bound,
			.why = costs[i].why,
			.n_assumed = costs[i].n_assumed,
		};
		if (x->n_traced > 0)
			e->memory = ARENA_ARRAY(a, double, x->n_traced);
		if (x->n_traced > 0)
			e->branches = ARENA_ARRAY(a, double, x->n_traced);
		for (size_t h = 0; h < x->n_traced; h++)
			e->branches[h] = jump_cycles(b, &costs[i],
						     x->hierarchies[h].caches);
		x->core_cycles += e->core;
		x->assumed += b->count * costs[i].n_assumed;
		if (costs[i].bound == BOUND_UNKNOWN)
			x->unpredicted += insns;
	}
}

/* ---- levels -------------------------------------------------------------- */

static void open_hierarchies(struct arena *a, struct program_estimate *x)
{
	const struct estimate_input *in = x->in;

	x->n_hierarchies = in->n_hierarchies;
	x->hierarchies = ARENA_ARRAY(a, struct estimate_hierarchy,
				     in->n_hierarchies + 1);
	for (size_t h = 0; h < in->n_hierarchies; h++) {
		struct estimate_hierarchy *e = &x->hierarchies[h];

		e->caches = &in->hierarchies[h];
		e->simulated = (uint32_t)(in->n_tlbs + h);
		e->tlb = in->tlb_of ? in->tlb_of[h] : ESTIMATE_NONE;
		if (e->tlb != ESTIMATE_NONE)
			e->tlb_counts = &in->tlb_counts[(size_t)e->tlb *
							CACHE_MAX_LEVELS];
		for (size_t l = 0; l < e->caches->n_levels; l++)
			e->levels[l].counts =
				in->counts[h * CACHE_MAX_LEVELS + l];
	}
}

static void set_bytes(struct estimate_hierarchy *e)
{
	for (size_t l = 0; l < e->caches->n_levels; l++) {
		struct estimate_level *to = &e->levels[l];

		to->bytes = (double)e->caches->levels[l].line_bytes *
			    ((double)to->counts.misses +
			     (double)to->counts.writebacks);
		if (e->cycles > 0)
			to->bytes_per_cycle = to->bytes / e->cycles;
	}
}

static double share_sampled(const struct estimate_input *in)
{
	double n = 0;

	for (size_t i = 0; i < in->n_samples; i++)
		n += (double)(in->samples[i].n - in->samples[i].n_before);
	return in->p->lines > 0 ? n / (double)in->p->lines : 0;
}

/* What the first caches do not say, so that its cycles are not counted. */
static const char *left_out(struct arena *a, const struct program_estimate *x)
{
	const struct cache_hierarchy *h =
		x->n_hierarchies > 0 ? x->hierarchies[0].caches : NULL;
	const struct {
		bool absent;
		const char *what;
	} keys[] = {
		{ !h, "caches" },
		{ h && h->memory_bytes == 0, "bandwidth of memory" },
		{ h && h->levels[0].mshr == 0, "a limit of misses in flight" },
		{ !h || h->tlb.n_levels == 0, "translation" },
		{ !h || h->branch_penalty == 0, "mispredicted jumps" },
	};
	const char *ret = "";

	if (!x->in->k)
		return "";
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].absent)
			ret = arena_printf(
				a, "%s%s %s", ret,
				*ret ? "," : " Left out:", keys[i].what);
	return *ret ? arena_printf(a, "%s (examples/caches/README.md).", ret)
		    : "";
}

/* ---- the first line ------------------------------------------------------ */

const char *estimate_place(struct arena *a, const struct profile_block *b)
{
	if (b->source && b->line > 0)
		return arena_printf(a, "%s:%u", b->source, (unsigned)b->line);
	if (b->symbol)
		return arena_printf(a, "%s+0x%llx", b->symbol,
				    (unsigned long long)b->symbol_offset);
	return arena_printf(a, "0x%llx", (unsigned long long)b->address);
}

static const char *headline(struct arena *a, const struct program_estimate *x)
{
	const struct profile *p = x->in->p;
	const struct estimate_block *top = x->blocks;
	const struct profile_block *b;
	double all = estimate_all_cycles(x);

	if (x->n_blocks == 0 || all <= 0)
		return "No instruction with a known cost was executed.";
	b = &p->blocks[top->block];

	const struct {
		enum estimate_bound bound;
		const char *how;
		double cycles;
	} lost[] = {
		{ BOUND_BRANCHES, "are lost to mispredicted jumps",
		  x->n_traced > 0 ? top->branches[0] : 0 },
		{ BOUND_MEMORY, "wait for memory",
		  x->n_traced > 0 ? top->memory[0] : 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(lost); i++)
		if (top->bound == lost[i].bound)
			return arena_printf(a,
					    "Look at %s: %.0f %% of all "
					    "cycles, and %.0f %% of these %s.",
					    estimate_place(a, b),
					    100 * estimate_cycles(x, top) / all,
					    100 * lost[i].cycles /
						    estimate_cycles(x, top),
					    lost[i].how);
	return arena_printf(a, "Look at %s: %.0f %% of all cycles; %s.",
			    estimate_place(a, b),
			    100 * estimate_cycles(x, top) / all, top->why);
}

static void set_bound(struct estimate_block *b)
{
	double memory = b->memory[0], branches = b->branches[0];

	if (memory > b->core && memory >= branches)
		b->bound = BOUND_MEMORY;
	else if (branches > b->core)
		b->bound = BOUND_BRANCHES;
}

/* Samples know the levels of so many simulated hierarchies, TLBs first. */
static size_t n_traced(const struct estimate_input *in)
{
	size_t room = in->n_tlbs < CACHE_TRACE_HIERARCHIES
			      ? CACHE_TRACE_HIERARCHIES - in->n_tlbs
			      : 0;

	return in->n_hierarchies < room ? in->n_hierarchies : room;
}

int estimate_run(struct arena *a, const struct estimate_input *in,
		 struct program_estimate *ret, struct err *e)
{
	struct program_estimate x = { .in = in };
	struct core_cost *costs;

	if (core_costs(a, in, &costs, e) != ERR_OK)
		return e->code;
	open_hierarchies(a, &x);
	x.sampled = share_sampled(in);
	/* A program without accesses needs no samples of them. */
	if (in->p->accesses == 0)
		x.sampled = 1;
	if (x.sampled > 0 && in->k)
		x.n_traced = n_traced(in);
	list_blocks(a, costs, &x);
	memory_costs(a, costs, &x);
	others_choose(&x);
	for (size_t i = 0; i < x.n_blocks && x.n_traced > 0; i++)
		set_bound(&x.blocks[i]);
	qsort(x.blocks, x.n_blocks, sizeof(*x.blocks), estimate_by_cycles);
	for (size_t h = 0; h < x.n_hierarchies; h++)
		set_bytes(&x.hierarchies[h]);
	x.headline = arena_printf(a, "%s%s", headline(a, &x), left_out(a, &x));
	*ret = x;
	return ERR_OK;
}
