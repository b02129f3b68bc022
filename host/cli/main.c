/* Entry: find the command, run it, print its error once. */
#include "host/cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

char *share_folder(struct arena *a)
{
	const char *share = getenv("ANECHOIC_SHARE");
	char exe[4096];

	if (share && *share != '\0')
		return arena_strdup(a, share);

	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n <= 0)
		return arena_strdup(a, "share/anechoic");
	exe[n] = '\0';
	*strrchr(exe, '/') = '\0';
	return arena_printf(a, "%s/../share/anechoic", exe);
}

char *share_path(struct arena *a, const char *name)
{
	return arena_printf(a, "%s/%s", share_folder(a), name);
}

/* A signal handler has no other place to leave its word. */
static volatile int interrupted;

static void on_signal(int signal_number)
{
	if (interrupted)
		_exit(128 + signal_number);
	interrupted = 1;
}

const volatile int *interrupt_flag(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
	return &interrupted;
}

static int run(const struct command *c, int argc, char **argv, struct err *e)
{
	struct options o;
	bool help;

	if (options_parse(c, argc, argv, &o, &help, e) != ERR_OK)
		return e->code;
	if (help) {
		help_command(c);
		return ERR_OK;
	}
	return c->run(&o, e);
}

int main(int argc, char **argv)
{
	struct err e = { .code = ERR_OK, .message = "" };
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *c = command_find(name);
	int code;

	if (!c && (argc < 2 || strcmp(name, "help") == 0 ||
		   strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)) {
		help_print();
		return argc < 2 ? err_exit_status(ERR_USAGE) : 0;
	}
	if (strcmp(name, "--version") == 0) {
		printf("anechoic %s\n", ANECHOIC_VERSION);
		return 0;
	}
	if (c)
		code = run(c, argc - 2, argv + 2, &e);
	else
		code = err_set(&e, ERR_USAGE,
			       "command: one that `anechoic "
			       "help` lists, not '%s'",
			       name);
	if (fflush(stdout) != 0 && code == ERR_OK)
		code = err_set(&e, ERR_SYSTEM, "stdout: room to write");
	if (code != ERR_OK)
		(void)fprintf(stderr, "anechoic: %s\n", e.message);
	return err_exit_status(code);
}
