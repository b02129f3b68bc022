/* The command line: a registry of commands, each with a table of its options.
 * Parsing, help, manual pages and completion are made from these tables. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stddef.h>

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/base/file.h"
#include "host/codec/source.h"

enum { OPTION_MAX_WORDS = 512 };

/* The arguments of an option that may be given several times. */
struct option_words {
	size_t n;
	const char *words[OPTION_MAX_WORDS];
};

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
	const char *tolerance;
	const char *core;
	const char *core_of, *with_core_of;
	const char *budget;
	const char *time;
	const char *redo;
	const char *shard;
	const char *tty;
	const char *reset_command;
	const char *console_command, *power_command; /* collect */
	const char *labgrid, *place;
	const char *batch;
	const char *syntax;
	const char *marker;
	const char *lines;
	const char *function;
	const char *completion;     /* a shell */
	const char *loop;           /* measure --for */
	const char *form, *other;   /* positional */
	struct option_words inputs; /* the same of operand_list */
	const char *title;
	/* board new */
	const char *image, *uart, *load_address, *timebase;
	const char *boot, *chip, *clint, *poweroff;
	/* estimate */
	const char *guest_cpu, *mshr;
	struct option_words caches, functions;
	struct option_words also;  /* export */
	struct option_words with;  /* predict */
	struct option_words loops; /* site */
	bool classes, no_accesses, marked;
	char *const *program; /* words behind "--", NULL-terminated */
	bool x87;
	bool familiar;
	bool strict;
	bool annotate;
	bool bounds;
	bool equal_split;
	bool timeline;
	bool evidence, forward; /* show */
	bool all;
	bool no_cache;
	bool resume;
	bool wake; /* measure --tty, collect */
	bool once;
	bool man;
	bool code;     /* keep machine code (record) */
	bool attached; /* run the pack of the board's own image (collect) */
	struct console *console;   /* of `tty`, or NULL (collect) */
	struct listener *listener; /* on `tty`, or NULL (measure) */
	uint32_t baud;             /* 0: the default rate */
	uint32_t cores;            /* 0: the board's default */
	uint32_t kernel_cycles;    /* 0: the board's default */
	uint32_t visits;           /* 0: all */
	uint32_t iterations;       /* of a timeline; 0: the default */
	uint32_t jobs;             /* processes; 0: the default */
	const char *levels;        /* node */
	const char *plot;
	uint32_t memory; /* MiB */
	uint32_t ms;     /* of each measurement of a node */
	uint32_t top;    /* blocks to print; 0: the default */
};

enum option_type { OPTION_WORD, OPTION_WORDS, OPTION_FLAG, OPTION_COUNT };

/* One option of a command: parsing, help, manual page and completion are made
 * from it. */
struct option {
	const char *name;     /* as typed, e.g. "--board" */
	const char *argument; /* its name in the help, or NULL for a flag */
	enum option_type type;
	bool required;
	size_t field;           /* offset in struct options */
	const char *meaning;    /* one sentence, without the default */
	const char *by_default; /* what holds without the option, or NULL */
	const char *see;        /* where the possible values are, or NULL */
	/* Options with which it has no effect, or NULL: names with blanks
	 * between; "--format=dot": with this value. */
	const char *not_with;
	/* Options without which it has no effect, or NULL: groups with commas
	 * between, of each of which one must be given.  A group of which the
	 * command has no option is met. */
	const char *needs;
	/* The i-th of the accepted words, NULL behind the last; or no function
	 * if the option accepts any word. */
	const char *(*choice)(size_t i);
};

#define OPTION(name_, type_, field_, argument_, ...)                 \
	{                                                            \
		.name = name_, .argument = argument_, .type = type_, \
		.field = offsetof(struct options, field_),           \
		.meaning = __VA_ARGS__,                              \
	}
/* WORD(name, field, argument, meaning, .member = ...) */
#define WORD(name, field, argument, ...) \
	OPTION(name, OPTION_WORD, field, argument, __VA_ARGS__)
