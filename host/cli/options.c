/* Options and help, both from one table; see cli.h. */
#include "host/cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/variant.h"

enum option_type { OPTION_WORD, OPTION_FLAG, OPTION_COUNT };

struct option {
	const char *name; /* as typed */
	const char *argument;
	enum option_type type;
	size_t offset;
	const char *help;
};

#define AT(field) offsetof(struct options, field)

static const struct option options[] = {
	{ "--board", "NAME", OPTION_WORD, AT(board),
	  "what to measure, a name of `anechoic boards`" },
	{ "--isa", "ISA", OPTION_WORD, AT(isa),
	  "x86_64, aarch64 or riscv64; needed where a board has several" },
	{ "--cpu", "NAME", OPTION_WORD, AT(cpu),
	  "forms this CPU has: an LLVM name, or native (default: all)" },
	{ "--forms", "REGEX", OPTION_WORD, AT(forms),
	  "forms whose name matches, e.g. '^ADD64' (default: all)" },
	{ "--variants", "LIST", OPTION_WORD, AT(variants),
	  "kinds of variants, e.g. default,denormal (docs/forms.md)" },
	{ "--x87", NULL, OPTION_FLAG, AT(x87),
	  "the x87 stack too, where --variants leaves it out" },
	{ "--what", "LIST", OPTION_WORD, AT(what),
	  "latency,throughput (default: both), or ports" },
	{ "--core", "FILE", OPTION_WORD, AT(core),
	  "the invented core that board fake plays (docs/fake-core.md)" },
	{ "--cores", "N", OPTION_COUNT, AT(cores),
	  "cores of this machine that measure at once (default: those that do "
	  "not disturb each other, 4 at most)" },
	{ "--tty", "DEV", OPTION_WORD, AT(tty),
	  "serial line the board is on, e.g. /dev/ttyUSB0" },
	{ "--baud", "N", OPTION_COUNT, AT(baud),
	  "rate of the line (default: 115200)" },
	{ "--reset-cmd", "CMD", OPTION_WORD, AT(reset_command),
	  "shell command that resets or power-cycles the board" },
	{ "--db", "FILE", OPTION_WORD, AT(db),
	  "database of results (measure: anechoic.db if not given)" },
	{ "--model", "FILE", OPTION_WORD, AT(model),
	  "a machine model in a file (docs/imports.md)" },
	{ "--tables", "NAME|FILE", OPTION_WORD, AT(tables),
	  "published tables for what the model lacks: a CPU of LLVM's, a model "
	  "file, or none (default: LLVM's of the model's CPU)" },
	{ "--resume", NULL, OPTION_FLAG, AT(resume),
	  "go on with the unfinished run of the same kind" },
	{ "--redo", "WHAT", OPTION_WORD, AT(redo),
	  "measure again, in the same run: noisy, missing, or REGEX of forms" },
	{ "--time", "LIMIT", OPTION_WORD, AT(time),
	  "stop measuring after 90s, 10m or 1h and solve what there is "
	  "(default: none)" },
	{ "--budget", "LIMIT", OPTION_WORD, AT(budget),
	  "with --what ports: stop after 90s, 10m, 1h, or so many kernels "
	  "(default: none; 10m without --forms)" },
	{ "--once", NULL, OPTION_FLAG, AT(once),
	  "run each kernel as briefly as can be, to see what faults" },
	{ "--kernel-cycles", "N", OPTION_COUNT, AT(kernel_cycles),
	  "cycles one kernel may take on a core clock (default: the board's)" },
	{ "--visits", "N", OPTION_COUNT, AT(visits),
	  "the first N visits of each kernel (default: all)" },
	{ "--code", NULL, OPTION_FLAG, AT(code),
	  "with machine code and register images" },
	{ "--log", "FILE", OPTION_WORD, AT(log), "a recorded console" },
	{ "--with", "FILE", OPTION_WORD, AT(with),
	  "what to compare with: .csv, .db, .yaml, a model, cpu:NAME, model:FILE" },
	{ "--tolerance", "PERCENT", OPTION_WORD, AT(tolerance),
	  "how far apart values may lie and agree (default: 5%)" },
	{ "--format", "NAME", OPTION_WORD, AT(format),
	  "forms: tsv, json; compare: text, csv; others: see their help" },
	{ "--syntax", "NAME", OPTION_WORD, AT(syntax),
	  "of x86 assembly: att, intel (default: what the file says, or att)" },
	{ "--marker", "NAME", OPTION_WORD, AT(marker),
	  "what encloses the loop: auto, osaca, llvm-mca, none" },
	{ "--lines", "A-B", OPTION_WORD, AT(lines),
	  "the loop is what stands in these lines" },
	{ "--function", "NAME", OPTION_WORD, AT(function),
	  "look for the loop in this function" },
	{ "--batch", "FILE|DIR", OPTION_WORD, AT(batch),
	  "predict blocks of code in hexadecimal, one a line" },
	{ "--bounds", NULL, OPTION_FLAG, AT(bounds), "do not simulate" },
	{ "--align", "known|unknown", OPTION_WORD, AT(align),
	  "streams are aligned as well as the text allows (known), or the worst "
	  "case is predicted, too" },
	{ "--annotate", NULL, OPTION_FLAG, AT(annotate),
	  "the assembly with the numbers as comments" },
	{ "--equal-split", NULL, OPTION_FLAG, AT(equal_split),
	  "give each of its ports the same part of a uop, as OSACA does" },
	{ "--timeline", NULL, OPTION_FLAG, AT(timeline),
	  "when each instruction of the first iterations runs" },
	{ "-o", "FILE", OPTION_WORD, AT(output), "file to write" },
};

