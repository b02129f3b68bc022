/* Sessions with boards that misbehave.  The board is this program, started by
 * the process transport with the name of a row of `scenarios`: pipes, exits and
 * silence are real. */
#include "host/store/store_db.h"
#include "tests/unit/session_board.h"
#include "tests/unit/session_fixture.h"

/* Every test runs with one board, and again with several. */
static bool several;

static int set_up_boards(void **state)
{
	return several ? set_up_several(state) : set_up(state);
}

EACH(set_up_boards, tear_down);

TEST_ON(every_kernel_gets_its_visit, struct fixture *f)
{
	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
	assert_int_equal(f->progress.n_done, N_WANTED);
	assert_int_equal(f->progress.n_total, N_WANTED);
}

TEST_ON(a_ref_clock_gets_every_visit, struct fixture *f)
{
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(f->progress.n_done, N_VISITS * N_WANTED);
}

TEST_ON(the_environment_is_stored, struct fixture *f)
{
	struct run r;
	int found = 0;

	check(f, run_board(f, "ref"));
	check(f, store_envs(f->store, f->run.id, find_colour, &found, &f->err));
	assert_int_equal(found, 1);
	check(f, store_run_get(f->store, &f->arena, f->run.id, &r, &f->err));
	assert_int_equal(r.clock, CLOCK_REF);
	assert_int_equal(r.ref_hz, 1000000);
}

/* A good board is not silent for so long, on a loaded machine either. */
enum { SILENCE_S = 3 };

static struct fixture *fixture_of(void **state, uint32_t timeout_s)
{
	struct fixture *f;

	assert_int_equal(set_up_boards(state), 0);
	f = *state;
	if (timeout_s > 0)
		f->board.timeout_s = timeout_s;
	return f;
}

/* All samples come from a board that misbehaves once; a kernel in which it
 * always does is lost. */
static const struct recovery {
	const char *name, *scenario;
	uint32_t timeout_s, visits;
	int odd; /* the kernel that is lost */
	size_t n_lost;
} recoveries[] = {
	{ "dropped records are run again", "drops", 0, 1, NOT, 0 },
	{ "damaged records are run again", "corrupts", 0, N_VISITS, NOT, 0 },
	{ "a lost done is got over", "no-done", 0, 1, NOT, 0 },
	{ "a lost ready is got over", "no-ready", 0, 1, NOT, 0 },
	{ "a death is got over", "dies-once", 0, 1, NOT, 0 },
	{ "two deaths make it lost", "dies-always", 0, 1, 150, 1 },
	{ "a silent board starts again", "hangs-once", SILENCE_S, 1, NOT, 0 },
	{ "two silences make it lost", "hangs-always", SILENCE_S, 1, 200, 1 },
	{ "a reboot is a death", "reboots-once", 0, 1, NOT, 0 },
	/* A host that gets no processor time sends its command late. */
	{ "it did not wait", "leaves-once", 0, 1, NOT, 0 },
	{ "a refused command is repeated", "refuses-first", 0, 1, NOT, 0 },
	{ "chatter does no harm", "chatters", 0, 1, NOT, 0 },
};

TEST_ROWS(a_board_that_misbehaves, recoveries, name, const struct recovery *r)
{
	void *state = NULL;
	struct fixture *f = fixture_of(&state, r->timeout_s);

	check(f, run_board(f, r->scenario));
	assert_stored(f, r->visits, r->odd, "lost");
	assert_int_equal(f->progress.n_lost, r->n_lost);
	if (r->visits == 1)
		assert_int_equal(f->progress.n_done, N_WANTED);
	assert_int_equal(tear_down(&state), 0);
}

/* A scenario, a command or a transport that ends the session, and what it
 * says. */
static const struct refusal {
	const char *name, *scenario, *command, *transport;
	uint32_t timeout_s;
	int code;
	const char *says[4];
} refusals[] = {
	{ "an early death is explained", "dies-first", .code = ERR_FAILED,
	  .says = { "test: ", "exit status 3", "firmware 1.0",
		    "no such machine" } },
	{ "it never speaks", "silent", .timeout_s = SILENCE_S,
	  .code = ERR_FAILED, .says = { "silent for 3 s" } },
	{ "it only babbles", "babbles", .timeout_s = SILENCE_S,
	  .code = ERR_FAILED, .says = { "no useful record for 12 s" } },
	{ "a missing program names its package",
	  .command = "/no/such/program -x", .code = ERR_FAILED,
	  .says = { "/no/such/program", "a-package" } },
	{ "a file the command wants", .command = "true @IMAGE@",
	  .code = ERR_FAILED, .says = { "@IMAGE@" } },
	{ "an empty command", .command = "  ", .code = ERR_INPUT,
	  .says = { "'command'" } },
	{ "an unknown transport", "good", .transport = "pigeon",
	  .code = ERR_INPUT, .says = { "pigeon" } },
	{ "another ISA", "wrong-isa", .code = ERR_FAILED,
	  .says = { "the board has aarch64" } },
	{ "another pack", "wrong-pack", .code = ERR_FAILED,
	  .says = { "pack 0x1234" } },
};

