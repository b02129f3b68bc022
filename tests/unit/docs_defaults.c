/* The defaults in the tables of docs/porting-board.md. */
#include "tests/unit/docs_table.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/campaign/campaign.h"

static const char docs[] = TEST_SOURCE_DIR "/docs/porting-board.md";

/* The only board of a folder, with the required keys and `more`. */
static const struct board *board_with(struct arena *a, const char *more)
{
	char folder[] = "/tmp/anechoic-docs-XXXXXX";
	struct err e = { .code = ERR_OK };
	struct board *boards;
	char *one, *path;
	size_t n;
	FILE *f;

	assert_non_null(mkdtemp(folder));
	one = arena_printf(a, "%s/one", folder);
	path = arena_printf(a, "%s/riscv64-sbi.conf", one);
	assert_int_equal(mkdir(one, 0700), 0);
	f = fopen(path, "w");
	assert_non_null(f);
	(void)fprintf(f,
		      "describe = x\nruntime = riscv64-sbi\n"
		      "transport = serial\n%s\n",
		      more);
	(void)fclose(f);
	assert_ok(boards_read(a, folder, &boards, &n, &e), &e);
	assert_int_equal(n, 1);
	(void)unlink(path);
	(void)rmdir(one);
	(void)rmdir(folder);
	return boards;
}

TEST(a_board_has_the_defaults_of_the_table)
{
	SCOPED(arena_free) struct arena a = { 0 };
	const struct board *b = board_with(&a, "");
	struct gen_profile p = campaign_profile(b, 0);
	const struct {
		const char *key;
		unsigned long value;
	} rows[] = {
		{ "timeout_s", b->timeout_s },        { "cores", b->cores },
		{ "kernel_cycles", p.kernel_cycles }, { "unroll", p.unroll[0] },
		{ "repeats", p.n_repeats },           { "visits", p.n_visits },
		{ "ready_ms", p.ready_ms },
	};
	char image[DOCS_CELL];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (docs_number(docs, rows[i].key) != rows[i].value)
			fail_msg("%s is %lu, and the table says %lu",
				 rows[i].key, rows[i].value,
				 docs_number(docs, rows[i].key));
	docs_cell(docs, "image", image);
	assert_int_equal(strncmp(image, b->image, strlen(b->image)), 0);
}

/* "8; kernel_cycles / 250 where the file has kernel_cycles" */
TEST(longer_kernels_have_longer_bodies)
{
	SCOPED(arena_free) struct arena a = { 0 };
	char cell[DOCS_CELL];
	unsigned long least, part;

	docs_cell(docs, "unroll", cell);
	if (sscanf(cell, "%lu; kernel_cycles / %lu", &least, &part) != 2)
		fail_msg("unroll: '%s'", cell);
	for (unsigned long n = 7200; n <= 20000; n += 400) {
		const struct board *b = board_with(
			&a, arena_printf(&a, "kernel_cycles = %lu", n));
		unsigned long u = n / part < least ? least : n / part;

		assert_int_equal(campaign_profile(b, 0).unroll[0],
				 u < 48 ? u : 48);
	}
}
