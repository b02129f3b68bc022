/* The two estimators.
 *
 * On a core clock every tick is a cycle, so one undisturbed sample of each
 * length is enough and a few repeats prove it.
 *
 * On a reference clock the core's frequency is unknown and drifts, so every
 * sample of a kernel stands between chains of known cost:
 *
 *	a b probe length0 length1 length2 b a
 *
 * The host judges the rows.  Between the first and the last counter read of a
 * visit nothing happens but these calls: no output, no system call.
 */
#include "target/core/measure.h"

#include <string.h>

#include "common/bend.h"
#include "target/boot.h"
#include "target/core/baseline.h"
#include "target/core/clock.h"
#include "target/core/core_rows.h"
#include "target/core/probes.h"
#include "target/core/slot.h"
#include "target/core/transition.h"
#include "target/core/tune.h"

enum {
	MS = 1000 * 1000, /* nanoseconds */
	/* A kernel is stopped after this long.  Generous: an emulator or a
	 * process may be off its processor for tens of milliseconds. */
	CORE_LIMIT_NS = 100 * MS,
	REF_LIMIT_NS = 200 * MS,
	/* METHOD: 1.5 us chains and a 0.15 us probe give 0.3-0.4 % at p99.9
	 * with eleven sandwiches in 0.1 ms. */
	CHAIN_NS = 1500,
	PROBE_NS = 150,
	/* Episodes of a busy sibling last up to 0.9 s (METHOD); hosts and users
	 * need some output in between. */
	MAX_WAIT_NS = 300 * MS,
	/* An Ice Lake server's wide units power up within 1.4 ms of work. */
	WAKE_NS = 3 * MS,
	/* A reading is off by up to a step of the clock at either end.  256
	 * steps keep that below 1 %, and the mean over a visit far below; a
	 * sixth is enough for the probe, which detects 10 %. */
	CHAIN_STEPS = 256,
	PROBE_STEPS = 40,
	/* An idle core takes about a millisecond to reach its frequency; this
	 * many chains take 1.5. */
	SPIN_UP_RUNS = 1000,
	FIRST_VISITS = 2, /* that all kernels have */
	/* Of later visits, which show whether a value comes again: an undisturbed
	 * time holds more of them.  The mean of six rows is good to 0.17 %. */
	LATER_ROWS = 6,
	CORE_ROUNDS = 16, /* to find iterations; 3 to 5 suffice */
};

enum { SHORT = SLOT_SHORT, LONG = SLOT_LONG };

static struct {
	const void *pack;
	enum arch_clock clock;
	struct slot calib[PACK_N_CALIB];
	uint64_t calib_n[PACK_N_CALIB];
	struct wait_credit waiting;
	struct slot kernel;
	bool any;       /* measure_any() */
	bool disturbed; /* measure_was_disturbed() */
} measure;

void measure_expect(uint32_t probe, uint32_t reading, uint32_t ignored)
{
	enum { THOUSAND = 1000 };
	const struct pack_header *h = pack_header(measure.pack);
	uint32_t chain = h->calib[PACK_CALIB_CHAIN_A];
	uint64_t cycles;

	if (measure.clock != ARCH_CLOCK_REF)
		return;
	probes_ignore(ignored);
	if (probe == 0)
		return;
	/* A body of the chain is a single 1-cycle operation. */
	cycles = pack_kernels(measure.pack)[chain].unroll[PACK_LENGTHS - 1] *
		 measure.calib_n[PACK_CALIB_CHAIN_A];
	probes_expect(probe * measure.calib_n[PACK_CALIB_PROBE] + reading,
		      cycles * THOUSAND + reading);
}

