/* Opens stores and runs transactions; see store.h.
 *
 * The database uses a rollback journal, not a write-ahead log: between
 * transactions all data is in the one file that users see and copy, even after
 * a crash.  A commit then costs a few fsyncs, so callers commit at intervals
 * and not for each record. */
#include "host/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/monotonic.h"
#include "host/base/version.h"
#include "host/store/lock.h"
#include "host/store/schema.h"
#include "host/store/store_db.h"

enum {
	APPLICATION_ID = 0x416e6563, /* "Anec" */
	BUSY_MS = 5000,
	MAX_VALUE_BYTES = 64 << 20,
	/* As https://sqlite.org/security.html has them for untrusted files. */
	MAX_SQL_BYTES = 100000,
	MAX_SQL_DEPTH = 100,
};

enum {
	/* Later versions only add what this program does not read. */
	READABLE_VERSION = 7,
};

enum access { ACCESS_READ, ACCESS_CHANGE, ACCESS_CREATE };

static int execute(struct store *s, const char *sql, const char *what,
		   struct err *e)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(s, what, e);
	return ERR_OK;
}

static int apply_sql(struct store *s, int64_t version, struct err *e)
{
	char pragma[80];

	for (; version < SCHEMA_VERSION; version++)
		if (execute(s, schema_migrations[version], "migration", e) !=
		    ERR_OK)
			return e->code;
	(void)sqlite3_snprintf(sizeof(pragma), pragma,
			       "PRAGMA application_id = %d;"
			       "PRAGMA user_version = %d;",
			       APPLICATION_ID, SCHEMA_VERSION);
	return execute(s, pragma, "migration", e);
}

/* Bring the schema to this program's version.  Reads the version again under
 * the lock, because another program may have migrated it meanwhile. */
static int migrate(struct store *s, struct err *e)
{
	int64_t version = 0;

	if (store_begin(s, e) != ERR_OK)
		return e->code;
	if (store_number(s, e, &version, "PRAGMA user_version", "") != ERR_OK ||
	    apply_sql(s, version, e) != ERR_OK || store_commit(s, e) != ERR_OK)
		store_rollback(s);
	return e->code;
}

/* The file is untrusted: its schema must not execute anything. */
static int configure_connection(struct store *s, struct err *e)
{
	(void)sqlite3_busy_timeout(s->db, BUSY_MS);
	(void)sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	/* Of views only temporary ones, which schema_views() makes. */
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	(void)sqlite3_limit(s->db, SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES);
	(void)sqlite3_limit(s->db, SQLITE_LIMIT_EXPR_DEPTH, MAX_SQL_DEPTH);
	return execute(s,
		       "PRAGMA cell_size_check = ON;"
		       /* A file that is cut while it is read would end the
			* process. */
		       "PRAGMA mmap_size = 0;"
		       "PRAGMA foreign_keys = ON;"
		       "PRAGMA synchronous = FULL;"
		       /* In KiB.  Code is read in random order. */
		       "PRAGMA cache_size = -65536;",
		       "opening", e);
}

static void release_connection(void *object)
{
	(void)sqlite3_close(object);
}

/* Replace the connection by one to a temporary copy, which SQLite removes when
 * it is closed. */
static int use_copy(struct store *s, struct err *e)
{
	sqlite3 *file = s->db;
	struct hold h;

	/* The statements belong to the file's connection. */
	for (size_t i = 0; i < STORE_MAX_STATEMENTS; i++) {
		(void)sqlite3_finalize(s->cache[i].q);
		s->cache[i].q = NULL;
	}
	s->db = NULL;
	s->is_copy = true;
	guard_hold(&h, release_connection, file);
	if (sqlite3_open("", &s->db) != SQLITE_OK)
		(void)store_fail(s, "a temporary copy", e);
	else
		(void)store_backup(s, "main", file, e);
	guard_drop(&h);
	(void)sqlite3_close(file);
	return e->code == ERR_OK ? configure_connection(s, e) : e->code;
}

