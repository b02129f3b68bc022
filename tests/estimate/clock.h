/* Cycles of a function on a machine that lends no cycle counter: the estimator
 * of docs/method/reference-clock.md in an ordinary process.  Chains of additions, one cycle
 * each, stand before and after; what lies between is counted in them.  Probes
 * tell when a sibling thread had half of the core, which the chains hardly
 * feel. */
#ifndef TESTS_ESTIMATE_CLOCK_H
#define TESTS_ESTIMATE_CLOCK_H

#include "common/types.h"

enum clock_length { CLOCK_SHORT, CLOCK_LONG, CLOCK_N };

/* Probes that are slower on a disturbed core: instructions that only use the
 * front end; waits that overlap in a wide window, which cores halve for a
 * thread even while its sibling waits for memory; and loads of 32 bytes,
 * which stay slow for a while after any use of 64, by either thread. */
enum clock_probe { CLOCK_FRONT, CLOCK_WINDOW, CLOCK_LOADS, CLOCK_N_PROBES };

/* Which of them, as bits.  CLOCK_LOADS counts where the machine has such loads,
 * else that bit means nothing. */
typedef unsigned clock_probes;

/* What the probes take in silence, in cycles; 0: not known. */
struct clock_silence {
	double probes[CLOCK_N_PROBES];
};

/* One sandwich, in cycles; of the probes before, between and after the runs,
 * the slowest. */
struct clock_row {
	double probes[CLOCK_N_PROBES];
	double cycles[CLOCK_N];
};

typedef void (*clock_run)(void *context, enum clock_length length);

/* What vectors of 64 bytes leave behind is over: for 0.7 ms after the last of
 * them an Ice Lake takes up to twice as long for those of 32. */
void clock_settle(void);

/* Power units up that are off when not used: units for wide vectors take up
 * to 1.4 ms on an Ice Lake to reach their speed. */
void clock_wake(clock_run run, void *context);

/* The approximate time of a short run, on a shared machine as well; NAN if
 * every chain was stopped. */
double clock_cycles(clock_run run, void *context);

/* Measure, from a silent moment on: run() is called until the probes are as
 * fast as in silence, for some milliseconds at most.  False: there was no such
 * moment, or the chains before and after disagree. */
bool clock_row(clock_run run, void *context, clock_probes probes,
	       const struct clock_silence *silence, struct clock_row *ret);

/* Was the core silent, for all of these probes? */
bool clock_is_quiet(const struct clock_row *row, clock_probes probes,
		    const struct clock_silence *silence);

/* Learn silence from the probes alone, for half a second: they last some
 * microseconds, and also a sibling that is busy most of the time is idle for so
 * long now and then. */
void clock_find_silence(clock_probes probes, struct clock_silence *ret);

/* What a probe takes on a silent core, from what it took in all rows: the
 * lowest that was seen repeatedly, 0 for too few of them.  Sorts them. */
double clock_learn(double *cycles, size_t n);

/* Seconds, of no particular beginning. */
double clock_now(void);

/* Cycles of the long run less those of the short one, from n rows on a silent
 * core: the lowest difference that a tenth of the rows that count share, and at
 * least three.  Only rows count whose short run is at most 2 % longer than the shortest that a tenth share; 0
 * when they do not agree. */
double clock_difference(const struct clock_row *rows, size_t n);

/* Cycles of a run, from those of n rows: the lowest value that at least three
 * rows and a tenth of all have within 2 %, else the median; 0 if n is 0.  Sorts
 * them.  For runs of milliseconds, most of which are disturbed. */
double clock_time(double *cycles, size_t n);

#endif
