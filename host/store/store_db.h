/* The store's interface to SQLite: cached statements, arguments bound by a
 * format string, and SQLite's errors as messages of this program.  Private to
 * host/store. */
#ifndef STORE_STORE_DB_H
#define STORE_STORE_DB_H

#include <sqlite3.h>

#include "host/store/store.h"

/* A merge that copies some runs and unites others uses 40. */
enum { STORE_MAX_STATEMENTS = 64 };

struct store {
	sqlite3 *db;
	struct hold hold;
	char *path;
	int lock;    /* of a store that may be written; -1: none */
	bool chosen; /* temp.chosen has the runs of the core that was chosen */
	/* Least time between groups (store_group()); 0: each commit is written
	 * to the disk. */
	uint64_t group_ns;
	uint64_t flushed_ns; /* monotonic_ns() of the last group */
	struct {
		const char *sql;
		sqlite3_stmt *q;
	} cache[STORE_MAX_STATEMENTS];
};

/* schema.sql, generated at build. */
extern const char store_schema[];

/* Set *e from SQLite's last error; `what` is the failed operation. */
int store_fail(struct store *s, const char *what, struct err *e);

/* The cached statement of `sql`, a string that lives as long as the program
 * (the key is its address).  One argument follows for each letter of `types`
 * (b: two); text and blobs must live until store_done():
 *	i int64_t   d double   t const char *   b const void *, size_t
 * NULL text and blobs bind NULL.  Returns NULL on error.  For statements that
 * write or return at most one row: a statement is in use until store_done(). */
sqlite3_stmt *store_query(struct store *s, struct err *e, const char *sql,
			  const char *types, ...);
void store_done(sqlite3_stmt *q);

/* The same without the cache, for queries of many rows: the callback of a row
 * may run the same query again.  Free it with sqlite3_finalize(). */
sqlite3_stmt *store_cursor(struct store *s, struct err *e, const char *sql,
			   const char *types, ...);

/* Execute a statement that writes; `what` is as for store_fail(). */
int store_write(struct store *s, struct err *e, const char *what,
		const char *sql, const char *types, ...);

/* Step a reader.  Returns 1 for a row, 0 at the end, otherwise an error
 * code. */
int store_step(struct store *s, sqlite3_stmt *q, struct err *e);

/* Columns of the current row.  The database is untrusted: a value of another type
 * or out of range sets r->bad and is not truncated. */
struct store_row {
	sqlite3_stmt *q;
	bool bad;
	int bad_column; /* the first that is bad */
	int n_keys;     /* leading columns that name the row; 0: one */
};
/* A value that the caller does not accept. */
void row_refuse(struct store_row *r, int column);
/* A finite number; 0, and *ret_has false: NULL. */
double row_real(struct store_row *r, int column, bool *ret_has);
const char *row_text(struct store_row *r, int column); /* NULL reads as "" */
uint32_t row_u32(struct store_row *r, int column);
uint64_t row_u64(struct store_row *r, int column);
const void *row_blob(struct store_row *r, int column, size_t *ret_n);

/* The ids of runs that a query without arguments returns, owned by `a`. */
int store_run_ids(struct store *s, struct arena *a, const char *sql,
		  int64_t **ret_ids, size_t *ret_n, struct err *e);

/* Choose the only core, if none is chosen. */
int store_need_core(struct store *s, struct err *e);

/* Set ERR_INPUT: the file has content that this program never writes. */
int store_bad_data(struct store *s, const char *what, struct err *e);
/* The same of a row with r->bad: names table, column, row and value. */
int store_bad_row(struct store *s, const struct store_row *r, const char *table,
		  struct err *e);

#endif
