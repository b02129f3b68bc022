/* A board that dies at one kernel in one session and in the next: deaths are
 * counted over all sessions of a run. */
#include "tests/unit/session_fixture.h"

#include "tests/unit/session_board.h"

EACH(set_up, tear_down);

/* The board's starts, counted by itself (session_board.h). */
static long count_starts(const struct fixture *f)
{
	char path[256];
	FILE *file;
	long n;

	(void)snprintf(path, sizeof(path), "%s.starts", f->pack_path);
	file = fopen(path, "r");
	assert_non_null(file);
	(void)fseek(file, 0, SEEK_END);
	n = ftell(file);
	(void)fclose(file);
	return n;
}

/* The first start dies at kernel 150, the next three before they are ready. */
TEST_ON(deaths_are_counted_over_sessions, struct fixture *f)
{
	assert_int_equal(run_board(f, "dies-and-rests"), ERR_FAILED);
	assert_int_equal(count_starts(f), 4);
	f->err = (struct err){ .code = ERR_OK };
	f->progress = (struct link_progress){ .n_done = 0 };
	check(f, run_board(f, "dies-and-rests"));
	assert_stored(f, 1, 150, "lost");
	/* One more death, and one start for the kernels behind. */
	assert_int_equal(count_starts(f), 6);
}

/* A kernel with a result has no deaths. */
TEST_ON(a_result_ends_the_count, struct fixture *f)
{
	check(f, run_board(f, "dies-once"));
	assert_stored(f, 1, NOT, NULL);
	f->progress = (struct link_progress){ .n_done = 0 };
	f->session.extra_visits = 1;
	(void)unlink(arena_printf(&f->arena, "%s.starts", f->pack_path));
	check(f, run_board(f, "dies-once"));
	assert_stored(f, 2, NOT, NULL);
}

int main(int argc, char **argv)
{
	if (argc == 4)
		return board_main(argv[2], argv[3]);
	return unit_run(NULL);
}
