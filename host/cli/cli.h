/* The command line: one table of options, one of commands.  Help, parsing and
 * errors all come from them. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct options {
	const char *board;
	const char *isa;
	const char *cpu;
	const char *forms;
	const char *variants;
	const char *what;
	const char *db;
	const char *model;
	const char *tables, *align;
	const char *output;
	const char *log;
	const char *format;
	const char *with;
	const char *tolerance;
	const char *core;
	const char *budget;
	const char *time;
	const char *redo;
	const char *tty;
	const char *reset_command;
	const char *batch;
	const char *syntax;
	const char *marker;
	const char *lines;
	const char *function;
	const char *form; /* positional */
	bool x87;
	bool annotate;
	bool bounds;
	bool equal_split;
	bool timeline;
	bool resume;
	bool once;
	bool code;      /* keep machine code (record) */
	bool attached;  /* the board's own pack is the one to run (collect) */
	uint32_t baud;  /* 0: the usual */
	uint32_t cores; /* 0: as many as the board may */
	uint32_t kernel_cycles; /* 0: the board's default */
	uint32_t visits;        /* 0: all */
};

struct command {
	const char *name;
	const char *summary;  /* one line for `anechoic help` */
	const char *takes;    /* names of its options, space-separated */
	const char *needs;    /* those of them that must be given */
	const char *operand;  /* name of the positional argument, or NULL */
	const char *describe; /* paragraphs for `anechoic <command> --help` */
	void (*print_more)(void); /* prints the rest of the help, or NULL */
	int (*run)(const struct options *o, struct err *e);
};

/* Registry, generated; in the order of the help. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

/* Parse argv[0..argc) after the command's name. *ret_help: --help was asked
 * for.  ERR_USAGE names the option and what it takes. */
int options_parse(const struct command *c, int argc, char **argv,
		  struct options *ret, bool *ret_help, struct err *e);

/* The families of variants that --variants and --x87 choose; ERR_USAGE as
 * families_parse(). */
int options_families(const struct options *o, uint32_t *ret, struct err *e);

/* Print `anechoic help`, and the help of one command, to stdout. */
void help_print(void);
void help_command(const struct command *c);

/* The folder of installed files: $ANECHOIC_SHARE if set, else
 * ../share/anechoic from the program's folder; and the path of a file in it,
 * e.g. share_path(a, "boards"). */
char *share_folder(struct arena *a);
char *share_path(struct arena *a, const char *name);

/* Nonzero once Ctrl-C or a termination signal arrived; installs the handler
 * at the first call.  A second Ctrl-C ends the program at once. */
const volatile int *interrupt_flag(void);

#endif