/* Prepare the calibration kernels: found once, used for every sandwich. */
static bool calibrate(void)
{
	const uint64_t target[PACK_N_CALIB] = {
		[PACK_CALIB_CHAIN_A] = tune_ticks(CHAIN_NS, CHAIN_STEPS),
		[PACK_CALIB_CHAIN_B] = tune_ticks(CHAIN_NS, CHAIN_STEPS),
		[PACK_CALIB_PROBE] = tune_ticks(PROBE_NS, PROBE_STEPS),
	};
	const int longest = PACK_LENGTHS - 1;
	const struct pack_header *h = pack_header(measure.pack);
	uint64_t empty, ticks;

	for (int i = 0; i < PACK_N_CALIB; i++) {
		slot_load(&measure.calib[i], h->calib[i]);
		slot_iterations(&measure.calib[i], 1);
		if (!slot_run(&measure.calib[i], longest, &ticks))
			return false;
	}
	if (!slot_run_empty(&measure.calib[0], &empty) ||
	    !tune_slot(&measure.calib[0], longest, target[0], empty,
		       &measure.calib_n[0]))
		return false;
	for (int i = 0; i < SPIN_UP_RUNS; i++)
		if (!slot_run(&measure.calib[0], longest, &ticks))
			return false;
	for (int i = 0; i < PACK_CALIB_PROBE; i++)
		if (!tune_slot(&measure.calib[i], longest, target[i], empty,
			       &measure.calib_n[i]))
			return false;
	tune_probe(&measure.calib[PACK_CALIB_PROBE], target[PACK_CALIB_PROBE],
		   measure.calib[0].kernel->unroll[LONG] * measure.calib_n[0],
		   target[0], &measure.calib_n[PACK_CALIB_PROBE]);
	measure.waiting = (struct wait_credit){ .credit = 0 };
	return probes_open(measure.pack, &measure.calib[PACK_CALIB_PROBE],
			   &measure.calib[PACK_CALIB_CHAIN_A]) &&
	       transition_open(&measure.calib[PACK_CALIB_CHAIN_A]);
}

static const char *calibrate_quietly(void)
{
	bool ok;

	boot_quiet_begin();
	ok = calibrate();
	boot_quiet_end();
	return ok ? NULL : "a calibration kernel faulted";
}

const char *measure_move(void)
{
	slot_move();
	return measure.clock == ARCH_CLOCK_REF ? calibrate_quietly() : NULL;
}

void measure_any(bool any)
{
	measure.any = any;
}

bool measure_was_disturbed(void)
{
	return measure.disturbed;
}

const char *measure_open(const void *pack, enum arch_clock clock)
{
	const struct pack_header *h = pack_header(pack);

	measure.pack = pack;
	measure.clock = clock;
	if (!slot_open(pack, clock,
		       clock_ticks(clock == ARCH_CLOCK_CORE ? CORE_LIMIT_NS
							    : REF_LIMIT_NS)))
		return "no memory for the code of the pack";
	if (clock == ARCH_CLOCK_CORE) {
		/* The core may lack the vectors of a probe: only a quiet
		 * section catches its fault. */
		boot_quiet_begin();
		(void)probes_open(pack, NULL, NULL);
		boot_quiet_end();
		return NULL;
	}
	for (int i = 0; i < PACK_N_CALIB; i++)
		if (h->calib[i] == PACK_NO_KERNEL)
			return "a ref clock needs calibration kernels and "
			       "the pack has none";
	return calibrate_quietly();
}

/* Run each length once with one iteration: warms the caches and triggers
 * faults. */
static bool warm_up(struct slot *s, struct measurement *m,
		    uint64_t ret_cold[PACK_LENGTHS])
{
	slot_iterations(s, 1);
	for (uint32_t i = 0; i < PACK_LENGTHS; i++) {
		m->length = i;
		if (!slot_run(s, i, &ret_cold[i]))
			return false;
	}
	return true;
}

/* Run the three lengths as row `r`. */
static bool run_row(struct slot *s, struct measurement *m, uint32_t r)
{
	uint64_t *v = m->values + (size_t)r * ROW_CORE;
	uint64_t *i = m->retired + (size_t)r * ROW_CORE;

	for (m->length = 0; m->length < PACK_LENGTHS; m->length++) {
		const struct arch_run *one = &s->run[m->length];

		if (!slot_run(s, m->length, v++))
			return false;
		*i++ = one->aux_end - one->aux_begin;
	}
	return true;
}

