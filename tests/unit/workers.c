/* Tasks in other processes: the same results in the same order as here; errors
 * and workers that die. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/workers.h"
#include "tests/unit/unit.h"

enum { NONE = 1000000 };

struct tasks {
	size_t wrong;   /* task with an error */
	size_t killed;  /* task whose process is killed */
	size_t refused; /* task that take() refuses */
	struct buffer taken;
	size_t n_taken;
};

/* Results of many lengths: of some tasks none, of some more than a pipe
 * holds. */
static int work(void *data, size_t i, struct buffer *out, struct err *e)
{
	const struct tasks *t = data;
	size_t n = i % 7 == 3 ? 0 : i % 11 == 5 ? 200000 : i;

	for (size_t k = 0; k < n; k++)
		buffer_printf(out, "%zu ", i);
	if (i == t->killed)
		(void)raise(SIGKILL);
	if (i == t->wrong)
		return err_set(e, ERR_INPUT, "task %zu is wrong", i);
	return ERR_OK;
}

static int take(void *data, size_t i, const unsigned char *result, size_t n,
		struct err *e)
{
	struct tasks *t = data;

	if (i == t->refused)
		return err_set(e, ERR_FAILED, "task %zu is refused", i);
	buffer_add(&t->taken, result, n);
	t->n_taken++;
	return ERR_OK;
}

static int run(struct tasks *t, size_t n_tasks, size_t n_workers, struct err *e)
{
	struct workers_job j = { work, take, t };
	int code;

	t->taken.n = 0;
	t->n_taken = 0;
	*e = (struct err){ 0 };
	code = workers_run(&j, n_tasks, n_workers, e);
	assert_int_equal(code, e->code);
	/* No child is left. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	return code;
}

TEST(same_results)
{
	static const size_t tasks[] = { 0, 1, 2, 3, 40 };
	struct tasks here = { .wrong = NONE, .killed = NONE, .refused = NONE };
	struct tasks there = here;
	struct err e;

	assert_true(workers_cpus() >= 1);
	for (size_t k = 0; k < ARRAY_LEN(tasks); k++) {
		assert_int_equal(run(&here, tasks[k], 1, &e), ERR_OK);
		for (size_t n = 2; n <= 5; n++) {
			assert_int_equal(run(&there, tasks[k], n, &e), ERR_OK);
			assert_int_equal(there.n_taken, tasks[k]);
			assert_int_equal(there.taken.n, here.taken.n);
			if (here.taken.n > 0)
				assert_memory_equal(there.taken.bytes,
						    here.taken.bytes,
						    here.taken.n);
		}
	}
	buffer_free(&here.taken);
	buffer_free(&there.taken);
}

/* The first error in the order of the tasks, and all results until then. */
TEST(errors)
{
	struct tasks t = { .wrong = 12, .killed = NONE, .refused = NONE };
	struct err e;

	for (size_t n = 1; n <= 4; n++) {
		assert_int_equal(run(&t, 40, n, &e), ERR_INPUT);
		assert_string_equal(e.message, "task 12 is wrong");
		assert_int_equal(t.n_taken, 13);
	}
	t.refused = 7;
	for (size_t n = 1; n <= 4; n++) {
		assert_int_equal(run(&t, 40, n, &e), ERR_FAILED);
		assert_string_equal(e.message, "task 7 is refused");
		assert_int_equal(t.n_taken, 7);
	}
	buffer_free(&t.taken);
}

TEST(killed)
{
	struct tasks t = { .wrong = NONE, .killed = 9, .refused = NONE };
	struct err e;

	assert_int_equal(run(&t, 40, 3, &e), ERR_SYSTEM);
	assert_string_equal(e.message,
			    "a worker process was ended by signal 9");
	assert_int_equal(t.n_taken, 9);
	buffer_free(&t.taken);
}

/* Where the system allows few pipes, fewer processes do the tasks; where it
 * allows none, this one does. */
TEST(limits)
{
	struct tasks here = { .wrong = NONE, .killed = NONE, .refused = NONE };
	struct tasks there = here;
	struct rlimit usual, low;
	struct err e;

	assert_int_equal(run(&here, 40, 1, &e), ERR_OK);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
	for (rlim_t n = 3; n < 12; n++) {
		low = (struct rlimit){ n, usual.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
		assert_int_equal(run(&there, 40, 20, &e), ERR_OK);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
		assert_int_equal(there.taken.n, here.taken.n);
		assert_memory_equal(there.taken.bytes, here.taken.bytes,
				    here.taken.n);
	}
	buffer_free(&here.taken);
	buffer_free(&there.taken);
}

/* A parent that ignores the ends of its children. */
TEST(ignored_ends)
{
	struct tasks t = { .wrong = NONE, .killed = 9, .refused = NONE };
	struct sigaction ignored = { .sa_handler = SIG_IGN }, now;
	struct err e;

	assert_int_equal(sigaction(SIGCHLD, &ignored, NULL), 0);
	assert_int_equal(run(&t, 40, 3, &e), ERR_SYSTEM);
	assert_string_equal(e.message,
			    "a worker process was ended by signal 9");
	assert_int_equal(sigaction(SIGCHLD, NULL, &now), 0);
	assert_true(now.sa_handler == SIG_IGN);
	now.sa_handler = SIG_DFL;
	assert_int_equal(sigaction(SIGCHLD, &now, NULL), 0);
	buffer_free(&t.taken);
}