/* An option that may be given several times; its field is option_words. */
#define WORDS(name, field, argument, ...) \
	OPTION(name, OPTION_WORDS, field, argument, __VA_ARGS__)
#define COUNT(name, field, argument, ...) \
	OPTION(name, OPTION_COUNT, field, argument, __VA_ARGS__)
#define FLAG(name, field, ...) \
	OPTION(name, OPTION_FLAG, field, NULL, __VA_ARGS__)

/* The value of struct command's `options`. */
#define OPTIONS(...)                 \
	(const struct option[])      \
	{                            \
		__VA_ARGS__,         \
		{                    \
			.name = NULL \
		}                    \
	}

/* Options that mean the same in several commands. */
#define OPTION_BOARD                                                         \
	WORD("--board", board, "NAME", "board to measure", .required = true, \
	     .see = "anechoic boards")
#define OPTION_WHAT                                                  \
	WORD("--what", what, "LIST", "latency, throughput or ports", \
	     .by_default = "latency,throughput")
#define OPTION_ISA                                                 \
	WORD("--isa", isa, "ISA",                                  \
	     "instruction set, required if the board has several", \
	     .choice = choice_isa)
#define OPTION_CPU                                                       \
	WORD("--cpu", cpu, "NAME",                                       \
	     "only the forms of this CPU: an LLVM name or native, with " \
	     "+FEATURE,-FEATURE behind it or alone (docs/forms.md)",     \
	     .by_default = "all")
#define OPTION_FORMS                                             \
	WORD("--forms", forms, "REGEX",                          \
	     "only the forms whose name matches, e.g. '^ADD64'", \
	     .by_default = "all", .see = "anechoic forms")
#define OPTION_VARIANTS                      \
	WORD("--variants", variants, "LIST", \
	     "kinds of variants, e.g. default,denormal (docs/forms.md)")
#define OPTION_X87                                      \
	FLAG("--x87", x87,                              \
	     "include the x87 stack, which --variants " \
	     "leaves out")
#define OPTION_TTY \
	WORD("--tty", tty, "DEV", "serial line of the board, e.g. /dev/ttyUSB0")
#define OPTION_BAUD                                        \
	COUNT("--baud", baud, "N", "bit rate of the line", \
	      .by_default = "115200", .needs = "--tty")
#define OPTION_RESET                              \
	WORD("--reset-cmd", reset_command, "CMD", \
	     "shell command that resets or power-cycles the board")
#define WAKE_WORDS                                                           \
	"type Ctrl-C once at a line that is silent from the start: a board " \
	"that waits at its firmware's prompt then prints it"
#define OPTION_KERNEL_CYCLES                                     \
	COUNT("--kernel-cycles", kernel_cycles, "N",             \
	      "cycles that one kernel may take on a core clock", \
	      .by_default = "the board's")
#define OPTION_RESUME \
	FLAG("--resume", resume, "continue the unfinished run of this kind")
#define OPTION_REDO                                                         \
	WORD("--redo", redo, "WHAT",                                        \
	     "add visits to the newest run: noisy, missing, or a REGEX of " \
	     "forms")
#define OPTION_SHARD                                                       \
	WORD("--shard", shard, "I/N",                                      \
	     "only the I-th of N parts of the kernels, the same on every " \
	     "machine ('anechoic merge')",                                 \
	     .not_with = "--what=ports")
#define OPTION_TIME                                                     \
	WORD("--time", time, "LIMIT",                                   \
	     "stop measuring after e.g. 90s, 10m or 1h and solve what " \
	     "was measured",                                            \
	     .by_default = "no limit")
#define OPTION_DB \
	WORD("--db", db, "FILE", "database of measurements", .required = true)
#define OPTION_CORE_OF                                                 \
	WORD("--core-of", core_of, "PREFIX",                           \
	     "only the core whose identity begins so (docs/merge.md)", \
	     .by_default = "the only one", .needs = "--db")
