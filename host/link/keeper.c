/* See keeper.h. */
#include "host/link/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	STEP_MS = 20,
	TERM_MS = 500, /* for programs that remove their lock of the line */
	KILL_MS = 5000,
	LIST_BYTES = 4096,
	MS_PER_S = 1000,
	NS_PER_MS = 1000 * 1000,
};

static uint64_t now_ms(void)
{
	struct timespec t = { .tv_sec = 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * MS_PER_S + (uint64_t)t.tv_nsec / NS_PER_MS;
}

/* Wait; false if this program's other end is gone. */
static bool wait_alive(const struct keeper_job *job, int ms)
{
	struct pollfd life = { .fd = job->life, .events = POLLIN };
	char byte;

	return poll(&life, 1, ms) <= 0 || read(job->life, &byte, 1) != 0;
}

static void say(const struct keeper_job *job, const struct keeper_report *r)
{
	/* Shorter than PIPE_BUF: whole or not at all. */
	if (write(job->report, r, sizeof(*r)) < 0)
		return;
}

static void set_signals(void (*handler)(int))
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		(void)signal(numbers[i], handler);
}

static pid_t start(const struct keeper_job *job)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)setpgid(0, 0);
	set_signals(SIG_DFL);
	/* Should the keeper itself be killed. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && dup2(job->terminal, STDIN_FILENO) >= 0 &&
	    dup2(job->terminal, STDOUT_FILENO) >= 0 &&
	    dup2(job->errors, STDERR_FILENO) >= 0)
		(void)execl("/bin/sh", "sh", "-c", job->command, (char *)NULL);
	_exit(KEEPER_EXEC_FAILED);
}

/* ---- ending the command and what it started ---------------------------- */

/* Send the signal to each child.  Sets *ret_left if there was any. */
static void signal_children(int signal_number, bool *ret_left)
{
	char list[LIST_BYTES];
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, list, sizeof(list));
	pid_t pid = 0;

	if (fd >= 0)
		(void)close(fd);
	/* Each number is followed by a blank; a cut one is left for the next
	 * time. */
	for (ssize_t i = 0; i < n; i++) {
		if (list[i] >= '0' && list[i] <= '9') {
			pid = 10 * pid + (list[i] - '0');
			continue;
		}
		if (pid > 0)
			(void)kill(pid, signal_number);
		*ret_left = true;
		pid = 0;
	}
}

/* Children of the children become this process's when their parent ends. */
static void end_children(pid_t group, int signal_number, int most_ms)
{
	for (int ms = 0; ms < most_ms; ms += STEP_MS) {
		bool left = false;
		pid_t ended;

		if (signal_number == SIGKILL || ms == 0) {
			if (group > 0)
				(void)kill(-group, signal_number);
			signal_children(signal_number, &left);
		}
		do
			ended = waitpid(-1, NULL, WNOHANG);
		while (ended > 0);
		if (ended < 0 && errno == ECHILD)
			return;
		(void)poll(NULL, 0, STEP_MS);
	}
}

static void end_all(pid_t group)
{
	end_children(group, SIGTERM, TERM_MS);
	end_children(group, SIGKILL, KILL_MS);
}

/* ---- the keeper ---------------------------------------------------------- */

/* Wait until the command ends; false if this program's other end is gone. */
static bool await_end(const struct keeper_job *job, pid_t pid, int *ret_status)
{
	while (wait_alive(job, STEP_MS)) {
		int status;
		pid_t ended;

		do {
			ended = waitpid(-1, &status, WNOHANG);
			if (ended != pid)
				continue;
			*ret_status = status;
			return true;
		} while (ended > 0);
	}
	return false;
}

static uint32_t next_wait(uint32_t wait_ms, uint64_t lived_ms)
{
	if (lived_ms >= KEEPER_LIVED_MS)
		return KEEPER_AGAIN_MS;
	return 2 * wait_ms < KEEPER_AGAIN_MOST_MS ? 2 * wait_ms
						  : KEEPER_AGAIN_MOST_MS;
}

static void keep(const struct keeper_job *job)
{
	uint32_t again_ms = KEEPER_AGAIN_MS / 2;
	bool alive = true;

	while (alive) {
		struct keeper_report r = { .ended = 0 };
		uint64_t start_ms = now_ms();
		pid_t pid;

		say(job, &r);
		pid = start(job);
		alive = pid > 0 ? await_end(job, pid, &r.status)
				: wait_alive(job, 0);
		end_all(pid);
		if (!alive)
			break;
		r.ended = 1;
		r.lived_ms = (uint32_t)(now_ms() - start_ms);
		r.again_ms = again_ms = next_wait(again_ms, r.lived_ms);
		say(job, &r);
		alive = wait_alive(job, (int)again_ms);
	}
}

_Noreturn void keeper_main(const struct keeper_job *job)
{
	(void)setsid();
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	set_signals(SIG_IGN);
	keep(job);
	(void)close(job->life);
	(void)close(job->report);
	(void)close(job->errors);
	(void)close(job->terminal);
	if (!job->at_end)
		_exit(0);
	(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	(void)execl("/bin/sh", "sh", "-c", job->at_end, (char *)NULL);
	_exit(KEEPER_EXEC_FAILED);
}
