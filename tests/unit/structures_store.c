/* Findings in a database: what is stored, read, solved again and merged. */
#include "store_scratch.h"

#include "host/base/file.h"
#include "host/site/structures.h"
#include "host/solve/solve.h"
#include "host/store/store_merge.h"
#include "host/structures/structures.h"

EACH(set_up, tear_down);

/* A size in an interval, a bound, a rate, a flag, and what nothing showed. */
static void invent(struct structures *s)
{
	static const struct core_finding list[] = {
		{ .key = "l2.size",
		  .unit = FINDING_BYTES,
		  .known = true,
		  .value = 1 << 20,
		  .low = 1000 << 10,
		  .high = 1032 << 10,
		  .reason = "a curve",
		  .label = "code:chase-0-16000.64#1" },
		{ .key = "l1.ways", .unit = FINDING_COUNT, .reason = "a hash" },
		{ .key = "queue.loads",
		  .unit = FINDING_COUNT,
		  .at_least = true,
		  .value = 72,
		  .low = 70,
		  .high = 74,
		  .reason = "70 fit" },
		{ .key = "memory.bandwidth",
		  .unit = FINDING_RATE,
		  .known = true,
		  .value = 7.5,
		  .low = 7.5,
		  .high = 7.5,
		  .reason = "in order" },
		{ .key = "prefetch",
		  .unit = FINDING_PREFETCH,
		  .known = true,
		  .value = 1,
		  .low = 1,
		  .high = 1,
		  .reason = "faster" },
	};

	memcpy(s->list, list, sizeof(list));
	s->n = ARRAY_LEN(list);
	for (size_t i = 0; i < 3; i++)
		s->levels.points[i] = (struct levels_point){
			.bytes = UINT64_C(1024) << (4 * i),
			.value = { .known = true,
				   .cycles = 4 + (double)i,
				   .low = 4 + (double)i,
				   .high = 5 + (double)i },
		};
	s->levels.n_points = 3;
	for (size_t i = 0; i < 2; i++)
		s->pages.points[i] = (struct pages_point){ .pages = 8u << i,
							   .apart = 5,
							   .together = 4 };
	s->pages.n_points = 2;
}

static void store_some(struct scratch *t, double more)
{
	struct structures *s = calloc(1, sizeof(*s));
	int64_t run = new_run(t);

	invent(s);
	s->list[3].low += more;
	s->list[3].high += more;
	ok(t, store_env(t->s, run, "id", more > 0 ? "8" : "7", &t->err));
	ok(t, store_env(t->s, run, "pack", "0x1", &t->err));
	ok(t, store_env(t->s, run, "vendor", "invented", &t->err));
	ok(t, structures_store(&t->arena, t->s, run, s, &t->err));
	free(s);
}

static struct view_claims read_all(struct scratch *t)
{
	struct view_claims all;

	ok(t, view_read_claims(t->s, &t->arena, 0, "", &all, &t->err));
	return all;
}

static void expect(const struct view_claims *rows, const char *key,
		   const char *text, const char *verdict)
{
	char value[FINDING_SPAN];
	size_t i = 0;

	while (i < rows->n && strcmp(rows->list[i].source, key) != 0)
		i++;
	assert_true(i < rows->n);
	finding_text(value, &rows->list[i]);
	assert_string_equal(value, text);
	assert_string_equal(claim_verdict(&rows->list[i]), verdict);
}

static void expect_all(struct scratch *t)
{
	struct view_claims all = read_all(t);
	struct view_claims rows = finding_claims(&all, CLAIM_STRUCTURE);
	struct finding_point *points;
	size_t n;

	assert_int_equal(rows.n, 5);
	expect(&rows, "l2.size", "1000K..1032K", "ok");
	expect(&rows, "l1.ways", "-", "not-shown");
	expect(&rows, "queue.loads", "70 or more", "at-least");
	expect(&rows, "memory.bandwidth", "7.50", "ok");
	expect(&rows, "prefetch", "streams", "ok");
	points = finding_curve(&t->arena, &all, FINDING_CURVE_BYTES, &n);
	assert_int_equal(n, 3);
	/* By number, not by text. */
	assert_true(points[0].x == 1024 && points[2].x == 262144);
	assert_true(points[2].claim->high_cycles == 7);
	(void)finding_curve(&t->arena, &all, FINDING_CURVE_PAGES, &n);
	assert_int_equal(n, 2);
}

