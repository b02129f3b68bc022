/* Sessions with boards that misbehave.  The board is this program, started by
 * the process transport with the name of a row of `scenarios`: pipes, exits and
 * silence are real. */
#include "tests/unit/session_board.h"
#include "tests/unit/session_fixture.h"

static void every_kernel_gets_its_visit(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
	assert_int_equal(f->progress.n_done, N_WANTED);
	assert_int_equal(f->progress.n_total, N_WANTED);
}

static void a_ref_clock_gets_every_visit(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(f->progress.n_done, N_VISITS * N_WANTED);
}

static void the_environment_is_stored(void **state)
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

static void dropped_records_are_run_again(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "drops"));
	assert_stored(f, 1, NOT, NULL);
	assert_int_equal(f->progress.n_lost, 0);
}

static void damaged_records_are_run_again(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "corrupts"));
	assert_stored(f, N_VISITS, NOT, NULL);
}

static void a_lost_done_is_got_over(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "no-done"));
	assert_stored(f, 1, NOT, NULL);
}

static void a_lost_ready_is_got_over(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "no-ready"));
	assert_stored(f, 1, NOT, NULL);
}

static void without_info_nothing_is_believed(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "no-info"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "it sent no info record");
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	assert_int_equal(f->samples[5], 0);
}

static void a_death_is_got_over(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "dies-once"));
	assert_stored(f, 1, NOT, NULL);
}

static void two_deaths_in_a_kernel_make_it_lost(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "dies-always"));
	assert_stored(f, 1, 150, "lost");
	assert_int_equal(f->progress.n_lost, 1);
	assert_int_equal(f->progress.n_done, N_WANTED);
}

/* A good board is not silent for so long, on a loaded machine either. */
enum { SILENCE_S = 3 };

static void a_silent_board_is_started_again(void **state)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	check(f, run_board(f, "hangs-once"));
	assert_stored(f, 1, NOT, NULL);
}

static void two_silences_in_a_kernel_make_it_lost(void **state)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	check(f, run_board(f, "hangs-always"));
	assert_stored(f, 1, 200, "lost");
}

static void a_reboot_is_a_death(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "reboots-once"));
	assert_stored(f, 1, NOT, NULL);
}

/* A host that gets no processor time sends its command late. */
static void a_board_that_did_not_wait_is_started_again(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "leaves-once"));
	assert_stored(f, 1, NOT, NULL);
}

static void faults_are_results(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "faults"));
	assert_stored(f, 1, 17, "illegal");
	assert_int_equal(f->progress.n_faults, 1);
	assert_int_equal(f->progress.n_done, N_WANTED);
}

static void an_early_death_is_explained(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "dies-first"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "test: ");
	assert_says(f, ERR_FAILED, "exit status 3");
	assert_says(f, ERR_FAILED, "firmware 1.0");
	assert_says(f, ERR_FAILED, "no such machine");
}

static void a_board_that_never_speaks_is_given_up(void **state)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	assert_int_equal(run_board(f, "silent"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "silent for 3 s");
}

static void a_board_that_only_babbles_is_given_up(void **state)
{
	struct fixture *f = *state;

	f->board.timeout_s = SILENCE_S;
	assert_int_equal(run_board(f, "babbles"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "no useful record for 12 s");
}

static void a_missing_program_names_its_package(void **state)
{
	struct fixture *f = *state;

	f->board.command = "/no/such/program -x";
	assert_int_equal(session_run(&f->session, &f->err), ERR_FAILED);
	assert_says(f, ERR_FAILED, "/no/such/program");
	assert_says(f, ERR_FAILED, "a-package");
}

static void a_file_the_command_wants_must_be_there(void **state)
{
	struct fixture *f = *state;

	f->board.command = "true @IMAGE@";
	assert_int_equal(session_run(&f->session, &f->err), ERR_FAILED);
	assert_says(f, ERR_FAILED, "@IMAGE@");
}

static void an_empty_command_is_refused(void **state)
{
	struct fixture *f = *state;

	f->board.command = "  ";
	assert_int_equal(session_run(&f->session, &f->err), ERR_INPUT);
	assert_says(f, ERR_INPUT, "'command'");
}

static void an_unknown_transport_is_refused(void **state)
{
	struct fixture *f = *state;

	f->board.transport = "pigeon";
	assert_int_equal(run_board(f, "good"), ERR_INPUT);
	assert_says(f, ERR_INPUT, "pigeon");
}

static void another_isa_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-isa"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "the board has aarch64");
}

static void another_pack_is_refused(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-pack"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "pack 0x1234");
}

