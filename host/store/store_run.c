/* Runs, their environment and their console text. */
#include <stdio.h>

#include "host/base/file.h"
#include "host/store/store_db.h"

int store_run_new(struct store *s, struct run *r, struct err *e)
{
	int ret = store_write(
		s, e, "new run",
		"INSERT INTO run (board, isa, cpu, clock, what, forms, tool, "
		"date, ref_hz, kernel_cycles, finished) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"ttttttttiii", r->board, r->isa, r->cpu, r->clock, r->what,
		r->forms, r->tool, r->date, (int64_t)r->ref_hz,
		(int64_t)r->kernel_cycles, (int64_t)r->finished);

	if (ret == ERR_OK)
		r->id = sqlite3_last_insert_rowid(s->db);
	return ret;
}

#define RUN_COLUMNS                                                     \
	"id, board, isa, cpu, clock, what, forms, tool, date, ref_hz, " \
	"kernel_cycles, finished "

static int read_run(struct store *s, struct arena *a, sqlite3_stmt *q,
		    struct run *ret, struct err *e)
{
	struct store_row row = { .q = q };
	struct run r = {
		.id = (int64_t)row_u64(&row, 0),
		.board = arena_strdup(a, row_text(&row, 1)),
		.isa = arena_strdup(a, row_text(&row, 2)),
		.cpu = arena_strdup(a, row_text(&row, 3)),
		.clock = arena_strdup(a, row_text(&row, 4)),
		.what = arena_strdup(a, row_text(&row, 5)),
		.forms = arena_strdup(a, row_text(&row, 6)),
		.tool = arena_strdup(a, row_text(&row, 7)),
		.date = arena_strdup(a, row_text(&row, 8)),
		.ref_hz = row_u64(&row, 9),
		.kernel_cycles = row_u64(&row, 10),
		.finished = row_u64(&row, 11) != 0,
	};

	if (row.bad)
		return store_bad_row(s, &row, "run", e);
	*ret = r;
	return ERR_OK;
}

int store_run_resumable(struct store *s, struct arena *a,
			const struct run *like, struct run *ret, struct err *e)
{
	sqlite3_stmt *q = store_query(
		s, e,
		"SELECT " RUN_COLUMNS "FROM run WHERE board = ? AND isa = ? "
		"AND what = ? AND forms = ? AND kernel_cycles = ? AND "
		"finished = 0 ORDER BY id DESC LIMIT 1",
		"tttti", like->board, like->isa, like->what, like->forms,
		(int64_t)like->kernel_cycles);

	if (!q)
		return e->code;

	int step = store_step(s, q, e);

	if (step == 1)
		step = read_run(s, a, q, ret, e);
	else if (step == 0)
		*ret = (struct run){ .id = 0 };
	store_done(q);
	return step;
}

int store_run_get(struct store *s, struct arena *a, int64_t id, struct run *ret,
		  struct err *e)
{
	sqlite3_stmt *q = store_query(
		s, e, "SELECT " RUN_COLUMNS "FROM run WHERE id = ?", "i", id);

	if (!q)
		return e->code;

	int step = store_step(s, q, e);

	if (step == 1)
		step = read_run(s, a, q, ret, e);
	else if (step == 0)
		step = err_set(e, ERR_INPUT, "%s has no run %lld", s->path,
			       (long long)id);
	store_done(q);
	return step;
}

int store_run_ids(struct store *s, struct arena *a, const char *sql,
		  int64_t **ret_ids, size_t *ret_n, struct err *e)
{
	sqlite3_stmt *q = store_cursor(s, e, sql, "");
	struct buffer ids = { 0 };
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(s, q, e)) == 1) {
		int64_t id = sqlite3_column_int64(q, 0);

		buffer_add(&ids, &id, sizeof(id));
	}
	(void)sqlite3_finalize(q);
	if (step == 0) {
		*ret_ids = arena_copy(a, ids.bytes, ids.n);
		*ret_n = ids.n / sizeof(int64_t);
	}
	buffer_free(&ids);
	return step;
}

int store_runs(struct store *s, struct arena *a, int64_t **ret_ids,
	       size_t *ret_n, struct err *e)
{
	return store_run_ids(s, a, "SELECT id FROM run ORDER BY id", ret_ids,
			     ret_n, e);
}

int store_run_clock(struct store *s, int64_t run, const char *clock,
		    uint64_t ref_hz, struct err *e)
{
	return store_write(s, e, "clock",
			   "UPDATE run SET clock = ?, ref_hz = ? WHERE id = ?",
			   "tii", clock, (int64_t)ref_hz, run);
}

