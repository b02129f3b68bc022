/* The store's file: committed data survives a killed program and a full disk,
 * and damaged or hostile files are refused. */
#include "store_scratch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "host/store/store_core.h"

EACH(set_up, tear_down);

/* Modify the file with SQLite directly. */
static void meddle(struct scratch *t, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static int count_kernel(void *context, const struct kernel_result *r,
			struct err *e)
{
	(void)r;
	(void)e;
	++*(int *)context;
	return 0;
}

/* Reading the modified run must fail with this message. */
static void walk_refused(struct scratch *t, int64_t run, const char *says)
{
	int n = 0;

	refused(t, store_kernels(t->s, run, count_kernel, &n, &t->err),
		ERR_INPUT, says);
}

TEST(hostile_values_are_refused)
{
	static const char *const harm[] = {
		"UPDATE sample SET \"values\" = x'01'",
		"UPDATE sample SET \"values\" = x'010280'",
		"UPDATE sample SET \"values\" = zeroblob(90)",
		"UPDATE sample SET n_rows = 99999999",
		"UPDATE sample SET n_rows = -1",
		"UPDATE sample SET row = 5",
		"UPDATE sample SET visit = 5000000000",
		"UPDATE kernel SET unroll1 = -8",
		"UPDATE kernel SET label = hex(zeroblob(200))",
		"UPDATE image SET bytes = x'00'",
	};

	for (size_t i = 0; i < ARRAY_LEN(harm); i++) {
		struct scratch *t = *state;
		int64_t run = new_run(t);

		add_kernel(t, run, 0);
		add_sample(t, run, 0, 0);
		meddle(t, harm[i]);
		walk_refused(t, run, t->path);
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
	}
}

/* A message names the table, the column, the row and the value. */
TEST(values_of_a_wrong_type_are_named)
{
	static const struct {
		const char *harm, *says;
	} rows[] = {
		{ "UPDATE sample SET n_rows = -1",
		  "table sample, column n_rows of the row with kernel 0, "
		  "visit 0: -1 is no value for it" },
		{ "UPDATE kernel SET unroll1 = -8",
		  "table kernel, column unroll1 of the row with kernel 0: -8" },
		{ "UPDATE kernel SET label = printf('%200s', 'x')",
		  "table kernel, column label" },
		{ "UPDATE sample SET \"values\" = zeroblob(90)",
		  "column values of the row with kernel 0, visit 0: a blob of "
		  "90 bytes" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scratch *t = *state;
		int64_t run = new_run(t);

		add_kernel(t, run, 0);
		add_sample(t, run, 0, 0);
		meddle(t, rows[i].harm);
		walk_refused(t, run, rows[i].says);
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
	}
}

/* SQL of another in place of ours is refused when the file is opened, or does
 * not run. */
#define ENDLESS                                                    \
	"WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 " \
	"FROM r) SELECT * FROM r"

TEST(foreign_schemas_are_refused)
{
	static const char *const harm[] = {
		"DROP TABLE sample",
		"DROP TABLE sample; CREATE TABLE sample (a)",
		"ALTER TABLE kernel RENAME TO k; CREATE VIEW kernel AS "
		"SELECT * FROM missing",
		"ALTER TABLE env RENAME TO k; CREATE VIEW ENV AS " ENDLESS,
		"ALTER TABLE env RENAME TO k; CREATE VIRTUAL TABLE env USING "
		"fts5(run, key, value)",
		"ALTER TABLE kernel ADD COLUMN more INTEGER",
		"ALTER TABLE kernel ADD COLUMN more INT AS (run + 1)",
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
		"replace(sql, 'bytes BLOB', 'bytes BLOB AS (zeroblob(id))')",
		"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
		"replace(sql, 'finished INTEGER', "
		"'finished INTEGER CHECK (abs(id))')",
	};

	for (size_t i = 0; i < ARRAY_LEN(harm); i++) {
		struct scratch *t = *state;
		struct store *s = NULL;

		meddle(t, harm[i]);
		refused(t, store_open(t->path, false, &s, &t->err), ERR_INPUT,
			t->path);
		refused(t, store_open_to_read(t->path, &s, &t->err), ERR_INPUT,
			t->path);
		assert_null(s);
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
	}
}

TEST_ON(foreign_views_and_triggers_do_not_run, struct scratch *t)
{
	int64_t run = new_run(t);
	struct core_id core;

	meddle(t, "DROP VIEW identity; CREATE VIEW identity AS " ENDLESS ";"
		  "DROP VIEW latest; CREATE VIEW latest AS " ENDLESS ";"
		  "CREATE TRIGGER fire AFTER INSERT ON env BEGIN "
		  "DELETE FROM run; END");
	reopen(t);
	ok(t, store_env(t->s, run, "vendor", "x", &t->err));
	ok(t, store_run_core(t->s, &t->arena, run, &core, &t->err));
	assert_string_equal(core.core, "riscv64/x/-/-/-/-");
	assert_int_equal(ask(t, "SELECT count(*) FROM latest"), 0);
	assert_int_equal(ask(t, "SELECT count(*) FROM run"), 1);
}

TEST(foreign_files_are_refused)
{
	static const char *const foreign[] = {
		"DROP VIEW latest; PRAGMA application_id = 7",
		"PRAGMA application_id = 0; PRAGMA user_version = 0",
		"PRAGMA user_version = 1000",
		"PRAGMA user_version = -1",
	};
	static const char *const says[] = { "not an Anechoic database",
					    "not an Anechoic database",
					    "use a newer anechoic",
					    "has schema version" };

	for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
		struct scratch *t = *state;
		struct store *s = NULL;

		meddle(t, foreign[i]);
		refused(t, store_open(t->path, true, &s, &t->err), ERR_INPUT,
			says[i]);
		assert_null(s);
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
	}
}

static int check_old(void *context, const struct kernel_result *r,
		     struct err *e)
{
	(void)e;
	assert_int_equal(r->n_samples, 1);
	assert_memory_equal(r->samples[0].values, three, sizeof(three));
	assert_null(r->samples[0].retired);
	assert_int_equal(r->kernel.instructions, 0);
	assert_int_equal(r->kernel.class, KERNEL_UNKNOWN);
	assert_int_equal(r->samples[0].core, 0);
	++*(int *)context;
	return 0;
}

/* A file of version 2 with one kernel.  Returns its run. */
static int64_t make_old(struct scratch *t)
{
	int64_t run = new_run(t);

	add_kernel(t, run, 0);
	add_sample(t, run, 0, 0);
	meddle(t, "DROP VIEW latest_latency; DROP VIEW latest_throughput;"
		  "DROP VIEW latest; DROP VIEW identity;"
		  "CREATE VIEW latest AS SELECT 1;"
		  "CREATE VIEW latest_latency AS SELECT 1;"
		  "CREATE VIEW latest_throughput AS SELECT 1;"
		  "DROP VIEW instruction; DROP TABLE form;"
		  "ALTER TABLE kernel DROP COLUMN place;"
		  "ALTER TABLE kernel DROP COLUMN instructions;"
		  "ALTER TABLE kernel DROP COLUMN class;"
		  "ALTER TABLE sample DROP COLUMN retired;"
		  "ALTER TABLE sample DROP COLUMN core;"
		  "PRAGMA user_version = 2");
	return run;
}

/* Migrating a file of an older version keeps its data. */
TEST_ON(an_older_file_is_migrated, struct scratch *t)
{
	int64_t version = ask(t, "PRAGMA user_version");
	int64_t run = make_old(t);
	int n = 0;

	reopen(t);
	assert_int_equal(ask(t, "PRAGMA user_version"), version);
	ok(t, store_kernels(t->s, run, check_old, &n, &t->err));
	assert_int_equal(n, 1);
}

/* Reading an older file does not change it. */
TEST_ON(an_older_file_is_read_from_a_copy, struct scratch *t)
{
	int64_t version = ask(t, "PRAGMA user_version");
	int64_t run = make_old(t);
	bool older = false;
	int n = 0;

	for (int i = 0; i < 2; i++) {
		store_close(t->s);
		t->s = NULL;
		ok(t, store_open_to_read(t->path, &t->s, &t->err));
		assert_int_equal(ask(t, "PRAGMA user_version"), version);
		ok(t, store_kernels(t->s, run, check_old, &n, &t->err));
		ok(t, store_is_older(t->path, &older, &t->err));
		assert_true(older);
	}
	assert_int_equal(n, 2);
}

/* Operands of some forms have other numbers there. */
TEST_ON(a_file_of_another_llvm_is_refused, struct scratch *t)
{
	(void)new_run(t);
	store_close(t->s);
	t->s = NULL;
	meddle(t,
	       "UPDATE run SET tool = '0.1.0, LLVM 22, commit 35c7f76a1b2c'");
	refused(t, store_open_to_read(t->path, &t->s, &t->err), ERR_INPUT,
		"another LLVM");
	meddle(t, "UPDATE run SET tool = '0.1.0, commit 35c7f76a1b2c'");
	assert_ok(store_open_to_read(t->path, &t->s, &t->err), &t->err);
}

TEST_ON(files_that_are_no_database, struct scratch *t)
{
	struct store *s = NULL;
	FILE *f = fopen(t->path, "w");

	assert_non_null(f);
	for (int i = 0; i < 2000; i++)
		(void)fputs("not a database\n", f);
	assert_int_equal(fclose(f), 0);
	refused(t, store_open(t->path, true, &s, &t->err), ERR_INPUT,
		"not an Anechoic database");
	assert_int_equal(truncate(t->path, 0), 0);
	refused(t, store_open(t->path, false, &s, &t->err), ERR_INPUT,
		"an empty file");
	assert_int_equal(unlink(t->path), 0);
	refused(t, store_open(t->path, false, &s, &t->err), ERR_INPUT,
		"does not exist");
	refused(t, store_open(t->folder, true, &s, &t->err), ERR_INPUT,
		"cannot be opened");
	refused(t, store_open("", true, &s, &t->err), ERR_INPUT,
		"missing name");
}

TEST_ON(damaged_pages_are_refused, struct scratch *t)
{
	int64_t run = new_run(t);
	FILE *f;

	ok(t, store_begin(t->s, &t->err));
	for (uint32_t i = 0; i < 2000; i++) {
		add_kernel(t, run, i);
		add_sample(t, run, i, 0);
	}
	ok(t, store_commit(t->s, &t->err));
	store_close(t->s);
	t->s = NULL;
	f = fopen(t->path, "r+");
	assert_non_null(f);
	for (long page = 16; page < 200; page++) {
		assert_int_equal(fseek(f, page * 4096, SEEK_SET), 0);
		(void)fputs("\xff\xff\xff\xff\xff\xff\xff\xff", f);
	}
	assert_int_equal(fclose(f), 0);
	ok(t, store_open(t->path, false, &t->s, &t->err));
	walk_refused(t, run, "the database is damaged");
}

TEST_ON(killed_program_loses_nothing_committed, struct scratch *t)
{
	int64_t run = new_run(t);
	int status;
	pid_t child;

	store_close(t->s);
	t->s = NULL;
	child = fork();
	if (child == 0) {
		if (store_open(t->path, false, &t->s, &t->err) != ERR_OK)
			_exit(1);
		ok(t, store_begin(t->s, &t->err));
		add_kernel(t, run, 0);
		add_sample(t, run, 0, 0);
		ok(t, store_commit(t->s, &t->err));
		ok(t, store_begin(t->s, &t->err));
		for (uint32_t i = 1; i < 20000; i++)
			add_kernel(t, run, i);
		(void)kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	ok(t, store_open(t->path, false, &t->s, &t->err));
	assert_int_equal(ask(t, "SELECT count(*) FROM kernel"), 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM sample"), 1);
}

/* Fill the store until a write fails.  Earlier commits must remain. */
static int fill(struct scratch *t, int64_t run)
{
	for (uint32_t i = 0; i < 100000; i++) {
		struct kernel_row k = some_kernel(i);

		if (store_kernel(t->s, run, i, &k, &t->err) != ERR_OK)
			return t->err.code;
	}
	return ERR_OK;
}

TEST_ON(full_disk, struct scratch *t)
{
	int64_t run = new_run(t);

	ok(t, store_begin(t->s, &t->err));
	assert_int_equal(sqlite3_exec(t->s->db, "PRAGMA max_page_count = 60",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	refused(t, fill(t, run), ERR_SYSTEM, "continue with --resume");
	store_rollback(t->s);
	reopen(t);
	assert_int_equal(ask(t, "SELECT count(*) FROM run"), 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM kernel"), 0);
	add_kernel(t, run, 0);
}

TEST_ON(failing_disk, struct scratch *t)
{
	struct rlimit whole, limit = { 200000, RLIM_INFINITY };
	int64_t run = new_run(t);

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &whole), 0);
	limit.rlim_max = whole.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	refused(t, fill(t, run), ERR_SYSTEM, t->path);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &whole), 0);
	reopen(t);
	assert_true(ask(t, "SELECT count(*) FROM kernel") > 10);
	add_kernel(t, run, 99999);
}

/* Runs that another program sees in the file. */
static int64_t n_runs_in_file(struct scratch *t)
{
	struct store *other;
	sqlite3_stmt *q;
	int64_t n;

	ok(t, store_open_to_read(t->path, &other, &t->err));
	assert_int_equal(sqlite3_prepare_v2(other->db,
					    "SELECT count(*) FROM run", -1, &q,
					    NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	n = sqlite3_column_int64(q, 0);
	(void)sqlite3_finalize(q);
	store_close(other);
	return n;
}

TEST_ON(group_reaches_the_file_as_one, struct scratch *t)
{
	store_group(t->s, UINT32_MAX);
	for (int i = 0; i < 3; i++) {
		ok(t, store_begin(t->s, &t->err));
		(void)new_run(t);
		ok(t, store_commit(t->s, &t->err));
	}
	assert_int_equal(ask(t, "SELECT count(*) FROM run"), 3);
	assert_int_equal(n_runs_in_file(t), 0);
	/* Only the transaction itself is taken back. */
	ok(t, store_begin(t->s, &t->err));
	(void)new_run(t);
	store_rollback(t->s);
	ok(t, store_flush(t->s, &t->err));
	assert_int_equal(n_runs_in_file(t), 3);
	ok(t, store_flush(t->s, &t->err));
}

TEST_ON(group_ends_after_its_time, struct scratch *t)
{
	store_group(t->s, 1);
	for (int64_t i = 1; i < 4; i++) {
		(void)usleep(2000);
		ok(t, store_begin(t->s, &t->err));
		(void)new_run(t);
		ok(t, store_commit(t->s, &t->err));
		assert_int_equal(n_runs_in_file(t), i);
	}
}
