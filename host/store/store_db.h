/* The store's interface to SQLite: cached statements, arguments bound by a
 * format string, and SQLite's errors as messages of this program.  Private to
 * host/store. */
#ifndef STORE_STORE_DB_H
#define STORE_STORE_DB_H

#include <sqlite3.h>

#include "host/base/arena.h"
#include "host/store/store.h"

/* A merge that copies some runs and unites others uses 40. */
enum { STORE_MAX_STATEMENTS = 64 };

struct store {
	sqlite3 *db;
	struct hold hold;
	char *path;
	int lock;     /* of a store that may be written; -1: none */
	bool is_copy; /* of an older file at `path`, migrated */
	bool chosen;  /* temp.chosen has the runs of the core that was chosen */
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

/* Make the database `schema` of the connection a copy of `from`. */
int store_backup(struct store *s, const char *schema, sqlite3 *from,
		 struct err *e);

/* Execute a statement that writes; `what` is as for store_fail().  One argument
 * follows for each letter of `types` (b: two):
 *	i int64_t   u uint32_t   d double   t const char *
 *	b const void *, size_t
 * NULL text and blobs, and a double that is not a number, bind NULL.  The
 * statement is kept for the next call: `sql` is a string that lives as long as
 * the program. */
int store_write(struct store *s, struct err *e, const char *what,
		const char *sql, const char *types, ...);

/* The same of several statements with the same arguments, up to NULL. */
int store_write_all(struct store *s, struct err *e, const char *what,
		    const char *const *sql, const char *types, ...);

/* The rows of a query.  The database is untrusted: a value of another type or
 * out of range is refused and not truncated. */
struct rows {
	struct store *s;
	struct err *e;
	sqlite3_stmt *q;
	const char *table; /* in messages */
	int status;        /* not ERR_OK: rows_next() ends there */
	bool more;         /* it is on a row */
	bool kept;         /* the statement is */
	bool bad;
	int bad_column; /* the first that is bad */
	int n_keys;     /* leading columns that name the row; 0: one */
};

/* Begin a query, with arguments as for store_write().  Text and blobs must live
 * until rows_end().  A callback of a row may begin the same query again. */
struct rows store_rows(struct store *s, struct err *e, const char *table,
		       const char *sql, const char *types, ...);
/* The same with a statement that is kept as that of store_write(), and in use
 * until rows_end(): for one row. */
struct rows store_row(struct store *s, struct err *e, const char *table,
		      const char *sql, const char *types, ...);
/* Go to the next row; false at the end, and behind an error or a bad row. */
bool rows_next(struct rows *r);
/* Is what was read of the row good? Sets the error otherwise, which names
 * table, column, row and value. */
bool rows_good(struct rows *r);
/* End the query; the status, which is an error or what the caller set. */
int rows_end(struct rows *r);

/* The columns of the row. */
const char *row_text(struct rows *r, int column); /* NULL reads as "" */
uint32_t row_u32(struct rows *r, int column);
uint64_t row_u64(struct rows *r, int column);
const void *row_blob(struct rows *r, int column, size_t *ret_n);
/* A finite number; 0, and *ret_has false: NULL. */
double row_real(struct rows *r, int column, bool *ret_has);
/* A value that the caller does not accept. */
void row_refuse(struct rows *r, int column);

/* The number that a query returns; 0 if it has no row. */
int store_number(struct store *s, struct err *e, int64_t *ret, const char *sql,
		 const char *types, ...);

/* The ids of runs that a query without arguments returns, owned by `a`. */
int store_run_ids(struct store *s, struct arena *a, const char *sql,
		  int64_t **ret_ids, size_t *ret_n, struct err *e);

/* Choose the only core, if none is chosen. */
int store_need_core(struct store *s, struct err *e);

/* Set ERR_INPUT: the file has content that this program never writes. */
int store_bad_data(struct store *s, const char *what, struct err *e);

#endif
