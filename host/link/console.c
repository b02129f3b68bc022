#include "host/link/console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum {
	AGAIN_MS = 1000, /* from an end of the command to its next start */
	STEP_MS = 20,
	PATH_ROOM = 64,
	EXEC_FAILED = 127,
};

struct console {
	const char *command;
	int master, slave;
	char path[PATH_ROOM];
	pthread_t thread;
	atomic_bool over;
	pid_t guard;
	int guard_pipe; /* its end of file wakes the guard */
};

/* ---- the guard ------------------------------------------------------------ */

/* Waits in a session of its own until this program closes its end of the pipe
 * or dies, then runs the command.  Async-signal-safe calls only: this program
 * may have threads. */
static void guard_main(int pipe_end, const char *command)
{
	char byte;

	(void)setsid();
	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	while (read(pipe_end, &byte, 1) != 0)
		continue;
	(void)close(pipe_end);
	(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(EXEC_FAILED);
}

static bool start_guard(struct console *c, const char *at_end)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	c->guard = fork();
	if (c->guard == 0) {
		(void)close(ends[1]);
		(void)close(c->master);
		(void)close(c->slave);
		guard_main(ends[0], at_end);
	}
	(void)close(ends[0]);
	c->guard_pipe = ends[1];
	return c->guard > 0;
}

/* ---- the command ---------------------------------------------------------- */

static pid_t start_command(const struct console *c)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && dup2(c->master, STDIN_FILENO) >= 0 &&
	    dup2(c->master, STDOUT_FILENO) >= 0)
		(void)execl("/bin/sh", "sh", "-c", c->command, (char *)NULL);
	_exit(EXEC_FAILED);
}

static void wait_ms(const struct console *c, int most_ms)
{
	for (int ms = 0; ms < most_ms && !atomic_load(&c->over); ms += STEP_MS)
		(void)poll(NULL, 0, STEP_MS);
}

static void *supervise(void *context)
{
	struct console *c = context;

	while (!atomic_load(&c->over)) {
		pid_t pid = start_command(c);

		if (pid > 0)
			(void)setpgid(pid, pid);
		while (pid > 0 && !atomic_load(&c->over) &&
		       waitpid(pid, NULL, WNOHANG) == 0)
			wait_ms(c, STEP_MS);
		if (pid > 0 && atomic_load(&c->over)) {
			(void)kill(-pid, SIGKILL);
			(void)waitpid(pid, NULL, 0);
		}
		wait_ms(c, AGAIN_MS);
	}
	return NULL;
}

/* ---- the terminal --------------------------------------------------------- */

static bool open_terminal(struct console *c)
{
	struct termios t;

	c->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (c->master < 0 || grantpt(c->master) != 0 ||
	    unlockpt(c->master) != 0 ||
	    ptsname_r(c->master, c->path, sizeof(c->path)) != 0)
		return false;
	/* Open as long as the console: the line does not hang up when its
	 * other user closes it. */
	c->slave = open(c->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (c->slave < 0 || tcgetattr(c->slave, &t) != 0)
		return false;
	cfmakeraw(&t);
	return tcsetattr(c->slave, TCSANOW, &t) == 0;
}

int console_open(const char *command, const char *at_end, struct console **ret,
		 struct err *e)
{
	struct console *c = xrealloc(NULL, 1, sizeof(*c));

	*c = (struct console){
		.command = command, .master = -1, .slave = -1, .guard_pipe = -1
	};
	if (open_terminal(c) && (!at_end || start_guard(c, at_end)) &&
	    pthread_create(&c->thread, NULL, supervise, c) == 0) {
		*ret = c;
		return ERR_OK;
	}
	(void)err_set(e, ERR_SYSTEM, "cannot make a terminal for '%s': %s",
		      command, strerror(errno));
	if (c->guard_pipe >= 0)
		(void)close(c->guard_pipe);
	if (c->slave >= 0)
		(void)close(c->slave);
	if (c->master >= 0)
		(void)close(c->master);
	free(c);
	return e->code;
}

const char *console_path(const struct console *c)
{
	return c->path;
}

void console_close(struct console *c)
{
	if (!c)
		return;
	atomic_store(&c->over, true);
	(void)pthread_join(c->thread, NULL);
	(void)close(c->slave);
	(void)close(c->master);
	if (c->guard_pipe >= 0) {
		(void)close(c->guard_pipe);
		(void)waitpid(c->guard, NULL, 0);
	}
	free(c);
}
