/* From the samples of one kernel to cycles per op.  Pure functions on
 * arrays: the same samples give the same estimate, on any machine. */
#ifndef SOLVE_ESTIMATE_H
#define SOLVE_ESTIMATE_H

#include "host/store/store_kernel.h"
#include "host/store/verdict.h"

struct estimate {
	/* By the samples of the kernel alone: VERDICT_OK, VERDICT_TWO_STATES,
	 * both of which have a value, VERDICT_UNSTABLE, VERDICT_NOISY and
	 * VERDICT_NOT_LINEAR, which may have one, and VERDICT_IMPLAUSIBLE,
	 * VERDICT_MISSING, VERDICT_BAD_DATA, VERDICT_INTERFERENCE and
	 * VERDICT_NO_CALIBRATION, which have none. */
	enum verdict state;
	bool has_value;
	double low, high; /* cycles per op */
	double residual;  /* |middle length off the line|, relative */
	/* How far low and high may lie from the truth, relative: by the
	 * distance of agreeing repeats, the resolution of the estimator, or
	 * the ticks of the clock. */
	double uncertainty;
	/* Core clock: the truth lies from low * (1 - uncertainty) to
	 * high * (1 + uncertainty). */
	bool bounded;
	/* Core clock: the lengths are so close that the cost of entering and
	 * leaving the loop makes the value doubtful. */
	bool close;
	/* Not linear: the slope, only to be compared with a chain's, never
	 * published; 0: none. */
	double rough;
	/* The time of a whole iteration with its loop, divided by its ops, of
	 * the length with the least: an upper bound of an op.  0: not known. */
	double bound;
	/* Cycles per op of whole iterations, loop included, of the shortest
	 * length, on a ref clock without the cost of a reading; 0: not
	 * known.  On a ref clock also a slower time that visits share; 0: none;
	 * and the visits that have either. */
	double shortest, shortest_slow;
	uint32_t n_shortest;
	/* The cost of a reading is known, and `shortest`, if it is not 0, is
	 * without it. */
	bool without_reading;
	/* Further visits may settle the value, or decide between two. */
	bool doubtful;
	/* The value is `ok`, but kernels of its class often have states, or
	 * visits of independent instances differ: a few further visits may show
	 * two states or an interval. */
	bool unproved;
	/* In its class more visits are wrong than disturbances explain: all
	 * visits of a kernel may show a slow state (states_are_frequent()). */
	bool unsteady;
	uint32_t visits;   /* visits that agree on the value, */
	uint32_t n_visits; /* of so many measured */
	/* Two states: of the visits at either, the share at `low`. */
	double low_share;
};

/* Chains and independent instances.  Disturbances affect them differently,
 * so their reliability is estimated separately. */
enum estimate_combine {
	COMBINE_MEDIAN, /* chains */
	COMBINE_LOWEST, /* throughput and broken chains */
	N_COMBINES,
};

enum {
	/* Classes of kernels (enum kernel_class); 0: not known. */
	ESTIMATE_CLASSES = 16,
	ESTIMATE_CORES = 8, /* cores that measure at the same time */
};

struct shape {
	/* Each op jumps, so each may cost more the first time that a run
	 * executes it. */
	bool jumps;
	uint32_t unroll[PACK_LENGTHS];
	uint32_t ops_per_body;
	uint32_t instructions; /* of kernel_row */
	uint8_t class;         /* below ESTIMATE_CLASSES */
};

/* The calibration of a run on a ref clock.  Cores that measure at once may
 * differ: each has its own readings and baselines. */
struct calibration {
	bool usable;
	struct shape kernels[PACK_N_CALIB];
	/* Cost of a measurement in cycles, without the measured code. */
	double reading[ESTIMATE_CORES];
	/* Cycles of a probe on an undisturbed core; the sibling's per
	 * iteration; 0: not known. */
	double baseline[ESTIMATE_CORES][ESTIMATE_CLASSES][N_PROBES];
	/* How much slower than its baseline the sibling's probe may be,
	 * relative. */
	double slack[ESTIMATE_CORES];
	/* No time of the sibling's probe stands out as that of an idle sibling:
	 * each row of the core has the flag. */
	bool never_quiet[ESTIMATE_CORES];
};

/* Samples of a core clock (rows of 3). */
struct estimate estimate_core(const struct shape *k, const struct sample *m,
			      size_t n, enum estimate_combine combine);

/* Samples of a ref clock, judged without the other kernels of the run
 * (evidence.h). */
struct estimate estimate_ref(const struct shape *k, const struct calibration *c,
			     const struct sample *m, size_t n,
			     enum estimate_combine combine);

/* The contribution of one visit to the calibration: medians over its rows. */
struct visit_facts {
	double b_over_a; /* ticks per cycle by chain b over those by a */
	bool has_probe;  /* else no probe and no reading are known */
	uint8_t core, class;
	double reading;   /* as in struct calibration */
	uint64_t n_probe; /* iterations of the sibling's probe */
	/* Cycles, including those of the reading; 0: not run. */
	double probes[N_PROBES];
	/* The same of the sibling's probe in a single row: rows of a visit may
	 * have met several disturbances. */
	double row_probe;
};
/* False if the visit has no usable part. */
bool estimate_visit_facts(const struct calibration *c, const struct shape *k,
			  const struct sample *m, struct visit_facts *ret);

/* Cycles of a probe in one visit, as in struct calibration; 0: not known. */
double estimate_probe(const struct calibration *c, const struct visit_facts *f,
		      enum probe which);

/* From all visits of a run: whether its chains are usable, the cost of a
 * reading, and the baseline of each probe. */
void estimate_calibrate(struct calibration *c, const struct visit_facts *facts,
			size_t n);

/* After estimate_calibrate(): limit the cost of a reading on every core to
 * most_reading cycles and compute the baselines again.  A busy sibling delays
 * readings, and an overestimated reading makes all probes too fast. */
void estimate_recalibrate(struct calibration *c,
			  const struct visit_facts *facts, size_t n,
			  double most_reading);

#endif
