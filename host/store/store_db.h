/* The store's way to SQLite: cached statements, bound by a format string, and
 * one place that turns SQLite's errors into ours.  Private to the store. */
#ifndef STORE_STORE_DB_H
#define STORE_STORE_DB_H

#include <sqlite3.h>

#include "host/store/store.h"

enum { STORE_MAX_STATEMENTS = 32 };

struct store {
	sqlite3 *db;
	char *path;
	struct {
		const char *sql;
		sqlite3_stmt *q;
	} cache[STORE_MAX_STATEMENTS];
};

/* schema.sql, generated at build. */
extern const char store_schema[];

/* Set *e from SQLite's last error; `what` was being done. */
int store_fail(struct store *s, const char *what, struct err *e);

/* The cached statement of `sql`, a string that lives as long as the program
 * (the key is its address), bound to the arguments of `types`,
 * which must live until the statement is given back:
 *	i int64_t   d double   t const char *   b const void *, size_t
 * NULL text and blobs bind NULL.  NULL on error.  A writer or a single-row
 * reader; give it back with store_done(). */
sqlite3_stmt *store_query(struct store *s, struct err *e, const char *sql,
			  const char *types, ...);
void store_done(sqlite3_stmt *q);

/* The same, not cached: for readers that call out while they run, so that
 * they may nest.  End it with sqlite3_finalize(). */
sqlite3_stmt *store_cursor(struct store *s, struct err *e, const char *sql,
			   const char *types, ...);

/* Run a writing statement to its end. */
int store_write(struct store *s, struct err *e, const char *what,
		const char *sql, const char *types, ...);

/* Step a reader: 1 a row is there, 0 no more, else an error code. */
int store_step(struct store *s, sqlite3_stmt *q, struct err *e);

/* Columns of the current row.  A database may hold anything: what is out of
 * range sets r->bad instead of being cut. */
struct row {
	sqlite3_stmt *q;
	bool bad;
};
const char *row_text(struct row *r, int column); /* NULL reads as "" */
uint32_t row_u32(struct row *r, int column);
uint64_t row_u64(struct row *r, int column);
const void *row_blob(struct row *r, int column, size_t *ret_n);

/* ERR_INPUT: the file says something no store of ours says. */
int store_bad_data(struct store *s, const char *what, struct err *e);

#endif
