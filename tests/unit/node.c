/* Tests of host/node: the best value that recurs, the clock, levels of memory
 * from a tree of files, levels that do not hold their arrays, and the records
 * of a core. */
#include <sys/stat.h>

#include "common/wire.h"
#include "host/base/folder.h"
#include "host/node/clock.h"
#include "host/node/code.h"
#include "host/node/core.h"
#include "host/node/levels.h"
#include "host/node/recur.h"
#include "host/node/theory.h"
#include "tests/unit/unit.h"

/* ---- the best value that recurs -------------------------------------------- */

TEST(one_fast_window_is_an_accident)
{
	double rates[40];
	struct node_value v;

	for (size_t i = 0; i < 40; i++)
		rates[i] = i < 10 ? 100 + 0.01 * (double)i : 50 + (double)i;
	rates[39] = 130;
	v = recur(rates, 40);
	assert_true(v.steady);
	assert_true(v.value >= 100 && v.value < 100.2);
	assert_true(v.low < v.value && v.high >= v.value);
}

TEST(slow_windows_that_agree_are_not_the_best)
{
	double rates[40];
	struct node_value v;

	/* Half of the windows are at 20; the fast ones all differ. */
	for (size_t i = 0; i < 40; i++)
		rates[i] = i < 20 ? 20 : 50 + 5 * (double)i;
	v = recur(rates, 40);
	assert_false(v.steady);
	assert_int_equal(v.n_windows, 40);
}

TEST(nothing_has_no_value)
{
	assert_true(recur(NULL, 0).value == 0);
}

/* ---- the clock ------------------------------------------------------------- */

enum { ADDS_LONG = 36000, ADDS_SHORT = 12000, CALL = 300 };

static const double core_hz = 3.75e9, ticks_hz = 2.6e9;

/* A row of a core that runs at this rate, and stops so many ticks in the long
 * and in the short chain. */
static void chains_of(uint64_t row[CORE_ROW], double hz, uint64_t in_long,
		      uint64_t in_short)
{
	row[2] = (uint64_t)((ADDS_LONG + CALL) * ticks_hz / hz) + in_long;
	row[3] = (uint64_t)((ADDS_SHORT + CALL) * ticks_hz / hz) + in_short;
}

/* After floating-point code on 64 bytes a Granite Rapids core stops for 3 us,
 * in most rows in the long chain, in some in the short one. */
TEST(a_core_that_stops_keeps_its_clock)
{
	const struct clock_chains how = { ADDS_LONG, ADDS_SHORT, ticks_hz };
	uint64_t rows[40][CORE_ROW] = { { 0 } };
	SCOPED(buffer_free) struct buffer b = { 0 };
	double clocks[40];
	size_t n;

	for (size_t i = 0; i < 40; i++)
		chains_of(rows[i], core_hz, i % 4 < 2 ? 7000 : 0,
			  i % 4 == 2 ? 7400 : 0);
	clock_add(&how, rows, 40, &b);
	n = b.n / sizeof(double);
	assert_int_equal(n, 10);
	memcpy(clocks, b.bytes, b.n);
	for (size_t i = 0; i < n; i++)
		assert_true(clocks[i] > 0.999 * core_hz &&
			    clocks[i] < 1.001 * core_hz);
}

/* A row that ran at two speeds would give a third one. */
TEST(a_change_of_frequency_is_no_clock)
{
	const struct clock_chains how = { ADDS_LONG, ADDS_SHORT, ticks_hz };
	uint64_t rows[3][CORE_ROW] = { { 0 } };
	SCOPED(buffer_free) struct buffer b = { 0 };
	uint64_t faster[CORE_ROW];

	chains_of(rows[0], core_hz, 0, 0);
	chains_of(rows[1], core_hz, 0, 0);
	chains_of(faster, 1.08 * core_hz, 0, 0);
	rows[1][3] = faster[3];
	chains_of(rows[2], 1.08 * core_hz, 0, 0);
	chains_of(faster, core_hz, 0, 0);
	rows[2][3] = faster[3];
	clock_add(&how, rows, 3, &b);
	assert_int_equal(b.n, sizeof(double));
}

/* ---- vectors of the core's length ------------------------------------------- */

TEST(lengths_that_a_mask_cannot_wrap_have_no_kernel)
{
	struct node_code k = { .step = 8, .per_iteration = 24 };

	assert_false(node_code_scale(&k, 0));
	assert_false(node_code_scale(&k, 48));
	assert_false(node_code_scale(&k, 512));
	assert_int_equal(k.step, 8);
	assert_true(node_code_scale(&k, 32));
	assert_int_equal(k.step, 256);
	assert_true(k.per_iteration == 768);
}

/* ---- levels ----------------------------------------------------------------- */

