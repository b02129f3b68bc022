/* Solving: stored samples become claims.  The claims of a run follow from its
 * stored samples alone; solving again replaces them. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "host/solve/silence.h"
#include "host/store/store.h"

enum { SOLVER_VERSION = 3 };

/* Summary for the table at the end of a run. */
struct solve_summary {
	size_t n_claims, n_ok, n_interval, n_refused, n_faults;
	double issue_width; /* of the newest run that shows it; 0: none */
	struct silence_summary silence;
	/* Of the last run on a ref clock: flags and what follows from them. */
	struct evidence_report evidence;
};

/* Solve one run (0: all runs of the store). */
int solve_run(struct store *s, int64_t run, struct solve_summary *ret,
	      struct err *e);

/* The calibration of a run on a ref clock; zeros on any other. */
int solve_calibration(struct store *s, int64_t run, struct calibration *ret,
		      struct err *e);

/* Summary of the samples so far, for code that continues to measure. */
struct solve_advice {
	struct calibration calibration;
	uint32_t ignored; /* evidence_ignored() */
	/* Ref clock: visits, and those that ended after one row or two because
	 * something disturbed them. */
	size_t n_visits, n_short;
};

/* State of a run that was read, so that the next call reads only new
 * samples. */
struct solve_memory;
struct solve_memory *solve_remember(void);
void solve_forget(struct solve_memory *m);

/* A run that is being measured, and what is asked of its n kernels. */
struct solve_progress {
	struct store *store;
	int64_t run;
	struct solve_memory *memory;
	size_t n;
	/* out: further visits would not change the result of kernel k.  A
	 * kernel without samples counts as settled. */
	bool *settled;
	/* out: as in struct estimate; of a short loop: it has a time of an
	 * iteration; not of one that faulted.  May be NULL. */
	bool *unproved;
};

/* Answer for all kernels.  `same`: kernels without new visits since the last
 * call with this memory, or NULL; these keep what that call said of them, and
 * only the others are read and judged.  Stores nothing. */
int solve_settled(const struct solve_progress *p, const bool *same,
		  struct solve_advice *ret, struct err *e);

/* Set any[k] for k < n: is a visit of kernel k worth as much with a busy SMT
 * sibling as with an idle one, by what `m` has learned of its class? */
void solve_undisturbed(const struct solve_memory *m, bool *any, size_t n);

/* Judge all kernels again by what all visits that the memory has read show.
 * Reads no samples: call it after solve_settled(). */
int solve_settled_again(const struct solve_progress *p, struct err *e);

/* A mix or a chain of a run, and its time. */
struct solve_mix {
	uint32_t kernel;
	/* Kernels from this one on that are the same mix, and have this one
	 * value. */
	uint32_t n_kernels;
	const char *label;
	const char *fault; /* or NULL */
	size_t n_samples;
	bool has_value;
	double cycles; /* of a body */
	double sigma;  /* relative standard error */
};
typedef int solve_each_mix(void *context, const struct solve_mix *m,
			   struct err *e);

/* The calibration's probe, kept from one call to the next: earlier calls show
 * whether the sibling is busy during a whole pack.  Initially zeros: then it
 * starts from the lowest baseline that earlier runs of this board and kind of
 * core have in the store, since a sibling that is busy during a whole run would
 * pass for silence. */
enum { SOLVE_PROBE_PACKS = 32 };
struct solve_probe {
	double cycles;  /* on an undisturbed core; 0: not known */
	double reading; /* the lowest cost of a reading; 0: not known */
	double busy;    /* share of visits in which the probe was slower */
	/* Bodies of the probe's longest length: only those with as many are
	 * compared. */
	uint32_t unroll;
	/* Baselines of the last packs that are not far above `cycles`, which is
	 * their lower quartile: some are too high, and a few too low by chance. */
	size_t n_packs;
	double packs[SOLVE_PROBE_PACKS];
};

/* Store the probe in a run's environment.  Does nothing if probe->cycles is
 * 0. */
int solve_store_probe(struct store *s, int64_t run,
		      const struct solve_probe *probe, struct err *e);

/* Which mixes, and who receives them. */
struct solve_mixing {
	int64_t run;
	uint32_t first; /* kernel of the run */
	struct solve_probe *probe;
	solve_each_mix *each; /* returns 0 to go on */
	void *context;
	/* More visits of the same kernels will follow: the probe's baseline
	 * stays as it is. */
	bool unfinished;
};

/* Every mix and chain of a run from kernel `first` on, calibrated by the run's
 * own chains.  Stores nothing.  *probe: see struct. */
int solve_mixes(struct store *s, const struct solve_mixing *q, struct err *e);

/* The same for each pack of a search by itself, in the order in which they were
 * measured: each pack begins with its calibration kernels, and the noise of the
 * others says nothing about it. */
int solve_mix_packs(struct store *s, const struct solve_mixing *q,
		    struct err *e);

#endif