static void results_of_other_kernels_are_not_stored(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-id"), ERR_FAILED);
	assert_int_equal(f->progress.n_lost, 32);
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

static void results_of_other_lengths_are_not_stored(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(run_board(f, "wrong-unroll"), ERR_FAILED);
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

static void a_refused_command_is_repeated(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "refuses-first"));
	assert_stored(f, 1, NOT, NULL);
}

static void chatter_does_no_harm(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "chatters"));
	assert_stored(f, 1, NOT, NULL);
}

static void kernels_not_wanted_are_skipped(void **state)
{
	struct fixture *f = *state;

	for (int k = 10; k < 200; k += 3)
		f->skip[k] = true;
	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
}

static void stop_keeps_what_came_and_resume_goes_on(void **state)
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
static void passes_lie_apart_on_a_shared_machine(void **state)
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

static void waiting_has_an_end(void **state)
{
	struct fixture *f = *state;
	struct link_passes passes = { .waited_ms = LINK_WAIT_MS };

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(passes.waited_ms, LINK_WAIT_MS);
}

static void a_machine_of_our_own_is_not_waited_for(void **state)
{
	struct fixture *f = *state;
	struct link_passes passes = { .began_ms = 0 };

	f->session.passes = &passes;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(passes.waited_ms, 0);
}

static void time_that_is_up_is_no_error(void **state)
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

static void a_board_starts_once(void **state)
{
	struct fixture *f = *state;
	struct link_passes passes = { .began_ms = 0 };

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_in_range(starts_of(f), 1,
			f->session.n_cores ? f->session.n_cores : 1);
}

static void time_may_be_up_before_a_board_starts(void **state)
{
	struct fixture *f = *state;

	f->session.until_ms = 1;
	check(f, run_board(f, "silent"));
	check(f, store_kernels(f->store, f->run.id, note, f, &f->err));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

/* For a kernel that has all its visits. */
static void more_visits_are_numbered_on(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "ref"));
	f->session.extra_visits = 2;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS + 2, NOT, NULL);
}

static void a_resumed_run_keeps_its_clock(void **state)
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

static void a_finished_run_asks_for_nothing(void **state)
{
	struct fixture *f = *state;

	check(f, run_board(f, "good"));
	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
/* Run every test with one board and with several. */
static int run_both(const struct CMUnitTest *tests, size_t n)
{
	struct CMUnitTest *several = calloc(n, sizeof(*several));
	int failed;

	for (size_t i = 0; several && i < n; i++) {
		several[i] = tests[i];
		several[i].setup_func = set_up_several;
	}
	failed = !several ||
		 _cmocka_run_group_tests("session", tests, n, NULL, NULL) ||
		 _cmocka_run_group_tests("session on several cores", several, n,
					 NULL, NULL);
	free(several);
	return failed;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(every_kernel_gets_its_visit),
		TEST(a_ref_clock_gets_every_visit),
		TEST(the_environment_is_stored),
		TEST(dropped_records_are_run_again),
		TEST(damaged_records_are_run_again),
		TEST(a_lost_done_is_got_over),
		TEST(a_lost_ready_is_got_over),
		TEST(without_info_nothing_is_believed),
		TEST(a_death_is_got_over),
		TEST(two_deaths_in_a_kernel_make_it_lost),
		TEST(a_board_that_only_babbles_is_given_up),
		TEST(a_silent_board_is_started_again),
		TEST(two_silences_in_a_kernel_make_it_lost),
		TEST(a_reboot_is_a_death),
		TEST(a_board_that_did_not_wait_is_started_again),
		TEST(faults_are_results),
		TEST(an_early_death_is_explained),
		TEST(a_board_that_never_speaks_is_given_up),
		TEST(a_missing_program_names_its_package),
		TEST(a_file_the_command_wants_must_be_there),
		TEST(an_empty_command_is_refused),
		TEST(an_unknown_transport_is_refused),
		TEST(another_isa_is_refused),
		TEST(another_pack_is_refused),
		TEST(results_of_other_kernels_are_not_stored),
		TEST(results_of_other_lengths_are_not_stored),
		TEST(a_refused_command_is_repeated),
		TEST(chatter_does_no_harm),
		TEST(kernels_not_wanted_are_skipped),
		TEST(stop_keeps_what_came_and_resume_goes_on),
		TEST(passes_lie_apart_on_a_shared_machine),
		TEST(waiting_has_an_end),
		TEST(a_machine_of_our_own_is_not_waited_for),
		TEST(time_that_is_up_is_no_error),
		TEST(a_board_starts_once),
		TEST(time_may_be_up_before_a_board_starts),
		TEST(more_visits_are_numbered_on),
		TEST(a_resumed_run_keeps_its_clock),
		TEST(a_finished_run_asks_for_nothing),
	};

	if (argc == 4 && strcmp(argv[1], "board") == 0)
		return board_main(argv[2], argv[3]);
	return run_both(tests, ARRAY_LEN(tests));
}
