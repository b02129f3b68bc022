/* Part of a store: the kernels it has, and that their rows are complete. */
#include "store_scratch.h"

#include "host/base/file.h"
#include "host/store/store_claim.h"
#include "host/store/store_subset.h"

EACH(set_up, tear_down);

/* Copy the part and open the copy instead of the store. */
static struct store_subset_counts take_part(struct scratch *t,
					    const struct store_subset *q)
{
	struct store_subset_counts n;
	struct buffer b = { 0 };

	ok(t, store_subset(t->s, q, &b, &n, &t->err));
	store_close(t->s);
	t->s = NULL;
	ok(t, file_write(t->path, b.bytes, b.n, &t->err));
	buffer_free(&b);
	reopen(t);
	return n;
}

/* ---- labels -------------------------------------------------------------- */

/* The order is that of a plan; forms are chosen by their first letter. */
static const struct {
	uint32_t index;
	const char *label;
	bool calib;
	bool widest;   /* the claim of the issue width depends on it */
	double cycles; /* sum of a latency cycle, from the claims; 0: unknown */
} plan[] = {
	{ .index = 0, .label = "calibrate:A@1>0", .calib = true },
	{ .index = 1, .label = "calibrate:A@2>0", .calib = true },
	{ .index = 2, .label = "probe:P", .calib = true },
	{ .index = 3, .label = "wake:W" },
	{ .index = 4, .label = "mix:2xA+B" },
	{ .index = 5, .label = "throughput:A" },
	{ .index = 6, .label = "latency:A@1>0" },
	{ .index = 7, .label = "throughput:B+~3xH" },
	{ .index = 8, .label = "throughput:H" },
	{ .index = 9, .label = "loop:H" },
	{ .index = 10, .label = "latency:C@1>0+K@1>0+L@2>0" },
	{ .index = 11, .label = "control:C@1>0+K@1>0+L@2>0" },
	{ .index = 12, .label = "control:K" },
	{ .index = 13, .label = "latency:D@1>0+K@1>0+L@2>0", .cycles = 9 },
	{ .index = 14, .label = "latency:E@1>0+K@1>0", .cycles = 3 },
	{ .index = 15, .label = "latency:F@1>0+K@1>0", .cycles = 4 },
	{ .index = 16, .label = "latency:K@1>0+G@1>0", .cycles = 5 },
	{ .index = 17, .label = "mix:I/index+4xS" },
	{ .index = 18, .label = "throughput:I" },
	{ .index = 19, .label = "throughput:I/index" },
	{ .index = 20, .label = "forward:J@1>0+M@1>0" },
	{ .index = 21, .label = "latency:M@1>0" },
	{ .index = 22, .label = "throughput:N", .widest = true },
	{ .index = 23, .label = "latency:O+~H" },
	{ .index = 24, .label = "short:" },
	{ .index = 25, .label = "nothing" },
	{ .index = 26, .label = "mix:++~+3x" },
};

static bool begins_with(void *context, const char *form)
{
	return *form != '\0' && !strchr(form, '/') && strchr(context, *form);
}

/* A run with these kernels and claims. */
static void fill_plan(struct scratch *t)
{
	int64_t run = new_run(t);

	ok(t, store_claims_begin(t->s, run, &t->err));
	for (size_t i = 0; i < ARRAY_LEN(plan); i++) {
		const char *steps = strchr(plan[i].label, ':');
		struct claim c = {
			.run = run,
			.form = steps ? steps + 1 : "",
			.kind = plan[i].widest ? "issue-width" : "latency",
			.source = "",
			.destination = "",
			.has_value = true,
			.low_cycles = plan[i].cycles,
			.high_cycles = plan[i].widest ? 4 : plan[i].cycles,
			.verdict = VERDICT_OK,
			.label = plan[i].label,
			.kernel = plan[i].index,
			.detail = ""
		};
		struct kernel_row k = some_kernel(i);

		k.label = plan[i].label;
		k.calib = plan[i].calib;
		ok(t, store_kernel(t->s, run, plan[i].index, &k, &t->err));
		if (plan[i].widest || plan[i].cycles > 0)
			ok(t, store_claim(t->s, &c, &t->err));
	}
	ok(t, store_commit(t->s, &t->err));
}

/* Which kernels come with the forms that begin with these letters: their
 * numbers, as "0 1 2", but for those that always come. */