/* Is `word` in a space-separated list? */
static bool in_list(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; at && *at != '\0';) {
		size_t have = strcspn(at, " ");

		if (have == n && strncmp(at, word, n) == 0)
			return true;
		at += have;
		at += strspn(at, " ");
	}
	return false;
}

static const struct option *find_option(const struct command *c,
					const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (strlen(options[i].name) == n &&
		    strncmp(options[i].name, name, n) == 0 &&
		    in_list(c->takes, options[i].name))
			return &options[i];
	return NULL;
}

static int set_count(const struct option *o, const char *value, uint32_t *ret,
		     struct err *e)
{
	enum { LIMIT = 1000 * 1000 * 1000 };
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n == 0 || n > LIMIT)
		return err_set(e, ERR_USAGE,
			       "%s: a number from 1 to %d, not "
			       "'%s'",
			       o->name, LIMIT, value);
	*ret = (uint32_t)n;
	return ERR_OK;
}

static int set_option(const struct option *o, const char *value,
		      struct options *ret, struct err *e)
{
	char *field = (char *)ret + o->offset;

	if (o->type == OPTION_FLAG) {
		*(bool *)field = true;
		return ERR_OK;
	}
	if ((!value || *value == '\0') && o->type == OPTION_COUNT)
		return err_set(e, ERR_USAGE, "%s needs a number", o->name);
	if (!value || *value == '\0')
		return err_set(e, ERR_USAGE, "%s: %s after it", o->name,
			       o->argument);
	if (o->type == OPTION_COUNT)
		return set_count(o, value, (uint32_t *)(void *)field, e);
	*(const char **)(void *)field = value;
	return ERR_OK;
}

/* One word of the command line; *used counts the words it took. */
static int parse_word(const struct command *c, char **argv, int left,
		      struct options *ret, int *used, struct err *e)
{
	const char *word = argv[0];
	const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
	size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *o = find_option(c, word, n);

	*used = 1;
	if (!o && word[0] != '-' && c->operand && !ret->form) {
		ret->form = word;
		return ERR_OK;
	}
	if (!o)
		return err_set(e, ERR_USAGE,
			       "%s: an option that `anechoic %s "
			       "--help` lists, not '%s'",
			       c->name, c->name, word);
	if (o->type == OPTION_FLAG && equals)
		return err_set(e, ERR_USAGE, "%s: no value", o->name);
	if (o->type == OPTION_FLAG || equals)
		return set_option(o, equals ? equals + 1 : NULL, ret, e);
	*used = 2;
	return set_option(o, left > 1 ? argv[1] : NULL, ret, e);
}

static int check_needs(const struct command *c, const struct options *o,
		       struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		const char *field = (const char *)o + options[i].offset;

		if (in_list(c->needs, options[i].name) &&
		    !*(const char *const *)(const void *)field)
			return err_set(e, ERR_USAGE, "%s: %s %s", c->name,
				       options[i].name, options[i].argument);
	}
	if (c->operand && !o->form && !o->batch)
		return err_set(e, ERR_USAGE, "%s: %s", c->name, c->operand);
	return ERR_OK;
}

int options_families(const struct options *o, uint32_t *ret, struct err *e)
{
	if (families_parse(o->variants, ret, e) != ERR_OK)
		return e->code;
	*ret |= o->x87 ? 1u << FAMILY_X87 : 0;
	return ERR_OK;
}

int options_parse(const struct command *c, int argc, char **argv,
		  struct options *ret, bool *ret_help, struct err *e)
{
	struct options o = { 0 };
	int used;

	*ret_help = false;
	for (int i = 0; i < argc; i += used) {
		if (strcmp(argv[i], "--help") == 0 ||
		    strcmp(argv[i], "-h") == 0) {
			*ret_help = true;
			return ERR_OK;
		}
		if (parse_word(c, argv + i, argc - i, &o, &used, e) != ERR_OK)
			return e->code;
	}
	if (check_needs(c, &o, e) != ERR_OK)
		return e->code;
	*ret = o;
	return ERR_OK;
}

static void print_usage(const struct command *c)
{
	printf("usage: anechoic %s", c->name);
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		const struct option *o = &options[i];
		bool needed = in_list(c->needs, o->name);

		if (!in_list(c->takes, o->name))
			continue;
		printf(needed ? " %s%s%s" : " [%s%s%s]", o->name,
		       o->argument ? " " : "", o->argument ? o->argument : "");
	}
	if (c->operand)
		printf(" %s", c->operand);
	putchar('\n');
}

void help_command(const struct command *c)
{
	print_usage(c);
	printf("\n%s\n", c->describe);
	if (c->print_more)
		c->print_more();
	if (*c->takes == '\0')
		return;
	printf("\noptions:\n");
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		const struct option *o = &options[i];
		char left[32];

		if (!in_list(c->takes, o->name))
			continue;
		(void)snprintf(left, sizeof(left), "%s %s", o->name,
			       o->argument ? o->argument : "");
		printf("  %-20s %s\n", left, o->help);
	}
}

void help_print(void)
{
	printf("usage: anechoic <command> [options]\n\n"
	       "Measures what each instruction of a core costs, where nothing "
	       "else runs.\n\ncommands:\n");
	for (size_t i = 0; commands[i]; i++)
		printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
	printf("\n`anechoic <command> --help` explains one. Exit status: 0 "
	       "done, 1 the measurement\nor check failed, 2 bad usage or bad "
	       "input.\n");
}
