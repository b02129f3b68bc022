/* A walk over a run's samples; shared by the files that solve runs. */
#ifndef SOLVE_SOLVING_H
#define SOLVE_SOLVING_H

#include "host/base/file.h"
#include "host/solve/evidence.h"
#include "host/solve/solve.h"
#include "host/store/store_run.h"

/* Visits of a kernel, as read. */
struct kept {
	struct visit *visits;
	uint32_t n;                  /* after visits_read() */
	uint32_t n_samples, n_short; /* as measured; those that ended early */
	uint8_t class, combine;
	bool is_new; /* read since the kernel was last judged */
	uint32_t unroll[PACK_LENGTHS];
};

struct solving;

struct solve_memory {
	struct buffer kept; /* struct kept, by kernel */
	size_t n_learned;   /* visits read at the last solving_learn() */
	/* Of solve_settled(): the run as the calls before have read it; its
	 * records keep their last estimates.  NULL: nothing was read. */
	struct solving *walk;
};

struct solving {
	struct arena a;
	struct store *s;
	struct run run;
	struct store_part part;
	bool ref;
	uint32_t n_chains;
	struct calibration calibration;
	struct buffer facts;         /* struct visit_facts, one per visit */
	struct solve_memory *memory; /* of a ref clock */
	struct evidence *evidence;   /* owned by `a` */
	struct buffer records;
	struct solve_summary *summary;
};

struct shape solving_shape_of(const struct kernel_row *k);

/* Read a run's row; v->s is set. */
int solving_open_run(struct solving *v, int64_t run, struct err *e);

/* Record kernels that claims follow from, without estimates, and note the
 * shapes of the calibration's kernels. */
int solving_walk_labels(struct solving *v, struct err *e);

/* On a ref clock: v->facts of all visits, and v->calibration from them. */
int solving_calibrate(struct solving *v, struct err *e);

/* Read the samples of v->part; on a ref clock, learn if much is new, and judge
 * the kernels that were read. */
int solving_walk_samples(struct solving *v, struct err *e);

/* On a ref clock: what the visits of all kernels in the memory teach
 * (evidence_learn()). */
void solving_learn(struct solving *v);

/* On a ref clock: estimates of the kernels that were read since they were last
 * judged, or of `all`. */
void solving_judge(struct solving *v, bool all);

/* Free what the memory owns. */
void solving_forget(struct solve_memory *m);

void solving_free_walk(struct solving *v);

#endif
