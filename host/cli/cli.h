/* The command line: a registry of commands, each with a struct of its arguments
 * and a table of its options.  Parsing, help, manual pages and completion are
 * made from these tables. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stddef.h>

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/base/file.h"

struct catalogue;
struct store;

enum { OPTION_MAX_WORDS = 512 };

/* The arguments of an option that may be given several times. */
struct option_words {
	size_t n;
	const char *words[OPTION_MAX_WORDS];
};

/* What a field of a struct of arguments is. */
enum option_type {
	OPTION_WORD,   /* const char *; NULL: not given */
	OPTION_WORDS,  /* struct option_words */
	OPTION_FLAG,   /* bool */
	OPTION_COUNT,  /* uint32_t; 0: not given */
	OPTION_CHOICE, /* unsigned: which of its words, from 1; 0: not given */
};

/* One option of a command: parsing, help, manual page and completion are made
 * from it. */
struct option {
	const char *name;     /* as typed, e.g. "--board" */
	const char *argument; /* its name in the help, or NULL for a flag */
	enum option_type type;
	bool required;
	size_t field;           /* offset in the command's arguments */
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
	/* The accepted words, NULL behind the last: a list, or a function that
	 * returns the i-th; neither: any word. */
	const char *const *words;
	const char *(*choice)(size_t i);
	/* Sets *ret to what a word of OPTION_WORD stands for; NULL: itself. */
	int (*resolve)(const char *word, const char **ret, struct err *e);
};

/* The file of a command defines ARGS, the struct of its arguments. */
#define OPTION(name_, type_, field_, argument_, ...)                     \
	{                                                                \
		.name = name_, .argument = argument_, .type = type_,     \
		.field = offsetof(ARGS, field_), .meaning = __VA_ARGS__, \
	}
/* WORD(name, field, argument, meaning, .member = ...) */
#define WORD(name, field, argument, ...) \
	OPTION(name, OPTION_WORD, field, argument, __VA_ARGS__)
/* An option that may be given several times; its field is option_words. */
#define WORDS(name, field, argument, ...) \
	OPTION(name, OPTION_WORDS, field, argument, __VA_ARGS__)
#define CHOICE(name, field, argument, ...) \
	OPTION(name, OPTION_CHOICE, field, argument, __VA_ARGS__)
#define COUNT(name, field, argument, ...) \
	OPTION(name, OPTION_COUNT, field, argument, __VA_ARGS__)
#define FLAG(name, field, ...) \
	OPTION(name, OPTION_FLAG, field, NULL, __VA_ARGS__)

/* The value of struct option's `words`. */
#define WORD_LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The value of struct command's `options`. */
#define OPTIONS(...)                 \
	(const struct option[])      \
	{                            \
		__VA_ARGS__,         \
		{                    \
			.name = NULL \
		}                    \
	}

/* Options that mean the same in several commands; `field` is theirs. */
#define OPTION_BOARD(field)                                                  \
	WORD("--board", field, "NAME", "board to measure", .required = true, \
	     .see = "anechoic boards")
#define OPTION_WHAT(field)                                            \
	WORD("--what", field, "LIST", "latency, throughput or ports", \
	     .by_default = "latency,throughput")
#define OPTION_ISA(field)                                          \
	WORD("--isa", field, "ISA",                                \
	     "instruction set, required if the board has several", \
	     .choice = choice_isa)
#define OPTION_CPU(field)                                                \
	WORD("--cpu", field, "NAME",                                     \
	     "only the forms of this CPU: an LLVM name or native, with " \
	     "+FEATURE,-FEATURE behind it or alone (docs/forms.md)",     \
	     .by_default = "all")
#define OPTION_FORMS(field)                                      \
	WORD("--forms", field, "REGEX",                          \
	     "only the forms whose name matches, e.g. '^ADD64'", \
	     .by_default = "all", .see = "anechoic forms")
#define OPTION_VARIANTS(field)            \
	WORD("--variants", field, "LIST", \
	     "kinds of variants, e.g. default,denormal (docs/forms/variants.md)")
#define OPTION_X87(field)                               \
	FLAG("--x87", field,                            \
	     "include the x87 stack, which --variants " \
	     "leaves out")
#define OPTION_TTY(field)           \
	WORD("--tty", field, "DEV", \
	     "serial line of the board, e.g. /dev/ttyUSB0")
#define OPTION_BAUD(field)                                  \
	COUNT("--baud", field, "N", "bit rate of the line", \
	      .by_default = "115200", .needs = "--tty")
#define OPTION_RESET(field)               \
	WORD("--reset-cmd", field, "CMD", \
	     "shell command that resets or power-cycles the board")
#define WAKE_WORDS                                                           \
	"type Ctrl-C once at a line that is silent from the start: a board " \
	"that waits at its firmware's prompt then prints it"
#define OPTION_KERNEL_CYCLES(field)                              \
	COUNT("--kernel-cycles", field, "N",                     \
	      "cycles that one kernel may take on a core clock", \
	      .by_default = "the board's")
#define OPTION_RESUME(field) \
	FLAG("--resume", field, "continue the unfinished run of this kind")
#define OPTION_REDO(field)                                                  \
	WORD("--redo", field, "WHAT",                                       \
	     "add visits to the newest run: noisy, missing, or a REGEX of " \
	     "forms")
#define OPTION_SHARD(field)                                                \
	WORD("--shard", field, "I/N",                                      \
	     "only the I-th of N parts of the kernels, the same on every " \
	     "machine ('anechoic merge')",                                 \
	     .not_with = "--what=ports")