/* Run the shortest and the longest length: the first try. */
static bool try_ends(struct slot *s, struct measurement *m, uint64_t n,
		     uint64_t *ret_cycles)
{
	m->n = n;
	slot_iterations(s, n);
	m->length = SHORT;
	if (!slot_run(s, SHORT, &m->values[SHORT]))
		return false;
	m->length = LONG;
	if (!slot_run(s, LONG, &m->values[LONG]))
		return false;
	*ret_cycles = m->values[SHORT] + m->values[LONG];
	return true;
}

/* Run a row of n iterations as row 0. */
static bool try_row(struct slot *s, struct measurement *m, uint64_t n,
		    uint64_t *ret_cycles)
{
	enum { TO_LEARN = 2 };
	uint64_t cycles = 0;

	m->length = SHORT;
	slot_iterations(s, n);
	for (int i = 0; n != m->n && bend_is_short(n) && i < TO_LEARN; i++) {
		if (!slot_run(s, SHORT, &m->values[SHORT]))
			return false;
		cycles += m->values[SHORT];
	}
	m->n = n;
	if (!run_row(s, m, 0))
		return false;
	*ret_cycles = cycles + row_cycles(m);
	return true;
}

/* Find the iterations for which the lengths differ enough, given what one cold
 * iteration took.  The last try is row 0.  *ret_rows: as many more as the rest
 * of the budget holds. */
static bool find_iterations(struct slot *s, struct measurement *m,
			    const uint64_t cold[PACK_LENGTHS],
			    uint32_t *ret_rows)
{
	const struct pack_header *h = pack_header(measure.pack);
	struct bend_plan plan = bend_plan(h->kernel_cycles, h->n_repeats);
	uint64_t left = h->kernel_cycles, spent;
	uint64_t n = bend_first(cold[LONG]);

	if (!try_ends(s, m, n, &spent))
		return false;
	for (int round = 0; round < CORE_ROUNDS; round++) {
		left -= spent < left ? spent : left;
		n = bend_iterations(m->n, m->values[SHORT], m->values[LONG],
				    plan.range, left);
		if (n == m->n && round > 0)
			break;
		if (!try_row(s, m, n, &spent))
			return false;
	}
	*ret_rows = bend_rows(&plan, left, row_cycles(m));
	return true;
}

/* See struct bend_plan. */
static bool measure_core(struct slot *s, struct measurement *m)
{
	uint64_t cold[PACK_LENGTHS];
	uint32_t most, n = 1;
	bool agree = false;

	m->row = ROW_CORE;
	probes_wake(s->kernel);
	if (!warm_up(s, m, cold) || !find_iterations(s, m, cold, &most))
		return false;
	for (uint32_t r = 0; r < most && !agree; r++) {
		if (!run_row(s, m, n))
			return false;
		agree = rows_agree(m, n - 1);
		if (r == 0 && !agree)
			drop_first_row(m);
		else
			n++;
	}
	m->n_rows = n;
	return true;
}

/* To be called before a chain: with TRANSITION_HOLD the kernel's shortest length
 * runs, unmeasured. */
static bool hold_state(struct slot *s)
{
	uint64_t unmeasured;

	return transition_of(s->kernel) != TRANSITION_HOLD ||
	       slot_run(s, SHORT, &unmeasured);
}

/* Ticks of chain a in a row, for comparisons with baselines: the smaller of
 * chain a, and of chain b scaled to the length of a.  A stall in chain a would
 * otherwise make every probe look fast. */
