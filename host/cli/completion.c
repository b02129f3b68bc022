/* The completion scripts of shells, from the tables of the commands.  Where a
 * script offers no words, the shell completes file names. */
#include <stdio.h>
#include <string.h>

#include "host/cli/cli.h"

/* Prints the names of the boards.  The path of a board's folder is completed as
 * that of any file. */
#define BOARDS                         \
	"anechoic boards 2>/dev/null " \
	"| sed -n 's/^\\([a-z][^ ]*\\) .*/\\1/p' | sort -u"

static bool is_board(const struct option *o)
{
	return strcmp(o->name, "--board") == 0;
}

static void print_choices(const struct option *o)
{
	for (size_t i = 0; option_choice(o, i); i++)
		printf("%s%s", i ? " " : "", option_choice(o, i));
}

/* Print text with `escape` before each of the special characters. */
static void print_quoted(const char *text, const char *special,
			 const char *escape)
{
	for (; *text != '\0'; text++)
		printf("%s%c", strchr(special, *text) ? escape : "", *text);
}

/* ---- bash --------------------------------------------------------------- */

/* What may follow an option that takes an argument. */
static void bash_argument(const struct command *c, const struct option *o)
{
	if (!o->argument)
		return;
	printf("\t*\" %s %s\") words=\"", c->name, o->name);
	if (is_board(o))
		printf("$(" BOARDS ")");
	print_choices(o);
	printf("\" ;;\n");
}

static void print_bash(void)
{
	printf("# Completion of anechoic for bash: "
	       ". <(anechoic help --completion bash)\n"
	       "_anechoic() {\n"
	       "\tlocal words=\n"
	       "\tCOMPREPLY=()\n"
	       "\tcase \"$COMP_CWORD ${COMP_WORDS[1]} $3\" in\n"
	       "\t'1 '*) words=\"");
	for (size_t i = 0; commands[i]; i++)
		printf("%s%s", i ? " " : "", commands[i]->name);
	printf("\" ;;\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		for (const struct option *o = c->options; o && o->name; o++)
			bash_argument(c, o);
		if (!c->options)
			continue;
		printf("\t*\" %s \"*) words=\"", c->name);
		for (const struct option *o = c->options; o->name; o++)
			printf("%s%s", o == c->options ? "" : " ", o->name);
		printf("\" ;;\n");
	}
	printf("\tesac\n"
	       "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$2\")\n"
	       "}\n"
	       "complete -o default -F _anechoic anechoic\n");
}

/* ---- zsh ---------------------------------------------------------------- */

/* Print text for a word in single quotes, with a backslash before `special`. */
static void zsh_text(const char *text, const char *special)
{
	char one[2] = "";

	for (; *text != '\0'; text++) {
		one[0] = *text;
		if (*text == '\'')
			printf("'\\''");
		else
			print_quoted(one, special, "\\");
	}
}

static void zsh_option(const struct option *o)
{
	printf(" \\\n\t\t'*%s[", o->name);
	zsh_text(o->meaning, "[]\\");
	printf("]");
	if (o->argument) {
		printf(":%s:", o->argument);
		if (is_board(o))
			printf("_anechoic_boards");
		else if (option_choice(o, 0))
			printf("(");
		print_choices(o);
		printf(is_board(o) ? "" : option_choice(o, 0) ? ")" : "_files");
	}
	printf("'");
}

static void print_zsh(void)
{
	printf("#compdef anechoic\n"
	       "# Completion of anechoic for zsh: "
	       "source <(anechoic help --completion zsh)\n"
	       "_anechoic_boards() {\n"
	       "\t[[ $PREFIX == */* ]] && { _files -/; return }\n"
	       "\tcompadd -- ${(f)\"$(" BOARDS ")\"}\n"
	       "}\n"
	       "_anechoic() {\n"
	       "\tlocal -a commands=(");
	for (size_t i = 0; commands[i]; i++) {
		printf("\n\t\t'%s:", commands[i]->name);
		zsh_text(commands[i]->summary, ":\\");
		printf("'");
	}
	printf("\n\t)\n"
	       "\tif (( CURRENT == 2 )); then\n"
	       "\t\t_describe command commands\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tshift words\n"
	       "\t(( CURRENT-- ))\n"
	       "\tcase $words[1] in\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		if (!c->options && !c->operand)
			continue;
		printf("\t%s)\n\t\t_arguments", c->name);
		for (const struct option *o = c->options; o && o->name; o++)
			zsh_option(o);
		if (c->operand)
			printf(" \\\n\t\t'*:%s:_files'", c->operand);
		printf(" ;;\n");
	}
	printf("\tesac\n"
	       "}\n"
	       "if [ \"$funcstack[1]\" = _anechoic ]; then\n"
	       "\t_anechoic \"$@\"\n"
	       "else\n"
	       "\tcompdef _anechoic anechoic\n"
	       "fi\n");
}

/* ---- fish --------------------------------------------------------------- */

static void fish_option(const struct command *c, const struct option *o)
{
	bool is_long = strncmp(o->name, "--", 2) == 0;

	printf("complete -c anechoic -n '__fish_seen_subcommand_from %s' %s %s",
	       c->name, is_long ? "-l" : "-s", o->name + (is_long ? 2 : 1));
	if (is_board(o)) {
		printf(" -r -a '(");
		print_quoted(BOARDS, "'\\", "\\");
		printf(")'");
	} else if (option_choice(o, 0)) {
		printf(" -x -a '");
		print_choices(o);
		printf("'");
	} else if (o->argument) {
		printf(" -r");
	}
	printf(" -d '");
	print_quoted(o->meaning, "'\\", "\\");
	printf("'\n");
}

static void print_fish(void)
{
	printf("# Completion of anechoic for fish: "
	       "anechoic help --completion fish | source\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		printf("complete -c anechoic -n __fish_use_subcommand -f -a %s "
		       "-d '",
		       c->name);
		print_quoted(c->summary, "'\\", "\\");
		printf("'\n");
		for (const struct option *o = c->options; o && o->name; o++)
			fish_option(c, o);
	}
}

/* ---- the shells --------------------------------------------------------- */

const char *const completion_shells[] = { "bash", "zsh", "fish", NULL };

void completion_print(size_t i)
{
	static void (*const print[])(void) = { print_bash, print_zsh,
					       print_fish };

	print[i]();
}
