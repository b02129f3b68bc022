/* The measuring routine of an invented board; see measure.h.
 *
 * Iterations are chosen as target/core/measure.c chooses them, so that a
 * solver sees the same shapes.  The disturbances are those of a shared
 * virtual machine: jitter, a drifting frequency, bursts of short stalls,
 * rare long preemptions, a busy sibling. */
#include "host/fake/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/bend.h"
#include "host/base/random.h"

enum {
	CORE_ROUNDS = 16,
	EMPTY_RUNS = 8,
	CHAIN_NS = 1500,
	PROBE_NS = 150,
	STALL_NS = 1800,
	STALL_EVERY_NS = 6000, /* within a storm */
	STORM_NS = 5000000,
	SIBLING_NS = 50000000,
	PREEMPT_NS = 20000,
	DRIFT_PERIOD_NS = 700000000,
	MISS_CYCLES = 30,
};

struct timings {
	bool known;
	const char *fault;
	uint32_t fault_pc;
	double slow_share;
	struct fake_timing length[2][PACK_LENGTHS]; /* [1]: second state */
};

struct fake_board {
	struct arena arena;
	const struct catalogue *c;
	const struct core *core;
	const void *pack;
	struct fake_decoder *decoder;
	struct fake_simulator *simulator;
	struct timings *timings; /* of each kernel, when first needed */
	uint64_t calib_n[PACK_N_CALIB];
	uint64_t random;
	bool slow; /* in this row, forms with two states are in the second */
	double now_ns;
	double storm_until_ns, sibling_until_ns;
};

struct fake_board *fake_board_new(const struct catalogue *c,
				  const struct core *core, const void *pack)
{
	struct fake_board *b = xrealloc(NULL, 1, sizeof(*b));

	*b = (struct fake_board){
		.c = c,
		.core = core,
		.pack = pack,
		.decoder = fake_decoder_new(c, core, pack),
		.simulator = fake_simulator_new(core),
		.random = core->seed,
	};
	b->timings = ARENA_ARRAY(&b->arena, struct timings,
				 pack_header(pack)->n_kernels);
	return b;
}

void fake_board_free(struct fake_board *b)
{
	if (!b)
		return;
	fake_decoder_free(b->decoder);
	fake_simulator_free(b->simulator);
	arena_free(&b->arena);
	free(b);
}

/* ---- disturbances ----------------------------------------------------- */

double fake_board_random(struct fake_board *b)
{
	return random_unit(&b->random);
}

/* Approximately normal, mean 0, deviation 1: a sum of twelve uniform
 * numbers. */
static double normal(struct fake_board *b)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += fake_board_random(b);
	return sum;
}

/* Is there an episode now?  Episodes cover `percent` of the time in pieces
 * of about `length_ns`. */
static bool episode(struct fake_board *b, double percent, double length_ns,
		    double duration_ns, double *until_ns)
{
	double share = percent / 100;

	if (share <= 0)
		return false;
	if (b->now_ns < *until_ns)
		return true;
	if (share < 1 && fake_board_random(b) >=
				 duration_ns / length_ns * share / (1 - share))
		return false;
	*until_ns = b->now_ns + length_ns * (0.5 + fake_board_random(b));
	return true;
}

/* How much a busy sibling slows a kernel: a chain little, a kernel that
 * needs the width of the core much. */
static double sibling_factor(const struct fake_board *b, uint32_t index)
{
	const char *label = pack_label(b->pack, &pack_kernels(b->pack)[index]);

	if (strncmp(label, "probe:", 6) == 0)
		return 1.7;
	return strncmp(label, "throughput:", 11) == 0 ||
			       strncmp(label, "mix:", 4) == 0
		       ? 1.5
		       : 1.02;
}