static void kept(struct scratch *t, char *letters, const char *expected)
{
	const struct store_subset q = { .wants = begins_with,
					.context = letters };
	uint32_t always = *expected ? 0x40001f : 0, wanted = always;

	for (char *end; *expected; expected = end)
		wanted |= 1U << strtoul(expected, &end, 10);
	(void)take_part(t, &q);
	assert_int_equal(ask(t, "SELECT sum(1 << kernel) FROM kernel"), wanted);
}

TEST(a_form_comes_with_what_its_claims_need)
{
	struct scratch *t = *state;
	static const struct {
		const char *letters;
		const char *kept;
	} rows[] = {
		/* Chains need the throughput as their control. */
		{ "A", " 5 6" },
		/* A helper's cost; one chain, as the run has chains. */
		{ "B", " 6 7 8 9" },
		/* A wanted helper is chosen as a form; forms that use it are
		 * not. */
		{ "H", " 6 8 9" },
		/* A latency cycle: its control, the kernels of its forms alone,
		 * the cheapest cycle with K, those that begin with K, and the
		 * only one with L. */
		{ "C", " 10 11 12 13 14 16" },
		/* A cycle measures only its first form. */
		{ "L", "" },
		/* A mix that counts slots of an indexed address belongs to the
		 * form without an index and is compared with it. */
		{ "I", " 6 17 18 19" },
		/* Both ends of a pair. */
		{ "J", " 20 21" },
		{ "M", " 20 21" },
		{ "O", " 8 9 23" },
		/* Kernels that only show the width are not chosen. */
		{ "PWN", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char letters[8];

		(void)snprintf(letters, sizeof(letters), "%s", rows[i].letters);
		fill_plan(t);
		kept(t, letters, rows[i].kept);
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
		t = *state;
	}
}

/* ---- rows ---------------------------------------------------------------- */

static bool any(void *context, const char *form)
{
	(void)context;
	return strcmp(form, "ADD") == 0;
}

static struct store_subset_counts take(struct scratch *t, uint32_t visits,
				       bool code)
{
	const struct store_subset q = { .wants = any,
					.visits = visits,
					.code = code };

	return take_part(t, &q);
}

static int64_t fill(struct scratch *t)
{
	static const uint64_t retired[] = { 9, 8, 7 };
	struct fault_row f = { .kernel = 4, .cause = "illegal" };
	struct kernel_row other = some_kernel(5);
	int64_t run = new_run(t);
	struct sample m = { .kernel = 3,
			    .visit = 1,
			    .n_iterations = 1,
			    .n_rows = 1,
			    .row = 3,
			    .values = three,
			    .retired = retired };

	add_kernel(t, run, 3);
	add_kernel(t, run, 4);
	other.label = "latency:SUB@1>0";
	ok(t, store_kernel(t->s, run, 7, &other, &t->err));
	add_sample(t, run, 3, 0);
	ok(t, store_sample(t->s, run, &m, &t->err));
	add_sample(t, run, 3, 2);
	add_sample(t, run, 7, 0);
	ok(t, store_fault(t->s, run, &f, &t->err));
	ok(t, store_env(t->s, run, "cpu", "some", &t->err));
	ok(t, store_text(t->s, run, "hello", 5, &t->err));
	return run;
}

TEST_ON(rows_are_whole, struct scratch *t)
{
	int64_t run = fill(t);
	struct store_subset_counts n = take(t, 2, false);

	assert_int_equal(n.n_runs, 1);
	assert_int_equal(n.n_forms, 1);
	assert_int_equal(n.n_kernels, 2);
	assert_int_equal(n.n_samples, 2);
	assert_int_equal(n.n_faults, 1);
	assert_int_equal(n.n_claims, 0);
	assert_int_equal(ask(t, "SELECT id FROM run"), run);
	assert_int_equal(ask(t, "SELECT count(*) FROM env"), 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM text"), 0);
	assert_int_equal(ask(t, "SELECT count(*) FROM code"), 0);
	assert_int_equal(ask(t, "SELECT count(*) FROM image"), 0);
	assert_int_equal(ask(t, "SELECT sum(kernel) FROM kernel"), 7);
	assert_int_equal(ask(t, "SELECT max(visit) FROM sample"), 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM sample WHERE "
				"retired = x'090807'"),
			 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM pragma_integrity_check "
				"WHERE integrity_check = 'ok'"),
			 1);
}

