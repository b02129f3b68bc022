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

struct board_args {
	const char *name, *isa, *cpu, *boot, *image, *output;
	const char *uart, *load_address, *timebase, *chip, *clint, *poweroff;
};
#define ARGS struct board_args

enum { MAX_NAME = 32, MAX_ANSWER = 128 };

/* What a board is asked for, by the way of being started. */
enum asked {
	ASK_UBOOT = 1 << 0,   /* started by U-Boot, from a device tree */
	ASK_DEVICES = 1 << 1, /* without firmware */
};

/* Ways of being started, the first whose runtime is there is the board's. */
static const struct boot_kind {
	const char *boot;
	const char *images[3]; /* the first is the usual one */
	unsigned asks;         /* enum asked */
	const char *otherwise; /* why other answers have no effect */
} boots[] = {
	{ "sbi",
	  { "sd", "flat", NULL },
	  ASK_UBOOT,
	  "the firmware's device tree names the devices" },
	{ "efi",
	  { "fat", "flat", NULL },
	  0,
	  "the firmware names console and timer" },
	{ "mmode",
	  { "flat", NULL },
	  ASK_DEVICES,
	  "the image runs where the core starts" },
};

static const struct boot_kind *find_boot(struct arena *a, const char *isa,
					 const char *boot)
{
	for (size_t i = 0; i < ARRAY_LEN(boots); i++) {
		const char *name =
			arena_printf(a, "runtime/%s-%s", isa, boots[i].boot);

		if (boot && strcmp(boot, boots[i].boot) != 0)
			continue;
		if (access(share_path(a, name), R_OK) == 0)
			return &boots[i];
	}
	return NULL;
}

/* ---- answers ------------------------------------------------------------- */

/* A whole decimal or hexadecimal number above 0. */
static bool read_number(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 0);
	return errno == 0 && *end == '\0' && *ret != 0;
}

/* A word for a line of a .conf. */
static bool is_word(const char *text)
{
	return *text != '\0' && !strpbrk(text, " \t#");
}

/* TYPE@ADDRESS; *ret_n: letters of the type. */
static bool read_device(const char *text, size_t *ret_n, uint64_t *ret_address)
{
	size_t n = *ret_n = strcspn(text, "@");

	return n > 0 && text[n] != '\0' && is_word(text) &&
	       read_number(text + n + 1, ret_address);
}