/* Time that a run of `ns` takes on a disturbed machine. */
static double disturb(struct fake_board *b, uint32_t index, double ns)
{
	const struct core *c = b->core;

	/* Cycles are cycles at any frequency. */
	if (c->clock == CLOCK_REF && c->drift > 0)
		ns /= 1 + c->drift / 100 *
				  sin(2 * 3.14159265358979 * b->now_ns /
				      DRIFT_PERIOD_NS);
	if (c->noise > 0)
		ns *= 1 + fabs(normal(b)) * c->noise / 100;
	if (episode(b, c->sibling, SIBLING_NS, ns, &b->sibling_until_ns))
		ns *= sibling_factor(b, index);
	if (episode(b, c->storms, STORM_NS, ns, &b->storm_until_ns))
		ns += floor(ns / STALL_EVERY_NS + fake_board_random(b)) *
		      STALL_NS;
	if (c->outliers > 0 && fake_board_random(b) < c->outliers / 100)
		ns += PREEMPT_NS * (0.5 + fake_board_random(b));
	return ns;
}

/* ---- the counter ------------------------------------------------------ */

/* Ticks for `cycles` cycles of a kernel at the current time. */
static uint64_t measure_count(struct fake_board *b, uint32_t index,
			      uint64_t cycles)
{
	const struct core *c = b->core;
	double ghz = c->ghz;
	double exact = (double)cycles / ghz;
	double ns = disturb(b, index, exact);
	double begin = b->now_ns;

	b->now_ns += ns;
	/* An undisturbed core clock counts whole cycles. */
	if (c->clock == CLOCK_CORE)
		return ns > exact || ns < exact ? (uint64_t)(ns * ghz + 0.5)
						: cycles;
	return (uint64_t)floor(b->now_ns * c->hz / 1e9) -
	       (uint64_t)floor(begin * c->hz / 1e9);
}

/* The place of the kernel's code after this start. */
static bool draw_uncached(const struct fake_board *b, uint32_t index)
{
	struct fake_board one = { .random = b->core->seed + index };

	return b->core->uncached > 0 &&
	       fake_board_random(&one) < b->core->uncached / 100;
}

static const struct timings *timings_of(struct fake_board *b, uint32_t index)
{
	struct timings *t = &b->timings[index];
	struct fake_kernel k;

	if (t->known)
		return t;
	fake_decode(b->decoder, index, &k);
	k.uncached = draw_uncached(b, index);
	t->known = true;
	t->fault = k.fault;
	t->fault_pc = k.fault_pc;
	t->slow_share = k.slow_share;
	for (int slow = 0; slow <= (k.slow_share > 0); slow++)
		for (int i = 0; i < PACK_LENGTHS && !k.fault; i++)
			fake_simulate(b->simulator, &b->arena, &k, i, slow,
				      &t->length[slow][i]);
	return t;
}

/* By how many cycles entering and leaving the loop move a length off the
 * line: up to `bend` for the shortest, half of that for the others, the same
 * in every repeat. */
static int64_t bend_of(const struct fake_board *b, uint32_t index, int length)
{
	int64_t most = length == 0 ? b->core->bend : b->core->bend / 2;
	uint64_t z =
		(b->core->seed * 977 + index) * PACK_LENGTHS + (uint64_t)length;

	z = (z ^ z >> 31) * 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 29) * 0xbf58476d1ce4e5b9ull;
	return (int64_t)((z >> 32) % (uint64_t)(2 * most + 1)) - most;
}

static uint64_t time_kernel(struct fake_board *b, uint32_t index, int length,
			    uint64_t n)
{
	const struct timings *t = timings_of(b, index);
	uint64_t ends =
		(uint64_t)(b->core->overhead + bend_of(b, index, length));

	return measure_count(
		b, index,
		ends + fake_cycles(
			       &t->length[b->slow && t->slow_share > 0][length],
			       n));
}

/* Begin a row of samples. */
static void begin_row(struct fake_board *b, uint32_t index)
{
	double share = timings_of(b, index)->slow_share;

	b->slow = share > 0 && fake_board_random(b) < share / 100;
}

static uint64_t run_empty(struct fake_board *b, uint32_t index)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < EMPTY_RUNS; i++) {
		uint64_t ticks = measure_count(b, index, b->core->overhead);

		if (ticks < best)
			best = ticks;
	}
	return best;
}

