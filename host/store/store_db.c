/* Statements and errors; see store_db.h. */
#include "host/store/store_db.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Messages for primary SQLite result codes. */
static const struct {
	int sqlite;
	int code;
	const char *meaning;
} meanings[] = {
	{ SQLITE_FULL, ERR_SYSTEM,
	  "the disk is full; committed results are safe. "
	  "Free some space and continue with --resume" },
	{ SQLITE_NOTADB, ERR_INPUT, "this is not an Anechoic database" },
	{ SQLITE_CORRUPT, ERR_INPUT, "the database is damaged" },
	{ SQLITE_ERROR, ERR_INPUT,
	  "tables are missing or differ from this "
	  "program's" },
	{ SQLITE_SCHEMA, ERR_INPUT,
	  "tables are missing or differ from this "
	  "program's" },
	{ SQLITE_MISMATCH, ERR_INPUT, "a column has the wrong type" },
	{ SQLITE_CONSTRAINT, ERR_INPUT, "rows contradict each other" },
	{ SQLITE_TOOBIG, ERR_INPUT, "a row is too large" },
	{ SQLITE_READONLY, ERR_SYSTEM, "the database is read-only" },
	{ SQLITE_CANTOPEN, ERR_INPUT, "the file cannot be opened" },
	{ SQLITE_PERM, ERR_INPUT, "the file cannot be opened" },
	{ SQLITE_BUSY, ERR_SYSTEM,
	  "another program is writing to the database" },
	{ SQLITE_LOCKED, ERR_SYSTEM,
	  "another program is writing to the database" },
	{ SQLITE_IOERR, ERR_SYSTEM, "input/output error on the disk" },
};

/* SQLite tells a write beyond the limit of the size of files from no other
 * that fails; by now errno is that of a later call. */
static bool is_limited(struct store *s)
{
	struct rlimit limit;

	return sqlite3_extended_errcode(s->db) == SQLITE_IOERR_WRITE &&
	       getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY;
}

int store_fail(struct store *s, const char *what, struct err *e)
{
	int primary = sqlite3_extended_errcode(s->db) & 0xff;
	size_t i = 0;

	if (primary == SQLITE_NOMEM)
		guard_shortage();
	if (is_limited(s))
		return err_set(e, ERR_SYSTEM,
			       "%s: %s: the limit of the size of files is "
			       "reached (ulimit -f); committed results are "
			       "safe. Raise it and continue with --resume",
			       s->path, what);
	while (i < ARRAY_LEN(meanings) && meanings[i].sqlite != primary)
		i++;
	if (i == ARRAY_LEN(meanings))
		return err_set(e, ERR_SYSTEM, "%s: %s: %s", s->path, what,
			       sqlite3_errmsg(s->db));
	return err_set(e, meanings[i].code, "%s: %s: %s (%s)", s->path, what,
		       meanings[i].meaning,
		       primary == SQLITE_CANTOPEN && sqlite3_system_errno(s->db)
			       ? strerror(sqlite3_system_errno(s->db))
			       : sqlite3_errmsg(s->db));
}

int store_bad_data(struct store *s, const char *what, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s: %s: the database is damaged", s->path,
		       what);
}

int store_backup(struct store *s, const char *schema, sqlite3 *from,
		 struct err *e)
{
	sqlite3_backup *b = sqlite3_backup_init(s->db, schema, from, "main");

	if (b)
		(void)sqlite3_backup_step(b, -1);
	if (!b || sqlite3_backup_finish(b) != SQLITE_OK)
		return store_fail(s, "a temporary copy", e);
	return ERR_OK;
}

static void bind_arguments(sqlite3_stmt *q, const char *types, va_list *args)
{
	for (int i = 1; *types != '\0'; types++, i++) {
		int ret = SQLITE_OK;

		switch (*types) {
		case 'i':
			ret = sqlite3_bind_int64(q, i, va_arg(*args, int64_t));
			break;
		case 'u':
			ret = sqlite3_bind_int64(q, i, va_arg(*args, uint32_t));
			break;
		case 'd':
			ret = sqlite3_bind_double(q, i, va_arg(*args, double));
			break;
		case 't':
			ret = sqlite3_bind_text(q, i,
						va_arg(*args, const char *), -1,
						SQLITE_STATIC);
			break;
		default: {
			const void *p = va_arg(*args, const void *);
			size_t n = va_arg(*args, size_t);

			/* SQLite binds a NULL pointer as NULL. */
			ret = sqlite3_bind_blob64(q, i, p, n, SQLITE_STATIC);
			break;
		}
		}
		/* A binding fails, too, if the value is too large.  The column
		 * then stays NULL, and its NOT NULL constraint fails in the
		 * step. */
		if (ret == SQLITE_NOMEM)
			guard_shortage();
	}
}