static void write_file(const char *root, const char *folder, const char *name,
		       const char *text)
{
	char path[512];
	FILE *f;

	(void)snprintf(path, sizeof(path), "mkdir -p %s/%s", root, folder);
	assert_int_equal(system(path), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/%s", root, folder, name);
	f = fopen(path, "we");
	assert_non_null(f);
	(void)fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void add_cache(const char *root, unsigned index, const char *level,
		      const char *type, const char *size, const char *shared)
{
	char folder[128];

	(void)snprintf(folder, sizeof(folder),
		       "sys/devices/system/cpu/cpu3/cache/index%u", index);
	write_file(root, folder, "level", level);
	write_file(root, folder, "type", type);
	write_file(root, folder, "size", size);
	write_file(root, folder, "shared_cpu_list", shared);
	write_file(root, folder, "coherency_line_size", "128\n");
}

TEST(levels_come_from_sysfs)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };
	const char *root = folder_open(&a, &e);
	struct node_levels l;
	char remove[512];

	add_cache(root, 0, "1\n", "Data\n", "32K\n", "3\n");
	add_cache(root, 1, "1\n", "Instruction\n", "64K\n", "3\n");
	add_cache(root, 2, "2\n", "Unified\n", "1024K\n", "3\n");
	add_cache(root, 3, "3\n", "Unified\n", "16M\n", "0-7,9\n");
	assert_int_equal(node_levels_find(&a, root, NULL, 3, &l, &e), ERR_OK);
	assert_int_equal(l.n, 4);
	assert_int_equal(l.at[0].bytes, 32 << 10);
	assert_int_equal(l.at[2].bytes, 16 << 20);
	assert_int_equal(l.at[2].sharers, 9);
	assert_int_equal(l.line, 128);
	assert_string_equal(l.at[3].name, "memory");
	/* Half of the first cache for the arrays of a copy. */
	assert_int_equal(node_array_bytes(&l, 0, 4, 2), 8 << 10);
	/* Four cores share the third level, and leave the second. */
	assert_int_equal(node_array_bytes(&l, 2, 4, 1), 2 << 20);
	/* Of a ninth of it no array is beyond the second. */
	assert_int_equal(node_array_bytes(&l, 2, 9, 3), 0);
	/* Memory: more than four times what a core has of the last cache. */
	assert_true(node_array_bytes(&l, 3, 1, 1) > (64 << 20) - 1);
	(void)snprintf(remove, sizeof(remove), "rm -r %s/sys", root);
	assert_int_equal(system(remove), 0);
	/* A system that does not tell. */
	assert_int_equal(node_levels_find(&a, root, NULL, 3, &l, &e),
			 ERR_INPUT);
	folder_close(root);
}

TEST(given_sizes_must_grow)
{
	static const char *const bad[] = { "",        "x",    "48K,",
					   "48K,48K", "1M,2", "1K,2K,3K,4K,5K",
					   "1K;2K",   "-1" };
	struct node_levels l;
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct err e = { .code = ERR_OK, .message = "" };

		assert_int_not_equal(
			node_levels_find(&a, "", bad[i], 0, &l, &e), ERR_OK);
	}
}

/* ---- levels that do not hold their arrays ---------------------------------- */

/* Is the third level's triad outside, if a load takes so many ns? */
static bool is_outside(double third, double memory)
{
	const struct node_value ns[] = { { .value = 1 },
					 { .value = 4 },
					 { .value = third },
					 { .value = memory },
					 { .value = 1e11 } };
	struct node_row rows[5];
	struct node_result r = { .n = 5, .rows = rows };
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };

	assert_ok(node_levels_find(&a, "", "48K,1M,32M", 0, &r.levels, &e), &e);
	for (size_t i = 0; i < 5; i++)
		rows[i] = (struct node_row){
			.kind = i < 4 ? NODE_LATENCY : NODE_TRIAD,
			.width = i < 4 ? "" : "256",
			.level = r.levels.at[i < 4 ? i : 2].name,
			.n_cores = 1,
			.value = ns[i],
		};
	assert_int_equal(node_theory(&a, &r, NULL, &e), ERR_OK);
	assert_false(rows[0].is_outside);
	assert_false(rows[3].is_outside);
	assert_int_equal(rows[2].is_outside, rows[4].is_outside);
	arena_free(&a);
	return rows[4].is_outside;
}

TEST(a_cache_as_slow_as_memory_does_not_hold_its_array)
{
	assert_true(is_outside(136, 175));
	assert_false(is_outside(14, 175));
	/* Without a value nothing is said. */
	assert_false(is_outside(0, 175));
	assert_false(is_outside(136, 0));
}

/* ---- loads of all cores ------------------------------------------------------ */

