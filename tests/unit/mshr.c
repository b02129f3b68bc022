/* The model of misses in flight: its laws, and equal to a brute force that
 * steps through every cycle. */
#include <math.h>

#include "host/base/random.h"
#include "host/estimate/mshr.h"
#include "tests/unit/unit.h"

enum { MOST = 300, STREAMS = 400, MOST_ENTRIES = 12 };

static uint64_t seed;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(random_next(&seed) % n);
}

/* ---- the brute force -------------------------------------------------- */

enum phase { NOT_YET, QUEUED, IN_ENTRY, MERGED, HIT, DONE };

struct slow {
	const struct mshr_access *x;
	size_t n;
	uint32_t entries;
	uint64_t window;
	enum phase phase[MOST];
	uint64_t until[MOST], began[MOST];
	uint32_t with[MOST]; /* of MERGED: the access it merged with */
	uint32_t in_use;
	uint64_t ages; /* dispatched: cycles of the program so far */
	uint64_t at[MSHR_MOST + 1];
	uint64_t misses, merged;
	bool refilled; /* the next access has waited for its jump */
};

/* Have all accesses that lie a window before i completed, as far as they hold
 * up retirement? */
static bool slow_has_room(const struct slow *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (s->x[k].order + s->window <= s->x[i].order &&
		    s->x[k].holds && s->phase[k] != DONE)
			return false;
	return true;
}

static int slow_in_flight(const struct slow *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (s->x[k].line == s->x[i].line &&
		    (s->phase[k] == QUEUED || s->phase[k] == IN_ENTRY))
			return (int)k;
	return -1;
}

/* When the line of an access arrives that was fetched in advance. */
static uint64_t slow_arrival(const struct slow *s, size_t i)
{
	return s->x[i].streams ? s->began[s->x[i].fetched] + s->x[i].latency
			       : UINT64_MAX;
}

static void slow_begin(struct slow *s, size_t i, uint64_t now)
{
	int with = slow_in_flight(s, i);

	s->began[i] = now;
	if (with >= 0) {
		s->phase[i] = MERGED;
		s->with[i] = (uint32_t)with;
		s->merged++;
	} else if (s->x[i].misses && slow_arrival(s, i) <= now + s->x[i].hit) {
		s->phase[i] = HIT;
		s->until[i] = now + s->x[i].hit;
	} else if (s->x[i].misses) {
		s->phase[i] = QUEUED;
		s->misses++;
	} else {
		s->phase[i] = HIT;
		s->until[i] = now + s->x[i].latency;
	}
}

/* Accesses that complete at this cycle. */
static void slow_complete(struct slow *s, uint64_t now)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->phase[i] == IN_ENTRY && s->until[i] == now) {
			s->phase[i] = DONE;
			s->in_use--;
		}
		if (s->phase[i] == HIT && s->until[i] == now)
			s->phase[i] = DONE;
		if (s->phase[i] == MERGED && s->phase[s->with[i]] == DONE)
			s->phase[i] = DONE;
	}
}

static void slow_enter(struct slow *s, uint64_t now)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->phase[i] == QUEUED &&
		    (s->entries == 0 || s->in_use < s->entries)) {
			s->phase[i] = IN_ENTRY;
			s->until[i] = now + s->x[i].latency;
			if (slow_arrival(s, i) < s->until[i])
				s->until[i] = slow_arrival(s, i);
			if (s->until[i] < now + s->x[i].hit)
				s->until[i] = now + s->x[i].hit;
			s->in_use++;
		}
}

/* Without dependencies.  Returns the cycles. */
static uint64_t slow_run(struct slow *s)
{
	size_t next = 0;
	uint64_t lag = 0; /* cycles that the program is behind its own time */

	for (uint64_t now = 0;; now++) {
		size_t done = 0;

		slow_complete(s, now);
		while (next < s->n && s->x[next].time + lag == now) {
			uint32_t jump = s->x[next].redirect;

			if (jump != MSHR_NONE && !s->refilled &&
			    s->phase[jump] != DONE) {
				lag++;
				break;
			}
			if (!s->refilled && s->x[next].refill > 0) {
				s->refilled = true;
				lag += s->x[next].refill;
				break;
			}
			if (!slow_has_room(s, next)) {
				s->refilled = true;
				lag++;
				break;
			}
			slow_begin(s, next, now);
			s->refilled = false;
			next++;
			/* What completes at once makes room at once. */
			slow_enter(s, now);
		}
		slow_enter(s, now);
		while (done < s->n && s->phase[done] == DONE)
			done++;
		if (done == s->n)
			return now - s->x[0].time;
		if (next > 0)
			s->at[s->in_use]++;
	}
}