/* ---- estimators ------------------------------------------------------- */

static uint64_t ticks_of_ns(const struct fake_board *b, uint64_t ns)
{
	return (uint64_t)(b->core->hz * (double)ns / 1e9);
}

static uint64_t above(uint64_t ticks, uint64_t empty)
{
	return ticks > empty ? ticks - empty : 1;
}

/* Iterations for which the longest length takes about `target` ticks, found
 * from a number that takes a tenth of it. */
static uint64_t tune(struct fake_board *b, uint32_t index, uint64_t target,
		     uint64_t empty)
{
	const int longest = PACK_LENGTHS - 1;
	const uint64_t goals[] = { target / 10, target };
	uint64_t n = 1;

	for (size_t step = 0; step < ARRAY_LEN(goals); step++) {
		uint64_t one = time_kernel(b, index, longest, n);
		uint64_t two = time_kernel(b, index, longest, n);

		n = n * goals[step] / above(one < two ? one : two, empty);
		if (n == 0)
			n = 1;
	}
	return n;
}

const char *fake_board_calibrate(struct fake_board *b)
{
	static const unsigned ns[PACK_N_CALIB] = {
		[PACK_CALIB_CHAIN_A] = CHAIN_NS,
		[PACK_CALIB_CHAIN_B] = CHAIN_NS,
		[PACK_CALIB_PROBE] = PROBE_NS,
	};
	const struct pack_header *h = pack_header(b->pack);
	uint64_t empty;

	if (b->core->clock == CLOCK_CORE)
		return NULL;
	for (int i = 0; i < PACK_N_CALIB; i++) {
		if (h->calib[i] == PACK_NO_KERNEL)
			return "a ref clock needs calibration kernels and "
			       "the pack has none";
		if (timings_of(b, h->calib[i])->fault)
			return "a calibration kernel faulted";
	}
	empty = run_empty(b, h->calib[0]);
	for (int i = 0; i < PACK_N_CALIB; i++)
		b->calib_n[i] =
			tune(b, h->calib[i], ticks_of_ns(b, ns[i]), empty);
	return NULL;
}

static void warm_up(struct fake_board *b, uint32_t index,
		    uint64_t ret_cold[PACK_LENGTHS])
{
	for (int i = 0; i < PACK_LENGTHS; i++)
		ret_cold[i] = time_kernel(b, index, i, 1);
}

static uint64_t *row_at(struct fake_sample *m, uint64_t r)
{
	return m->values + r * ROW_CORE;
}

/* In some rows one length met what the others did not: a branch or a line of a
 * cache that the core had forgotten.  On a core clock nothing else tells such a
 * row. */
static void miss(struct fake_board *b, uint64_t row[PACK_LENGTHS])
{
	double percent = b->core->misses;
	double drawn;

	if (percent <= 0)
		return;
	drawn = fake_board_random(b) * 100;
	if (drawn < percent)
		row[(size_t)(drawn / percent * PACK_LENGTHS)] += MISS_CYCLES;
}

static void run_row(struct fake_board *b, uint32_t index, struct fake_sample *m,
		    uint64_t r)
{
	begin_row(b, index);
	for (int i = 0; i < PACK_LENGTHS; i++)
		row_at(m, r)[i] = time_kernel(b, index, i, m->n);
	miss(b, row_at(m, r));
	b->slow = false;
}

static uint64_t row_cycles(const uint64_t *row)
{
	return row[0] + row[1] + row[2];
}

/* Iterations for which the lengths differ enough, and row 0: the last try.
 * Returns the rows that the rest of the budget holds. */
static uint32_t find_iterations(struct fake_board *b, uint32_t index,
				const uint64_t cold[PACK_LENGTHS],
				struct fake_sample *m)
{
	enum { SHORT = 0, LONG = PACK_LENGTHS - 1 };
	const struct pack_header *h = pack_header(b->pack);
	struct bend_plan plan = bend_plan(h->kernel_cycles, h->n_repeats);
	uint64_t left = h->kernel_cycles, spent, n;
	uint64_t *row = row_at(m, 0);

