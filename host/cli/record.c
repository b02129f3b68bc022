/* anechoic record: write a part of a database that solves to the same
 * values, small enough for a test fixture. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/plan/plan.h"
#include "host/store/store.h"
#include "host/store/store_subset.h"

struct record_args {
	const char *db, *forms, *output;
	uint32_t visits; /* 0: all */
	bool code;       /* keep machine code */
};
#define ARGS struct record_args

static bool matches(void *context, const char *form)
{
	return regexec(context, form, 0, NULL, 0) == 0;
}

static int check_counts(const struct record_args *o,
			const struct store_subset_counts *n, struct err *e)
{
	if (n->n_kernels == 0)
		return err_set(e, ERR_INPUT,
			       "%s has no kernel of a form that matches '%s' "
			       "(names are case-sensitive; runs of --what "
			       "ports are not recorded)",
			       o->db, o->forms ? o->forms : "");
	if (n->n_samples + n->n_faults == 0)
		return err_set(e, ERR_INPUT,
			       "%s has no samples of these forms yet; finish "
			       "the run with 'anechoic measure --resume'",
			       o->db);
	return ERR_OK;
}

static void print(const struct record_args *o,
		  const struct store_subset_counts *n, size_t n_bytes)
{
	printf("%s: %zu form%s, %zu kernel%s, %zu sample%s, %zu fault%s (%zu "
	       "run%s, %zu bytes, %s machine code)\n",
	       o->output, n->n_forms, PLURAL(n->n_forms), n->n_kernels,
	       PLURAL(n->n_kernels), n->n_samples, PLURAL(n->n_samples),
	       n->n_faults, PLURAL(n->n_faults), n->n_runs, PLURAL(n->n_runs),
	       n_bytes, o->code ? "with" : "without");
	if (n->n_claims == 0)
		printf("%s has no claims of these runs: latencies through "
		       "several forms may come out\nwider. Run `anechoic solve "
		       "--db %s`, then record again.\n",
		       o->db, o->db);
}

static int record(struct command_resources *r, const struct record_args *o,
		  regex_t *forms, struct err *e)
{
	const struct store_subset q = { .wants = matches,
					.context = forms,
					.visits = o->visits,
					.code = o->code };
	struct store_subset_counts n = { .n_runs = 0 };

	if (store_open_to_read(o->db, &r->store, e) == ERR_OK &&
	    store_subset(r->store, &q, &r->out, &n, e) == ERR_OK &&
	    check_counts(o, &n, e) == ERR_OK &&
	    file_write(o->output, r->out.bytes, r->out.n, e) == ERR_OK)
		print(o, &n, r->out.n);
	return e->code;
}

static int record_run(void *args, struct command_resources *r, struct err *e)
{
	const struct record_args *o = args;
	regex_t forms;

	/* Its measurements may exist nowhere else. */
	if (store_is_database(o->output))
		return err_set(e, ERR_USAGE,
			       "-o %s is a database, which is not replaced; "
			       "remove it or choose another name",
			       o->output);
	if (plan_expression(o->forms, &forms, e) != ERR_OK)
		return e->code;
	(void)record(r, o, &forms, e);
	regfree(&forms);
	return e->code;
}

const struct command command_record = {
	.name = "record",
	.summary = "write a small part of a database that still can be solved",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(OPTION_DB(db), OPTION_FORMS(forms),
			   COUNT("--visits", visits, "N",
				 "only the first N visits of each kernel",
				 .by_default = "all"),
			   FLAG("--code", code,
				"include machine code and register images"),
			   OPTION_OUTPUT(output)),
	.describe =
		"Writes the raw samples of the forms that match, and of the "
		"kernels that their values depend on: calibration, controls, "
		"carriers, bridges, the issue width. Takes each form from the "
		"newest run that has it. Leaves out claims ('anechoic solve' "
		"derives them), console text and, unless --code is given, "
		"machine code and register images. Replaces a file that -o "
		"names, but never a database.",
	.examples = "anechoic record --db x.db --forms '^ADD' -o small.db",
	.run = record_run,
};
