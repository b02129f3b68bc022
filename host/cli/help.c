/* anechoic help: help texts, from the tables of the commands. */
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/cli/cli.h"

enum { WIDTH = 80, COLUMN = 23, WORD_ROOM = 64 };

static const char status[] =
	"Exit status: 0 if done, 1 if a measurement or a check failed, 2 if "
	"the command line or an input is wrong.";

/* "--db FILE", with brackets unless the word is required. */
static const char *usage_word(const struct option *o, char text[WORD_ROOM])
{
	(void)snprintf(text, WORD_ROOM, o->required ? "%s%s%s" : "[%s%s%s]",
		       o->name, o->argument ? " " : "",
		       o->argument ? o->argument : "");
	return text;
}

static void print_usage(const struct command *c)
{
	int indent = printf("usage: anechoic %s%s%s", c->name,
			    c->action ? " " : "", c->action ? c->action : "");
	int at = indent;
	char text[WORD_ROOM];

	for (const struct option *o = c->options; o && o->name; o++) {
		if (at + 1 + (int)strlen(usage_word(o, text)) > WIDTH)
			at = printf("\n%*s", indent, "") - 1;
		at += printf(" %s", text);
	}
	if (c->operand) {
		if (at + 7 + (int)strlen(c->operand) > WIDTH)
			printf("\n%*s", indent, "");
		printf(c->operand_optional ? " [%s]" : " %s", c->operand);
		if (c->operand_list)
			printf(" ...");
	}
	(void)putchar('\n');
}

static void print_option(const struct option *o)
{
	struct buffer b = { 0 };
	char label[WORD_ROOM];

	(void)snprintf(label, sizeof(label), "  %s %s", o->name,
		       o->argument ? o->argument : "");
	option_describe(&b, o);
	print_item(label, buffer_text(&b), COLUMN, WIDTH);
	buffer_free(&b);
}

void help_command(const struct command *c)
{
	print_usage(c);
	(void)putchar('\n');
	print_paragraphs(c->describe, WIDTH);
	if (c->print_more)
		c->print_more();
	if (c->options)
		printf("\noptions:\n");
	for (const struct option *o = c->options; o && o->name; o++)
		print_option(o);
	if (c->examples)
		printf("\nexamples:\n");
	for (const char *at = c->examples; at && *at != '\0';) {
		int n = (int)strcspn(at, "\n");

		printf("  %.*s\n", n, at);
		at += n + (at[n] == '\n');
	}
}

void help_print(void)
{
	printf("usage: anechoic <command> [options]\n\n"
	       "Measures what each instruction of a CPU core costs.\n\n"
	       "commands:\n");
	for (size_t i = 0; commands[i]; i++)
		printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
	printf("\n'anechoic help <command>' explains one command.\n");
	print_paragraphs(status, WIDTH);
}

struct help_args {
	const char *command;
	bool man;
	unsigned completion;
};
#define ARGS struct help_args

static int help_run(void *args, struct command_resources *r, struct err *e)
{
	const struct help_args *o = args;
	const struct command *c = o->command ? command_find(o->command) : NULL;

	(void)r;
	if (o->command && !c)
		return command_unknown(o->command, e);
	if (o->completion)
		completion_print(o->completion - 1);
	else if (o->man)
		man_print(c);
	else if (c)
		help_command(c);
	else
		help_print();
	return ERR_OK;
}

const struct command command_help = {
	.name = "help",
	.summary = "explain the program or one command",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(FLAG("--man", man, "print the manual page"),
			   CHOICE("--completion", completion, "SHELL",
				  "print the completion script of a shell",
				  .words = completion_shells,
				  .not_with = "--man")),
	.operand = "COMMAND",
	.operand_field = offsetof(ARGS, command),
	.operand_not_with = "--completion",
	.operand_optional = true,
	.describe = "Prints the list of commands, or the help of one command; "
		    "'anechoic COMMAND --help' prints the same.",
	.examples = "anechoic help measure\n"
		    "anechoic help --man measure | man -l -\n"
		    ". <(anechoic help --completion bash)",
	.run = help_run,
};
