/* Exact simulation of many hierarchies in one pass; see sim.h. */
#include "host/cache/sim.h"

#include <stdlib.h>
#include <string.h>

#include "host/cache/forest.h"
#include "host/cache/physical.h"
#include "host/cache/store.h"

struct cache_view { /* of a vCPU on a node */
	struct cache_store *store;
	struct cache_counts counts;
	uint64_t *misses; /* per place */
	uint32_t n_places;
};

struct cache_cpu {
	struct cache_sim *sim;
	struct cache_cpu *next;
	struct cache_trace *trace;
	uint64_t levels; /* of the record of this access */
	uint64_t weight; /* added to counts: 1, or 0 if nothing is counted */
	uint32_t place;  /* that this access is charged to */
	bool is_short, stores; /* a store asks */
	/* Since the last record. */
	uint8_t n_redirects;
	uint32_t redirect;
	struct cache_view views[];
};

struct cache_sim *cache_sim_new(const struct cache_hierarchy *h, size_t n,
				const struct cache_options *o)
{
	struct cache_sim *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->options = *o;
	s->n_hierarchies = n;
	s->line_bytes = cache_shortest_line(h, n);
	s->first_root = NODE_NONE;
	s->node_of = calloc(n, sizeof(*s->node_of));
	s->nodes = calloc(n * CACHE_MAX_LEVELS, sizeof(*s->nodes));
	for (size_t i = 0; s->node_of && s->nodes && i < n; i++)
		forest_add(s, i, &h[i]);
	for (size_t i = 0; i < s->n_nodes; i++) {
		struct cache_node *x = &s->nodes[i];

		if (!x->level.shared)
			continue;
		x->shared = store_new(&x->level, o->classes);
		if (!x->shared)
			break;
	}
	for (size_t i = 0; i < s->n_nodes; i++)
		if (s->nodes[i].level.shared && !s->nodes[i].shared)
			s->n_nodes = 0;
	if (s->n_nodes > 0 || n == 0)
		return s;
	cache_sim_free(s);
	return NULL;
}

static void cpu_free(struct cache_cpu *cpu)
{
	const struct cache_sim *s = cpu->sim;

	for (size_t i = 0; i < s->n_nodes; i++) {
		if (!s->nodes[i].level.shared)
			store_free(cpu->views[i].store);
		free(cpu->views[i].misses);
	}
	cache_trace_free(cpu->trace);
	free(cpu);
}

void cache_sim_free(struct cache_sim *s)
{
	if (!s)
		return;
	while (s->cpus) {
		struct cache_cpu *next = s->cpus->next;

		cpu_free(s->cpus);
		s->cpus = next;
	}
	for (size_t i = 0; s->nodes && i < s->n_hierarchies * CACHE_MAX_LEVELS;
	     i++)
		store_free(s->nodes[i].shared);
	free(s->nodes);
	free(s->node_of);
	free(s);
}

uint32_t cache_sim_line_bytes(const struct cache_sim *s)
{
	return s->line_bytes;
}

struct cache_cpu *cache_cpu_new(struct cache_sim *s)
{
	struct cache_cpu *cpu =
		calloc(1, sizeof(*cpu) + s->n_nodes * sizeof(*cpu->views));
	bool good = cpu != NULL;

	if (!cpu) {
		s->is_short = true;
		return NULL;
	}
	cpu->sim = s;
	cpu->weight = 1;
	for (size_t i = 0; i < s->n_nodes; i++) {
		struct cache_node *x = &s->nodes[i];

		cpu->views[i].store =
			x->level.shared
				? x->shared
				: store_new(&x->level, s->options.classes);
		good = good && cpu->views[i].store;
	}
	if (good && s->options.trace) {
		cpu->trace = cache_trace_new();
		good = cpu->trace != NULL;
	}
	if (!good) {
		s->is_short = true;
		cpu_free(cpu);
		return NULL;
	}
	cpu->next = s->cpus;
	s->cpus = cpu;
	return cpu;
}

/* ---- accesses ------------------------------------------------------ */

static void lock(const struct cache_node *x, struct cache_store *c)
{
	if (x->level.shared)
		while (atomic_flag_test_and_set_explicit(&c->lock,
							 memory_order_acquire))
			;
}

static void unlock(const struct cache_node *x, struct cache_store *c)
{
	if (x->level.shared)
		atomic_flag_clear_explicit(&c->lock, memory_order_release);
}