#define OPTION_TIME(field)                                              \
	WORD("--time", field, "LIMIT",                                  \
	     "stop measuring after e.g. 90s, 10m or 1h and solve what " \
	     "was measured",                                            \
	     .by_default = "no limit")
#define OPTION_DB(field)                                        \
	WORD("--db", field, "FILE", "database of measurements", \
	     .required = true)
#define OPTION_CORE_OF(field)                                          \
	WORD("--core-of", field, "PREFIX",                             \
	     "only the core whose identity begins so (docs/merge.md)", \
	     .by_default = "the only one", .needs = "--db")
#define OPTION_MODEL(field)                                                   \
	WORD("--model", field, "FILE",                                        \
	     "machine model in a file (docs/imports.md), or the name of one " \
	     "that comes with the program (models/README.md)",                \
	     .resolve = shipped_model)
#define OPTION_STRICT(field)                                                 \
	FLAG("--strict", field,                                              \
	     "refuse a file of a model with entries that would be left out", \
	     .needs = "--model --with --also")
#define OPTION_MODEL_CPU(field) \
	WORD("--cpu", field, "NAME", "LLVM's scheduling model of this CPU")
#define OPTION_OUTPUT(field) \
	WORD("-o", field, "FILE", "file to write", .required = true)

/* What a command uses; main.c frees it when the command has ended. */
struct command_resources {
	struct arena a;
	struct store *store;
	struct catalogue *c;
	struct buffer out;
	int status; /* exit status of the program, if the command succeeds */
};

struct command {
	const char *name;
	const char *summary;          /* one line for `anechoic help` */
	size_t args_bytes;            /* of the struct of its arguments */
	const struct option *options; /* up to one without a name, or NULL */
	const char *action;  /* word that must follow the name, or NULL */
	const char *operand; /* its positional argument, or NULL */
	bool operand_optional;
	bool operand_list;            /* one or more */
	const char *operand_not_with; /* as struct option.not_with */
	/* Offset of the operand: const char *, of a list struct option_words.
	 * `operand` names both of two if the second has an offset, too. */
	size_t operand_field, other_field;
	/* Offset of a char *const *, NULL-terminated: another program's words,
	 * which follow "--"; 0: it takes none. */
	size_t program_field;
	/* Paragraphs, one a line, separated by empty lines.  Lines that begin
	 * with a blank are printed unchanged. */
	const char *describe;
	const char *examples;     /* command lines, one a line, or NULL */
	void (*print_more)(void); /* prints the rest of the help, or NULL */
	/* `args` is the command's own to change, and so is *r. */
	int (*run)(void *args, struct command_resources *r, struct err *e);
};

/* Registry, generated; in the order of the help. */
extern const struct command *const commands[];

/* NULL if there is none. */
const struct command *command_find(const char *name);

/* ERR_USAGE with the nearest command. */
int command_unknown(const char *name, struct err *e);

/* Parse argv[0..argc) after the command's name into zeroed `args`.  *ret_help:
 * the words contain --help.  ERR_USAGE names the option and says what it
 * accepts. */
int options_parse(const struct command *c, int argc, char **argv, void *args,
		  bool *ret_help, struct err *e);

/* The word that was given for the option of this name; NULL: none was, or the
 * command has no such option. */
const char *option_given(const struct command *c, const void *args,
			 const char *name);

/* The place, from 0, of the word of an OPTION_CHOICE, whose first word is its
 * default. */
static inline unsigned option_chosen(unsigned field)
{
	return field > 0 ? field - 1 : 0;
}

/* Append the meaning with the choices and the default. */
void option_describe(struct buffer *b, const struct option *o);

/* The i-th word that an option accepts; NULL behind the last, or if it accepts
 * any word. */
const char *option_choice(const struct option *o, size_t i);

/* The names of the instruction sets, for struct option.choice. */
const char *choice_isa(size_t i);

/* Print to stdout the help of the program, the help of one command, the manual
 * page of one command (NULL: of the program), and the completion script for
 * a shell: the i-th of completion_shells[]. */
void help_print(void);
void help_command(const struct command *c);
void man_print(const struct command *c);
extern const char *const completion_shells[];
void completion_print(size_t i);

/* ERR_SYSTEM if not all that was printed reached standard output. */
int output_flush(struct err *e);

/* Write to the file, or where `path` is NULL to standard output. */
int output_write(const char *path, const struct buffer *b, struct err *e);

/* The folder of installed files: $ANECHOIC_SHARE if set, else
 * ../share/anechoic from the program's folder; and the path of a file in it,
 * e.g. share_path(a, "boards"). */
char *share_folder(struct arena *a);
char *share_path(struct arena *a, const char *name);

/* Where a shell would find the program, in `a`; NULL: nowhere.  A name with a
 * slash is its own path.  Is a file of this path there that can be executed? */
const char *program_find(struct arena *a, const char *name);
bool program_is(const char *path);

/* Nonzero once Ctrl-C or a termination signal arrived; installs the handler
 * at the first call.  A second Ctrl-C ends the program at once. */
const volatile int *interrupt_flag(void);

/* The file of a model: `word` itself if there is such a file or if it has a
 * slash or a dot, else the shipped model of this name (models/README.md). *ret
 * lives as long as the program.  ERR_INPUT: there is neither; the message names
 * the nearest shipped model, or all of them. */
int shipped_model(const char *word, const char **ret, struct err *e);

#endif