/* Accept a database of this program, or an empty one to create. */
static int check_identity(struct store *s, enum access access, struct err *e)
{
	int64_t id = 0, version = 0, tables = 0;

	if (store_number(s, e, &id, "PRAGMA application_id", "") != ERR_OK ||
	    store_number(s, e, &version, "PRAGMA user_version", "") != ERR_OK ||
	    store_number(s, e, &tables, "SELECT count(*) FROM sqlite_schema",
			 "") != ERR_OK)
		return e->code;

	bool empty = id == 0 && version == 0 && tables == 0;

	if (id != APPLICATION_ID && !(empty && access == ACCESS_CREATE))
		return err_set(e, ERR_INPUT, "%s is %s", s->path,
			       empty ? "an empty file"
				     : "not an Anechoic database");
	if (version < 0 || version > SCHEMA_VERSION)
		return err_set(e, ERR_INPUT,
			       "%s has schema version %lld, this program "
			       "reads up to %d; use a newer anechoic",
			       s->path, (long long)version, SCHEMA_VERSION);
	if (!empty && schema_check(s, version, e) != ERR_OK)
		return e->code;
	/* An older database is migrated.  One that is only read stays as it is:
	 * its copy is migrated. */
	if (version != SCHEMA_VERSION &&
	    (access != ACCESS_READ || version < READABLE_VERSION)) {
		if ((access == ACCESS_READ && use_copy(s, e) != ERR_OK) ||
		    migrate(s, e) != ERR_OK)
			return e->code;
		version = SCHEMA_VERSION;
	}
	return schema_views(s, version, e);
}

/* SQLite reports a missing file only as "unable to open database". */
static int check_path(const char *path, bool create, struct err *e)
{
	if (*path == '\0')
		return err_set(e, ERR_INPUT, "missing name of the database");
	if (!create && access(path, F_OK) != 0)
		return errno == ENOENT
			       ? err_set(e, ERR_INPUT, "%s does not exist",
					 path)
			       : err_set(e, ERR_INPUT, "cannot open %s: %s",
					 path, strerror(errno));
	return ERR_OK;
}

bool store_is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof(magic)];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, head, sizeof(head));
	(void)close(fd);
	return n == (ssize_t)sizeof(head) &&
	       memcmp(head, magic, sizeof(head)) == 0;
}

static void release_store(void *object)
{
	store_close(object);
}

/* Another LLVM numbers the operands of some forms differently: what is stored of
 * operand 1 would be taken for another's. */
static int check_llvm(struct store *s, struct err *e)
{
	int64_t n = 0;

	if (store_number(s, e, &n,
			 "SELECT count(*) FROM run WHERE CASE ? WHEN '' "
			 "THEN instr(tool, ', LLVM ') > 0 "
			 "ELSE instr(tool, ?) = 0 END",
			 "tt", anechoic_llvm, anechoic_llvm) != ERR_OK)
		return e->code;
	return n == 0 ? ERR_OK
		      : err_set(e, ERR_INPUT,
				"%s: was measured by a build with another "
				"LLVM, which numbers the operands of some "
				"forms differently; use such a build "
				"(cmake/README.md)",
				s->path);
}

/* A file that is only read is opened to be written as well: after a killed
 * program SQLite has to restore its last transaction. */
static int connect_store(struct store *s, enum access access, struct err *e)
{
	bool create = access == ACCESS_CREATE;
	/* One thread uses a store, so SQLite needs no mutex. */
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
		    (create ? SQLITE_OPEN_CREATE : 0);

	if (access != ACCESS_READ && strcmp(s->path, ":memory:") != 0 &&
	    lock_file(s->path, LOCK_WRITER, create, &s->lock, e) != ERR_OK)
		return e->code;
	if (sqlite3_open_v2(s->path, &s->db, flags, NULL) != SQLITE_OK)
		return store_fail(s, "opening", e);
	if (configure_connection(s, e) != ERR_OK)
		return e->code;
	if (check_identity(s, access, e) != ERR_OK)
		return e->code;
	return check_llvm(s, e);
}

static int open_store(const char *path, enum access access,
		      struct store **ret_store, struct err *e)
{
	size_t n = strlen(path) + 1;

	if (check_path(path, access == ACCESS_CREATE, e) != ERR_OK)
		return e->code;

	struct store *s = xrealloc(NULL, 1, sizeof(*s));

