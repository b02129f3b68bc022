/* Finds the command, runs it and prints its error. */
#include <stdio.h>
#include <string.h>

#include "host/base/process.h"
#include "host/base/version.h"
#include "host/cli/cli.h"
#include "host/cli/terminal.h"
#include "host/isa/catalogue.h"
#include "host/store/store.h"

/* Does the command print a format that programs read? */
static bool is_for_programs(const struct command *c, const void *args)
{
	const char *format = option_given(c, args, "--format");
	const char *output = option_given(c, args, "-o");

	return (format && strcmp(format, "text") != 0) ||
	       (output && strcmp(output, "-") == 0);
}

/* Returns the program's exit status if the command succeeds. */
static int main_run(const struct command *c, int argc, char **argv,
		    struct err *e)
{
	struct command_resources r = { .status = 0 };
	void *args = arena_alloc(&r.a, 1, c->args_bytes + 1);
	bool help = false;

	if (options_parse(c, argc, argv, args, &help, e) != ERR_OK)
		goto out;
	if (help) {
		help_command(c);
		goto out;
	}
	if (!is_for_programs(c, args))
		terminal_start();
	(void)c->run(args, &r, e);
out:
	store_close(r.store);
	catalogue_free(r.c);
	buffer_free(&r.out);
	arena_free(&r.a);
	return r.status;
}

int main(int argc, char **argv)
{
	struct err e = { .code = ERR_OK, .message = "" };
	int status = 0;
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *c = command_find(name);

	process_begin();
	if (c)
		status = main_run(c, argc - 2, argv + 2, &e);
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
	return argc < 2           ? err_exit_status(ERR_USAGE)
	       : e.code == ERR_OK ? status
				  : err_exit_status(e.code);
}
