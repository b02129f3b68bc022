/* A walk over a run's samples; shared by the files that solve runs. */
#ifndef SOLVE_SOLVING_H
#define SOLVE_SOLVING_H

#include "host/base/file.h"
#include "host/solve/evidence.h"
#include "host/solve/solve.h"

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
	/* Of solve_settled(): the walk of the calls before, whose records have
	 * their last estimates.  NULL: none. */
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

void solving_free_walk(struct solving *v);

#endif