static void charge(struct cache_cpu *cpu, struct cache_view *v)
{
	uint32_t place = cpu->place;

	if (place >= v->n_places) {
		size_t n = (size_t)place + place / 2 + 64;
		uint64_t *grown = realloc(v->misses, n * sizeof(*grown));

		if (!grown || n > UINT32_MAX) {
			if (grown)
				v->misses = grown;
			cpu->is_short = true;
			return;
		}
		memset(&grown[v->n_places], 0,
		       (n - v->n_places) * sizeof(*grown));
		v->misses = grown;
		v->n_places = (uint32_t)n;
	}
	v->misses[place] += cpu->weight;
}

/* A line of a node as the node below has it: physical if the node has virtual
 * lines and the one below physical ones.  Both in units of 1 << `shift` lines
 * of the simulation. */
static uint64_t line_below(const struct cache_node *x,
			   const struct cache_node *below, uint64_t line,
			   uint32_t shift)
{
	return below->physical && !x->physical
		       ? physical_line(line, below->piece - shift,
				       below->scattered)
		       : line;
}

/* A modified line leaves a node: the first level below that has it takes it. */
static void write_back(struct cache_cpu *cpu, uint32_t node, uint64_t line)
{
	const struct cache_sim *s = cpu->sim;
	uint32_t shift = s->nodes[node].shift;

	cpu->views[node].counts.writebacks += cpu->weight;
	for (uint32_t i = s->nodes[node].child; i != NODE_NONE;
	     i = s->nodes[i].sibling) {
		const struct cache_node *x = &s->nodes[i];
		struct cache_store *c = cpu->views[i].store;
		uint64_t below = line_below(&s->nodes[node], x, line, shift) >>
				 (x->shift - shift);
		bool there;

		lock(x, c);
		there = store_modify(c, below);
		unlock(x, c);
		if (!there)
			write_back(cpu, i, below);
	}
}

static void access_node(struct cache_cpu *cpu, uint32_t node, uint64_t line,
			bool write, bool cold);

/* Levels below the first take lines clean: they are modified when the level
 * above writes them back. */
static void miss(struct cache_cpu *cpu, uint32_t node, uint64_t line,
		 bool full_hit, bool cold)
{
	const struct cache_sim *s = cpu->sim;
	const struct cache_node *x = &s->nodes[node];
	struct cache_view *v = &cpu->views[node];

	v->counts.misses += cpu->weight;
	if (cold)
		v->counts.cold += cpu->weight;
	else if (full_hit)
		v->counts.conflict += cpu->weight;
	else if (s->options.classes)
		v->counts.capacity += cpu->weight;
	cpu->levels += x->record_step;
	charge(cpu, v);
	for (uint32_t i = x->child; i != NODE_NONE; i = s->nodes[i].sibling)
		access_node(cpu, i, line_below(x, &s->nodes[i], line, 0), false,
			    cold);
}

/* A line was not found, and `left` made room for it. */
static void node_misses(struct cache_cpu *cpu, uint32_t node, uint64_t line,
			uint64_t left, bool full_hit, bool cold)
{
	miss(cpu, node, line, full_hit, cold);
	if (left != STORE_EMPTY && (left & 1))
		write_back(cpu, node, left >> 1);
}

/* An access of a node to a line of the simulation's unit. */
static void access_node(struct cache_cpu *cpu, uint32_t node, uint64_t line,
			bool write, bool cold)
{
	const struct cache_node *x = &cpu->sim->nodes[node];
	struct cache_view *v = &cpu->views[node];
	struct cache_store *c = v->store;
	uint64_t own = line >> x->shift, left;
	bool full_hit;

	v->counts.accesses += cpu->weight;
	lock(x, c);
	left = store_ask(c, own, write, cpu->stores, &cpu->is_short);
	full_hit = c->full_hit;
	if (left != STORE_HIT && x->own_seen)
		cold = seen_add(&c->seen, own, &cpu->is_short);
	unlock(x, c);
	if (left != STORE_HIT)
		node_misses(cpu, node, line, left, full_hit, cold);
}

