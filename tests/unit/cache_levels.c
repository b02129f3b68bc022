/* The simulation of caches equals a brute force that knows nothing of lists,
 * forests and tags: of each line it keeps when it was last used. */
#include "host/base/random.h"
#include "host/cache/sim.h"
#include "tests/unit/unit.h"

enum {
	LINES = 640, /* numbers of lines in the streams, at most */
	CPUS = 3,
	PLACES = 7,
	ACCESSES = 2000,
	MOST_LINES = 6, /* of an execution */
	MOST_HIERARCHIES = 5,
};

/* A cache: when each line was last asked for, and when it came in. */
struct slow {
	const struct cache_level *level;
	uint64_t asked[LINES]; /* time of the last access; 0: never */
	bool in[LINES], modified[LINES];
};

struct slow_counts {
	struct cache_counts counts;
	uint64_t misses[PLACES];
};

struct slow_hierarchy {
	struct slow levels[CPUS][CACHE_MAX_LEVELS];
	struct slow_counts counts[CACHE_MAX_LEVELS];
};

static uint64_t slow_time;

static bool full_would_hit(const struct slow *c, uint64_t line)
{
	uint64_t n = 0;

	for (size_t i = 0; i < LINES; i++)
		n += c->asked[i] > c->asked[line];
	return n < c->level->bytes / c->level->line_bytes;
}

/* The line that leaves the set of `line`, or -1. */
static int slow_victim(const struct slow *c, uint64_t line)
{
	uint64_t sets = cache_level_sets(c->level);
	unsigned n = 0;
	int oldest = -1;

	for (uint64_t i = line % sets; i < LINES; i += sets) {
		if (!c->in[i])
			continue;
		n++;
		if (oldest < 0 || c->asked[i] < c->asked[oldest])
			oldest = (int)i;
	}
	return n == c->level->ways ? oldest : -1;
}

static struct slow *slow_at(struct slow_hierarchy *h, unsigned cpu, size_t l)
{
	return &h->levels[h->levels[0][l].level->shared ? 0 : cpu][l];
}

static void slow_write_back(struct slow_hierarchy *h,
			    const struct cache_hierarchy *x, unsigned cpu,
			    size_t l, uint64_t byte)
{
	for (; l < x->n_levels; l++) {
		struct slow *c = slow_at(h, cpu, l);
		uint64_t line = byte / x->levels[l].line_bytes;

		if (c->in[line]) {
			c->modified[line] = true;
			return;
		}
		h->counts[l].counts.writebacks++;
	}
}

static void slow_miss(struct slow_hierarchy *h, const struct cache_hierarchy *x,
		      unsigned cpu, size_t l, uint64_t line, int victim,
		      unsigned place, bool full)
{
	struct slow *c = slow_at(h, cpu, l);
	struct slow_counts *n = &h->counts[l];

	n->counts.misses++;
	n->misses[place]++;
	if (!c->asked[line])
		n->counts.cold++;
	else if (full)
		n->counts.conflict++;
	else
		n->counts.capacity++;
	if (victim >= 0) {
		c->in[victim] = false;
		n->counts.writebacks += c->modified[victim];
	}
	c->in[line] = true;
	(void)x;
}

/* Returns the levels that were searched in vain. */
static unsigned slow_access(struct slow_hierarchy *h,
			    const struct cache_hierarchy *x, unsigned cpu,
			    uint64_t byte, bool store, unsigned place)
{
	int victims[CACHE_MAX_LEVELS];
	bool gone[CACHE_MAX_LEVELS];
	unsigned depth = 0;
	bool hit = false;

	slow_time++;
	for (size_t l = 0; l < x->n_levels && !hit; l++) {
		struct slow *c = slow_at(h, cpu, l);
		uint64_t line = byte / x->levels[l].line_bytes;
		bool full = c->asked[line] && full_would_hit(c, line);

		h->counts[l].counts.accesses++;
		hit = c->in[line];
		victims[l] = hit ? -1 : slow_victim(c, line);
		gone[l] = victims[l] >= 0 && c->modified[victims[l]];
		if (!hit)
			slow_miss(h, x, cpu, l, line, victims[l], place, full);
		if (!hit)
			depth++, c->modified[line] = false;
		c->modified[line] |= store && l == 0;
		c->asked[line] = slow_time;
	}
	/* Modified lines travel once the access is over, the lowest first. */
	for (size_t l = depth; l-- > 0;)
		if (gone[l])
			slow_write_back(h, x, cpu, l + 1,
					(uint64_t)victims[l] *
						x->levels[l].line_bytes);
	return depth;
}

