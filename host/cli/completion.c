/* The completion script for bash, from the tables of the commands.  Where the
 * script offers no words, bash completes file names. */
#include <stdio.h>

#include "host/cli/cli.h"

static const char head[] =
	"# Completion of anechoic for bash: . <(anechoic help --completion)\n"
	"_anechoic() {\n"
	"\tlocal words=\n"
	"\tCOMPREPLY=()\n"
	"\tcase \"$COMP_CWORD ${COMP_WORDS[1]} $3\" in\n";

static const char boards[] =
	"$(anechoic boards 2>/dev/null | sed -n 's/^\\([a-z][^ ]*\\) .*/\\1/p' | sort -u)";

static const char tail[] =
	"\tesac\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$2\")\n"
	"}\n"
	"complete -o default -F _anechoic anechoic\n";

/* What may follow an option that takes an argument. */
static void print_argument(const struct command *c, const struct option *o)
{
	if (!o->argument)
		return;
	printf("\t*\" %s %s\") words=\"", c->name, o->name);
	if (o->field == offsetof(struct options, board))
		printf("%s", boards);
	for (size_t i = 0; o->choice && o->choice(i); i++)
		printf("%s%s", i ? " " : "", o->choice(i));
	printf("\" ;;\n");
}

void completion_print(void)
{
	printf("%s\t'1 '*) words=\"", head);
	for (size_t i = 0; commands[i]; i++)
		printf("%s%s", i ? " " : "", commands[i]->name);
	printf("\" ;;\n");
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		for (const struct option *o = c->options; o && o->name; o++)
			print_argument(c, o);
		if (!c->options)
			continue;
		printf("\t*\" %s \"*) words=\"", c->name);
		for (const struct option *o = c->options; o->name; o++)
			printf("%s%s", o == c->options ? "" : " ", o->name);
		printf("\" ;;\n");
	}
	printf("%s", tail);
}