TEST_ON(a_run_of_its_own_with_the_environment_of_its_kernels, struct scratch *t)
{
	store_some(t, 0);
	expect_all(t);
	assert_int_equal(ask(t, "SELECT count(*) FROM run WHERE what = "
				"'structures' AND finished = 1"),
			 1);
	assert_int_equal(ask(t, "SELECT count(*) FROM env WHERE run = 2"), 2);
	assert_int_equal(ask(t, "SELECT count(*) FROM claim WHERE detail LIKE "
				"'1M; a curve' AND label <> ''"),
			 1);
}

TEST_ON(the_newest_run_counts, struct scratch *t)
{
	struct view_claims all, rows;

	store_some(t, 0);
	store_some(t, 2);
	all = read_all(t);
	rows = finding_claims(&all, CLAIM_STRUCTURE);
	assert_int_equal(rows.n, 5);
	expect(&rows, "memory.bandwidth", "9.50", "ok");
}

/* No solver makes them. */
TEST_ON(solving_again_keeps_them, struct scratch *t)
{
	struct solve_summary sum;

	store_some(t, 0);
	ok(t, solve_run(t->s, 0, &sum, &t->err));
	expect_all(t);
}

TEST_ON(merging_keeps_the_runs_of_both, struct scratch *t)
{
	const char *paths[] = { t->path,
				arena_printf(&t->arena, "%s/b", t->folder) };
	const char *result = arena_printf(&t->arena, "%s/c", t->folder);
	struct store_merged m;

	store_some(t, 0);
	store_close(t->s);
	ok(t, store_open(paths[1], true, &t->s, &t->err));
	store_some(t, 2);
	store_close(t->s);
	t->s = NULL;
	ok(t, store_merge(&t->arena, result, paths, 2, &m, &t->err));
	assert_int_equal(m.n_united, 0);
	ok(t, store_open(result, false, &t->s, &t->err));
	assert_int_equal(ask(t, "SELECT count(*) FROM claim WHERE kind = "
				"'" CLAIM_STRUCTURE "'"),
			 10);
	assert_int_equal(ask(t, "SELECT count(*) FROM run"), 4);
}

TEST_ON(a_site_has_a_table_and_both_curves, struct scratch *t)
{
	struct buffer b = { 0 };
	struct view_claims all;
	const char *at, *text;
	size_t rows = 0, pictures = 0;

	store_some(t, 0);
	all = read_all(t);
	site_structures(&b, &all);
	text = buffer_text(&b);
	for (at = text; (at = strstr(at, "<tr><td><code>")); at++)
		rows++;
	for (at = text; (at = strstr(at, "<svg")); at++)
		pictures++;
	assert_int_equal(rows, 5);
	assert_int_equal(pictures, 2);
	assert_part(text, "1000K..1032K");
	assert_part(text, "70 or more");
	b.n = 0;
	/* Nothing of a database without any. */
	site_structures(&b, &(struct view_claims){ .n = 0 });
	assert_int_equal(b.n, 0);
	buffer_free(&b);
}

/* What a damaged database may have. */
TEST(numbers_of_any_size_are_text)
{
	char out[FINDING_NUMBER];

	finding_number(out, FINDING_BYTES, 1e300);
	assert_string_equal(out, "1e+300");
	finding_number(out, FINDING_COUNT, -1);
	assert_string_equal(out, "-1");
	finding_number(out, FINDING_BYTES, 0);
	assert_string_equal(out, "0");
	assert_int_equal(finding_unit_of("furlongs"), FINDING_COUNT);
}
