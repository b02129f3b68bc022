/* Opening a store and its transactions; see store.h.
 *
 * The file is kept with a rollback journal, not a write-ahead log: between
 * transactions everything is in the one file a user sees and copies, whatever
 * killed the program.  The price, a few fsyncs per commit, is paid by
 * committing by time and not by record. */
#include "host/store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/store/store_db.h"

enum {
	APPLICATION_ID = 0x416e6563, /* "Anec" */
	BUSY_MS = 5000,
	MAX_VALUE_BYTES = 64 << 20,
};

/* migrations[v] leads from user_version v to v + 1. */
static const char *const migrations[] = {
	store_schema,
	/* Chains were not known before: 0 is what a form without them has. */
	"ALTER TABLE kernel ADD COLUMN chains INTEGER NOT NULL DEFAULT 0;",
	/* kernel.instructions: retired per body, 0 if unknown.
	 * sample.retired: as "values", NULL where the core has no counter. */
	"ALTER TABLE kernel ADD COLUMN instructions INTEGER NOT NULL "
	"DEFAULT 0;"
	"ALTER TABLE sample ADD COLUMN retired BLOB;",
	/* A run that measured one kind of a form leaves the others to their
	 * own newest run. */
	"DROP VIEW latest;"
	"CREATE VIEW latest AS SELECT * FROM ("
	"SELECT run.board, run.isa, claim.form, claim.kind, claim.source,"
	" claim.destination, claim.low_cycles, claim.high_cycles,"
	" claim.residual, claim.visits, claim.verdict, claim.label,"
	" claim.kernel, claim.solver_version, claim.detail, claim.run,"
	" rank() OVER (PARTITION BY run.board, run.isa, claim.form,"
	" claim.kind ORDER BY run.finished DESC, run.id DESC) AS age"
	" FROM claim JOIN run ON run.id = claim.run) WHERE age = 1;",
	/* kernel.class: '' where it is not known.  sample.core: number of the
	 * core, of several that measured at once.  From here on sample.row may
	 * be 10. */
	"ALTER TABLE kernel ADD COLUMN class TEXT NOT NULL DEFAULT '';"
	"ALTER TABLE sample ADD COLUMN core INTEGER NOT NULL DEFAULT 0;",
};

enum { SCHEMA_VERSION = ARRAY_LEN(migrations) };

/* A value that a pragma or a count gives. */
static int get_number(struct store *s, const char *sql, int64_t *ret,
		      struct err *e)
{
	sqlite3_stmt *q = store_cursor(s, e, sql, "");

	if (!q)
		return e->code;

	int step = store_step(s, q, e);

	if (step == 1)
		*ret = sqlite3_column_int64(q, 0);
	(void)sqlite3_finalize(q);
	if (step == 0)
		return store_bad_data(s, sql, e);
	return step == 1 ? ERR_OK : step;
}

static int exec(struct store *s, const char *sql, const char *what,
		struct err *e)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(s, what, e);
	return ERR_OK;
}

static int apply(struct store *s, int64_t version, struct err *e)
{
	char pragma[80];

	for (; version < SCHEMA_VERSION; version++)
		if (exec(s, migrations[version], "migration", e) != ERR_OK)
			return e->code;
	(void)sqlite3_snprintf(sizeof(pragma), pragma,
			       "PRAGMA application_id = %d;"
			       "PRAGMA user_version = %d;",
			       APPLICATION_ID, SCHEMA_VERSION);
	return exec(s, pragma, "migration", e);
}

/* Bring the schema to this program's version.  The version is read again
 * under the lock: another program may have been faster. */
static int migrate(struct store *s, struct err *e)
{
	int64_t version = 0;

	if (store_begin(s, e) != ERR_OK)
		return e->code;
	if (get_number(s, "PRAGMA user_version", &version, e) != ERR_OK ||
	    apply(s, version, e) != ERR_OK || store_commit(s, e) != ERR_OK)
		store_rollback(s);
	return e->code;
}

/* Is this file ours, or empty and to be made ours? */
static int check_identity(struct store *s, bool create, struct err *e)
{
	int64_t id = 0, version = 0, tables = 0;

	if (get_number(s, "PRAGMA application_id", &id, e) != ERR_OK ||
	    get_number(s, "PRAGMA user_version", &version, e) != ERR_OK ||
	    get_number(s, "SELECT count(*) FROM sqlite_schema", &tables, e) !=
		    ERR_OK)
		return e->code;

	bool empty = id == 0 && version == 0 && tables == 0;

	if (id != APPLICATION_ID && !(empty && create))
		return err_set(e, ERR_INPUT, "%s: a database of this program%s",
			       s->path, empty ? ", not an empty one" : "");
	if (version < 0 || version > SCHEMA_VERSION)
		return err_set(e, ERR_INPUT,
			       "%s: a schema of version %d at most; this one "
			       "has version %lld and needs a newer program",
			       s->path, SCHEMA_VERSION, (long long)version);
	return version == SCHEMA_VERSION ? ERR_OK : migrate(s, e);
}

/* The file is hostile until checked: its schema must not run anything. */
static int prepare(struct store *s, struct err *e)
{
	(void)sqlite3_busy_timeout(s->db, BUSY_MS);
	(void)sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return exec(s,
		    "PRAGMA cell_size_check = ON;"
		    "PRAGMA foreign_keys = ON;"
		    "PRAGMA synchronous = FULL;"
		    /* KiB: kernels come in no order of their code. */
		    "PRAGMA cache_size = -65536;",
		    "opening", e);
}

/* SQLite's own words for a missing file are "unable to open database". */
static int check_path(const char *path, bool create, struct err *e)
{
	if (*path == '\0')
		return err_set(e, ERR_INPUT, "database: a file name");
	if (!create && access(path, F_OK) != 0)
		return err_set(e, ERR_INPUT, "%s: an existing database (%s)",
			       path, strerror(errno));
	return ERR_OK;
}

int store_open(const char *path, bool create, struct store **ret_store,
	       struct err *e)
{
	/* A store belongs to one thread: no lock for each column. */
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
		    (create ? SQLITE_OPEN_CREATE : 0);
	size_t n = strlen(path) + 1;

	if (check_path(path, create, e) != ERR_OK)
		return e->code;

	struct store *s = xrealloc(NULL, 1, sizeof(*s));

	*s = (struct store){ .path = xrealloc(NULL, n, 1) };
	memcpy(s->path, path, n);
	if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
		(void)store_fail(s, "opening", e);
	else if (prepare(s, e) == ERR_OK)
		(void)check_identity(s, create, e);
	if (e->code != ERR_OK) {
		store_close(s);
		return e->code;
	}
	*ret_store = s;
	return ERR_OK;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < STORE_MAX_STATEMENTS; i++)
		(void)sqlite3_finalize(s->cache[i].q);
	(void)sqlite3_close(s->db);
	free(s->path);
	free(s);
}

int store_begin(struct store *s, struct err *e)
{
	return store_write(s, e, "begin", "BEGIN IMMEDIATE", "");
}

int store_commit(struct store *s, struct err *e)
{
	return store_write(s, e, "commit", "COMMIT", "");
}

void store_rollback(struct store *s)
{
	struct err ignored = { .code = ERR_OK };

	/* A full disk has rolled back already. */
	if (!sqlite3_get_autocommit(s->db))
		(void)store_write(s, &ignored, "rollback", "ROLLBACK", "");
}