static bool take_uart(struct arena *a, const char *text, struct new_board *ret)
{
	size_t n;

	if (!read_device(text, &n, &ret->uart_address) ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_") < n)
		return false;
	ret->uart = arena_printf(a, "%.*s", (int)n, text);
	return true;
}

static bool take_clint(struct arena *a, const char *text, struct new_board *ret)
{
	uint64_t address;
	size_t n;

	ret->clint = arena_strdup(a, text);
	return read_device(text, &n, &address);
}

static bool take_poweroff(struct arena *a, const char *text,
			  struct new_board *ret)
{
	uint64_t address;
	size_t n;

	ret->poweroff = arena_strdup(a, text);
	return read_device(text, &n, &address);
}

static bool take_chip(struct arena *a, const char *text, struct new_board *ret)
{
	ret->chip = arena_strdup(a, text);
	return is_word(text);
}

static bool take_load_address(struct arena *a, const char *text,
			      struct new_board *ret)
{
	(void)a;
	return read_number(text, &ret->load_address) &&
	       ret->load_address % 0x1000 == 0; /* pages */
}

/* The fastest timer that a device tree's 32-bit cell can name. */
static bool take_timebase(struct arena *a, const char *text,
			  struct new_board *ret)
{
	(void)a;
	return read_number(text, &ret->timebase_hz) &&
	       ret->timebase_hz <= UINT32_MAX;
}

static const struct question {
	const char *option, *argument;
	size_t field; /* of the arguments */
	unsigned of;  /* enum asked */
	/* What is asked for, and where to find it; NULL: it is taken if the
	 * option says it. */
	const char *what, *where;
	bool (*take)(struct arena *a, const char *text, struct new_board *ret);
	const char *must_be; /* of take() */
} questions[] = {
	{ "--uart", "TYPE@ADDRESS", offsetof(ARGS, uart),
	  ASK_UBOOT | ASK_DEVICES, "UART of the console, as ns16550@0x10000000",
	  "the memory map of the core, or stdout-path in /chosen of its "
	  "device tree",
	  take_uart, "TYPE@ADDRESS such as ns16550@0x10000000" },
	{ "--load-address", "ADDRESS", offsetof(ARGS, load_address), ASK_UBOOT,
	  "address where the image is loaded, as 0x84000000",
	  "U-Boot's `printenv kernel_addr_r`", take_load_address,
	  "an address in memory, a multiple of 0x1000 such as 0x84000000" },
	{ "--timebase", "HZ", offsetof(ARGS, timebase), ASK_UBOOT | ASK_DEVICES,
	  "ticks of `time` in a second, as 10000000",
	  "the rate of mtime, or timebase-frequency in /cpus of the "
	  "device tree",
	  take_timebase,
	  "ticks of `time` in a second, such as 10000000, at most 4294967295" },
	{ "--chip", "NAME", offsetof(ARGS, chip), ASK_DEVICES, NULL, NULL,
	  take_chip, "a word such as thead,c906" },
	{ "--clint", "TYPE@ADDRESS", offsetof(ARGS, clint), ASK_DEVICES, NULL,
	  NULL, take_clint, "TYPE@ADDRESS" },
	{ "--poweroff", "TYPE@ADDRESS", offsetof(ARGS, poweroff), ASK_DEVICES,
	  NULL, NULL, take_poweroff, "TYPE@ADDRESS" },
};

static const char *answer_of(const struct question *q,
			     const struct board_args *o)
{
	return *(const char *const *)(const void *)((const char *)o + q->field);
}

static int ask(struct arena *a, const struct question *q,
	       const struct board_args *o, struct new_board *ret, struct err *e)
{
	const char *text = answer_of(q, o);
	char answer[MAX_ANSWER];

	if (!text && !q->what)
		return ERR_OK;
	if (!text) {
		(void)fprintf(stderr, "%s\n  (%s): ", q->what, q->where);
		if (!fgets(answer, sizeof(answer), stdin) ||
		    answer[0] == '\n') {
			(void)fputc('\n', stderr);
			return err_set(e, ERR_USAGE,
				       "board new: missing %s %s (%s)",
				       q->option, q->argument, q->where);
		}
		answer[strcspn(answer, "\n")] = '\0';
		text = answer;
	}
	if (!q->take(a, text, ret))
		return err_set(e, ERR_USAGE, "%s must be %s, not '%s'",
			       q->option, q->must_be, text);
	return ERR_OK;
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
	return err_set(e, ERR_USAGE, "--image must be %s%s%s for %s-%s",
		       k->images[0], k->images[1] ? " or " : "",
		       k->images[1] ? k->images[1] : "", ret->isa, k->boot);
}

/* Answers that this way of starting has no use for. */
static int refuse_answers(const struct board_args *o, const struct boot_kind *k,
			  struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(questions); i++)
		if (!(questions[i].of & k->asks) && answer_of(&questions[i], o))
			return err_set(e, ERR_USAGE,
				       "%s has no effect for %s-%s: %s",
				       questions[i].option, o->isa, k->boot,
				       k->otherwise);
	return ERR_OK;
}

/* Without firmware the runtime itself drives the devices. */
static int check_drivers(struct arena *a, const struct new_board *b,
			 struct err *e)
{
	const struct {
		const char *key, *device;
	} devices[] = {
		{ "clint", b->clint },
		{ "poweroff", b->poweroff },
		{ "uart", b->uart },
	};

	for (size_t i = 0; b->has_devices && i < ARRAY_LEN(devices); i++) {
		const char *types = devices_types(devices[i].key);
		int n = (int)strcspn(devices[i].device, "@");
		const char *word =
			arena_printf(a, " %.*s ", n, devices[i].device);

		if (n > 0 && types && !strstr(types, word))
			return err_set(e, ERR_USAGE,
				       "--%s: the runtime has no driver of "
				       "'%.*s'; it has%.*s",
				       devices[i].key, n, devices[i].device,
				       (int)strlen(types) - 1, types);
	}
	return ERR_OK;
}

static int fill(struct arena *a, const struct board_args *o,
		struct new_board *ret, struct err *e)
{
	const struct boot_kind *k = find_boot(a, o->isa, o->boot);