TEST_ROWS(a_session_that_fails, refusals, name, const struct refusal *r)
{
	void *state = NULL;
	struct fixture *f = fixture_of(&state, r->timeout_s);

	if (r->transport)
		f->board.transport = r->transport;
	f->board.command = r->command;
	assert_int_equal(r->scenario ? run_board(f, r->scenario)
				     : session_run(&f->session, &f->err),
			 r->code);
	for (size_t i = 0; i < ARRAY_LEN(r->says) && r->says[i]; i++)
		assert_says(f, r->code, r->says[i]);
	assert_int_equal(tear_down(&state), 0);
}

TEST_ON(without_info_nothing_is_believed, struct fixture *f)
{
	assert_int_equal(run_board(f, "no-info"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "it sent no info record");
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	assert_int_equal(f->samples[5], 0);
}

TEST_ON(faults_are_results, struct fixture *f)
{
	check(f, run_board(f, "faults"));
	assert_stored(f, 1, 17, "illegal");
	assert_int_equal(f->progress.n_faults, 1);
	assert_int_equal(f->progress.n_done, N_WANTED);
}

TEST_ON(results_of_other_kernels_are_not_stored, struct fixture *f)
{
	assert_int_equal(run_board(f, "wrong-id"), ERR_FAILED);
	assert_int_equal(f->progress.n_lost, 32);
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

TEST_ON(results_of_other_lengths_are_not_stored, struct fixture *f)
{
	assert_int_equal(run_board(f, "wrong-unroll"), ERR_FAILED);
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

TEST_ON(kernels_not_wanted_are_skipped, struct fixture *f)
{
	for (int k = 10; k < 200; k += 3)
		f->skip[k] = true;
	check(f, run_board(f, "good"));
	assert_stored(f, 1, NOT, NULL);
}

TEST_ON(stop_keeps_what_came_and_resume_goes_on, struct fixture *f)
{
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
TEST_ON(passes_lie_apart_on_a_shared_machine, struct fixture *f)
{
	struct link_passes passes = { .began_ms = 0 };
	uint64_t start_ms = link_now_ms();

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_true(passes.began_ms >=
		    start_ms + (N_VISITS - 1) * LINK_PASS_MS);
}

TEST_ON(waiting_has_an_end, struct fixture *f)
{
	struct link_passes passes = { .waited_ms = LINK_WAIT_MS };

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(passes.waited_ms, LINK_WAIT_MS);
}

TEST_ON(a_machine_of_our_own_is_not_waited_for, struct fixture *f)
{
	struct link_passes passes = { .began_ms = 0 };

	f->session.passes = &passes;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS, NOT, NULL);
	assert_int_equal(passes.waited_ms, 0);
}

TEST_ON(time_that_is_up_is_no_error, struct fixture *f)
{
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

TEST_ON(a_board_starts_once, struct fixture *f)
{
	struct link_passes passes = { .began_ms = 0 };

	f->session.passes = &passes;
	check(f, run_board(f, "shared"));
	assert_in_range(starts_of(f), 1,
			f->session.n_cores ? f->session.n_cores : 1);
}

TEST_ON(time_may_be_up_before_a_board_starts, struct fixture *f)
{
	f->session.until_ms = 1;
	check(f, run_board(f, "silent"));
	check(f, store_kernels(f->store, f->run.id, note, f, &f->err));
	for (uint32_t k = 0; k < N_KERNELS; k++)
		assert_int_equal(f->samples[k], 0);
}

/* For a kernel that has all its visits. */
TEST_ON(more_visits_are_numbered_on, struct fixture *f)
{
	check(f, run_board(f, "ref"));
	f->session.extra_visits = 2;
	check(f, run_board(f, "ref"));
	assert_stored(f, N_VISITS + 2, NOT, NULL);
}

TEST_ON(a_resumed_run_keeps_its_clock, struct fixture *f)
{
	f->stop_after = 100;
	assert_int_equal(run_board(f, "good"), ERR_INTERRUPTED);
	f->stop_after = 0;
	f->stop = 0;
	f->err = (struct err){ 0 };
	assert_int_equal(run_board(f, "ref"), ERR_FAILED);
	assert_says(f, ERR_FAILED, "the run uses clock core");
}

/* A database of a later version. */
TEST_ON(a_resumed_run_keeps_an_unknown_clock, struct fixture *f)
{
	f->stop_after = 100;
	assert_int_equal(run_board(f, "good"), ERR_INTERRUPTED);
	f->stop_after = 0;
	f->stop = 0;
	f->err = (struct err){ 0 };
	check(f, store_write(f->store, &f->err, "clock",
			     "UPDATE run SET clock = 'sundial'", ""));
	assert_int_equal(run_board(f, "good"), ERR_FAILED);
	assert_says(f, ERR_FAILED,
		    "the run uses clock sundial, the board now uses core");
}

TEST_ON(a_finished_run_asks_for_nothing, struct fixture *f)
{
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
