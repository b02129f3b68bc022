/* Merging: which rows the result has, and which databases it refuses. */
#include "store_scratch.h"

#include "host/store/store_merge.h"

EACH(set_up, tear_down);

/* The path of another database. */
static const char *other(struct scratch *t, const char *name)
{
	return arena_printf(&t->arena, "%s/%s", t->folder, name);
}

/* A database with one run that has the kernels first..first + n - 1, each with
 * one sample.  `set` and `shard` may be NULL. */
static void make(struct scratch *t, const char *path, const char *id,
		 const char *shard, uint32_t first, uint32_t n)
{
	struct store *kept = t->s;
	int64_t run;

	ok(t, store_open(path, true, &t->s, &t->err));
	run = new_run(t);
	ok(t, store_env(t->s, run, "id", id, &t->err));
	if (shard) {
		ok(t, store_env(t->s, run, "set", "0x1", &t->err));
		ok(t, store_env(t->s, run, "shard", shard, &t->err));
	}
	for (uint32_t i = 0; i < n; i++) {
		add_kernel(t, run, i);
		ok(t, store_kernel_place(t->s, run, i, first + i, &t->err));
		add_sample(t, run, i, 0);
	}
	store_close(t->s);
	t->s = kept;
}

/* Modify a database with SQLite directly. */
static void meddle(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Merge into t->s, which is empty.  Returns store_merge()'s result. */
static int merge(struct scratch *t, const char *const *paths, size_t n,
		 struct store_merged *ret)
{
	store_close(t->s);
	t->s = NULL;
	(void)unlink(t->path);
	return store_merge(&t->arena, t->path, paths, n, ret, &t->err);
}

/* One merge copies a run and makes another one of two shards. */
TEST_ON(copied_and_united_runs, struct scratch *t)
{
	const char *paths[] = { other(t, "a"), other(t, "b"), other(t, "c") };
	struct store_merged m;

	make(t, paths[0], "7", NULL, 0, 2);
	make(t, paths[1], "8", "1/2", 0, 2);
	make(t, paths[2], "9", "2/2", 2, 1);
	ok(t, merge(t, paths, ARRAY_LEN(paths), &m));
	assert_int_equal(m.n_parts, 3);
	assert_int_equal(m.n_runs, 2);
	assert_int_equal(m.n_united, 1);
	reopen(t);
	assert_int_equal(ask(t, "SELECT count(*) FROM run"), 2);
	assert_int_equal(ask(t, "SELECT count(*) FROM kernel"), 5);
	assert_int_equal(ask(t, "SELECT count(*) FROM sample"), 5);
	assert_int_equal(ask(t, "SELECT count(*) FROM code"), 2);
	assert_int_equal(ask(t, "SELECT sum(finished) FROM run"), 1);
}

/* Cores of which a part has samples but no facts, and one with facts. */
TEST_ON(cores_without_facts, struct scratch *t)
{
	const char *a = other(t, "a"), *b = other(t, "b");
	struct store_merged m;

	make(t, a, "8", "1/2", 0, 2);
	make(t, b, "9", "2/2", 2, 1);
	meddle(a, "INSERT INTO env VALUES (1, 'core1_board', 'x');"
		  "UPDATE sample SET core = kernel + 1");
	ok(t, merge(t, (const char *[]){ a, b }, 2, &m));
	reopen(t);
	assert_int_equal(ask(t, "SELECT count(*) FROM sample"), 3);
	assert_int_equal(ask(t, "SELECT sum(core << 4 * kernel) FROM sample"),
			 0x001);
	assert_int_equal(ask(t, "SELECT count(*) FROM env WHERE key = "
				"'core1_board'"),
			 1);
}

/* A fact of a core is one line of text, also if a database says otherwise. */
TEST_ON(facts_of_several_lines_are_refused, struct scratch *t)
{
	const char *a = other(t, "a"), *b = other(t, "b");
	struct store_merged m;

	make(t, a, "8", "1/2", 0, 2);
	make(t, b, "9", "2/2", 2, 1);
	meddle(b, "INSERT INTO env VALUES (1, 'core1_board', 'x' || char(10) "
		  "|| 'y')");
	refused(t, merge(t, (const char *[]){ a, b }, 2, &m), ERR_INPUT, "env");
}

/* The same content id with other code: one of the databases is wrong, whatever
 * the order, also if only one of the lengths differs. */
TEST_ON(other_code_is_refused, struct scratch *t)
{
	static const char *const harm[] = {
		"UPDATE code SET code0 = x'99' WHERE id % 2 <> 0",
		"UPDATE code SET code1 = x'99' WHERE id % 2 <> 0",
		"UPDATE code SET code2 = CAST(code2 || x'00' AS BLOB) WHERE id % 2 <> 0",
	};
	const char *a = other(t, "a"), *b = other(t, "b");
	struct store_merged m;

	for (size_t i = 0; i < ARRAY_LEN(harm); i++) {
		(void)unlink(a);
		(void)unlink(b);
		make(t, a, "7", NULL, 0, 2);
		make(t, b, "8", NULL, 0, 2);
		meddle(b, harm[i]);
		refused(t, merge(t, (const char *[]){ a, b }, 2, &m), ERR_INPUT,
			"kernel f000000000000001 has other code");
		refused(t, merge(t, (const char *[]){ b, a }, 2, &m), ERR_INPUT,
			"kernel f000000000000001 has other code");
	}
}

/* Code that no run of its database uses is not copied, and may be anything. */
TEST_ON(unused_code_is_left_out, struct scratch *t)
{
	const char *a = other(t, "a"), *b = other(t, "b"), *c = other(t, "c");
	struct store_merged m;

	make(t, a, "7", NULL, 0, 2);
	make(t, b, "8", NULL, 0, 2);
	make(t, c, "9", NULL, 0, 2);
	meddle(b, "INSERT INTO code SELECT 5, x'01', x'02', x'03', image FROM "
		  "code LIMIT 1; DELETE FROM sample WHERE kernel = 1; "
		  "DELETE FROM kernel WHERE kernel = 1; UPDATE code SET "
		  "code0 = x'99' WHERE id % 2 <> 0");
	ok(t, merge(t, (const char *[]){ a, b, c }, 3, &m));
	reopen(t);
	assert_int_equal(ask(t, "SELECT count(*) FROM code"), 2);
	assert_int_equal(ask(t, "SELECT count(*) FROM code WHERE code0 = "
				"x'99'"),
			 0);
	assert_int_equal(ask(t, "SELECT count(*) FROM code JOIN image ON "
				"image.id = code.image"),
			 2);
	ok(t, merge(t, (const char *[]){ b, c, a }, 3, &m));
	reopen(t);
	assert_int_equal(ask(t, "SELECT count(*) FROM code WHERE code0 = "
				"x'99'"),
			 0);
}

/* An error names the database that has it, not the result. */
TEST_ON(damaged_source_is_named, struct scratch *t)
{
	const char *a = other(t, "a"), *b = other(t, "b");
	struct store_merged m;

	make(t, a, "7", NULL, 0, 2);
	make(t, b, "8", NULL, 0, 2);
	meddle(b, "DROP TABLE fault; CREATE TABLE fault (a)");
	refused(t, merge(t, (const char *[]){ a, b }, 2, &m), ERR_INPUT,
		"/b: fault is not the table of this program");
}