	ret->name = o->name;
	ret->isa = o->isa;
	if (check_name(ret->name, e) != ERR_OK)
		return e->code;
	if (!k)
		return err_set(e, ERR_INPUT,
			       "no runtime for %s%s%s in %s; `make build` "
			       "makes it",
			       o->isa, o->boot ? "-" : "",
			       o->boot ? o->boot : "",
			       share_path(a, "runtime"));
	ret->boot = k->boot;
	ret->has_uboot = k->asks & ASK_UBOOT;
	ret->has_devices = k->asks & ASK_DEVICES;
	ret->chip = ret->clint = ret->poweroff = "";
	if (take_image(k, o->image, ret, e) != ERR_OK ||
	    take_cpu(a, o->cpu, ret, e) != ERR_OK)
		return e->code;
	if (refuse_answers(o, k, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < ARRAY_LEN(questions); i++)
		if ((questions[i].of & k->asks) &&
		    ask(a, &questions[i], o, ret, e) != ERR_OK)
			return e->code;
	return check_drivers(a, ret, e);
}

/* The folder to write to: the installed one if this user can, else the
 * user's. */
static int find_folder(struct arena *a, const struct board_args *o,
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

static int board_run(void *args, struct command_resources *r, struct err *e)
{
	const struct board_args *o = args;
	struct new_board b = { 0 };
	const char *folder, *conf;

	if (fill(&r->a, o, &b, e) == ERR_OK &&
	    find_folder(&r->a, o, &folder, e) == ERR_OK &&
	    board_files_write(&r->a, &b, folder, &conf, e) == ERR_OK)
		printf("%s\n%s/%s/README.md: how to boot it\n"
		       "next:  anechoic doctor --board %s --tty DEV\n",
		       conf, folder, b.name, b.name);
	return e->code;
}

/* Of boots[]. */
static const char *choice_boot(size_t i)
{
	return i < ARRAY_LEN(boots) ? boots[i].boot : NULL;
}

const struct command command_board = {
	.name = "board",
	.summary = "make the files of a new board",
	.action = "new",
	.args_bytes = sizeof(ARGS),
	.operand = "NAME",
	.operand_field = offsetof(ARGS, name),
	.options = OPTIONS(
		WORD("--isa", isa, "ISA", "its instruction set",
		     .required = true, .choice = choice_isa),
		WORD("--cpu", cpu, "NAME",
		     "its core, an LLVM name, with +FEATURE behind it",
		     .by_default = "every form is tried"),
		WORD("--boot", boot, "KIND",
		     "what starts it: an SBI firmware and U-Boot, EFI, or "
		     "nothing (mmode: a core in simulation or on an FPGA)",
		     .by_default = "the first whose runtime is there",
		     .choice = choice_boot),
		WORD("--image", image, "KIND",
		     "what it boots: a card for U-Boot, one file that is "
		     "loaded in some other way, a disk for EFI firmware",
		     .by_default = "sd with U-Boot, fat with EFI",
		     .words = WORD_LIST("sd", "flat", "fat")),
		WORD("--uart", uart, "TYPE@ADDRESS",
		     "UART of its console, e.g. ns16550@0x10000000"),
		WORD("--load-address", load_address, "ADDRESS",
		     "where U-Boot loads the image, e.g. 0x84000000"),
		WORD("--timebase", timebase, "HZ",
		     "ticks of its timer in a second, e.g. 10000000"),
		WORD("--chip", chip, "NAME",
		     "with --boot mmode: its name, e.g. thead,c906, which a "
		     "fixup asks for"),
		WORD("--clint", clint, "TYPE@ADDRESS",
		     "with --boot mmode: its timer, e.g. "
		     "riscv,clint0@0x2000000"),
		WORD("--poweroff", poweroff, "TYPE@ADDRESS",
		     "with --boot mmode: what ends it, e.g. "
		     "sifive,test0@0x100000"),
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
		"have them; they become the dialogue with its firmware and "
		"what "
		"its INFO record must say. A board without firmware is asked "
		"for "
		"UART and timebase; its file describes its devices. "
		"docs/porting-board.md has the steps that follow.",
	.examples =
		"anechoic board new my-board --isa riscv64 --cpu sifive-u74\n"
		"anechoic board new my-core --isa riscv64 --boot mmode \\\n"
		"    --uart ns16550a@0x10000000 --timebase 10000000",
	.run = board_run,
};
