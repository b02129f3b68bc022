/* The arguments of `anechoic measure`, of which `collect` has most, too. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "host/campaign/redo.h"
#include "host/campaign/rounds.h"
#include "host/campaign/runs.h"
#include "host/cli/loop_input.h"
#include "host/cli/request.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"

struct measure_args {
	struct request_args r;
	const char *redo, *time, *budget;
	const char *loop_file; /* --for */
	struct loop_args loop;
	bool attached; /* run the pack of the board's own image */
};

/* The command. */
int measure_run(struct measure_args *o, struct command_resources *r,
		struct err *e);

/* One measurement: its campaign, options and database. */
struct measuring {
	struct campaign *c;
	const struct measure_args *o;
	double seconds;       /* --time, or 0 */
	const uint64_t *core; /* of the board; NULL: the one that runs */
	/* Set to the core of the run, in `keep`, if it is measured. */
	struct arena *keep;
	struct core_id *ret_core;
	/* From here on measure_one()'s own. */
	struct store *s;
	struct run run;
	struct redo_kernels redo; /* of --redo; wanted is NULL without */
	struct workspace w;
	struct rounds_result result;
	bool is_done; /* --resume: this core's run is finished */
};

/* Begin or continue a run, measure its kernels, solve it, and print its values.
 * Every sample is stored when it arrives, so an interrupted run can be resumed
 * without measuring it again. */
int measure_one(struct measuring *j, struct err *e);

#endif