static sqlite3_stmt *prepare_statement(struct store *s, struct err *e,
				       const char *sql)
{
	sqlite3_stmt *q = NULL;

	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK) {
		(void)store_fail(s, "query", e);
		return NULL;
	}
	return q;
}

/* The key of a kept statement is the address of its text. */
static sqlite3_stmt *kept_statement(struct store *s, struct err *e,
				    const char *sql)
{
	size_t i = 0;

	while (i < STORE_MAX_STATEMENTS && s->cache[i].sql &&
	       s->cache[i].sql != sql)
		i++;
	assert(i < STORE_MAX_STATEMENTS);
	if (!s->cache[i].sql) {
		s->cache[i].q = prepare_statement(s, e, sql);
		s->cache[i].sql = s->cache[i].q ? sql : NULL;
	}
	return s->cache[i].q;
}

static void release_statement(sqlite3_stmt *q, bool kept)
{
	if (!kept) {
		(void)sqlite3_finalize(q);
	} else if (q) {
		(void)sqlite3_reset(q);
		(void)sqlite3_clear_bindings(q);
	}
}

static int write_once(struct store *s, struct err *e, const char *what,
		      const char *sql, const char *types, va_list *args)
{
	sqlite3_stmt *q = kept_statement(s, e, sql);
	int ret = ERR_OK;

	if (!q)
		return e->code;
	bind_arguments(q, types, args);
	if (sqlite3_step(q) != SQLITE_DONE)
		ret = store_fail(s, what, e);
	release_statement(q, true);
	return ret;
}

int store_write(struct store *s, struct err *e, const char *what,
		const char *sql, const char *types, ...)
{
	va_list args;
	int ret;

	va_start(args, types);
	ret = write_once(s, e, what, sql, types, &args);
	va_end(args);
	return ret;
}

int store_write_all(struct store *s, struct err *e, const char *what,
		    const char *const *sql, const char *types, ...)
{
	int ret = ERR_OK;

	for (; *sql && ret == ERR_OK; sql++) {
		va_list args;

		va_start(args, types);
		ret = write_once(s, e, what, *sql, types, &args);
		va_end(args);
	}
	return ret;
}

/* ---- rows ---------------------------------------------------------------- */

static struct rows begin_rows(struct store *s, struct err *e, const char *table,
			      sqlite3_stmt *q, const char *types, va_list *args)
{
	if (q)
		bind_arguments(q, types, args);
	return (struct rows){ .s = s,
			      .e = e,
			      .q = q,
			      .table = table,
			      .status = q ? ERR_OK : e->code };
}

struct rows store_rows(struct store *s, struct err *e, const char *table,
		       const char *sql, const char *types, ...)
{
	struct rows r;
	va_list args;

	va_start(args, types);
	r = begin_rows(s, e, table, prepare_statement(s, e, sql), types, &args);
	va_end(args);
	return r;
}

struct rows store_row(struct store *s, struct err *e, const char *table,
		      const char *sql, const char *types, ...)
{
	struct rows r;
	va_list args;

	va_start(args, types);
	r = begin_rows(s, e, table, kept_statement(s, e, sql), types, &args);
	va_end(args);
	r.kept = true;
	return r;
}

bool rows_next(struct rows *r)
{
	int step;

	r->more = false;
	if (r->status != ERR_OK || !rows_good(r))
		return false;
	step = sqlite3_step(r->q);
	r->more = step == SQLITE_ROW;
	if (!r->more && step != SQLITE_DONE)
		r->status = store_fail(r->s, "reading", r->e);
	return r->more;
}

int rows_end(struct rows *r)
{
	if (r->status == ERR_OK)
		(void)rows_good(r);
	release_statement(r->q, r->kept);
	r->q = NULL;
	return r->status;
}

int store_number(struct store *s, struct err *e, int64_t *ret, const char *sql,
		 const char *types, ...)
{
	struct rows r;
	va_list args;

	va_start(args, types);
	r = begin_rows(s, e, sql, prepare_statement(s, e, sql), types, &args);
	va_end(args);
	*ret = rows_next(&r) ? (int64_t)row_u64(&r, 0) : 0;
	return rows_end(&r);
}