static uint64_t chain_of(const uint64_t *v)
{
	const struct pack_header *h = pack_header(measure.pack);
	const struct pack_kernel *k = pack_kernels(measure.pack);
	uint64_t a = k[h->calib[PACK_CALIB_CHAIN_A]].unroll[LONG] *
		     measure.calib_n[PACK_CALIB_CHAIN_A];
	uint64_t b = k[h->calib[PACK_CALIB_CHAIN_B]].unroll[SHORT] *
		     measure.calib_n[PACK_CALIB_CHAIN_B];
	uint64_t scaled = v[ROW_B_SHORT] * a / b;

	return scaled < v[ROW_A_LONG] ? scaled : v[ROW_A_LONG];
}

/* Run the part of a row before the kernel: its probes and two chains.  Behind
 * wide probes the chains wait until what these leave behind is over.  With
 * TRANSITION_HOLD wide probes run only if `first`, which also holds behind a row
 * with a slow one; where they did not run their ticks are 0. */
static bool look(struct slot *s, bool first, uint64_t v[ROW_REF_WIDE],
		 uint64_t ticks[N_PROBES])
{
	struct slot *calib = measure.calib;
	struct slot *chain = &calib[PACK_CALIB_CHAIN_A];

	ticks[PROBE_WIDE] = ticks[PROBE_LOADS] = 0;
	if (first || transition_of(s->kernel) != TRANSITION_HOLD) {
		probes_run_wide(s->kernel, ticks);
		if (!transition_pass(s->kernel, chain))
			return false;
	}
	if (!hold_state(s) || !slot_run(chain, LONG, &v[ROW_A_LONG]) ||
	    !hold_state(s) ||
	    !slot_run(&calib[PACK_CALIB_CHAIN_B], SHORT, &v[ROW_B_SHORT]) ||
	    !slot_run(&calib[PACK_CALIB_PROBE], LONG, &v[ROW_PROBE]))
		return false;
	ticks[PROBE_SIBLING] = v[ROW_PROBE];
	if (probes_are_wide(s->kernel)) {
		v[ROW_WIDE] = ticks[PROBE_WIDE];
		v[ROW_LOADS] = ticks[PROBE_LOADS];
	}
	return true;
}

/* Ticks that the runtime may wait while these probes are slow.  Wide units
 * power up because their probe runs: that needs no credit. */
static uint64_t longest_wait(unsigned slow)
{
	uint64_t credit = slow ? measure.waiting.credit : 0;
	bool asleep = (slow >> PROBE_WIDE & 1) && !(slow >> PROBE_SIBLING & 1);
	uint64_t wake = asleep ? clock_ticks(WAKE_NS) : 0;

	return credit > wake ? credit : wake;
}

/* Begin a row: wait while a probe is slow, as long as the credit allows.
 * *ret_slow: is one still slow? */
static bool open_row(struct slot *s, bool first, uint64_t v[ROW_REF_WIDE],
		     bool *ret_slow)
{
	const struct pack_kernel *k = s->kernel;
	uint64_t ticks[N_PROBES];
	unsigned slow;
	uint64_t most;

	if (!look(s, first, v, ticks))
		return false;
	slow = probes_slow(k, ticks, chain_of(v));
	while (!measure.any && (most = longest_wait(slow)) > 0 &&
	       probes_are_worth_waiting(k, slow)) {
		uint64_t begin = arch_ref_now();
		unsigned before = slow;

		probes_wait(k, chain_of(v), most);
		if (!look(s, true, v, ticks))
			return false;
		slow = probes_slow(k, ticks, chain_of(v));
		probes_waited(k, before, slow);
		(void)wait_credit_spend(&measure.waiting,
					arch_ref_now() - begin);
	}
	probes_learn(k, ticks, chain_of(v));
	*ret_slow = measure.disturbed = slow != 0;
	return true;
}

/* One sandwich as a row of common/row.h.  Each chain runs before and after the
 * kernel, long before and short after it or the other way round: the difference
 * excludes the cost of a measurement, and a linear drift cancels. */
