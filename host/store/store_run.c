/* Runs, their environment and their console text. */
#include "host/store/store_run.h"

#include <stdio.h>

#include "host/base/file.h"
#include "host/store/store_db.h"

const char *run_clock(const struct run *r)
{
	return clock_word_or(r->clock, r->clock_text);
}

int store_run_new(struct store *s, struct run *r, struct err *e)
{
	int ret = store_write(
		s, e, "new run",
		"INSERT INTO run (board, isa, cpu, clock, what, forms, tool, "
		"date, ref_hz, kernel_cycles, finished) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"ttttttttiii", r->board, r->isa, r->cpu, run_clock(r), r->what,
		r->forms, r->tool, r->date, (int64_t)r->ref_hz,
		(int64_t)r->kernel_cycles, (int64_t)r->finished);

	if (ret == ERR_OK)
		r->id = sqlite3_last_insert_rowid(s->db);
	return ret;
}

#define RUN_COLUMNS                                                     \
	"id, board, isa, cpu, clock, what, forms, tool, date, ref_hz, " \
	"kernel_cycles, finished "

static int read_run(struct rows *row, struct arena *a, struct run *ret)
{
	struct run r = {
		.id = (int64_t)row_u64(row, 0),
		.board = arena_strdup(a, row_text(row, 1)),
		.isa = arena_strdup(a, row_text(row, 2)),
		.cpu = arena_strdup(a, row_text(row, 3)),
		.clock_text = arena_strdup(a, row_text(row, 4)),
		.what = arena_strdup(a, row_text(row, 5)),
		.forms = arena_strdup(a, row_text(row, 6)),
		.tool = arena_strdup(a, row_text(row, 7)),
		.date = arena_strdup(a, row_text(row, 8)),
		.ref_hz = row_u64(row, 9),
		.kernel_cycles = row_u64(row, 10),
		.finished = row_u64(row, 11) != 0,
	};

	r.clock = clock_of(r.clock_text);
	if (rows_good(row))
		*ret = r;
	return rows_end(row);
}

int store_run_resumable(struct store *s, struct arena *a,
			const struct run *like, struct run *ret, struct err *e)
{
	struct rows r = store_row(
		s, e, "run",
		"SELECT " RUN_COLUMNS "FROM run WHERE board = ? AND isa = ? "
		"AND what = ? AND forms = ? AND kernel_cycles = ? AND "
		"finished = 0 ORDER BY id DESC LIMIT 1",
		"tttti", like->board, like->isa, like->what, like->forms,
		(int64_t)like->kernel_cycles);

	if (rows_next(&r))
		return read_run(&r, a, ret);
	if (r.status == ERR_OK)
		*ret = (struct run){ .id = 0 };
	return rows_end(&r);
}

int store_run_get(struct store *s, struct arena *a, int64_t id, struct run *ret,
		  struct err *e)
{
	struct rows r = store_row(s, e, "run",
				  "SELECT " RUN_COLUMNS "FROM run WHERE id = ?",
				  "i", id);

	if (rows_next(&r))
		return read_run(&r, a, ret);
	if (r.status == ERR_OK)
		r.status = err_set(e, ERR_INPUT, "%s has no run %lld", s->path,
				   (long long)id);
	return rows_end(&r);
}

int store_run_ids(struct store *s, struct arena *a, const char *sql,
		  int64_t **ret_ids, size_t *ret_n, struct err *e)
{
	struct rows r = store_rows(s, e, "run", sql, "");
	struct buffer ids = { 0 };

	while (rows_next(&r)) {
		int64_t id = sqlite3_column_int64(r.q, 0);

		buffer_add(&ids, &id, sizeof(id));
	}
	if (r.status == ERR_OK)
		*ret_ids = buffer_take_list(a, &ids, sizeof(int64_t), ret_n);
	buffer_free(&ids);
	return rows_end(&r);
}