/* ---- random hierarchies and streams -------------------------------- */

static uint64_t seed_state;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(random_next(&seed_state) % n);
}

static void draw_hierarchy(struct cache_hierarchy *h)
{
	uint32_t line = 16u << below(3);
	bool shared = false;

	memset(h, 0, sizeof(*h));
	h->n_levels = 1 + below(CACHE_MAX_LEVELS);
	for (size_t i = 0; i < h->n_levels; i++) {
		struct cache_level *l = &h->levels[i];

		line <<= below(4) == 0;
		shared = shared || below(4) == 0;
		*l = (struct cache_level){
			.line_bytes = line,
			.ways = 1 + below(5),
			.shared = shared,
		};
		l->bytes = (uint64_t)l->ways * line * (1 + below(12));
	}
}

/* Hierarchies that share levels with one drawn before. */
static void draw_hierarchies(struct cache_hierarchy *h, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		draw_hierarchy(&h[i]);
		if (i == 0 || below(2))
			continue;
		memcpy(&h[i], &h[below((uint32_t)i)], sizeof(*h));
		h[i].levels[h[i].n_levels - 1].ways++;
		h[i].levels[h[i].n_levels - 1].bytes =
			h[i].levels[h[i].n_levels - 1].ways *
			h[i].levels[h[i].n_levels - 1].line_bytes *
			(UINT64_C(1) + below(12));
	}
}

/* Distinct lines of an execution: neighbours, strides or anything. */
static size_t draw_lines(uint64_t *lines, uint64_t *at, uint64_t n_lines)
{
	size_t n = 1 + below(MOST_LINES);
	uint64_t stride = 1 + below(3) * below(20);

	if (below(3) == 0)
		*at = below((uint32_t)n_lines);
	for (size_t i = 0; i < n; i++) {
		*at = (*at + stride) % n_lines;
		lines[i] = *at;
		for (size_t k = 0; k < i; k++)
			if (lines[k] == lines[i])
				return i;
	}
	return n;
}

static bool asked_before(const uint64_t *lines, size_t i, uint64_t unit,
			 uint32_t line_bytes)
{
	for (size_t k = 0; k < i; k++)
		if (lines[k] * unit / line_bytes ==
		    lines[i] * unit / line_bytes)
			return true;
	return false;
}

static void slow_execution(struct slow_hierarchy *slow,
			   const struct cache_hierarchy *h, size_t n,
			   unsigned cpu, const uint64_t *lines, size_t n_lines,
			   uint64_t unit, bool store, unsigned place,
			   bool counts)
{
	struct slow_counts before[CACHE_MAX_LEVELS];

	for (size_t k = 0; k < n; k++) {
		memcpy(before, slow[k].counts, sizeof(before));
		for (size_t i = 0; i < n_lines; i++)
			if (!asked_before(lines, i, unit,
					  h[k].levels[0].line_bytes))
				slow_access(&slow[k], &h[k], cpu,
					    lines[i] * unit, store, place);
		if (!counts)
			memcpy(slow[k].counts, before, sizeof(before));
	}
}

static void check(const struct cache_sim *s, const struct slow_hierarchy *slow,
		  const struct cache_hierarchy *h, size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (size_t l = 0; l < h[k].n_levels; l++) {
			struct cache_counts c = cache_sim_counts(s, k, l);

			assert_memory_equal(&c, &slow[k].counts[l].counts,
					    sizeof(c));
			assert_int_equal(c.misses,
					 c.cold + c.capacity + c.conflict);
			for (uint32_t p = 0; p < PLACES; p++)
				assert_int_equal(cache_sim_misses(s, k, l, p),
						 slow[k].counts[l].misses[p]);
		}
	assert_false(cache_sim_short(s));
}

