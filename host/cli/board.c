/* anechoic board new: the files of a board, from what its user knows. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/board_places.h"
#include "host/cli/board_files.h"
#include "host/cli/cli.h"
#include "host/isa/isa.h"

enum { MAX_NAME = 32, MAX_ANSWER = 128, PAGE_BYTES = 4096 };

/* The fastest timer that a device tree's 32-bit cell can name. */
#define MAX_TIMEBASE UINT32_MAX

/* Ways of being started, the first whose runtime is there is the board's. */
static const struct boot_kind {
	const char *boot;
	const char *images[3]; /* the first is the usual one */
	bool asks;             /* started by U-Boot, from a device tree */
} boots[] = {
	{ "sbi", { "sd", "flat", NULL }, true },
	{ "efi", { "fat", "flat", NULL }, false },
};

static const struct boot_kind *find_boot(struct arena *a, const char *isa)
{
	for (size_t i = 0; i < ARRAY_LEN(boots); i++) {
		const char *name =
			arena_printf(a, "runtime/%s-%s", isa, boots[i].boot);

		if (access(share_path(a, name), R_OK) == 0)
			return &boots[i];
	}
	return NULL;
}

/* A whole decimal or hexadecimal number. */
static bool read_number(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 0);
	return errno == 0 && *end == '\0';
}

static int take_uart(struct arena *a, const char *text, struct new_board *ret,
		     struct err *e)
{
	size_t n = strcspn(text, "@");

	if (n == 0 || text[n] == '\0' ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_") < n ||
	    !read_number(text + n + 1, &ret->uart_address) ||
	    ret->uart_address == 0)
		return err_set(e, ERR_USAGE,
			       "--uart must be TYPE@ADDRESS such as "
			       "ns16550@0x10000000, not '%s'",
			       text);
	ret->uart = arena_printf(a, "%.*s", (int)n, text);
	return ERR_OK;
}

static int take_load_address(struct arena *a, const char *text,
			     struct new_board *ret, struct err *e)
{
	(void)a;
	if (!read_number(text, &ret->load_address) || ret->load_address == 0 ||
	    ret->load_address % PAGE_BYTES != 0)
		return err_set(e, ERR_USAGE,
			       "--load-address must be an address in memory, a "
			       "multiple of 0x%x such as 0x84000000, not '%s'",
			       PAGE_BYTES, text);
	return ERR_OK;
}

static int take_timebase(struct arena *a, const char *text,
			 struct new_board *ret, struct err *e)
{
	(void)a;
	if (!read_number(text, &ret->timebase_hz) || ret->timebase_hz == 0 ||
	    ret->timebase_hz > MAX_TIMEBASE)
		return err_set(
			e, ERR_USAGE,
			"--timebase must be ticks of `time` in a second, "
			"such as 10000000, at most %" PRIu32 ", not '%s'",
			MAX_TIMEBASE, text);
	return ERR_OK;
}

/* What a board started by U-Boot is asked for, unless an option says it. */
static const struct question {
	const char *option, *argument;
	size_t field; /* of struct options */
	const char *what, *where;
	int (*take)(struct arena *a, const char *text, struct new_board *ret,
		    struct err *e);
} questions[] = {
	{ "--uart", "TYPE@ADDRESS", offsetof(struct options, uart),
	  "UART of the console, as ns16550@0x10000000",
	  "the node that stdout-path in /chosen of the device tree names",
	  take_uart },
	{ "--load-address", "ADDRESS", offsetof(struct options, load_address),
	  "address where the image is loaded, as 0x84000000",
	  "U-Boot's `printenv kernel_addr_r`", take_load_address },
	{ "--timebase", "HZ", offsetof(struct options, timebase),
	  "ticks of `time` in a second, as 10000000",
	  "timebase-frequency in /cpus of the device tree", take_timebase },
};

static int ask(struct arena *a, const struct question *q,
	       const struct options *o, struct new_board *ret, struct err *e)
{
	const char *text = *(
		const char *const *)(const void *)((const char *)o + q->field);
	char answer[MAX_ANSWER];

	if (text)
		return q->take(a, text, ret, e);
	(void)fprintf(stderr, "%s\n  (%s): ", q->what, q->where);
	if (!fgets(answer, sizeof(answer), stdin) || answer[0] == '\n') {
		(void)fputc('\n', stderr);
		return err_set(e, ERR_USAGE, "board new: missing %s %s (%s)",
			       q->option, q->argument, q->where);
	}
	answer[strcspn(answer, "\n")] = '\0';
	return q->take(a, answer, ret, e);
}

static int check_name(const char *name, struct err *e)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

	if (n == 0 || n > MAX_NAME || name[n] != '\0' || *name == '-')
		return err_set(e, ERR_USAGE,
			       "the name of a board has 1 to %d small letters, "
			       "digits and hyphens, not '%s'",
			       MAX_NAME, name);
	return ERR_OK;
}

/* The CPU must be one whose forms LLVM knows. */
static int take_cpu(struct arena *a, const char *cpu, struct new_board *ret,
		    struct err *e)
{
	struct catalogue *c;
	size_t n = cpu ? strcspn(cpu, ",") : 0;

