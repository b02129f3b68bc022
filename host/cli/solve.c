/* anechoic solve: derive every claim of a database again. */
#include <stdio.h>

#include "host/cli/cli.h"
#include "host/cli/ports.h"
#include "host/cli/table.h"
#include "host/solve/solve.h"

struct solve_args {
	const char *db;
};
#define ARGS struct solve_args

static int run_solve(void *args, struct command_resources *r, struct err *e)
{
	const struct solve_args *o = args;
	struct solve_summary sum;

	if (store_open(o->db, false, &r->store, e) == ERR_OK &&
	    solve_run(r->store, 0, &sum, e) == ERR_OK &&
	    ports_solve(r->store, e) == ERR_OK) {
		printf("%s: %zu claims: %zu exact, %zu intervals, %zu without "
		       "a value\n",
		       o->db, sum.n_claims, sum.n_ok, sum.n_interval,
		       sum.n_refused);
		table_silence(&sum.silence);
		if (sum.silence.all.ref)
			table_evidence(&sum.evidence);
	}
	return e->code;
}

const struct command command_solve = {
	.name = "solve",
	.summary = "derive all values of a database from its raw samples",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(OPTION_DB(db)),
	.describe =
		"Samples are stored raw. This runs the solvers over every run "
		"again, e.g. after an update of this program. docs/method "
		"explains the solvers and verdicts.",
	.examples = "anechoic solve --db x.db",
	.run = run_solve,
};