static void random_run(uint64_t seed)
{
	struct cache_hierarchy h[MOST_HIERARCHIES];
	struct cache_options o = { .classes = true, .trace = seed & 1 };
	struct cache_cpu *cpus[CPUS];
	size_t n;
	struct slow_hierarchy *slow;
	struct cache_sim *s;
	uint64_t at[CPUS] = { 0 };
	uint64_t n_lines, unit;

	seed_state = seed;
	n = 1 + below(MOST_HIERARCHIES);
	draw_hierarchies(h, n);
	slow = calloc(n, sizeof(*slow));
	assert_non_null(slow);
	for (size_t k = 0; k < n; k++)
		for (size_t l = 0; l < h[k].n_levels; l++)
			for (size_t c = 0; c < CPUS; c++)
				slow[k].levels[c][l].level = &h[k].levels[l];
	s = cache_sim_new(h, n, &o);
	assert_non_null(s);
	unit = cache_sim_line_bytes(s);
	n_lines = 16 + below(512);
	for (size_t c = 0; c < CPUS; c++)
		assert_non_null(cpus[c] = cache_cpu_new(s));
	for (size_t i = 0; i < ACCESSES; i++) {
		uint64_t lines[MOST_LINES];
		unsigned cpu = below(CPUS);
		size_t n_of = draw_lines(lines, &at[cpu], n_lines);
		bool store = below(3) == 0;
		unsigned place = below(PLACES);
		bool counts = seed % 3 != 0 || below(2);

		cache_cpu_count(cpus[cpu], counts);
		cache_access(cpus[cpu], lines, n_of, store, place, i);
		slow_execution(slow, h, n, cpu, lines, n_of, unit, store, place,
			       counts);
	}
	check(s, slow, h, n);
	cache_sim_free(s);
	free(slow);
}

TEST(equals_brute_force)
{
	for (uint64_t seed = 1; seed <= 60; seed++)
		random_run(seed);
}

/* Every window is a part of the stream, begins where it says and lies in its
 * stretch, and the levels of its records are those of a brute force. */
static void check_windows(const struct cache_trace *t, const uint8_t *depths,
			  uint64_t n)
{
	assert_int_equal(t->seen, n);
	assert_true(t->n >= CACHE_TRACE_WINDOWS / 2 ||
		    t->spacing == CACHE_TRACE_WINDOW);
	for (size_t i = 0; i < t->n; i++) {
		const struct cache_window *w = &t->windows[i];

		assert_int_equal(w->first / t->spacing, i);
		assert_true(i == 0 || w->first >= (w - 1)->first + (w - 1)->n);
		assert_true(w->n == CACHE_TRACE_WINDOW || i + 1 == t->n);
		for (size_t k = 0; k < w->n; k++) {
			const struct cache_record *x = &w->records[k];

			assert_int_equal(x->now, w->first + k);
			assert_int_equal(x->line, x->now * x->now % 600);
			assert_int_equal(x->place, x->now % PLACES);
			assert_int_equal(cache_record_level(x, 1),
					 depths[x->now]);
			assert_int_equal(cache_record_level(x, 0),
					 depths[x->now] > 0);
		}
	}
}

static void trace_of(uint64_t n)
{
	struct cache_level small = { .bytes = 1024,
				     .line_bytes = 64,
				     .ways = 2 };
	struct cache_level large = { .bytes = 8192,
				     .line_bytes = 64,
				     .ways = 16 };
	struct cache_hierarchy h[2] = {
		{ .n_levels = 1, .levels = { small } },
		{ .n_levels = 2, .levels = { small, large } },
	};
	struct cache_options o = { .trace = true };
	struct slow_hierarchy *slow = calloc(1, sizeof(*slow));
	uint8_t *depths = calloc(n, 1);
	struct cache_sim *s = cache_sim_new(h, 2, &o);
	struct cache_cpu *cpu = cache_cpu_new(s);

	assert_true(slow && depths && cpu);
	for (size_t l = 0; l < 2; l++)
		slow->levels[0][l].level = &h[1].levels[l];
	for (uint64_t i = 0; i < n; i++) {
		uint64_t line = i * i % 600;

		depths[i] = (uint8_t)slow_access(slow, &h[1], 0, line * 64,
						 false, 0);
		cache_access(cpu, &line, 1, false, (uint32_t)(i % PLACES), i);
	}
	check_windows(cache_sim_trace(s, 0), depths, n);
	cache_sim_free(s);
	free(slow);
	free(depths);
}

TEST(samples)
{
	static const uint64_t all =
		(uint64_t)CACHE_TRACE_WINDOW * CACHE_TRACE_WINDOWS;

	trace_of(1000);
	trace_of(CACHE_TRACE_WINDOW * 3 + 1);
	trace_of(all);
	trace_of(all + 1);
	trace_of(all * 3 + 12345);
}
