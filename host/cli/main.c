/* Finds the command, runs it and prints its error. */
#include "host/cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/nearest.h"
#include "host/base/process.h"
#include "host/base/version.h"
#include "host/cli/shipped.h"
#include "host/cli/terminal.h"

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int command_unknown(const char *name, struct err *e)
{
	struct nearest near = { .wanted = name };

	for (size_t i = 0; commands[i]; i++)
		nearest_offer(&near, commands[i]->name);
	if (near.best)
		return err_set(e, ERR_USAGE,
			       "unknown command '%s'; did you mean '%s'?", name,
			       near.best);
	return err_set(e, ERR_USAGE,
		       "unknown command '%s' (see 'anechoic help')", name);
}

char *share_folder(struct arena *a)
{
	const char *share = getenv("ANECHOIC_SHARE");
	char *program;

	if (share && *share != '\0')
		return arena_strdup(a, share);
	program = process_program(a);
	/* No such folder: messages about its files name what is missing. */
	if (!program)
		return arena_strdup(a, "/proc/self/exe/../share/anechoic");
	*strrchr(program, '/') = '\0';
	return arena_printf(a, "%s/../share/anechoic", program);
}

char *share_path(struct arena *a, const char *name)
{
	return arena_printf(a, "%s/%s", share_folder(a), name);
}

/* Set by the signal handler. */
static volatile int interrupted;

static void on_signal(int signal_number)
{
	if (interrupted)
		_exit(128 + signal_number);
	interrupted = 1;
}

const volatile int *interrupt_flag(void)
{
	process_catch(SIGINT, on_signal);
	process_catch(SIGTERM, on_signal);
	process_catch(SIGHUP, on_signal);
	return &interrupted;
}

/* Does the command print a format that programs read? */
static bool is_for_programs(const struct options *o)
{
	return (o->format && strcmp(o->format, "text") != 0) ||
	       (o->output && strcmp(o->output, "-") == 0);
}

static int main_run(const struct command *c, int argc, char **argv,
		    struct err *e)
{
	struct options o;
	bool help;

	if (options_parse(c, argc, argv, &o, &help, e) != ERR_OK)
		return e->code;
	if (help) {
		help_command(c);
		return ERR_OK;
	}
	if (o.model && shipped_model(o.model, &o.model, e) != ERR_OK)
		return e->code;
	if (!is_for_programs(&o))
		terminal_start();
	return c->run(&o, e);
}

int output_flush(struct err *e)
{
	if (fflush(stdout) == 0 && !ferror(stdout) && terminal_end())
		return ERR_OK;
	return err_set(e, ERR_SYSTEM, "cannot write to standard output: %s",
		       strerror(errno));
}

int main(int argc, char **argv)
{
	struct err e = { .code = ERR_OK, .message = "" };
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *c = command_find(name);

	process_begin();
	if (c)
		(void)main_run(c, argc - 2, argv + 2, &e);
	else if (argc < 2 || strcmp(name, "--help") == 0 ||
		 strcmp(name, "-h") == 0)
		help_print();
	else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		printf("anechoic %s\n", anechoic_version);
	else
		(void)command_unknown(name, &e);
	if (e.code == ERR_OK)
		(void)output_flush(&e);
	if (e.code != ERR_OK)
		(void)fprintf(stderr, "anechoic: %s\n", e.message);
	return argc < 2 ? err_exit_status(ERR_USAGE) : err_exit_status(e.code);
}
