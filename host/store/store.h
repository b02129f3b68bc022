/* The store: one SQLite file per machine or campaign, through which the stages
 * exchange data.
 *
 * A run has kernels; a kernel has samples or a fault; the solver derives claims
 * from them.  Samples are stored raw, so claims can be derived again at any
 * time.  The schema is schema.sql and its version is PRAGMA user_version; a
 * newer schema is refused, an older one is migrated in a transaction by the
 * commands that write. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "host/base/err.h"

struct store;

/* Open a database; `create` makes a missing file.  ERR_INPUT if it cannot be
 * opened, is not an Anechoic database or is newer than this program, ERR_SYSTEM
 * if it cannot be written.  Free it with store_close(). */
int store_open(const char *path, bool create, struct store **ret_store,
	       struct err *e);
/* The same to read only.  A database of an older version is not changed: a
 * temporary copy is migrated and read, on disk where SQLite puts temporary
 * files. */
int store_open_to_read(const char *path, struct store **ret_store,
		       struct err *e);

/* Does the file begin like a database of SQLite? */
bool store_is_database(const char *path);

/* Has the file another schema version than this program?  ERR_INPUT if it does
 * not exist or is no database. */
int store_is_older(const char *path, bool *ret, struct err *e);

/* Write a copy of a database, of any schema version, to a new file. */
int store_copy(const char *path, const char *to, struct err *e);

void store_close(struct store *s);

/* Transactions: all writes up to store_commit() are stored, or none. */
int store_begin(struct store *s, struct err *e);
int store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);

/* From now on write committed transactions to the disk in groups: in the first
 * store_commit() that is `ms` milliseconds (above 0) or more after the last
 * group, and in store_flush().  A crash, or store_close() without
 * store_flush(), loses the transactions since the last group; until it is
 * written the database is locked for other writers.  For many short
 * transactions: each by itself waits for the disk several times. */
void store_group(struct store *s, uint32_t ms);
/* Write what store_commit() kept back; nothing if there is none.  Not inside a
 * transaction. */
int store_flush(struct store *s, struct err *e);

#endif