/* ---- streams ----------------------------------------------------------- */

static void draw(struct mshr_access *x, size_t n, bool depends, bool jumps)
{
	uint32_t lines = 1 + below(40), pace = 1 + below(30);
	uint32_t misses = below(101);
	uint64_t time = below(50), order = 0;

	for (size_t i = 0; i < n; i++) {
		time += below(2) ? 0 : below(pace);
		order += below(6);
		x[i] = (struct mshr_access){
			.time = time,
			.order = order,
			.line = below(lines),
			.latency = 1 + below(60),
			.depends = depends && i > 0 && below(3) == 0
					   ? below((uint32_t)i)
					   : MSHR_NONE,
			.misses = below(100) < misses,
			.holds = below(4) > 0,
			.redirect = MSHR_NONE,
		};
		x[i].hit = 1 + below(x[i].latency);
		if (i > 0 && below(3) == 0) {
			x[i].streams = true;
			x[i].fetched = below((uint32_t)i);
		}
		if (jumps && i > 0 && below(10) == 0) {
			x[i].refill = below(30);
			x[i].redirect =
				below(2) ? below((uint32_t)i) : MSHR_NONE;
		}
	}
}

static struct mshr_result run(const struct mshr_access *x, size_t n,
			      uint32_t entries, uint64_t window,
			      uint64_t *delays)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct mshr_result r = { 0 };
	struct mshr_options o = { .entries = entries, .window = window };

	mshr_run(&a, x, n, &o, &r, delays);
	return r;
}

TEST(equals_cycle_steps)
{
	static struct slow s;
	struct mshr_access x[MOST];

	for (seed = 1; seed < STREAMS; seed++) {
		size_t n = 1 + below(MOST);
		struct mshr_result r;

		draw(x, n, false, below(2));
		memset(&s, 0, sizeof(s));
		s.x = x;
		s.n = n;
		s.entries = below(MOST_ENTRIES);
		s.window = 1 + below(100);
		r = run(x, n, s.entries, s.window, NULL);
		assert_int_equal(slow_run(&s), r.cycles);
		assert_int_equal(s.misses, r.misses);
		assert_int_equal(s.merged, r.merged);
		assert_memory_equal(s.at, r.at, sizeof(s.at));
	}
}

TEST(laws)
{
	struct mshr_access x[MOST];
	uint64_t delays[MOST];

	for (seed = 1; seed < STREAMS; seed++) {
		size_t n = 1 + below(MOST);
		uint64_t window = 1 + below(100);
		struct mshr_result free, before = { 0 };

		draw(x, n, true, below(2));
		free = run(x, n, 0, window, NULL);
		/* As many entries as accesses are as good as any number. */
		assert_int_equal(run(x, n, (uint32_t)n, window, NULL).cycles,
				 free.cycles);
		for (uint32_t m = 1; m <= MOST_ENTRIES; m++) {
			struct mshr_result r = run(x, n, m, window, delays);
			uint64_t time = 0, busy = 0, delayed = 0;

			assert_true(r.cycles >= free.cycles);
			assert_true(m == 1 || r.cycles <= before.cycles);
			assert_true(r.most <= m);
			for (uint32_t i = 0; i <= MSHR_MOST; i++) {
				assert_true(i <= m || r.at[i] == 0);
				time += r.at[i];
				busy += i * r.at[i];
			}
			assert_int_equal(time, r.cycles);
			/* Little's law. */
			assert_int_equal(busy, r.busy);
			for (size_t i = 0; i < n; i++)
				delayed += delays[i];
			assert_true(delayed <= r.cycles);
			before = r;
		}
	}
}

/* With one entry and nothing but misses, each waits for the one before. */
TEST(one_entry)
{
	struct mshr_access x[MOST];

	for (uint32_t latency = 1; latency < 500; latency += 37) {
		struct mshr_result r;

		for (size_t i = 0; i < MOST; i++)
			x[i] = (struct mshr_access){
				.order = i,
				.line = i,
				.latency = latency,
				.depends = MSHR_NONE,
				.redirect = MSHR_NONE,
				.misses = true,
				.holds = true,
			};
		r = run(x, MOST, 1, 64, NULL);
		assert_int_equal(r.cycles, MOST * (uint64_t)latency);
		assert_int_equal(r.misses, MOST);
		assert_int_equal(mshr_enough(&r, 0.99), 1);
		/* Four at once; a window of 4; each waits for the last. */
		assert_int_equal(run(x, MOST, 4, 64, NULL).cycles,
				 MOST / 4 * (uint64_t)latency);
		assert_int_equal(run(x, MOST, 0, 4, NULL).cycles,
				 MOST / 4 * (uint64_t)latency);
		for (uint32_t i = 1; i < MOST; i++)
			x[i].depends = i - 1;
		assert_int_equal(run(x, MOST, 0, 64, NULL).cycles,
				 MOST * (uint64_t)latency);
	}
}

