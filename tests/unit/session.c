/* Sessions with boards that misbehave.  The board is this program, started by
 * the process transport with the name of a row of `scenarios`: pipes, exits and
 * silence are real. */
#include "tests/unit/session_board.h"
#include "tests/unit/session_fixture.h"

/* Every test runs with one board, and again with several. */
static bool several;

static int set_up_boards(void **state)
{
	return several ? set_up_several(state) : set_up(state);
}

EACH(set_up_boards, tear_down);

TEST(every_kernel_gets_its_visit)
{
	struct fixture *f = *state;

	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
	assert_int_equal(f->progress.n_done, N_WANTED);
	assert_int_equal(f->progress.n_total, N_WANTED);
}

TEST(a_ref_clock_gets_every_visit)
{
	struct fixture *f = *state;

	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(f->progress.n_done, N_VISITS * N_WANTED);
}

TEST(the_environment_is_stored)
{
	struct fixture *f = *state;
	struct run r;
	int found = 0;

	check(f, run_board(f, "ref"));
	check(f, store_envs(f->store, f->run.id, find_colour, &found, &f->err));
	assert_int_equal(found, 1);
	check(f, store_run_get(f->store, &f->arena, f->run.id, &r, &f->err));
	assert_string_equal(r.clock, "ref");
	assert_int_equal(r.ref_hz, 1000000);
}

TEST(dropped_records_are_run_again)
{
	struct fixture *f = *state;

	check(f, run_board(f, "drops"));
	assert_stored(f, 1, NOT, NULL);
	assert_int_equal(f->progress.n_lost, 0);
}

