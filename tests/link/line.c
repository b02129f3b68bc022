/* A command behind a line of its own, for tests that are scripts:
 *
 *	line LINK BAUD COMMAND...
 *
 * makes LINK a tty at whose other end the command's stdin and stdout are.
 * SIGHUP starts the command again, SIGTERM ends it, and so does the end of the
 * script, also of one that was killed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/link/relay.h"

static void run_command(void *context)
{
	char **words = context;

	(void)execvp(words[0], words);
	perror(words[0]);
}

int main(int argc, char **argv)
{
	struct relay r = { .board = run_command };
	pid_t script = getppid();

	if (argc < 4) {
		(void)fprintf(stderr, "usage: line LINK BAUD COMMAND...\n");
		return 2;
	}
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != script)
		return 1;
	r.link = argv[1];
	r.baud = (uint32_t)strtoul(argv[2], NULL, 10);
	r.context = argv + 3;
	return relay_run(&r);
}