static uint64_t cycles_of(const struct mshr_access *x, size_t n,
			  const struct mshr_options *o)
{
	struct arena a = { 0 };
	struct mshr_result r = { 0 };

	mshr_run(&a, x, n, o, &r, NULL);
	arena_free(&a);
	return r.cycles;
}

/* Independent hits on pages that are in no TLB, and pages that are in one. */
TEST(walks)
{
	enum { LATENCY = 4, WALK = 40 };
	struct mshr_access x[MOST];
	struct mshr_options o = { .window = MOST };
	uint64_t cycles[5];

	for (size_t i = 0; i < MOST; i++)
		x[i] = (struct mshr_access){
			.order = i,
			.line = i,
			.page = i,
			.latency = LATENCY,
			.translate = WALK,
			.walks = true,
			.depends = MSHR_NONE,
			.redirect = MSHR_NONE,
			.holds = true,
		};
	for (o.tlb.walkers = 0; o.tlb.walkers < 5; o.tlb.walkers++)
		cycles[o.tlb.walkers] = cycles_of(x, MOST, &o);
	assert_int_equal(cycles[0], WALK + LATENCY);
	for (size_t n = 1; n < 5; n++)
		assert_int_equal(cycles[n], MOST / n * WALK + LATENCY);
	/* However many walkers, walks begin an interval apart. */
	o.tlb.walkers = 0;
	o.tlb.interval = WALK / 4;
	assert_int_equal(cycles_of(x, MOST, &o),
			 (MOST - 1) * (WALK / 4) + WALK + LATENCY);
	/* Walks that come one by one do not wait. */
	for (size_t i = 0; i < MOST; i++)
		x[i].time = i * (WALK / 4);
	assert_int_equal(cycles_of(x, MOST, &o),
			 (MOST - 1) * (WALK / 4) + WALK + LATENCY);
	for (size_t i = 0; i < MOST; i++)
		x[i].time = 0;
	o.tlb.interval = 0;
	/* Two accesses of a page share a walk. */
	o.tlb.walkers = 1;
	for (size_t i = 0; i < MOST; i++) {
		x[i].page = i / 2;
		x[i].translate = i % 2 ? 0 : WALK;
	}
	assert_int_equal(cycles_of(x, MOST, &o), MOST / 2 * WALK + LATENCY);
	/* The second TLB needs no walker. */
	for (size_t i = 0; i < MOST; i++) {
		x[i].page = i;
		x[i].translate = WALK;
		x[i].walks = false;
	}
	assert_int_equal(cycles_of(x, MOST, &o), WALK + LATENCY);
}

/* A line for every PACE cycles, fetched AHEAD accesses in advance: what is not
 * covered shows, once.  The first lines are not fetched in advance. */
TEST(streams)
{
	enum { PACE = 10, LATENCY = 100, QUICK = 4 };
	struct mshr_access x[MOST];

	for (uint32_t ahead = 1; ahead < 20; ahead++) {
		uint64_t covered = ahead * PACE;
		struct mshr_result r;

		for (uint32_t i = 0; i < MOST; i++)
			x[i] = (struct mshr_access){
				.time = i * PACE,
				.order = i,
				.line = i,
				.latency = i < ahead ? QUICK : LATENCY,
				.hit = QUICK,
				.depends = MSHR_NONE,
				.redirect = MSHR_NONE,
				.misses = i >= ahead,
				.streams = i >= ahead,
				.fetched = i < ahead ? 0 : i - ahead,
				.holds = true,
			};
		r = run(x, MOST, 0, 1000, NULL);
		assert_int_equal(r.cycles, (MOST - 1) * PACE +
						   (covered + QUICK < LATENCY
							    ? LATENCY - covered
							    : QUICK));
		assert_int_equal(r.misses,
				 covered + QUICK < LATENCY ? MOST - ahead : 0);
	}
}