TEST(damaged_records_are_run_again)
{
	struct fixture *f = *state;

	check(f, run_board(f, "corrupts"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

TEST(a_lost_done_is_got_over)
{
	struct fixture *f = *state;

	check(f, run_board(f, "no-done"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(a_lost_ready_is_got_over)
{
	struct fixture *f = *state;

	check(f, run_board(f, "no-ready"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(without_info_nothing_is_believed)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "no-info"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "it sent no info record");
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	assert_int_equal(f->samples[5], 0);
}

TEST(a_death_is_got_over)
{
	struct fixture *f = *state;

	check(f, run_board(f, "dies-once"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(two_deaths_in_a_kernel_make_it_lost)
{
	struct fixture *f = *state;

	check(f, run_board(f, "dies-always"));
	assert_stored(f, 1, 150, "lost");
	assert_int_equal(f->progress.n_lost, 1);
	assert_int_equal(f->progress.n_done, N_WANTED);
}

/* A good board is not silent for so long, on a loaded machine either. */
enum { SILENCE_S = 3 };

TEST(a_silent_board_is_started_again)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	check(f, run_board(f, "hangs-once"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(two_silences_in_a_kernel_make_it_lost)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	check(f, run_board(f, "hangs-always"));
	assert_stored(f, 1, 200, "lost");
}

TEST(a_reboot_is_a_death)
{
	struct fixture *f = *state;

	check(f, run_board(f, "reboots-once"));
	assert_stored(f, 1, NOT, NULL);
}

/* A host that gets no processor time sends its command late. */
TEST(a_board_that_did_not_wait_is_started_again)
{
	struct fixture *f = *state;

	check(f, run_board(f, "leaves-once"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(faults_are_results)
{
	struct fixture *f = *state;

	check(f, run_board(f, "faults"));
	assert_stored(f, 1, 17, "illegal");
	assert_int_equal(f->progress.n_faults, 1);
	assert_int_equal(f->progress.n_done, N_WANTED);
}

TEST(an_early_death_is_explained)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "dies-first"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "test: ");
	assert_says(f, ERR_FAILED, "exit status 3");
	assert_says(f, ERR_FAILED, "firmware 1.0");
	assert_says(f, ERR_FAILED, "no such machine");
}

TEST(a_board_that_never_speaks_is_given_up)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	assert_int_equal(run_board(f, "silent"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "silent for 3 s");
}

TEST(a_board_that_only_babbles_is_given_up)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	assert_int_equal(run_board(f, "babbles"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "no useful record for 12 s");
}

TEST(a_missing_program_names_its_package)
{
	struct fixture *f = *state;

	f->board.command = "/no/such/program -x";
	assert_int_equal(session_run(&f->session, &f->err), ERR_FAILED);
	assert_says(f, ERR_FAILED, "/no/such/program");
	assert_says(f, ERR_FAILED, "a-package");
}

TEST(a_file_the_command_wants_must_be_there)
{
	struct fixture *f = *state;

	f->board.command = "true @IMAGE@";
	assert_int_equal(session_run(&f->session, &f->err), ERR_FAILED);
	assert_says(f, ERR_FAILED, "@IMAGE@");
}

TEST(an_empty_command_is_refused)
{
	struct fixture *f = *state;

	f->board.command = "  ";
	assert_int_equal(session_run(&f->session, &f->err), ERR_INPUT);
	assert_says(f, ERR_INPUT, "'command'");
}

TEST(an_unknown_transport_is_refused)
{
	struct fixture *f = *state;

	f->board.transport = "pigeon";
	assert_int_equal(run_board(f, "good"), ERR_INPUT);
	assert_says(f, ERR_INPUT, "pigeon");
}

TEST(another_isa_is_refused)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-isa"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "the board has aarch64");
}

TEST(another_pack_is_refused)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-pack"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "pack 0x1234");
}

TEST(results_of_other_kernels_are_not_stored)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-id"), ERR_FAILED);
	assert_int_equal(f->progress.n_lost, 32);
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

TEST(results_of_other_lengths_are_not_stored)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-unroll"), ERR_FAILED);
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

TEST(a_refused_command_is_repeated)
{
	struct fixture *f = *state;

	check(f, run_board(f, "refuses-first"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(chatter_does_no_harm)
{
	struct fixture *f = *state;

	check(f, run_board(f, "chatters"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(kernels_not_wanted_are_skipped)
{
	struct fixture *f = *state;

	for (int k = 10; k < 200; k += 3)
		f->skip[k] = true;
	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
}

TEST(stop_keeps_what_came_and_resume_goes_on)
{
	struct fixture *f = *state;
	size_t before;

	f->stop_after = 400;
	assert_int_equal(run_board(f, "ref"), ERR_INTERRUPTED);
	assert_true(f->progress.n_done >= 400);
	assert_true(f->progress.n_done < N_VISITS * N_WANTED);
	before = f->progress.n_done;
	f->stop_after = 0;
	f->stop = 0;
	f->err = (struct err){ 0 };
	check(f, run_board(f, "ref"));
	assert_true(f->progress.n_done > before);
	assert_stored(f, N_VISITS, NOT, NULL);
}

/* An SMT sibling may be busy for a while, so the visits of a kernel are spread
 * over time. */
TEST(passes_lie_apart_on_a_shared_machine)
{
	struct fixture *f = *state;
	struct link_passes passes = { .began_ms = 0 };
	uint64_t start_ms = link_now_ms();

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_true(passes.began_ms >=
		    start_ms + (N_VISITS - 1) * LINK_PASS_MS);
}

TEST(waiting_has_an_end)
{
	struct fixture *f = *state;
	struct link_passes passes = { .waited_ms = LINK_WAIT_MS };

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(passes.waited_ms, LINK_WAIT_MS);
}

TEST(a_machine_of_our_own_is_not_waited_for)
{
	struct fixture *f = *state;
	struct link_passes passes = { .began_ms = 0 };

	f->session.passes = &passes;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(passes.waited_ms, 0);
}

TEST(time_that_is_up_is_no_error)
{
	struct fixture *f = *state;
	size_t before;

	f->time_after = 400;
	check(f, run_board(f, "ref"));
	before = f->progress.n_done;
	assert_true(before >= 400 && before < N_VISITS * N_WANTED);
	f->time_after = 0;
	f->session.until_ms = 0;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

/* The number of times that the board was started; the board counts them in a
 * file. */
static size_t starts_of(struct fixture *f)
{
	unsigned char *bytes;
	size_t n;

	check(f, file_read(&f->arena,
			   arena_printf(&f->arena, "%s.starts", f->pack_path),
			   1 << 16, &bytes, &n, &f->err));
	return n;
}

TEST(a_board_starts_once)
{
	struct fixture *f = *state;
	struct link_passes passes = { .began_ms = 0 };

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_in_range(starts_of(f), 1,
			f->session.n_cores ? f->session.n_cores : 1);
}

TEST(time_may_be_up_before_a_board_starts)
{
	struct fixture *f = *state;

	f->session.until_ms = 1;
	check(f, run_board(f, "silent"));
	check(f, store_kernels(f->store, f->run.id, note, f, &f->err));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

/* For a kernel that has all its visits. */
TEST(more_visits_are_numbered_on)
{
	struct fixture *f = *state;

	check(f, run_board(f, "ref"));
	f->session.extra_visits = 2;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS + 2, NOT, NULL);
}

TEST(a_resumed_run_keeps_its_clock)
{
	struct fixture *f = *state;

	f->stop_after = 100;
	assert_int_equal(run_board(f, "good"), ERR_INTERRUPTED);
	f->stop_after = 0;
	f->stop = 0;
	f->err = (struct err){ 0 };
	assert_int_equal(run_board(f, "ref"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "the run uses clock core");
}

TEST(a_finished_run_asks_for_nothing)
{
	struct fixture *f = *state;

	check(f, run_board(f, "good"));
	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
}

int main(int argc, char **argv)
{
	int failed;

	if (argc == 4 && strcmp(argv[1], "board") == 0)
		return board_main(argv[2], argv[3]);
	failed = unit_run(NULL);
	several = true;
	return failed ? failed : unit_run(NULL);
}
