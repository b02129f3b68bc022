/* anechoic merge: one database of several.  A reader sees the old file or the
 * new one: the result is written to a temporary file, flushed, and renamed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/folder.h"
#include "host/base/monotonic.h"
#include "host/cli/cli.h"
#include "host/solve/solve.h"

struct merging {
	struct arena a;
	const char *folder; /* of sources that were migrated, or NULL */
	const char **sources;
	size_t n;
	char *temp; /* the result until it is complete */
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
		m->folder = folder_open(&m->a, e);
	if (older && e->code == ERR_OK) {
		const char *copy =
			arena_printf(&m->a, "%s/%zu.db", m->folder, m->n);

		if (store_copy(path, copy, e) != ERR_OK)
			return e->code;
		path = copy;
	}
	/* Checks that it is a database of this program. */
	if (e->code == ERR_OK && store_open(path, false, &s, e) == ERR_OK)
		store_close(s);
	m->sources[m->n++] = path;
	return e->code;
}

/* The values of runs that were put together follow from all their samples. */
static int solve_united(struct merging *m, struct err *e)
{
	struct solve_summary sum;
	struct store *s;

	if (store_open(m->temp, false, &s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < m->merged.n_united; i++)
		if (solve_run(s, m->merged.united[i], &sum, e) != ERR_OK)
			break;
	store_close(s);
	return e->code;
}

static int sync_path(const char *path, int flags, struct err *e)
{
	int fd = open(path, flags | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;
	int why = errno;

	if (fd >= 0)
		(void)close(fd);
	return ok ? ERR_OK
		  : err_set(e, ERR_SYSTEM, "cannot write %s: %s", path,
			    strerror(why));
}

static int replace(struct merging *m, const char *path, struct err *e)
{
	char *folder = arena_strdup(&m->a, path);
	char *slash = strrchr(folder, '/');

	if (slash)
		slash[slash == folder] = '\0';
	if (sync_path(m->temp, O_RDWR, e) != ERR_OK)
		return e->code;
	if (rename(m->temp, path) != 0)
		return err_set(e, ERR_SYSTEM, "cannot write %s: %s", path,
			       strerror(errno));
	return sync_path(slash ? folder : ".", O_RDONLY, e);
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

static int merge(struct merging *m, const struct options *o, struct err *e)
{
	double start = monotonic_s(), mb = 0, seconds;

	m->sources = ARENA_ARRAY(&m->a, const char *, o->inputs.n);
	m->temp = arena_printf(&m->a, "%s.merging", o->output);
	if (check_output(o->output, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < o->inputs.n; i++) {
		if (prepare_source(m, o->inputs.words[i], e) != ERR_OK)
			return e->code;
		mb += size_mb(o->inputs.words[i]);
	}
	/* Of a merge that was killed. */
	(void)unlink(m->temp);
	if (store_merge(&m->a, m->temp, m->sources, m->n, &m->merged, e) ==
		    ERR_OK &&
	    (m->merged.n_united == 0 || solve_united(m, e) == ERR_OK))
		(void)replace(m, o->output, e);
	if (e->code != ERR_OK) {
		(void)unlink(m->temp);
		return e->code;
	}
	seconds = monotonic_s() - start;
	printf("%s: %zu runs, from %zu runs of %zu databases; %zu put together "
	       "and solved\n%.0f MB in %.1f s: %.0f MB/s\n",
	       o->output, m->merged.n_runs, m->merged.n_parts, m->n,
	       m->merged.n_united, mb, seconds, seconds > 0 ? mb / seconds : 0);
	return ERR_OK;
}

static int merge_run(const struct options *o, struct err *e)
{
	struct merging m = { .n = 0 };

	(void)merge(&m, o, e);
	folder_close(m.folder);
	arena_free(&m.a);
	return e->code;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "make one database of several, or of the shards of a run",
	.options = OPTIONS(OPTION_OUTPUT),
	.operand = "DATABASE...",
	.operand_list = true,
	.describe =
		"Writes all runs of the databases to a new one: raw samples, "
		"faults, console text, values. Equal runs are written once. "
		"Shards of one set (measure --shard) on the same core, and "
		"two states of one run, become one run, which is solved again. "
		"The order of the databases does not matter, and merging the "
		"result with one of them changes nothing. The file of -o may "
		"be one of the databases; it is replaced when the result is "
		"complete, and stays as it is if anything fails "
		"(docs/merge.md).",
	.examples = "anechoic merge -o all.db a.db b.db c.db",
	.run = merge_run,
};