int store_runs(struct store *s, struct arena *a, int64_t **ret_ids,
	       size_t *ret_n, struct err *e)
{
	return store_run_ids(s, a, "SELECT id FROM run ORDER BY id", ret_ids,
			     ret_n, e);
}

int store_run_clock(struct store *s, int64_t run, enum clock clock,
		    uint64_t ref_hz, struct err *e)
{
	return store_write(s, e, "clock",
			   "UPDATE run SET clock = ?, ref_hz = ? WHERE id = ?",
			   "tii", clock_word(clock), (int64_t)ref_hz, run);
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

int store_env_get(struct store *s, struct arena *a, int64_t run,
		  const char *key, const char **ret, struct err *e)
{
	struct rows r = store_row(
		s, e, "env", "SELECT value FROM env WHERE run = ? AND key = ?",
		"it", run, key);

	*ret = rows_next(&r) ? arena_strdup(a, row_text(&r, 0)) : NULL;
	return rows_end(&r);
}

int store_env_least(struct store *s, int64_t run, const char *key, char *ret,
		    size_t room, struct err *e)
{
	struct rows r =
		store_rows(s, e, "env",
			   "SELECT env.value FROM identity AS mine "
			   "JOIN identity AS i USING (board, isa, core) "
			   "JOIN env ON env.run = i.run "
			   "JOIN run AS a ON a.id = mine.run "
			   "JOIN run AS b ON b.id = i.run AND b.tool = a.tool "
			   "AND b.id <> a.id AND b.date <= a.date "
			   "WHERE mine.run = ? AND env.key = ? "
			   "ORDER BY CAST(env.value AS REAL) LIMIT 1",
			   "it", run, key);

	(void)snprintf(ret, room, "%s", rows_next(&r) ? row_text(&r, 0) : "");
	return rows_end(&r);
}

int store_text(struct store *s, int64_t run, const char *line, size_t n,
	       struct err *e)
{
	return store_write(s, e, "console text",
			   "INSERT INTO text (run, line) VALUES (?, ?)", "ib",
			   run, line, n);
}

int store_text_last(struct store *s, int64_t *ret_last, struct err *e)
{
	return store_number(s, e, ret_last,
			    "SELECT ifnull(max(rowid), 0) FROM text", "");
}

int store_text_trim(struct store *s, int64_t run, int64_t after, uint64_t most,
		    uint64_t *ret_bytes, struct err *e)
{
	/* The newest line from which on there are more than `most` bytes. */
	static const char newest[] =
		"SELECT ifnull(max(rowid), 0) FROM (SELECT rowid, "
		"sum(length(line)) OVER (ORDER BY rowid DESC) AS total "
		"FROM text WHERE run = ? AND rowid > ?) WHERE total > ?";
	int64_t last, bytes = 0;

	if (store_number(s, e, &last, newest, "iii", run, after,
			 (int64_t)most) == ERR_OK &&
	    last != 0 &&
	    store_number(s, e, &bytes,
			 "SELECT sum(length(line)) FROM text WHERE run = ? "
			 "AND rowid > ? AND rowid <= ?",
			 "iii", run, after, last) == ERR_OK)
		(void)store_write(s, e, "console text",
				  "DELETE FROM text WHERE run = ? AND "
				  "rowid > ? AND rowid <= ?",
				  "iii", run, after, last);
	*ret_bytes = (uint64_t)bytes;
	return e->code;
}

int store_envs(struct store *s, int64_t run, store_each_env *each,
	       void *context, struct err *e)
{
	struct rows r = store_rows(s, e, "env",
				   "SELECT key, value FROM env WHERE run = ? "
				   "ORDER BY key",
				   "i", run);

	while (rows_next(&r)) {
		const char *key = row_text(&r, 0), *value = row_text(&r, 1);

		if (rows_good(&r))
			r.status = each(context, key, value, e);
	}
	return rows_end(&r);
}
