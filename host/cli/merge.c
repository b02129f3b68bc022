/* anechoic merge: one database of several.  A reader sees the old file or the
 * new one, see host/store/replace.h. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/folder.h"
#include "host/base/monotonic.h"
#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/solve/solve.h"
#include "host/store/replace.h"
#include "host/store/store_merge.h"

struct merge_args {
	const char *output;
	struct option_words inputs;
};
#define ARGS struct merge_args

struct merging {
	struct arena *a;
	const char *folder; /* of sources that were migrated, or NULL */
	const char **sources;
	size_t n;
	struct replace result;
	struct store_merged merged;
};

/* A source of an older version is migrated in a copy. */
static int prepare_source(struct merging *m, const char *path, struct err *e)
{
	struct store *s;
	bool older = false;

	if (store_is_older(path, &older, e) != ERR_OK)
		return e->code;
	if (older && !m->folder)
		m->folder = folder_open(m->a, e);
	if (older && e->code == ERR_OK) {
		const char *copy =
			arena_printf(m->a, "%s/%zu.db", m->folder, m->n);

		m->sources[m->n++] = copy;
		if (store_copy(path, copy, e) != ERR_OK)
			return e->code;
		path = copy;
	} else {
		m->sources[m->n++] = path;
	}
	/* Checks that it is a database of this program.  Only the copy is
	 * written: another source may be the file that is replaced. */
	if (e->code == ERR_OK &&
	    (older ? store_open(path, false, &s, e)
		   : store_open_to_read(path, &s, e)) == ERR_OK)
		store_close(s);
	return e->code;
}

/* In a message put the file that the user named for its migrated copy. */
static void name_sources(const struct merging *m, const struct merge_args *o,
			 struct err *e)
{
	for (size_t i = 0; i < m->n; i++) {
		const char *copy = m->sources[i],
			   *at = strstr(e->message, copy);
		struct err whole = { .code = ERR_OK };

		if (!at || copy == o->inputs.words[i])
			continue;
		(void)err_set(&whole, e->code, "%.*s%s%s",
			      (int)(at - e->message), e->message,
			      o->inputs.words[i], at + strlen(copy));
		*e = whole;
	}
}

/* The values of runs that were put together follow from all their samples. */
static int solve_united(struct merging *m, struct err *e)
{
	struct solve_summary sum;
	struct store *s;

	if (store_open(m->result.temporary, false, &s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < m->merged.n_united; i++)
		if (solve_run(s, m->merged.united[i], &sum, e) != ERR_OK)
			break;
	store_close(s);
	return e->code;
}

/* What is there must be a database: -o may be a mistake. */
static int check_output(const char *path, struct err *e)
{
	if (access(path, F_OK) == 0 && !store_is_database(path))
		return err_set(e, ERR_INPUT,
			       "merge: %s exists and is not a database", path);
	return ERR_OK;
}

static double size_mb(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (double)st.st_size / 1e6 : 0;
}

static int write_result(struct merging *m, struct err *e)
{
	if (store_merge(m->a, m->result.temporary, m->sources, m->n, &m->merged,
			e) != ERR_OK ||
	    (m->merged.n_united > 0 && solve_united(m, e) != ERR_OK))
		return e->code;
	return replace_finish(&m->result, m->a, e);
}

static int merge(struct merging *m, const struct merge_args *o, struct err *e)
{
	double start = monotonic_s(), mb = 0, seconds;

	m->sources = ARENA_ARRAY(m->a, const char *, o->inputs.n);
	/* Locked before the sources are read: it may be one of them. */
	if (check_output(o->output, e) != ERR_OK ||
	    replace_begin(&m->result, m->a, o->output, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < o->inputs.n; i++) {
		if (prepare_source(m, o->inputs.words[i], e) != ERR_OK)
			return e->code;
		mb += size_mb(o->inputs.words[i]);
	}
	if (write_result(m, e) != ERR_OK)
		return e->code;
	seconds = monotonic_s() - start;
	printf("%s: %zu run%s, from %zu run%s of %zu database%s; %zu put "
	       "together and solved\n%.0f MB in %.1f s: %.0f MB/s\n",
	       o->output, m->merged.n_runs, PLURAL(m->merged.n_runs),
	       m->merged.n_parts, PLURAL(m->merged.n_parts), m->n, PLURAL(m->n),
	       m->merged.n_united, mb, seconds, seconds > 0 ? mb / seconds : 0);
	return ERR_OK;
}

static int merge_run(void *args, struct command_resources *r, struct err *e)
{
	const struct merge_args *o = args;
	struct merging m = { .a = &r->a };

	if (merge(&m, o, e) != ERR_OK)
		name_sources(&m, o, e);
	replace_end(&m.result);
	folder_close(m.folder);
	return e->code;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "make one database of several, or of the shards of a run",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(OPTION_OUTPUT(output)),
	.operand = "DATABASE...",
	.operand_list = true,
	.operand_field = offsetof(ARGS, inputs),
	.describe =
		"Writes all runs of the databases to a new one: raw samples, "
		"faults, console text, values. Equal runs are written once. "
		"Shards of one set (measure --shard) on the same core, and "
		"two states of one run, become one run, which is solved again. "
		"The order of the databases does not matter, and merging the "
		"result with one of them changes nothing. The file of -o may "
		"be one of the databases; it is replaced when the result is "
		"complete, and stays as it is if anything fails. One merge "
		"at a time replaces a file, and none while another command "
		"writes to it: the later one fails with exit status 1 "
		"(docs/merge.md).",
	.examples = "anechoic merge -o all.db a.db b.db c.db",
	.run = merge_run,
};