#define OPTION_MODEL                                                          \
	WORD("--model", model, "FILE",                                        \
	     "machine model in a file (docs/imports.md), or the name of one " \
	     "that comes with the program (docs/models.md)")
#define OPTION_STRICT                                                        \
	FLAG("--strict", strict,                                             \
	     "refuse a file of a model with entries that would be left out", \
	     .needs = "--model --with --also")
#define OPTION_MODEL_CPU \
	WORD("--cpu", cpu, "NAME", "LLVM's scheduling model of this CPU")
#define OPTION_OUTPUT \
	WORD("-o", output, "FILE", "file to write", .required = true)

struct command {
	const char *name;
	const char *summary;          /* one line for `anechoic help` */
	const struct option *options; /* up to one without a name, or NULL */
	const char *action;  /* word that must follow the name, or NULL */
	const char *operand; /* its positional argument, or NULL */
	bool operand_optional;
	const char *operand_not_with; /* as struct option.not_with */
	bool two_operands;            /* `operand` names both */
	bool operand_list;            /* one or more: struct options.inputs */
	/* Another program's words follow "--": struct options.program. */
	bool takes_program;
	/* Paragraphs, one a line, separated by empty lines.  Lines that begin
	 * with a blank are printed unchanged. */
	const char *describe;
	const char *examples;     /* command lines, one a line, or NULL */
	void (*print_more)(void); /* prints the rest of the help, or NULL */
	int (*run)(const struct options *o, struct err *e);
};

/* Registry, generated; in the order of the help. */
extern const struct command *const commands[];

/* NULL if there is none. */
const struct command *command_find(const char *name);

/* ERR_USAGE with the nearest command. */
int command_unknown(const char *name, struct err *e);

/* Parse argv[0..argc) after the command's name.  *ret_help: the words contain
 * --help.  ERR_USAGE names the option and says what it accepts. */
int options_parse(const struct command *c, int argc, char **argv,
		  struct options *ret, bool *ret_help, struct err *e);

/* Append the words that an option accepts: "a, b or c". */
void option_choices(struct buffer *b, const struct option *o);

/* Append the meaning with the choices and the default, and a NUL. */
void option_describe(struct buffer *b, const struct option *o);

/* Words that options accept (struct option). */
const char *choice_isa(size_t i);
const char *choice_text_csv(size_t i);
const char *choice_shell(size_t i);

/* Print to stdout the help of the program, the help of one command, the manual
 * page of one command (NULL: of the program), and the completion script for
 * a shell of choice_shell(). */
void help_print(void);
void help_command(const struct command *c);
void man_print(const struct command *c);
void completion_print(const char *shell);

/* ERR_SYSTEM if not all that was printed reached standard output. */
int output_flush(struct err *e);

/* The machine model of --db, --board, --model, --cpu and --isa. */
struct model_source options_model(const struct options *o);

/* Choose the core of --board, --isa and --core-of; see store_choose_core(). */
struct store;
int options_choose_core(const struct options *o, struct store *s,
			struct err *e);

/* Say on standard error how many entries of the model's file are left out, and
 * why the first is; `always`: also if none is, and how many entries stand for
 * no form. */
void options_report_entries(const struct model *m, bool always);

/* The families of variants that --variants and --x87 choose; ERR_USAGE as
 * families_parse(). */
int options_families(const struct options *o, uint64_t *ret, struct err *e);

/* The folder of installed files: $ANECHOIC_SHARE if set, else
 * ../share/anechoic from the program's folder; and the path of a file in it,
 * e.g. share_path(a, "boards"). */
char *share_folder(struct arena *a);
char *share_path(struct arena *a, const char *name);

/* Nonzero once Ctrl-C or a termination signal arrived; installs the handler
 * at the first call.  A second Ctrl-C ends the program at once. */
const volatile int *interrupt_flag(void);

#endif
