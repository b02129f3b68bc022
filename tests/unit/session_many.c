/* A request of more lists than one, of which the board takes none. */
#define FIXTURE_KERNELS 4000
#include "tests/unit/session_fixture.h"

#include "tests/unit/session_board.h"

/* More lists follow the one that could not be sent. */
static void a_board_may_be_gone_while_lists_are_sent(void **state)
{
	struct fixture *f = *state;
	bool any[N_KERNELS];

	for (int k = 0; k < N_KERNELS; k++)
		any[k] = k % 2 == 0;
	f->session.any = any;
	check(f, run_board(f, "lists-deaf-once"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_board_may_be_gone_while_lists_are_sent, set_up,
			tear_down),
	};

	if (argc == 4)
		return board_main(argv[2], argv[3]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