/* Two cores of 4 GHz; the row of memory has no clock. */
TEST(loads_of_all_cores_are_bytes_in_a_cycle)
{
	struct node_row rows[] = {
		{ .kind = NODE_LOAD,
		  .level = "L1",
		  .n_arrays = 1,
		  .n_cores = 1,
		  .value = { .value = 1e9, .steady = true },
		  .clock = { .value = 9e9 } },
		{ .kind = NODE_LOAD,
		  .level = "L1",
		  .bytes = 16384,
		  .n_arrays = 1,
		  .n_cores = 2,
		  .value = { .value = 512e9,
			     .low = 400e9,
			     .high = 520e9,
			     .steady = true },
		  .clock = { .value = 4e9 } },
		{ .kind = NODE_LOAD,
		  .level = "memory",
		  .bytes = 64 << 20,
		  .n_arrays = 1,
		  .n_cores = 2,
		  .value = { .value = 40e9, .low = 41e9, .steady = true } },
	};
	struct node_result r = { .n = 3, .rows = rows, .n_cores = 2 };
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };
	struct node_value v;

	assert_ok(node_levels_find(&a, "", "48K,1M", 0, &r.levels, &e), &e);
	assert_null(node_loads_of_all(&r, "L1", 48 << 10, &v));
	assert_true(v.value == 128 && v.low == 100 && v.high == 130);
	assert_null(node_loads_of_all(&r, "memory", 0, &v));
	assert_true(v.value == 10 && v.low == 10);
	/* What was found of the level does not hold the array. */
	assert_non_null(node_loads_of_all(&r, "L1", 8 << 10, &v));
	assert_true(v.value == 0);
	assert_non_null(node_loads_of_all(&r, "L2", 1 << 20, &v));
	/* Less than four times the last cache. */
	rows[2].bytes = 1 << 20;
	assert_non_null(node_loads_of_all(&r, "memory", 0, &v));
	assert_true(v.value == 0);
	rows[2].bytes = 2 << 20;
	assert_null(node_loads_of_all(&r, "memory", 0, &v));
	assert_true(v.steady);
	/* Others use the memory, too. */
	rows[2].value.steady = false;
	assert_null(node_loads_of_all(&r, "memory", 0, &v));
	assert_true(v.value == 10 && !v.steady);
	rows[1].problem = "a fault";
	assert_string_equal(node_loads_of_all(&r, "L1", 48 << 10, &v),
			    "a fault");
	arena_free(&a);
}

/* ---- the records of a core -------------------------------------------------- */

/* A runtime whose records arrive together, and then nothing. */
struct runtime {
	char bytes[CORE_READ];
	size_t n;
	int reads;
};

static int read_all(void *state, char *bytes, size_t n, int timeout_ms)
{
	struct runtime *r = state;
	size_t given = r->n < n ? r->n : n;

	(void)timeout_ms;
	r->reads++;
	memcpy(bytes, r->bytes, given);
	memmove(r->bytes, r->bytes + given, r->n - given);
	r->n -= given;
	return (int)given;
}

static void say(struct runtime *r, uint64_t seq, const char *kind, uint64_t now)
{
	struct wire_line w;
	size_t n;

	wire_begin(&w, seq, kind);
	wire_u64(&w, "now", now);
	n = wire_end(&w);
	memcpy(r->bytes + r->n, w.text, n);
	r->n += n;
}

/* A stream may wait before each read, so a record is not read byte by byte, and
 * a record is not overtaken by those that arrive with it. */
TEST(records_that_arrive_together_are_one_read)
{
	struct runtime r = { .n = 0 };
	struct node_core *c = calloc(1, sizeof(*c));
	struct err e = { .code = ERR_OK, .message = "" };

	assert_non_null(c);
	c->stream = (struct stream){ .state = &r, .read = read_all };
	say(&r, 0, "staged", 5);
	say(&r, 1, "sustained", 7);
	assert_int_equal(core_wait(c, "staged", 1000, &e), ERR_OK);
	assert_int_equal(c->now, 5);
	assert_int_equal(core_wait(c, "sustained", 1000, &e), ERR_OK);
	assert_int_equal(c->now, 7);
	assert_int_equal(r.reads, 1);
	free(c);
}

/* ---- write-allocate --------------------------------------------------------- */

TEST(counters_go_before_the_ratio_of_times)
{
	struct node_row rows[2] = {
		{ .kind = NODE_STORE,
		  .level = "memory",
		  .width = "512",
		  .n_cores = 1,
		  .value.value = 10e9,
		  .allocated = -1,
		  .traffic = { 2e9, 8e9, 9e9 } },
		{ .kind = NODE_STREAM,
		  .level = "memory",
		  .width = "512",
		  .n_cores = 1,
		  .allocated = -1,
		  .value.value = 19e9 },
	};
	struct node_result r = { .n = 2, .rows = rows };
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };

	r.levels.n = 2;
	r.levels.at[0].name = "L1";
	r.levels.at[1].name = "memory";
	r.levels.line = 64;
	assert_int_equal(node_theory(&a, &r, NULL, &e), ERR_OK);
	assert_true(rows[0].allocated > 0.249 && rows[0].allocated < 0.251);
	assert_string_equal(rows[0].allocated_from, "counters");
	/* They do not see this memory. */
	rows[0].traffic.written = 1e9;
	assert_int_equal(node_theory(&a, &r, NULL, &e), ERR_OK);
	assert_true(rows[0].allocated > 0.899 && rows[0].allocated < 0.901);
	assert_string_equal(rows[0].allocated_from, "times");
}