static inline void access_root(struct cache_cpu *cpu, uint32_t node,
			       uint64_t line, bool write)
{
	const struct cache_node *x = &cpu->sim->nodes[node];
	struct cache_view *v = &cpu->views[node];
	uint64_t own = line >> x->shift, left;
	bool cold;

	if (x->physical) {
		line = physical_line(line, x->piece, x->scattered);
		own = line >> x->shift;
	}
	if (x->level.shared) {
		access_node(cpu, node, line, write, false);
		return;
	}
	v->counts.accesses += cpu->weight;
	if (store_again(v->store, own, write))
		return;
	left = store_search(v->store, own, write);
	if (left == STORE_HIT)
		return;
	cold = seen_add(&v->store->seen, own, &cpu->is_short);
	node_misses(cpu, node, line, left, v->store->full_hit, cold);
}

/* Is the line of a longer unit among those that came before? */
static bool came_before(const uint64_t *lines, size_t i, uint32_t shift)
{
	for (size_t k = i; k-- > 0;)
		if (lines[k] >> shift == lines[i] >> shift)
			return true;
	return false;
}

static void keep(struct cache_cpu *cpu, uint64_t line, size_t i, uint64_t now)
{
	struct cache_record r = {
		.line = line,
		.now = now,
		.levels = cpu->levels,
		.place = cpu->place,
		.store = cpu->stores,
		.same = i > 0,
		.n_redirects = cpu->n_redirects,
		.redirect = cpu->redirect,
	};

	cache_trace_keep(cpu->trace, &r);
	cpu->n_redirects = 0;
}

void cache_access(struct cache_cpu *cpu, const uint64_t *lines, size_t n,
		  bool store, uint32_t place, uint64_t now)
{
	const struct cache_sim *s = cpu->sim;
	struct cache_trace *t = cpu->weight ? cpu->trace : NULL;

	cpu->stores = store;
	cpu->place = place;
	for (size_t i = 0; i < n; i++) {
		cpu->levels = 0;
		for (uint32_t k = s->first_root; k != NODE_NONE;
		     k = s->nodes[k].sibling)
			if (i == 0 || s->nodes[k].shift == 0 ||
			    !came_before(lines, i, s->nodes[k].shift))
				access_root(cpu, k, lines[i], store);
		if (t && cache_trace_wants(t))
			keep(cpu, lines[i], i, now);
		else if (t)
			cache_trace_skip(t);
	}
}

void cache_cpu_redirect(struct cache_cpu *cpu, uint32_t jump)
{
	if (!cpu->weight || !cpu->trace)
		return;
	if (cpu->n_redirects < UINT8_MAX)
		cpu->n_redirects++;
	cpu->redirect = jump;
}

void cache_cpu_count(struct cache_cpu *cpu, bool counts)
{
	cpu->weight = counts;
}

/* ---- results ------------------------------------------------------- */

struct cache_counts cache_sim_counts(const struct cache_sim *s,
				     size_t hierarchy, size_t level)
{
	uint32_t node = s->node_of[hierarchy][level];
	struct cache_counts sum = { 0 };

	for (const struct cache_cpu *cpu = s->cpus; cpu; cpu = cpu->next)
		cache_counts_add(&sum, &cpu->views[node].counts);
	return sum;
}

uint64_t cache_sim_misses(const struct cache_sim *s, size_t hierarchy,
			  size_t level, uint32_t place)
{
	uint32_t node = s->node_of[hierarchy][level];
	uint64_t sum = 0;

	for (const struct cache_cpu *cpu = s->cpus; cpu; cpu = cpu->next)
		if (place < cpu->views[node].n_places)
			sum += cpu->views[node].misses[place];
	return sum;
}

bool cache_sim_short(const struct cache_sim *s)
{
	for (const struct cache_cpu *cpu = s->cpus; cpu; cpu = cpu->next)
		if (cpu->is_short)
			return true;
	return s->is_short;
}

void cache_sim_forget(struct cache_sim *s)
{
	for (struct cache_cpu *cpu = s->cpus; cpu; cpu = cpu->next) {
		for (size_t i = 0; i < s->n_nodes; i++) {
			struct cache_view *v = &cpu->views[i];

			v->counts = (struct cache_counts){ 0 };
			if (v->n_places)
				memset(v->misses, 0,
				       v->n_places * sizeof(*v->misses));
		}
		if (cpu->trace)
			cache_trace_clear(cpu->trace);
	}
}

const struct cache_trace *cache_sim_trace(const struct cache_sim *s, size_t i)
{
	const struct cache_cpu *cpu = s->cpus;

	while (cpu && i-- > 0)
		cpu = cpu->next;
	return cpu ? cpu->trace : NULL;
}
