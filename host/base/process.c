#include "host/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Open for the other direction: reading standard input and writing standard
 * output give EBADF, as if they were closed. */
static void take_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null",
				   fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void on_full_file(int signal_number)
{
	(void)signal_number;
}

void process_begin(void)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	/* A signal that is ignored would stay so in programs that are
	 * started. */
	struct sigaction go_on = { .sa_handler = on_full_file };

	(void)sigaction(SIGCHLD, &usual, NULL);
	(void)sigaction(SIGXFSZ, &go_on, NULL);
	take_streams();
}

void process_catch(int signal_number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler }, before;

	if (sigaction(signal_number, NULL, &before) == 0 &&
	    before.sa_handler != SIG_IGN)
		(void)sigaction(signal_number, &action, NULL);
}

char *process_program(struct arena *a)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's number. */
	const char *started = (const char *)getauxval(AT_EXECFN);

	if (n > 0) {
		path[n] = '\0';
		return arena_strdup(a, path);
	}
	/* Without /proc: the path that exec was given. */
	if (started && realpath(started, path))
		return arena_strdup(a, path);
	return NULL;
}