int store_run_finish(struct store *s, int64_t run, struct err *e)
{
	return store_write(s, e, "end of run",
			   "UPDATE run SET finished = 1 WHERE id = ?", "i",
			   run);
}

int store_env(struct store *s, int64_t run, const char *key, const char *value,
	      struct err *e)
{
	return store_write(s, e, "environment",
			   "INSERT OR REPLACE INTO env VALUES (?, ?, ?)", "itt",
			   run, key, value);
}

int store_env_least(struct store *s, int64_t run, const char *key, char *ret,
		    size_t room, struct err *e)
{
	sqlite3_stmt *q = store_cursor(
		s, e,
		"SELECT env.value FROM identity AS mine "
		"JOIN identity AS i USING (board, isa, core) "
		"JOIN env ON env.run = i.run "
		"JOIN run AS a ON a.id = mine.run "
		"JOIN run AS b ON b.id = i.run AND b.tool = a.tool "
		"AND b.id <> a.id AND b.date <= a.date "
		"WHERE mine.run = ? AND env.key = ? "
		"ORDER BY CAST(env.value AS REAL) LIMIT 1",
		"it", run, key);
	int step;

	ret[0] = '\0';
	if (!q)
		return e->code;
	step = store_step(s, q, e);
	if (step == 1)
		(void)snprintf(ret, room, "%s",
			       row_text(&(struct store_row){ .q = q }, 0));
	(void)sqlite3_finalize(q);
	return step == 1 ? ERR_OK : step;
}

int store_text(struct store *s, int64_t run, const char *line, size_t n,
	       struct err *e)
{
	return store_write(s, e, "console text",
			   "INSERT INTO text (run, line) VALUES (?, ?)", "ib",
			   run, line, n);
}

/* The first number of the first row of a statement; 0: no row. */
static int read_number(struct store *s, sqlite3_stmt *q, uint64_t *ret,
		       struct err *e)
{
	int step;

	*ret = 0;
	if (!q)
		return e->code;
	step = store_step(s, q, e);
	if (step == 1)
		*ret = row_u64(&(struct store_row){ .q = q }, 0);
	(void)sqlite3_finalize(q);
	return step == 1 ? ERR_OK : step;
}

int store_text_last(struct store *s, int64_t *ret_last, struct err *e)
{
	uint64_t last = 0;
	int status = read_number(
		s,
		store_cursor(s, e, "SELECT ifnull(max(rowid), 0) FROM text",
			     ""),
		&last, e);

	*ret_last = (int64_t)last;
	return status;
}

int store_text_trim(struct store *s, int64_t run, int64_t after, uint64_t most,
		    uint64_t *ret_bytes, struct err *e)
{
	/* The newest line from which on there are more than `most` bytes. */
	sqlite3_stmt *q = store_cursor(
		s, e,
		"SELECT ifnull(max(rowid), 0) FROM (SELECT rowid, "
		"sum(length(line)) OVER (ORDER BY rowid DESC) AS total "
		"FROM text WHERE run = ? AND rowid > ?) WHERE total > ?",
		"iii", run, after, (int64_t)most);
	uint64_t last;

	*ret_bytes = 0;
	if (read_number(s, q, &last, e) != ERR_OK || last == 0)
		return e->code;
	q = store_cursor(s, e,
			 "SELECT sum(length(line)) FROM text WHERE run = ? "
			 "AND rowid > ? AND rowid <= ?",
			 "iii", run, after, (int64_t)last);
	if (read_number(s, q, ret_bytes, e) != ERR_OK)
		return e->code;
	return store_write(s, e, "console text",
			   "DELETE FROM text WHERE run = ? AND rowid > ? AND "
			   "rowid <= ?",
			   "iii", run, after, (int64_t)last);
}

int store_envs(struct store *s, int64_t run, store_each_env *each,
	       void *context, struct err *e)
{
	sqlite3_stmt *q = store_cursor(s, e,
				       "SELECT key, value FROM env WHERE "
				       "run = ? ORDER BY key",
				       "i", run);
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(s, q, e)) == 1) {
		struct store_row row = { .q = q };
		const char *key = row_text(&row, 0);
		const char *value = row_text(&row, 1);

		step = row.bad ? store_bad_row(s, &row, "env", e)
			       : each(context, key, value, e);
		if (step != 0)
			break;
	}
	(void)sqlite3_finalize(q);
	return step;
}
