/* Sandwiches: probe, chain, short run, probe, long run, chain, probe.  Before each
 * run is one that is not timed. */
#include "tests/estimate/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
	CHAIN = 100,      /* additions written out */
	CHAIN_LOOPS = 80, /* beyond those that the short chain has, too */
	CHAIN_SHORT = 8,
	CHAIN_CYCLES = CHAIN * CHAIN_LOOPS,
	PROBE_LOOPS = 40, /* of 200 instructions, or of 100 loads */
	LINE_BYTES = 64,
};

/* For runs of milliseconds: a run that lost its processor to another thread for
 * more than a hundredth of its time is rejected. */
#ifndef CLOCK_LONG_RUNS
#define CLOCK_LONG_RUNS false
#endif

static double read_ns(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

double clock_now(void)
{
	return now_ns() / 1e9;
}

/* ---- chains and probes ------------------------------------------------- */

/* The compiler may not join additions that it thinks are looked at. */
#define STEP    \
	x += y; \
	__asm__ volatile("" : "+r"(x));
#define STEPS_10 STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP

static uint64_t chain(uint64_t y, int loops)
{
	uint64_t x = 1;

	for (int i = 0; i < loops; i++) {
		STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10;
		STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10;
	}
	return x;
}

/* Nanoseconds of CHAIN_CYCLES cycles, without what a reading costs; NAN if a
 * part of the chain took longer than the others: after vectors of 64 bytes
 * an Emerald Rapids stops for 1.1 us when it changes its frequency. */
static double one_chain_ns(void)
{
	/* A stop takes 80 % of the time of a half, and four times that of the
	 * short chain: the halves may differ by 5 %, and the short chain may
	 * take twice its share. */
	static const double uneven = 0.05, late = 2;
	volatile uint64_t y = 3;
	double times[4], first, second, rest, all;

	times[0] = now_ns();
	(void)chain(y, CHAIN_LOOPS / 2 + CHAIN_SHORT);
	times[1] = now_ns();
	(void)chain(y, CHAIN_LOOPS / 2 + CHAIN_SHORT);
	times[2] = now_ns();
	(void)chain(y, CHAIN_SHORT);
	times[3] = now_ns();
	rest = times[3] - times[2];
	first = times[1] - times[0] - rest;
	second = times[2] - times[1] - rest;
	all = first + second;
	return fabs(first - second) <= uneven * first &&
			       rest <= late * CHAIN_SHORT / CHAIN_LOOPS * all
		       ? all
		       : NAN;
}

/* The fastest chain that was not stopped, of one, or of five with
 * CLOCK_LONG_RUNS; NAN if all were. */
static double chain_ns(void)
{
	enum { MORE_CHAINS = CLOCK_LONG_RUNS ? 4 : 0 };
	double ns = one_chain_ns();

	for (int i = 0; i < MORE_CHAINS; i++)
		ns = fmin(ns, one_chain_ns());
	return ns;
}

/* Both need nothing but the front end and a place in the window; a `nop` of x86
 * is taken two at a time by some cores, now and then. */
#if defined(__x86_64__)
#define FILL(n) ".rept " #n "\n\txorl %%eax, %%eax\n\t.endr\n"
#define WAIT \
	"\tmovapd %0, %%xmm0\n\t.rept 12\n\tsqrtsd %%xmm0, %%xmm0\n\t.endr\n"
#define CLOBBERED "eax", "xmm0", "cc"
#define DOUBLE    "x"
#elif defined(__aarch64__)
#define FILL(n)   ".rept " #n "\n\tnop\n\t.endr\n"
#define WAIT      "\tfmov d0, %d0\n\t.rept 12\n\tfsqrt d0, d0\n\t.endr\n"
#define CLOBBERED "v0"
#define DOUBLE    "w"
#elif defined(__riscv)
#define FILL(n)   ".rept " #n "\n\tnop\n\t.endr\n"
#define WAIT      "\tfmv.d fa0, %0\n\t.rept 12\n\tfsqrt.d fa0, fa0\n\t.endr\n"
#define CLOBBERED "fa0"
#define DOUBLE    "f"
#endif

static void front(void)
{
	for (int i = 0; i < PROBE_LOOPS; i++)
		__asm__ volatile(FILL(200) : : : CLOBBERED);
}

/* Two waits overlap where the window holds a wait and what is between them,
 * 132, 232 or 412 instructions: of each window from 132 to 823, one of these is
 * more than half and not more than the whole. */
static void window(void)
{
	enum { WAITS = 8 };
	double x = 1.5;

	for (int i = 0; i < WAITS; i++)
		__asm__ volatile(WAIT FILL(120) : : DOUBLE(x) : CLOBBERED);
	for (int i = 0; i < WAITS; i++)
		__asm__ volatile(WAIT FILL(220) : : DOUBLE(x) : CLOBBERED);
	for (int i = 0; i < WAITS; i++)
		__asm__ volatile(WAIT FILL(400) : : DOUBLE(x) : CLOBBERED);
}

#if defined(__x86_64__)
__attribute__((target("avx"))) static void loads(void)
{
	static _Alignas(LINE_BYTES) char line[LINE_BYTES];

	for (int i = 0; i < PROBE_LOOPS; i++)
		__asm__ volatile(".rept 100\n\tvmovups (%0), %%ymm0\n\t.endr\n"
				 "\tvzeroupper"
				 :
				 : "r"(line)
				 : "xmm0", "memory");
}

static bool has_loads(void)
{
	return __builtin_cpu_supports("avx");
}
#else
static void loads(void)
{
}

static bool has_loads(void)
{
	return false;
}
#endif

static double probe_ns(enum clock_probe probe)
{
	static void (*const probes[CLOCK_N_PROBES])(void) = { front, window,
							      loads };
	double start;

	/* A long run removes the probe's code from the caches. */
	if (CLOCK_LONG_RUNS)
		probes[probe]();
	start = now_ns();
	probes[probe]();
	return now_ns() - start;
}

static bool is_asked(clock_probes probes, enum clock_probe probe)
{
	return (probes & 1U << probe) != 0 &&
	       (probe != CLOCK_LOADS || has_loads());
}

/* Into row->probes the slowest of them, in nanoseconds. */
static void probe_all(clock_probes probes, struct clock_row *row)
{
	for (int k = 0; k < CLOCK_N_PROBES; k++)
		if (is_asked(probes, k))
			row->probes[k] = fmax(row->probes[k], probe_ns(k));
}

bool clock_is_quiet(const struct clock_row *row, clock_probes probes,
		    const struct clock_silence *silence)
{
	static const double busy = 1.1;

	for (int k = 0; k < CLOCK_N_PROBES; k++)
		if (is_asked(probes, k) && silence->probes[k] > 0 &&
		    row->probes[k] > busy * silence->probes[k])
			return false;
	return true;
}

/* ---- rows -------------------------------------------------------------- */

void clock_settle(void)
{
	static const double wide_ns = 1e6;
	double start = now_ns();

	while (now_ns() - start < wide_ns)
		(void)chain_ns();
}

void clock_wake(clock_run run, void *context)
{
	static const double wake_ns = 2e6;
	double start = now_ns();

	do
		for (int l = 0; l < CLOCK_N; l++) /* predictors, too */
			run(context, l);
	while (now_ns() - start < wake_ns);
}

static long interruptions(void)
{
	struct rusage u = { 0 };

	(void)getrusage(RUSAGE_THREAD, &u);
	return u.ru_nivcsw;
}

/* Units for wide vectors may power down during the probes, also where no sibling is
 * busy.  A run that is not timed powers them up.  Long runs need none: the time to
 * power up is a small part of them. */
static void wake_again(clock_run run, void *context)
{
	if (!CLOCK_LONG_RUNS)
		run(context, CLOCK_SHORT);
}

/* NAN: rejected. */
static double run_ns(clock_run run, void *context, enum clock_length length)
{
	static const double lost = 0.01;
	double own = CLOCK_LONG_RUNS ? read_ns(CLOCK_THREAD_CPUTIME_ID) : 0;
	long before = CLOCK_LONG_RUNS ? interruptions() : 0;
	double start = now_ns(), all;

	run(context, length);
	all = now_ns() - start;
	/* The time of the thread itself would be no substitute: where a
	 * hypervisor tells what it took, the kernel subtracts that late, from
	 * whatever runs then. */
	if (CLOCK_LONG_RUNS && interruptions() != before &&
	    all - (read_ns(CLOCK_THREAD_CPUTIME_ID) - own) > lost * all)
		return NAN;
	return all;
}

static void scale(struct clock_row *row, double by)
{
	for (int k = 0; k < CLOCK_N_PROBES; k++)
		row->probes[k] *= by;
	for (int l = 0; l < CLOCK_N; l++)
		row->cycles[l] *= by;
}

static double cycles_per_ns(double before, double after)
{
	return 2 * CHAIN_CYCLES / (before + after);
}

/* False if one is NAN. */
static bool is_same_speed(double before, double after)
{
	return fabs(before - after) <= 0.02 * fmin(before, after);
}

/* To wait in what is measured keeps it in the caches and the units awake. */
static bool wait_for_silence(clock_run run, void *context, clock_probes probes,
			     const struct clock_silence *silence)
{
	static const double most_ns = 3e6;
	double start = now_ns();

	do {
		struct clock_row row = { 0 };
		double before = chain_ns();

		run(context, CLOCK_SHORT);
		probe_all(probes, &row);
		scale(&row, cycles_per_ns(before, before));
		if (!isnan(before) && clock_is_quiet(&row, probes, silence))
			return true;
	} while (now_ns() - start < most_ns);
	return false;
}

double clock_cycles(clock_run run, void *context)
{
	enum { TRIES = 100 };
	double ns = run_ns(run, context, CLOCK_SHORT), chain = chain_ns();

	for (int i = 0; i < 2; i++)
		ns = fmin(ns, run_ns(run, context, CLOCK_SHORT));
	for (int i = 0; isnan(chain) && i < TRIES; i++)
		chain = chain_ns();
	return ns * CHAIN_CYCLES / chain;
}

bool clock_row(clock_run run, void *context, clock_probes probes,
	       const struct clock_silence *silence, struct clock_row *ret)
{
	struct clock_row row = { 0 };
	double before, after;

	if (!wait_for_silence(run, context, probes, silence))
		return false;
	before = chain_ns();
	wake_again(run, context);
	row.cycles[CLOCK_SHORT] = run_ns(run, context, CLOCK_SHORT);
	probe_all(probes, &row);
	wake_again(run, context);
	row.cycles[CLOCK_LONG] = run_ns(run, context, CLOCK_LONG);
	after = chain_ns();
	probe_all(probes, &row);
	if (!is_same_speed(before, after))
		return false;
	if (isnan(row.cycles[CLOCK_SHORT]) || isnan(row.cycles[CLOCK_LONG]))
		return false;
	scale(&row, cycles_per_ns(before, after));
	*ret = row;
	return true;
}

/* ---- values ------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of n sorted values from `first` on: the first that is not within so much of
 * it.  `from`: it is not before this one. */
static size_t end_of_same(const double *list, size_t n, size_t first,
			  size_t from)
{
	static const double same = 1.02;
	size_t k = from > first ? from : first;

	while (k < n && list[k] <= same * list[first])
		k++;
	return k;
}

/* Of n sorted values, the median of the lowest that `often` or more share and
 * that no values so close above share more of; 0 when there are none. */
static double lowest_often(const double *list, size_t n, size_t often)
{
	size_t end = 0;

	for (size_t i = 0; i < n; i++) {
		size_t best = i, most, last;

		if (list[i] <= 0)
			continue;
		end = end_of_same(list, n, i, end);
		most = end - i;
		if (most < often)
			continue;
		last = end;
		for (size_t k = i + 1; k < end; k++) {
			last = end_of_same(list, n, k, last);
			if (last - k > most) {
				most = last - k;
				best = k;
			}
		}
		return list[best + most / 2];
	}
	return 0;
}

double clock_learn(double *cycles, size_t n)
{
	enum { FEW = 16, SHARE = 200 };
	size_t often = n / SHARE + 1;

	if (n < FEW)
		return 0;
	qsort(cycles, n, sizeof(*cycles), by_value);
	return lowest_often(cycles, n, often > FEW ? often : FEW);
}

/* A loop may run in one of several states, for thousands of calls: the lowest
 * that a tenth of the rows has is its value.  A short run that finds wide units
 * asleep takes longer, and the difference would be too small: on an Emerald
 * Rapids 20,000 and 32,700 cycles instead of 18,700, with fast probes. */
double clock_difference(const struct clock_row *rows, size_t n)
{
	enum { SHARE = 10, FEW = 3 };
	static const double same = 1.02;
	double *list = calloc(n + 1, sizeof(*list)), usual, ret;
	size_t kept = 0, often;

	if (!list)
		abort();
	for (size_t i = 0; i < n; i++)
		list[i] = rows[i].cycles[CLOCK_SHORT];
	qsort(list, n, sizeof(*list), by_value);
	usual = lowest_often(list, n, n / SHARE + 1);
	for (size_t i = 0; i < n; i++)
		if (rows[i].cycles[CLOCK_SHORT] <= same * usual)
			list[kept++] = rows[i].cycles[CLOCK_LONG] -
				       rows[i].cycles[CLOCK_SHORT];
	qsort(list, kept, sizeof(*list), by_value);
	often = kept / SHARE + 1;
	ret = lowest_often(list, kept, often > FEW ? often : FEW);
	free(list);
	return ret;
}

/* A disturbance of a short run would make a difference smaller, one of a long
 * run larger.  In a time each makes it larger only. */
double clock_time(double *cycles, size_t n)
{
	enum { SHARE = 10, FEW = 3 };
	size_t often = n / SHARE + 1;
	double lowest;

	if (n == 0)
		return 0;
	qsort(cycles, n, sizeof(*cycles), by_value);
	lowest = lowest_often(cycles, n, often > FEW ? often : FEW);
	return lowest > 0 ? lowest : cycles[n / 2];
}

void clock_find_silence(clock_probes probes, struct clock_silence *ret)
{
	enum { MOST = 1 << 14 };
	static const double most_seconds = 0.5;
	double *lists = calloc((size_t)MOST * CLOCK_N_PROBES, sizeof(*lists));
	double start = clock_now();
	size_t n = 0;

	if (!lists)
		abort();
	while (n < MOST && clock_now() - start < most_seconds) {
		struct clock_row row = { 0 };
		double before = chain_ns(), after;

		probe_all(probes, &row);
		after = chain_ns();
		if (!is_same_speed(before, after))
			continue;
		scale(&row, cycles_per_ns(before, after));
		for (int k = 0; k < CLOCK_N_PROBES; k++)
			lists[(size_t)k * MOST + n] = row.probes[k];
		n++;
	}
	for (int k = 0; k < CLOCK_N_PROBES; k++)
		ret->probes[k] = clock_learn(&lists[(size_t)k * MOST], n);
	free(lists);
}