/* A value as a message has it: short, and without control characters. */
static void describe_value(sqlite3_stmt *q, int column, char *ret, size_t room)
{
	struct rows row = { .q = q };

	switch (sqlite3_column_type(q, column)) {
	case SQLITE_NULL:
		(void)snprintf(ret, room, "nothing");
		break;
	case SQLITE_BLOB:
		(void)snprintf(ret, room, "a blob of %d bytes",
			       sqlite3_column_bytes(q, column));
		break;
	case SQLITE_TEXT:
		(void)snprintf(ret, room, "'%.60s'", row_text(&row, column));
		break;
	default:
		(void)snprintf(ret, room, "%s",
			       (const char *)sqlite3_column_text(q, column));
	}
}

bool rows_good(struct rows *r)
{
	int n_keys = r->n_keys ? r->n_keys : 1;
	char keys[240] = "", value[80];

	if (!r->bad)
		return true;
	for (int i = 0; i < n_keys; i++) {
		size_t n = strlen(keys);

		describe_value(r->q, i, value, sizeof(value));
		(void)snprintf(keys + n, sizeof(keys) - n, "%s%s %s",
			       i ? ", " : "", sqlite3_column_name(r->q, i),
			       value);
	}
	describe_value(r->q, r->bad_column, value, sizeof(value));
	r->status = err_set(
		r->e, ERR_INPUT,
		"%s: table %s, column %s of the row with %s: %s is no value "
		"for it; the database is damaged",
		r->s->path, r->table, sqlite3_column_name(r->q, r->bad_column),
		keys, value);
	return false;
}

/* Is the byte at `at` a control character or a part of one?  C0 and DEL; C1
 * (U+0080 to U+009F), which UTF-8 writes as 0xc2 and the byte, Latin-1 as the
 * byte alone. */
static bool is_control(const unsigned char *text, const unsigned char *at)
{
	if (*at < ' ')
		return *at != '\n' && *at != '\t';
	if (*at == 0xc2)
		return at[1] >= 0x80 && at[1] < 0xa0;
	if (*at >= 0x80 && *at < 0xa0)
		return at == text || at[-1] < 0x80;
	return *at == 0x7f;
}

/* A column whose text or bytes SQLite had no memory for reads as NULL. */
static void row_check(struct rows *r)
{
	if (sqlite3_errcode(sqlite3_db_handle(r->q)) == SQLITE_NOMEM)
		guard_shortage();
}

/* A database may come from anywhere, and its texts go to terminals: control
 * characters, which could be escape sequences, read as '?'.  SQLite hands out a
 * copy that stays valid until the next step. */
const char *row_text(struct rows *r, int column)
{
	int type = sqlite3_column_type(r->q, column);
	union {
		const unsigned char *from;
		unsigned char *to;
	} t = { .from = sqlite3_column_text(r->q, column) };

	if (type != SQLITE_TEXT && type != SQLITE_NULL)
		row_refuse(r, column);
	if (!t.from) {
		row_check(r);
		return "";
	}
	for (unsigned char *at = t.to; *at != '\0'; at++)
		if (is_control(t.from, at))
			*at = '?';
	return (const char *)t.from;
}

void row_refuse(struct rows *r, int column)
{
	if (!r->bad)
		r->bad_column = column;
	r->bad = true;
}

uint64_t row_u64(struct rows *r, int column)
{
	if (sqlite3_column_type(r->q, column) != SQLITE_INTEGER)
		row_refuse(r, column);
	return (uint64_t)sqlite3_column_int64(r->q, column);
}

uint32_t row_u32(struct rows *r, int column)
{
	uint64_t v = row_u64(r, column);

	if (v > UINT32_MAX)
		row_refuse(r, column);
	return (uint32_t)v;
}

double row_real(struct rows *r, int column, bool *ret_has)
{
	int type = sqlite3_column_type(r->q, column);
	double v = sqlite3_column_double(r->q, column);

	*ret_has = type != SQLITE_NULL;
	/* SQLite stores infinity. */
	if (*ret_has &&
	    ((type != SQLITE_FLOAT && type != SQLITE_INTEGER) || !isfinite(v)))
		row_refuse(r, column);
	return v;
}

const void *row_blob(struct rows *r, int column, size_t *ret_n)
{
	const void *p = sqlite3_column_blob(r->q, column);

	if (!p)
		row_check(r);
	*ret_n = (size_t)sqlite3_column_bytes(r->q, column);
	return p;
}
