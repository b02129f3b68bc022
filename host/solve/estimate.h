/* From the samples of one kernel to cycles per op.  Pure functions on
 * arrays: the same samples give the same estimate, on any machine. */
#ifndef SOLVE_ESTIMATE_H
#define SOLVE_ESTIMATE_H

#include "host/store/store.h"

/* Verdicts of docs/method.md that one kernel's samples can earn. */
enum estimate_state {
	ESTIMATE_OK,
	ESTIMATE_TWO_STATES,  /* low and high are both real */
	ESTIMATE_UNSTABLE,    /* visits or repeats disagree without a pattern */
	ESTIMATE_NOISY,       /* too few clean visits; value if any was */
	ESTIMATE_NOT_LINEAR,  /* no value */
	ESTIMATE_IMPLAUSIBLE, /* no value: not above zero */
	ESTIMATE_MISSING,     /* no value: no samples */
	ESTIMATE_BAD_DATA,    /* no value: samples that cannot be */
	ESTIMATE_COMPANY,     /* no value: nobody was ever alone */
	ESTIMATE_NO_CALIBRATION, /* no value: ticks without a known cycle */
};

struct estimate {
	enum estimate_state state;
	bool has_value;
	double low, high; /* cycles per op */
	double residual;  /* |middle length off the line|, relative */
	/* How far low and high may lie from the truth, relative: repeats that
	 * agree only so far, what the estimator cannot tell apart, or the
	 * ticks of the clock. */
	double uncertainty;
	/* Without a straight line: the slope all the same, to compare a chain
	 * with, never to publish.  0: none. */
	double rough;
	/* Whole iterations, loop and all, over their ops, of the length where
	 * that is least: what an op costs at most.  0: not known. */
	double bound;
	/* More visits may settle it, or tell which of two values to take. */
	bool doubtful;
	uint32_t visits;   /* clean ones, */
	uint32_t n_visits; /* of so many */
};

/* What a tick costs is decided for both kinds of kernel, but visits combine
 * differently: a chain's value is the median, a disturbance can only slow
 * independent instances down. */
enum estimate_combine {
	COMBINE_MEDIAN, /* chains */
	COMBINE_LOWEST, /* throughput and broken chains */
};

struct shape {
	uint32_t unroll[PACK_LENGTHS];
	uint32_t ops_per_body;
	uint32_t instructions; /* of kernel_row */
};

/* The calibration of a run on a ref clock. */
struct calibration {
	bool usable;
	struct shape kernels[PACK_N_CALIB];
	double reading; /* cycles of a measurement but for what it measures */
	double probe_baseline; /* cycles per iteration, 0: not checked */
};

/* Samples of a core clock (rows of 3). */
struct estimate estimate_core(const struct shape *k, const struct sample *m,
			      size_t n, enum estimate_combine combine);

/* Samples of a ref clock (rows of 8: sandwiches). */
struct estimate estimate_ref(const struct shape *k, const struct calibration *c,
			     const struct sample *m, size_t n,
			     enum estimate_combine combine);

/* What one visit says of its calibration: medians over its rows. */
struct visit_facts {
	double b_over_a;  /* ticks per cycle by chain b over those by a */
	bool has_probe;   /* else the rest is 0 */
	double reading;   /* as in struct calibration */
	double probe;     /* cycles of the probe, with those of its reading */
	uint64_t n_probe; /* its iterations */
};
/* False when nothing in it can be used. */
bool estimate_visit_facts(const struct calibration *c, const struct sample *m,
			  struct visit_facts *ret);

/* Cycles per iteration of the probe in one visit; 0: not known. */
double estimate_probe(const struct calibration *c, const struct visit_facts *f);

/* From what all visits of a run say: are its chains usable, what does a
 * reading cost, and how fast is the probe in silence? */
void estimate_calibrate(struct calibration *c, const struct visit_facts *facts,
			size_t n);

/* Why rows of a ref clock are not used. */
enum discard {
	DISCARD_CHAINS, /* the chains around the kernel disagree */
	DISCARD_SLOW,   /* they are slower than in other rows */
	DISCARD_BUSY,   /* the probe is: a busy sibling thread */
	DISCARD_BENT,   /* the kernel's own lengths are not on a line */
	N_DISCARDS,
};

/* Add what a visit's rows come to: n[] by reason, and *spread, the distance
 * of the slowest used row from the fastest one as a part of it, if larger. */
void estimate_discards(const struct shape *k, const struct calibration *c,
		       const struct sample *m, size_t n[N_DISCARDS],
		       double *spread);

/* Combine values of n clean visits out of e->n_visits into state, low and
 * high.  Sorts them. */
void estimate_combine_visits(double *values, size_t n,
			     enum estimate_combine combine, struct estimate *e);

#endif
