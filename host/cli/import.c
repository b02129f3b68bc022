/* anechoic import: read a recorded console into a run. */
#include <inttypes.h>
#include <stdio.h>

#include "host/base/print.h"
#include "host/campaign/imported.h"
#include "host/cli/cli.h"
#include "host/cli/table.h"
#include "host/solve/solve.h"

struct import_args {
	const char *log, *db, *board;
};
#define ARGS struct import_args

enum { MAX_LOG = 1 << 30 };

static void print_counts(const struct imported *m)
{
	const struct link_log_counts *n = &m->counts;

	printf("run %" PRId64 ": %zu sample%s, %zu fault%s of %zu kernel%s; "
	       "%zu damaged, %zu missing, %zu refused records\n",
	       m->run, n->n_samples, PLURAL(n->n_samples), n->n_faults,
	       PLURAL(n->n_faults), m->log.n_measured,
	       PLURAL(m->log.n_measured), n->n_damaged, n->n_missing,
	       n->n_refused);
	if (m->is_continued)
		printf("this log continues the run of an earlier log\n");
	if (m->why)
		printf("the kernels are generated from their labels, because: "
		       "%s\n",
		       m->why);
	if (m->n_unknown)
		printf("%zu kernels are not those this version generates: "
		       "their bytes are not known\n",
		       m->n_unknown);
	if (m->n_lost)
		printf("kernel %" PRIu32 " stopped the board twice: it is "
		       "stored as lost\n",
		       m->stop.next);
}

/* How to get the rest. */
static void print_stop(const struct imported *m, const char *db)
{
	const struct imported_stop *stop = &m->stop;

	const char *core = link_log_fact(&m->log, "core");
	bool is_one_of_many = false;

	for (size_t i = 0; core && i < m->log.n_facts; i++)
		is_one_of_many |= imported_is_one_of_many(m->log.facts[i].key);
	printf("\nkernel %" PRIu32 "%s%s was running. To continue %s:\n"
	       "  boot words:  %s%s%sanechoic.from=%" PRIu64,
	       stop->next, *stop->next_label ? ", " : "", stop->next_label,
	       stop->is_lost ? "without it" : "with it again",
	       is_one_of_many ? "anechoic.core=" : "",
	       is_one_of_many ? core : "", is_one_of_many ? " " : "",
	       stop->from);
	if (stop->is_lost)
		printf(" anechoic.skip=%" PRIu32, stop->next);
	printf("\n");
	if (m->is_whole)
		printf("  or an image: anechoic image --board %s --isa %s "
		       "--db %s --resume, with --forms, --what and the like as "
		       "for the first image\n",
		       m->board->name, m->log.isa, db);
}

static int complain_of_stop(const struct imported *m, const char *path,
			    struct err *e)
{
	const struct imported_stop *stop = &m->stop;
	char visit[48] = "";

	if (stop->visit > 0)
		(void)snprintf(visit, sizeof(visit),
			       "in visit %" PRIu32 " of %" PRIu32 " ",
			       stop->visit + 1, m->log.n_visits);
	return err_set(e, ERR_FAILED,
		       "%s: stopped %safter %zu of %zu kernels, no bye, last "
		       "kernel %s",
		       path, visit, stop->n_done, m->log.n_measured,
		       *stop->last ? stop->last : "-");
}

static int report(struct imported *m, struct store *s, const char *db,
		  struct err *e)
{
	struct solve_summary sum;

	print_counts(m);
	if (m->is_search) {
		printf("the log belongs to a port search; continue it with "
		       "'anechoic image --what ports'\n");
		return ERR_OK;
	}
	if (solve_run(s, m->run, &sum, e) != ERR_OK)
		return e->code;
	if (table_print(s, m->run, m->board, e) != ERR_OK)
		return e->code;
	table_silence(&sum.silence);
	return table_other_cores(s, m->run, db, e);
}

/* What one core said. */
static int import_part(const struct import_args *o, const char *share,
		       const struct link_log_part *p, struct imported *m,
		       struct err *e)
{
	struct imported_request q = {
		.path = o->log, .db = o->db, .board = o->board, .share = share
	};
	struct store *s;

	if (imported_open(&q, p->bytes, p->n, m, e) == ERR_OK &&
	    store_open(o->db, true, &s, e) == ERR_OK) {
		if (imported_store(&q, m, s, e) == ERR_OK) {
			if (m->is_known)
				printf("%s has this log already: run %" PRId64
				       "; nothing is added\n",
				       o->db, m->run);
			else
				(void)report(m, s, o->db, e);
		}
		store_close(s);
	}
	if (e->code == ERR_OK && m->stop.is_stopped) {
		print_stop(m, o->db);
		(void)complain_of_stop(m, o->log, e);
	}
	return e->code;
}

/* Each core's part is a run.  One that cannot be read does not keep the others
 * from being stored; its error is the last to be told. */
static int import_parts(const struct import_args *o,
			const struct link_log_parts *parts, const char *share,
			struct err *e)
{
	for (size_t i = 0; i < parts->n; i++) {
		const struct link_log_part *p = &parts->parts[i];
		struct imported m = { .run = 0 };
		struct err why = { .code = ERR_OK };

		if (parts->n > 1 && p->has_core)
			printf("%score %" PRIu64 ": ", i ? "\n" : "", p->core);
		else if (parts->n > 1)
			printf("%san unnamed core: ", i ? "\n" : "");
		(void)import_part(o, share, p, &m, &why);
		imported_close(&m);
		if (why.code != ERR_OK && parts->n > 1)
			printf("%s\n", why.message);
		if (why.code != ERR_OK)
			*e = why;
	}
	if (parts->n_lost)
		printf("%zu results are of cores whose info record the log "
		       "does "
		       "not have: they are left out\n",
		       parts->n_lost);
	return e->code;
}

static int import_run(void *args, struct command_resources *r, struct err *e)
{
	const struct import_args *o = args;
	struct link_log_parts parts;
	unsigned char *bytes;
	size_t n;

	return file_read(&r->a, o->log, MAX_LOG, &bytes, &n, e) == ERR_OK &&
			       link_log_split(&r->a, bytes, n, &parts, e) ==
				       ERR_OK
		       ? import_parts(o, &parts, share_folder(&r->a), e)
		       : e->code;
}

const struct command command_import = {
	.name = "import",
	.summary = "read a recorded console log into a database and solve it",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--log", log, "FILE", "recorded console",
		     .required = true),
		OPTION_DB(db),
		WORD("--board", board, "NAME",
		     "board of a log that does not name it, as those of "
		     "earlier versions")),
	.describe =
		"The log may be any capture of the console. It may contain "
		"output of the firmware, line noise and several boots: records "
		"are recognised by their checksum. INFO says which board, CPU "
		"and set the image was made for, so that the run is like one "
		"of 'measure'.\n"
		"\n"
		"A log that ends before its board said bye, or had run all "
		"kernels, is stored, and the run stays unfinished; the exit "
		"status is 1, and the message says where it stopped and how to "
		"go on. A log of what remained, or a longer recording of the "
		"same boot, is added to that run. A kernel at which a board "
		"stopped twice is stored as lost. A log that the database has "
		"adds nothing.",
	.examples = "anechoic import --log f3.log --db f3.db",
	.run = import_run,
};