	m->n = bend_first(cold[LONG]);
	row[SHORT] = time_kernel(b, index, SHORT, m->n);
	row[LONG] = time_kernel(b, index, LONG, m->n);
	spent = row[SHORT] + row[LONG];
	for (int round = 0; round < CORE_ROUNDS; round++) {
		left -= spent < left ? spent : left;
		n = bend_iterations(m->n, row[SHORT], row[LONG], plan.range,
				    left);
		if (n == m->n && round > 0)
			break;
		m->n = n;
		run_row(b, index, m, 0);
		spent = row_cycles(row);
	}
	return bend_rows(&plan, left, row_cycles(row));
}

/* As struct bend_plan says. */
static void measure_core(struct fake_board *b, uint32_t index,
			 struct fake_sample *m)
{
	const size_t bytes = ROW_CORE * sizeof(*m->values);
	uint64_t cold[PACK_LENGTHS];
	bool agree = false;
	uint32_t most;
	uint64_t n = 1;

	warm_up(b, index, cold);
	most = find_iterations(b, index, cold, m);
	m->row = ROW_CORE;
	for (uint32_t r = 0; r < most && !agree; r++) {
		run_row(b, index, m, n);
		agree = memcmp(row_at(m, n - 1), row_at(m, n), bytes) == 0;
		if (r == 0 && !agree)
			memcpy(row_at(m, 0), row_at(m, 1), bytes);
		else
			n++;
	}
	m->n_rows = (uint32_t)n;
}

/* a long, b short, probe, the kernel's three lengths, b long, a short. */
static void sandwich(struct fake_board *b, uint32_t index, uint64_t n,
		     uint64_t *v)
{
	enum { SHORT = 0, LONG = PACK_LENGTHS - 1 };
	const uint32_t *calib = pack_header(b->pack)->calib;
	const uint64_t *c = b->calib_n;

	*v++ = time_kernel(b, calib[PACK_CALIB_CHAIN_A], LONG,
			   c[PACK_CALIB_CHAIN_A]);
	*v++ = time_kernel(b, calib[PACK_CALIB_CHAIN_B], SHORT,
			   c[PACK_CALIB_CHAIN_B]);
	*v++ = time_kernel(b, calib[PACK_CALIB_PROBE], LONG,
			   c[PACK_CALIB_PROBE]);
	for (int i = 0; i < PACK_LENGTHS; i++)
		*v++ = time_kernel(b, index, i, n);
	*v++ = time_kernel(b, calib[PACK_CALIB_CHAIN_B], LONG,
			   c[PACK_CALIB_CHAIN_B]);
	*v = time_kernel(b, calib[PACK_CALIB_CHAIN_A], SHORT,
			 c[PACK_CALIB_CHAIN_A]);
}

static void measure_ref(struct fake_board *b, uint32_t index,
			struct fake_sample *m)
{
	const struct pack_header *h = pack_header(b->pack);
	uint64_t cold[PACK_LENGTHS];

	warm_up(b, index, cold);
	m->empty = run_empty(b, index);
	m->n = tune(b, index, ticks_of_ns(b, h->sandwich_ns), m->empty);
	memcpy(m->c, b->calib_n, sizeof(m->c));
	m->row = ROW_REF;
	m->n_rows = h->n_sandwiches;
	for (uint32_t r = 0; r < m->n_rows; r++) {
		begin_row(b, index);
		sandwich(b, index, m->n, m->values + (size_t)r * ROW_REF);
	}
	b->slow = false;
}

void fake_board_measure(struct fake_board *b, uint32_t index,
			struct fake_sample *ret)
{
	const struct timings *t = timings_of(b, index);

	memset(ret->c, 0, sizeof(ret->c));
	ret->empty = 0;
	ret->fault = t->fault;
	ret->fault_pc = t->fault_pc;
	if (t->fault)
		return;
	if (b->core->clock == CLOCK_REF)
		measure_ref(b, index, ret);
	else
		measure_core(b, index, ret);
}