	*s = (struct store){ .lock = -1 };
	guard_hold(&s->hold, release_store, s);
	s->path = xrealloc(NULL, n, 1);
	memcpy(s->path, path, n);
	if (connect_store(s, access, e) != ERR_OK) {
		store_close(s);
		return e->code;
	}
	*ret_store = s;
	return ERR_OK;
}

int store_open(const char *path, bool create, struct store **ret_store,
	       struct err *e)
{
	return open_store(path, create ? ACCESS_CREATE : ACCESS_CHANGE,
			  ret_store, e);
}

int store_open_to_read(const char *path, struct store **ret_store,
		       struct err *e)
{
	return open_store(path, ACCESS_READ, ret_store, e);
}

void store_close(struct store *s)
{
	sqlite3_stmt *q;

	if (!s)
		return;
	guard_drop(&s->hold);
	/* In a shortage there are others than the cached ones. */
	while (s->db && (q = sqlite3_next_stmt(s->db, NULL)) != NULL)
		(void)sqlite3_finalize(q);
	(void)sqlite3_close(s->db);
	if (s->lock >= 0)
		(void)close(s->lock);
	free(s->path);
	free(s);
}

int store_copy(const char *path, const char *to, struct err *e)
{
	struct store s = { .db = NULL };
	char name[] = "copy";

	s.path = name;
	if (sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READONLY, NULL) !=
	    SQLITE_OK)
		(void)store_fail(&s, path, e);
	else
		(void)store_write(&s, e, path, "VACUUM INTO ?", "t", to);
	for (size_t i = 0; i < STORE_MAX_STATEMENTS; i++)
		(void)sqlite3_finalize(s.cache[i].q);
	(void)sqlite3_close(s.db);
	return e->code;
}

/* Opens the file read-only, so it is neither migrated nor repaired. */
int store_is_older(const char *path, bool *ret, struct err *e)
{
	struct store s = { .db = NULL };
	size_t n = strlen(path) + 1;
	int64_t version = 0;

	if (check_path(path, false, e) != ERR_OK)
		return e->code;
	s.path = xrealloc(NULL, n, 1);
	memcpy(s.path, path, n);
	if (sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READONLY, NULL) !=
	    SQLITE_OK)
		(void)store_fail(&s, "opening", e);
	else if (store_number(&s, e, &version, "PRAGMA user_version", "") ==
		 ERR_OK)
		*ret = version != SCHEMA_VERSION;
	(void)sqlite3_close(s.db);
	free(s.path);
	return e->code;
}

static bool is_in_transaction(const struct store *s)
{
	return !sqlite3_get_autocommit(s->db);
}

void store_group(struct store *s, uint32_t ms)
{
	enum { NS_PER_MS = 1000 * 1000 };

	s->group_ns = (uint64_t)ms * NS_PER_MS;
	s->flushed_ns = monotonic_ns();
}

int store_flush(struct store *s, struct err *e)
{
	s->flushed_ns = monotonic_ns();
	return is_in_transaction(s) ? store_write(s, e, "commit", "COMMIT", "")
				    : ERR_OK;
}

/* Of a group each transaction is a savepoint. */
int store_begin(struct store *s, struct err *e)
{
	if ((!s->group_ns || !is_in_transaction(s)) &&
	    store_write(s, e, "begin", "BEGIN IMMEDIATE", "") != ERR_OK)
		return e->code;
	return s->group_ns ? store_write(s, e, "begin", "SAVEPOINT one", "")
			   : ERR_OK;
}

int store_commit(struct store *s, struct err *e)
{
	if (!s->group_ns)
		return store_write(s, e, "commit", "COMMIT", "");
	if (store_write(s, e, "commit", "RELEASE one", "") != ERR_OK)
		return e->code;
	return monotonic_ns() - s->flushed_ns >= s->group_ns ? store_flush(s, e)
							     : ERR_OK;
}

void store_rollback(struct store *s)
{
	struct err ignored = { .code = ERR_OK };

	/* After a full disk SQLite has already rolled back. */
	if (!is_in_transaction(s))
		return;
	if (!s->group_ns) {
		(void)store_write(s, &ignored, "rollback", "ROLLBACK", "");
		return;
	}
	(void)store_write(s, &ignored, "rollback", "ROLLBACK TO one", "");
	(void)store_write(s, &ignored, "rollback", "RELEASE one", "");
}
