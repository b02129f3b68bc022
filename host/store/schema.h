/* The tables and views of a store, and the check that a file has these.  A file
 * of another is untrusted: SQL that it stores must not run. */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include "host/store/store_db.h"

enum { SCHEMA_VERSION = 8 };

/* [v] converts user_version v to v + 1. */
extern const char *const schema_migrations[SCHEMA_VERSION];

/* Check that each table of this version is in the file, as an ordinary table
 * that was created by the same statement, comments aside: no view and no
 * virtual table in its place, no generated columns.  ERR_INPUT names what
 * differs. */
int schema_check(struct store *s, int64_t version, struct err *e);

/* Create the views of this version as temporary ones: names then mean these,
 * and not what the file has under them. */
int schema_views(struct store *s, int64_t version, struct err *e);

#endif