static bool sandwich(struct slot *s, struct measurement *m, uint64_t *v,
		     bool *ret_slow)
{
	struct slot *a = &measure.calib[PACK_CALIB_CHAIN_A];
	struct slot *b = &measure.calib[PACK_CALIB_CHAIN_B];
	uint64_t begin = arch_ref_now(), unmeasured;

	if (!open_row(s, m->n_rows == 0 || measure.disturbed, v, ret_slow))
		return false;
	m->length = SHORT;
	if (!slot_run(s, SHORT, &unmeasured))
		return false;
	for (m->length = 0; m->length < PACK_LENGTHS; m->length++)
		if (!slot_run(s, m->length, &v[ROW_LENGTHS + m->length]))
			return false;
	if (!slot_run(b, LONG, &v[ROW_B_LONG]) || !hold_state(s) ||
	    !slot_run(a, SHORT, &v[ROW_A_SHORT]))
		return false;
	/* A single row shows a fault, not a time. */
	if (pack_header(measure.pack)->n_sandwiches == 1)
		return true;
	wait_credit_earn(&measure.waiting, a->run[SHORT].end - begin,
			 clock_ticks(MAX_WAIT_NS));
	return true;
}

/* Does the visit end, because a probe was slow in most of its rows?  Three are
 * enough for kernels that this does not slow; later visits end after one. */
static bool is_hopeless(const struct measurement *m, uint32_t n_slow)
{
	enum { ENOUGH = 3 };
	uint32_t enough = m->visit < FIRST_VISITS ? ENOUGH : 1;

	return !measure.any && n_slow >= enough && 2 * n_slow > m->n_rows;
}

static bool measure_ref(struct slot *s, struct measurement *m)
{
	const struct pack_header *h = pack_header(measure.pack);
	const uint32_t most =
		m->visit < FIRST_VISITS || h->n_sandwiches < LATER_ROWS
			? h->n_sandwiches
			: LATER_ROWS;
	uint64_t cold[PACK_LENGTHS];
	uint32_t n_slow = 0;

	if (!warm_up(s, m, cold) || !slot_run_empty(s, &m->empty))
		return false;
	m->length = PACK_LENGTHS - 1;
	if (!tune_slot(s, PACK_LENGTHS - 1,
		       tune_ticks(h->sandwich_ns, CHAIN_STEPS), m->empty,
		       &m->n))
		return false;
	for (int i = 0; i < PACK_N_CALIB; i++)
		m->c[i] = measure.calib_n[i];
	m->row = probes_are_wide(s->kernel) ? ROW_REF_WIDE : ROW_REF;
	m->n_rows = 0;
	measure.waiting.least = 0;
	while (m->n_rows < most && !is_hopeless(m, n_slow)) {
		bool slow;

		if (!sandwich(s, m, m->values + (size_t)m->n_rows * m->row,
			      &slow))
			return false;
		m->n_rows++;
		n_slow += slow;
	}
	return true;
}

static bool visit(struct measurement *m)
{
	bool ok;

	boot_quiet_begin();
	if (measure.clock == ARCH_CLOCK_CORE)
		ok = measure_core(&measure.kernel, m);
	else
		ok = measure_ref(&measure.kernel, m);
	boot_quiet_end();
	return ok;
}

bool measure_kernel(uint32_t index, uint32_t visit_number,
		    struct measurement *ret)
{
	ret->visit = visit_number;
	for (int i = 0; i < PACK_N_CALIB; i++)
		ret->c[i] = 0;
	ret->empty = 0;
	slot_load(&measure.kernel, index);
	if (visit(ret))
		return true;
	/* A machine that was stopped for longer than the limit looks like an
	 * endless kernel; only a kernel does this twice. */
	if (strcmp(slot_fault()->cause, "hang") == 0 && visit(ret))
		return true;
	ret->fault = *slot_fault();
	/* The chains after the kernel ran before: state left by the longest
	 * length broke them. */
	if (ret->length >= PACK_LENGTHS)
		ret->length = PACK_LENGTHS - 1;
	return false;
}