	ret->cpu = ret->features = "";
	if (!cpu)
		return ERR_OK;
	if (strcmp(cpu, "native") == 0 || *cpu == '+' || *cpu == '-')
		return err_set(
			e, ERR_USAGE,
			"--cpu must be an LLVM name of the board's core, "
			"not '%s'",
			cpu);
	if (catalogue_load(a, isa_find(ret->isa), cpu, &c, e) != ERR_OK)
		return e->code;
	catalogue_free(c);
	ret->cpu = arena_printf(a, "%.*s", (int)n, cpu);
	ret->features = cpu + n + (cpu[n] == ',');
	return ERR_OK;
}

static int take_image(const struct boot_kind *k, const char *image,
		      struct new_board *ret, struct err *e)
{
	ret->image = image ? image : k->images[0];
	for (size_t i = 0; k->images[i]; i++)
		if (strcmp(ret->image, k->images[i]) == 0)
			return ERR_OK;
	return err_set(e, ERR_USAGE, "--image must be %s or %s for %s-%s",
		       k->images[0], k->images[1], ret->isa, k->boot);
}

/* Answers that this way of starting has no use for. */
static int refuse_answers(const struct options *o, const struct new_board *b,
			  struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(questions); i++)
		if (*(const char *const *)(const void *)((const char *)o +
							 questions[i].field))
			return err_set(e, ERR_USAGE,
				       "%s has no effect for %s-%s: the "
				       "firmware names console and timer",
				       questions[i].option, b->isa, b->boot);
	return ERR_OK;
}

static int fill(struct arena *a, const struct options *o, struct new_board *ret,
		struct err *e)
{
	const struct boot_kind *k = find_boot(a, o->isa);

	ret->name = o->form;
	ret->isa = o->isa;
	if (check_name(ret->name, e) != ERR_OK)
		return e->code;
	if (!k)
		return err_set(e, ERR_INPUT,
			       "no runtime for %s in %s; `make build` makes it",
			       o->isa, share_path(a, "runtime"));
	ret->boot = k->boot;
	ret->asked = k->asks;
	if (take_image(k, o->image, ret, e) != ERR_OK ||
	    take_cpu(a, o->cpu, ret, e) != ERR_OK)
		return e->code;
	if (!k->asks)
		return refuse_answers(o, ret, e);
	for (size_t i = 0; i < ARRAY_LEN(questions); i++)
		if (ask(a, &questions[i], o, ret, e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* The folder to write to: the installed one if this user can, else the user's. */
static int find_folder(struct arena *a, const struct options *o,
		       const char **ret, struct err *e)
{
	const char *installed = share_path(a, "boards");
	const char *own = boards_of_user(a);

	*ret = o->output ? o->output : installed;
	if (o->output || access(installed, W_OK) == 0 || !own)
		return ERR_OK;
	*ret = own;
	return boards_make_user(a, own, e);
}

static int board_run(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	struct new_board b = { 0 };
	const char *folder, *conf;

	if (fill(&a, o, &b, e) == ERR_OK &&
	    find_folder(&a, o, &folder, e) == ERR_OK &&
	    board_files_write(&a, &b, folder, &conf, e) == ERR_OK)
		printf("%s\n%s/%s/README.md: how to boot it\n"
		       "next:  anechoic doctor --board %s --tty DEV\n",
		       conf, folder, b.name, b.name);
	arena_free(&a);
	return e->code;
}

static const char *choice_image(size_t i)
{
	static const char *const kinds[] = { "sd", "flat", "fat", NULL };

	return kinds[i];
}

const struct command command_board = {
	.name = "board",
	.summary = "make the files of a new board",
	.action = "new",
	.operand = "NAME",
	.options = OPTIONS(
		WORD("--isa", isa, "ISA", "its instruction set",
		     .required = true, .choice = choice_isa),
		WORD("--cpu", cpu, "NAME",
		     "its core, an LLVM name, with +FEATURE behind it",
		     .by_default = "every form is tried"),
		WORD("--image", image, "KIND",
		     "what it boots: a card for U-Boot, one file that is "
		     "loaded in some other way, a disk for EFI firmware",
		     .by_default = "sd with U-Boot, fat with EFI",
		     .choice = choice_image),
		WORD("--uart", uart, "TYPE@ADDRESS",
		     "UART of its console, e.g. ns16550@0x10000000"),
		WORD("--load-address", load_address, "ADDRESS",
		     "where U-Boot loads the image, e.g. 0x84000000"),
		WORD("--timebase", timebase, "HZ",
		     "ticks of its timer in a second, e.g. 10000000"),
		WORD("-o", output, "FOLDER",
		     "folder of boards, in which the folder NAME is made",
		     .by_default = "the installed one; the user's, "
				   "$XDG_CONFIG_HOME/anechoic/boards, if that "
				   "cannot be written")),
	.describe =
		"Makes the folder NAME with a .conf, which says how the board "
		"is started and measured, and a README.md with the commands to "
		"type. A board that U-Boot starts from a device tree is asked "
		"for its UART, load address and timebase, unless the options "
		"have them; they become the dialogue with its firmware and what "
		"its INFO record must say. docs/porting-board.md has the steps "
		"that follow.",
	.examples =
		"anechoic board new my-board --isa riscv64 --cpu sifive-u74",
	.run = board_run,
};