TEST_ON(code_on_demand, struct scratch *t)
{
	(void)fill(t);
	(void)take(t, 0, true);
	assert_int_equal(ask(t, "SELECT count(*) FROM code"), 2);
	assert_int_equal(ask(t, "SELECT count(*) FROM image"), 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM sample"), 3);
	assert_int_equal(ask(t, "SELECT count(*) FROM kernel JOIN code ON "
				"content = code.id"),
			 2);
}

/* If a form was measured twice, the newest finished run is copied. */
TEST_ON(newest_run, struct scratch *t)
{
	int64_t run[4];
	static const char *const labels[] = { "latency:ADD@1>0",
					      "throughput:ADD",
					      "latency:ADD@1>0",
					      "latency:ADD@1>0" };

	for (size_t i = 0; i < ARRAY_LEN(run); i++) {
		struct kernel_row k = some_kernel(i);

		run[i] = new_run(t);
		k.label = labels[i];
		ok(t, store_kernel(t->s, run[i], 0, &k, &t->err));
		add_sample(t, run[i], 0, 0);
		if (i < 3)
			ok(t, store_run_finish(t->s, run[i], &t->err));
	}
	assert_int_equal(take(t, 0, false).n_runs, 2);
	assert_int_equal(ask(t, "SELECT min(id) FROM run"), run[1]);
	assert_int_equal(ask(t, "SELECT max(id) FROM run"), run[2]);
}

TEST_ON(a_search_for_ports_stays_behind, struct scratch *t)
{
	int64_t run = new_run(t);

	add_kernel(t, run, 0);
	add_sample(t, run, 0, 0);
	ok(t, store_write(t->s, &t->err, "run", "UPDATE run SET what = 'ports'",
			  ""));
	assert_int_equal(take(t, 0, false).n_kernels, 0);
}

/* A store of schema version 1 is migrated, then copied; only read, its migrated
 * copy is. */
static void take_old(struct scratch *t, bool read)
{
	static const char rows[] =
		"PRAGMA application_id = 0x416e6563; PRAGMA user_version = 1;"
		"INSERT INTO run VALUES (1, 'b', 'riscv64', '', 'core', "
		"'latency', '', '0.1', '', 0, 0, 1);"
		"INSERT INTO kernel VALUES (1, 6, 5, 'latency:ADD@1>0', "
		"8, 16, 24, 2, 0);"
		"INSERT INTO sample VALUES (1, 6, 0, 100, 0, 0, 0, 1, 3, "
		"x'010203');";
	sqlite3 *db;

	store_close(t->s);
	t->s = NULL;
	assert_int_equal(unlink(t->path), 0);
	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, store_schema, NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, rows, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	if (read)
		ok(t, store_open_to_read(t->path, &t->s, &t->err));
	else
		reopen(t);
	assert_int_equal(take(t, 0, false).n_samples, 1);
	assert_int_equal(ask(t, "SELECT kernel FROM kernel"), 6);
	assert_int_equal(ask(t, "SELECT retired IS NULL FROM sample"), 1);
}

TEST(old_version)
{
	take_old(*state, false);
	take_old(*state, true);
}

/* Files are checked before they are used. */
TEST(hostile_files)
{
	static const char *const harm[] = {
		"ALTER TABLE sample RENAME TO s; CREATE VIEW sample AS "
		"SELECT * FROM missing",
		"DROP TABLE sample; CREATE TABLE sample (run, kernel, visit)",
		"UPDATE kernel SET kernel = -1 WHERE kernel = 7",
		"DROP TABLE env",
	};

	for (size_t i = 0; i < ARRAY_LEN(harm); i++) {
		const struct store_subset q = { .wants = any };
		struct scratch *t = *state;
		struct store_subset_counts n;
		struct buffer b = { 0 };
		sqlite3 *db;

		(void)fill(t);
		assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, harm[i], NULL, NULL, NULL),
				 SQLITE_OK);
		assert_int_equal(sqlite3_close(db), SQLITE_OK);
		refused(t, store_subset(t->s, &q, &b, &n, &t->err), ERR_INPUT,
			"");
		assert_int_equal(b.n, 0);
		buffer_free(&b);
		assert_int_equal(tear_down(state), 0);
		assert_int_equal(set_up(state), 0);
	}
}
