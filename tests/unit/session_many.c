/* A request of more lists than one, of which the board takes none. */
#define FIXTURE_KERNELS 4000
#include "tests/unit/session_fixture.h"

#include "tests/unit/session_board.h"

EACH(set_up, tear_down);

/* More lists follow the one that could not be sent. */
TEST_ON(a_board_may_be_gone_while_lists_are_sent, struct fixture *f)
{
	bool any[N_KERNELS];

	for (int k = 0; k < N_KERNELS; k++)
		any[k] = k % 2 == 0;
	f->session.any = any;
	check(f, run_board(f, "lists-deaf-once"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

int main(int argc, char **argv)
{
	if (argc == 4)
		return board_main(argv[2], argv[3]);
	return unit_run(NULL);
}
