/* Manual pages, from the tables of the commands, in the man macros of roff. */
#include <stdio.h>
#include <string.h>

#include "host/base/version.h"
#include "host/cli/cli.h"

/* Print n characters so that roff prints them unchanged. */
static void print_escaped(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i == 0 && (text[i] == '.' || text[i] == '\''))
			printf("\\&");
		if (text[i] == '-')
			printf("\\-");
		else if (text[i] == '\\')
			printf("\\e");
		else if (text[i] == '\'')
			printf("\\(aq");
		else
			(void)putchar(text[i]);
	}
}

static void print_line(const char *text)
{
	print_escaped(text, strlen(text));
	(void)putchar('\n');
}

/* Paragraphs as print_paragraphs() takes them: lines that begin with a blank
 * are not filled. */
static void print_roff(const char *text)
{
	bool filled = true;

	while (*text != '\0') {
		size_t n = strcspn(text, "\n");
		bool fill = *text != ' ';

		if (n > 0 && fill != filled) {
			printf(fill ? ".fi\n" : ".nf\n");
			filled = fill;
		}
		if (n == 0) {
			printf(".PP\n");
		} else {
			print_escaped(text, n);
			(void)putchar('\n');
		}
		text += n + (text[n] == '\n');
	}
	if (!filled)
		printf(".fi\n");
}

static void print_head(const char *name, const char *summary)
{
	printf(".TH %s 1 %s \"anechoic %s\"\n.SH NAME\n", name, anechoic_date,
	       anechoic_version);
	print_escaped(name, strlen(name));
	printf(" \\- ");
	print_line(summary);
	printf(".SH SYNOPSIS\n.B anechoic\n");
}

static void print_synopsis(const struct command *c)
{
	printf(".B %s%s%s\n", c->name, c->action ? " " : "",
	       c->action ? c->action : "");
	for (const struct option *o = c->options; o && o->name; o++) {
		printf(o->required ? "\\fB" : "[\\fB");
		print_escaped(o->name, strlen(o->name));
		printf("\\fR");
		if (o->argument)
			printf(" \\fI%s\\fR", o->argument);
		printf(o->required ? "\n" : "]\n");
	}
	if (c->operand)
		printf(c->operand_optional ? "[\\fI%s\\fR]\n"
		       : c->operand_list   ? "\\fI%s\\fR ...\n"
					   : "\\fI%s\\fR\n",
		       c->operand);
}

static void print_option(const struct option *o)
{
	struct buffer b = { 0 };

	printf(".TP\n\\fB");
	print_escaped(o->name, strlen(o->name));
	printf("\\fR");
	if (o->argument)
		printf(" \\fI%s\\fR", o->argument);
	(void)putchar('\n');
	option_describe(&b, o);
	print_line(buffer_text(&b));
	buffer_free(&b);
}

static void print_end(void)
{
	printf(".SH EXIT STATUS\n"
	       "0 if done, 1 if a measurement or a check failed, 2 if the "
	       "command line or an\ninput is wrong.\n");
}

static void print_command(const struct command *c)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "anechoic-%s", c->name);
	print_head(name, c->summary);
	print_synopsis(c);
	printf(".SH DESCRIPTION\n");
	print_roff(c->describe);
	if (c->print_more) {
		printf(".nf\n");
		c->print_more();
		printf(".fi\n");
	}
	if (c->options)
		printf(".SH OPTIONS\n");
	for (const struct option *o = c->options; o && o->name; o++)
		print_option(o);
	if (c->examples) {
		printf(".SH EXAMPLES\n.nf\n");
		print_roff(c->examples);
		printf(".fi\n");
	}
	print_end();
	printf(".SH SEE ALSO\n.BR anechoic (1)\n");
}

void man_print(const struct command *c)
{
	if (c) {
		print_command(c);
		return;
	}
	print_head("anechoic", "measure what instructions of a CPU core cost");
	printf(".I command\n[\\fIoptions\\fR]\n.SH COMMANDS\n");
	for (size_t i = 0; commands[i]; i++) {
		printf(".TP\n.BR anechoic\\-%s (1)\n", commands[i]->name);
		print_line(commands[i]->summary);
	}
	print_end();
}
