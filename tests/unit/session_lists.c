/* Boards that take a request as lists and choose the order; boards that stay
 * from one session to the next. */
#include "tests/unit/session_fixture.h"

#include "tests/unit/session_board.h"

EACH(set_up, tear_down);

/* What the board counted in its file of this name. */
static long counted(const struct fixture *f, const char *what)
{
	char path[256];
	FILE *file;
	long n;

	(void)snprintf(path, sizeof(path), "%s.%s", f->pack_path, what);
	file = fopen(path, "r");
	assert_non_null(file);
	(void)fseek(file, 0, SEEK_END);
	n = ftell(file);
	(void)fclose(file);
	return n;
}

/* Some states of a core last as long as code stays where it is. */
TEST_ON(passes_have_places_of_their_own, struct fixture *f)
{
	check(f, run_board(f, "lists"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(counted(f, "starts"), 1);
	assert_int_equal(counted(f, "places"), N_VISITS);
}

TEST_ON(both_lists_are_measured, struct fixture *f)
{
	bool any[N_KERNELS];

	for (int k = 0; k < N_KERNELS; k++)
		any[k] = k % 3 == 0 || k > 200;
	f->session.any = any;
	check(f, run_board(f, "lists"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

TEST_AGAIN(both_lists_are_measured, set_up_several, tear_down);

TEST_ON(without_lists_the_order_ascends, struct fixture *f)
{
	bool any[N_KERNELS];

	for (int k = 0; k < N_KERNELS; k++)
		any[k] = k % 2 == 0;
	f->session.any = any;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(f->progress.n_lost, 0);
}

/* The board says which kernel it begins: the order does not tell. */
TEST_ON(a_death_is_of_the_kernel_that_began, struct fixture *f)
{
	check(f, run_board(f, "lists-die-once"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

TEST_ON(two_deaths_make_it_lost, struct fixture *f)
{
	check(f, run_board(f, "lists-die-always"));
	assert_stored(f, N_VISITS, 150, "lost");
	assert_int_equal(f->progress.n_lost, 1);
	assert_int_equal(counted(f, "starts"), 3);
}

TEST_ON(boards_stay_for_the_next_session, struct fixture *f)
{
	uint32_t visits[N_KERNELS] = { 0 };

	f->session.boards = link_keep_boards();
	f->session.visits = visits;
	check(f, run_board(f, "lists"));
	assert_stored(f, N_VISITS, NOT, NULL);
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(visits[k], is_calib(k) ? 0 : N_VISITS);
	f->progress = (struct link_progress){ .n_done = 0 };
	f->session.extra_visits = 2;
	check(f, run_board(f, "lists"));
	link_end_boards(f->session.boards);
	assert_stored(f, N_VISITS + 2, NOT, NULL);
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(visits[k], is_calib(k) ? 0 : N_VISITS + 2);
	assert_in_range(counted(f, "starts"), 1,
			f->session.n_cores ? f->session.n_cores : 1);
}

TEST_AGAIN(boards_stay_for_the_next_session, set_up_several, tear_down);

/* A board that a failed session left is started again. */
TEST_ON(a_board_that_was_stopped_starts_again, struct fixture *f)
{
	f->session.boards = link_keep_boards();
	f->stop_after = 100;
	assert_int_equal(run_board(f, "lists"), ERR_INTERRUPTED);
	f->stop = 0;
	f->stop_after = 0;
	f->err = (struct err){ .code = ERR_OK };
	f->progress = (struct link_progress){ .n_done = 0 };
	check(f, run_board(f, "lists"));
	link_end_boards(f->session.boards);
	assert_stored(f, N_VISITS, NOT, NULL);
}

TEST_AGAIN(a_board_that_was_stopped_starts_again, set_up_several, tear_down);

int main(int argc, char **argv)
{
	if (argc == 4)
		return board_main(argv[2], argv[3]);
	return unit_run(NULL);
}
