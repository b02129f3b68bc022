/* Worker k of n does the tasks k, k + n, ... and writes each result to a pipe
 * of its own.  The pipes are read in the order of the tasks; a worker that is
 * ahead waits, because its pipe is full. */
#include "host/base/workers.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Stands before each result. */
struct workers_frame {
	size_t n;
	struct err error;
};

struct worker {
	pid_t pid;
	int from; /* read end of its pipe */
};

size_t workers_cpus(void)
{
	cpu_set_t allowed;
	long n;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		n = CPU_COUNT(&allowed);
	else /* more CPUs than the set has room for */
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (size_t)n : 1;
}

static bool read_all(int fd, void *bytes, size_t n)
{
	size_t got;

	return file_get(fd, bytes, n, &got) && got == n;
}

/* Do the tasks of one worker, and exit. */
static _Noreturn void worker_main(const struct workers_job *j, size_t first,
				  size_t n_tasks, size_t step, int to)
{
	struct err e = { 0 };

	/* End with the next write if the parent has ended. */
	(void)signal(SIGPIPE, SIG_DFL);
	for (size_t i = first; i < n_tasks && e.code == ERR_OK; i += step) {
		struct buffer out = { 0 };
		struct workers_frame f = { 0 };

		(void)j->work(j->data, i, &out, &e);
		f.n = out.n;
		f.error = e;
		if (!file_put(to, &f, sizeof(f)) ||
		    !file_put(to, out.bytes, out.n))
			_exit(1);
		buffer_free(&out);
	}
	_exit(0);
}

static int start_worker(const struct workers_job *j, struct worker *workers,
			size_t k, size_t n, size_t n_tasks, struct err *e)
{
	struct worker *w = &workers[k];
	int ends[2];

	if (pipe(ends) != 0)
		return err_set(e, ERR_SYSTEM, "cannot make a pipe: %s",
			       strerror(errno));
	w->pid = fork();
	if (w->pid == 0) {
		for (size_t i = 0; i < k; i++)
			(void)close(workers[i].from);
		(void)close(ends[0]);
		worker_main(j, k, n_tasks, n, ends[1]);
	}
	(void)close(ends[1]);
	if (w->pid < 0) {
		(void)close(ends[0]);
		return err_set(e, ERR_SYSTEM, "cannot start a process: %s",
			       strerror(errno));
	}
	w->from = ends[0];
	return ERR_OK;
}

static int ended_early(const struct worker *w, struct err *e)
{
	siginfo_t how = { 0 };

	while (waitid(P_PID, (id_t)w->pid, &how, WEXITED | WNOWAIT) != 0 &&
	       errno == EINTR)
		;
	return err_set(e, ERR_SYSTEM,
		       how.si_code == CLD_EXITED
			       ? "a worker process ended early, with status %d"
			       : "a worker process was ended by signal %d",
		       how.si_status);
}

static int take_result(const struct workers_job *j, const struct worker *w,
		       size_t task, struct err *e)
{
	struct workers_frame f;
	unsigned char *result;

	if (!read_all(w->from, &f, sizeof(f)))
		return ended_early(w, e);
	result = xrealloc(NULL, f.n + 1, 1);
	if (!read_all(w->from, result, f.n))
		(void)ended_early(w, e);
	else if (j->take(j->data, task, result, f.n, e) == ERR_OK)
		*e = f.error;
	free(result);
	return e->code;
}

static void end_workers(struct worker *workers, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		(void)close(workers[k].from);
		(void)kill(workers[k].pid, SIGKILL);
	}
	for (size_t k = 0; k < n; k++)
		while (waitpid(workers[k].pid, NULL, 0) < 0 && errno == EINTR)
			;
}

static int run_here(const struct workers_job *j, size_t n_tasks, struct err *e)
{
	struct buffer out = { 0 };

	for (size_t i = 0; i < n_tasks && e->code == ERR_OK; i++) {
		struct err first = { 0 };

		out.n = 0;
		(void)j->work(j->data, i, &out, &first);
		if (j->take(j->data, i, out.bytes, out.n, e) == ERR_OK)
			*e = first;
	}
	buffer_free(&out);
	return e->code;
}

/* Start n workers, or as many as the system allows. */
static size_t start_workers(const struct workers_job *j, struct worker *workers,
			    size_t n, size_t n_tasks)
{
	struct err e = { 0 };
	size_t started = 0;

	while (started < n &&
	       start_worker(j, workers, started, n, n_tasks, &e) == ERR_OK)
		started++;
	if (started == n || started == 0)
		return started;
	/* Each worker knows how many there are. */
	end_workers(workers, started);
	return start_workers(j, workers, started - 1, n_tasks);
}

static int run_there(const struct workers_job *j, size_t n_tasks, size_t n,
		     struct err *e)
{
	struct worker *workers = xrealloc(NULL, n, sizeof(*workers));

	n = start_workers(j, workers, n, n_tasks);
	for (size_t i = 0; n > 0 && i < n_tasks && e->code == ERR_OK; i++)
		(void)take_result(j, &workers[i % n], i, e);
	end_workers(workers, n);
	free(workers);
	return n > 0 ? e->code : run_here(j, n_tasks, e);
}

int workers_run(const struct workers_job *j, size_t n_tasks, size_t n_workers,
		struct err *e)
{
	enum { MOST = 256 };
	struct sigaction usual = { .sa_handler = SIG_DFL }, before;
	size_t n = n_workers < n_tasks ? n_workers : n_tasks;

	if (n <= 1)
		return run_here(j, n_tasks, e);
	/* Without memory a worker calls exit(), which would write its copy of
	 * this output again. */
	(void)fflush(NULL);
	/* Where SIGCHLD is ignored, nothing is known of a child that ended. */
	(void)sigaction(SIGCHLD, &usual, &before);
	(void)run_there(j, n_tasks, n < MOST ? n : MOST, e);
	(void)sigaction(SIGCHLD, &before, NULL);
	return e->code;
}
