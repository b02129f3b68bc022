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

enum answer_type {
	ANSWER_UART,   /* TYPE@ADDRESS */
	ANSWER_DEVICE, /* the same of any device */
	ANSWER_WORD,
	ANSWER_PAGE, /* an address */
	ANSWER_RATE, /* at most what a cell of a device tree holds */
};

/* *ret: the address or the number. */
static bool is_answer(enum answer_type type, const char *text, uint64_t *ret)
{
	size_t n = strcspn(text, "@");

	if (type == ANSWER_WORD)
		return is_word(text);
	if (type == ANSWER_PAGE)
		return read_number(text, ret) && *ret % 0x1000 == 0;
	if (type == ANSWER_RATE)
		return read_number(text, ret) && *ret <= UINT32_MAX;
	return n > 0 && text[n] != '\0' && is_word(text) &&
	       read_number(text + n + 1, ret) &&
	       (type == ANSWER_DEVICE ||
		strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_") >= n);
}

enum { UART, LOAD_ADDRESS, TIMEBASE, CHIP, CLINT, POWEROFF, N_QUESTIONS };

static const struct question {
	const char *option, *argument;
	size_t field; /* of the arguments */
	unsigned of;  /* enum asked */
	enum answer_type type;
	/* What is asked for, and where to find it; NULL: it is taken if the
	 * option says it. */
	const char *what, *where;
	const char *must_be; /* of its type */
} questions[N_QUESTIONS] = {
	[UART] = { "--uart", "TYPE@ADDRESS", offsetof(ARGS, uart),
		   ASK_UBOOT | ASK_DEVICES, ANSWER_UART,
		   "UART of the console, as ns16550@0x10000000",
		   "the memory map of the core, or stdout-path in /chosen of "
		   "its device tree",
		   "TYPE@ADDRESS such as ns16550@0x10000000" },
	[LOAD_ADDRESS] = { "--load-address", "ADDRESS",
			   offsetof(ARGS, load_address), ASK_UBOOT, ANSWER_PAGE,
			   "address where the image is loaded, as 0x84000000",
			   "U-Boot's `printenv kernel_addr_r`",
			   "an address in memory, a multiple of 0x1000 such as "
			   "0x84000000" },
	[TIMEBASE] = { "--timebase", "HZ", offsetof(ARGS, timebase),
		       ASK_UBOOT | ASK_DEVICES, ANSWER_RATE,
		       "ticks of `time` in a second, as 10000000",
		       "the rate of mtime, or timebase-frequency in /cpus of "
		       "the device tree",
		       "ticks of `time` in a second, such as 10000000, at most "
		       "4294967295" },
	[CHIP] = { "--chip", "NAME", offsetof(ARGS, chip), ASK_DEVICES,
		   ANSWER_WORD, .must_be = "a word such as thead,c906" },
	[CLINT] = { "--clint", "TYPE@ADDRESS", offsetof(ARGS, clint),
		    ASK_DEVICES, ANSWER_DEVICE, .must_be = "TYPE@ADDRESS" },
	[POWEROFF] = { "--poweroff", "TYPE@ADDRESS", offsetof(ARGS, poweroff),
		       ASK_DEVICES, ANSWER_DEVICE, .must_be = "TYPE@ADDRESS" },
};

/* What is known of the new board; "" if it is not. */
struct new_board {
	const struct boot_kind *boot;
	const char *image, *cpu, *features;
	struct answer {
		const char *text;
		uint64_t number;
	} answers[N_QUESTIONS];
};

static const char *answer_of(const struct question *q,
			     const struct board_args *o)
{
	return *(const char *const *)(const void *)((const char *)o + q->field);
}

/* The answer to a question: of its option, or asked for. */
static int ask(struct arena *a, const struct question *q,
	       const struct board_args *o, struct answer *ret, struct err *e)
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
		text = arena_strdup(a, answer);
	}
	if (!is_answer(q->type, text, &ret->number))
		return err_set(e, ERR_USAGE, "%s must be %s, not '%s'",
			       q->option, q->must_be, text);
	ret->text = text;
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
static int take_cpu(struct arena *a, const struct board_args *o,
		    struct new_board *ret, struct err *e)
{
	const char *cpu = o->cpu;
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
	if (catalogue_load(a, isa_find(o->isa), cpu, &c, e) != ERR_OK)
		return e->code;
	catalogue_free(c);
	ret->cpu = arena_printf(a, "%.*s", (int)n, cpu);
	ret->features = cpu + n + (cpu[n] == ',');
	return ERR_OK;
}

static int take_image(const struct board_args *o, struct new_board *ret,
		      struct err *e)
{
	const struct boot_kind *k = ret->boot;

	ret->image = o->image ? o->image : k->images[0];
	for (size_t i = 0; k->images[i]; i++)
		if (strcmp(ret->image, k->images[i]) == 0)
			return ERR_OK;
	return err_set(e, ERR_USAGE, "--image must be %s%s%s for %s-%s",
		       k->images[0], k->images[1] ? " or " : "",
		       k->images[1] ? k->images[1] : "", o->isa, k->boot);
}

/* Answers that this way of starting has no use for. */
static int refuse_answers(const struct board_args *o, const struct boot_kind *k,
			  struct err *e)
{
	for (size_t i = 0; i < N_QUESTIONS; i++)
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
	static const int devices[] = { CLINT, POWEROFF, UART };

	if (!(b->boot->asks & ASK_DEVICES))
		return ERR_OK;
	for (size_t i = 0; i < ARRAY_LEN(devices); i++) {
		const char *option = questions[devices[i]].option;
		const char *types = devices_types(option + 2);
		const char *device = b->answers[devices[i]].text;
		int n = (int)strcspn(device, "@");

		if (n > 0 && types &&
		    !strstr(types, arena_printf(a, " %.*s ", n, device)))
			return err_set(e, ERR_USAGE,
				       "%s: the runtime has no driver of "
				       "'%.*s'; it has%.*s",
				       option, n, device,
				       (int)strlen(types) - 1, types);
	}
	return ERR_OK;
}

static int fill(struct arena *a, const struct board_args *o,
		struct new_board *ret, struct err *e)
{
	ret->boot = find_boot(a, o->isa, o->boot);
	if (check_name(o->name, e) != ERR_OK)
		return e->code;
	if (!ret->boot)
		return err_set(e, ERR_INPUT,
			       "no runtime for %s%s%s in %s; `make build` "
			       "makes it",
			       o->isa, o->boot ? "-" : "",
			       o->boot ? o->boot : "",
			       share_path(a, "runtime"));
	if (take_image(o, ret, e) != ERR_OK ||
	    take_cpu(a, o, ret, e) != ERR_OK ||
	    refuse_answers(o, ret->boot, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < N_QUESTIONS; i++) {
		ret->answers[i].text = "";
		if ((questions[i].of & ret->boot->asks) &&
		    ask(a, &questions[i], o, &ret->answers[i], e) != ERR_OK)
			return e->code;
	}
	return check_drivers(a, ret, e);
}

/* UARTs that the runtime drives itself, where the firmware has no console. */
static bool has_driver(const char *uart)
{
	return strcmp(uart, "ns16550") == 0 || strcmp(uart, "pl011") == 0;
}

/* Values of the files' texts. */
static int write_files(struct arena *a, const struct board_args *o,
		       const struct new_board *b, const char *folder,
		       const char **ret_conf, struct err *e)
{
	bool uboot = b->boot->asks & ASK_UBOOT;
	bool devices = b->boot->asks & ASK_DEVICES;
	bool loads = uboot && strcmp(b->image, "sd") == 0;
	const struct answer *x = b->answers;
	const char *uart = arena_printf(
		a, "%.*s", (int)strcspn(x[UART].text, "@"), x[UART].text);
	const char *address = arena_printf(a, "0x%" PRIx64, x[UART].number);
	const char *place =
		arena_printf(a, "0x%" PRIx64, x[LOAD_ADDRESS].number);
	const struct board_value values[] = {
		{ "name", o->name },
		{ "isa", o->isa },
		{ "boot", b->boot->boot },
		{ "image", b->image },
		{ "cpu", b->cpu },
		{ "of_cpu", *b->cpu ? arena_printf(a, ", %s", b->cpu) : "" },
		{ "features", b->features },
		{ "uboot", uboot ? "yes" : "" },
		{ "devices", devices ? "yes" : "" },
		{ "efi", uboot || devices ? "" : "yes" },
		{ "uart", uart },
		{ "address", address },
		{ "device", arena_printf(a, "%s@%s", uart, address) },
		{ "timebase", arena_printf(a, "%" PRIu64, x[TIMEBASE].number) },
		{ "chip", x[CHIP].text },
		{ "clint", x[CLINT].text },
		{ "poweroff", x[POWEROFF].text },
		{ "console", uboot && !has_driver(uart) ? ",console=sbi" : "" },
		{ "load",
		  loads ? arena_printf(a, "load mmc 0:1 %s /anechoic.img",
				       place)
			: "" },
		{ "flat", uboot && !loads ? place : "" },
		{ "start",
		  arena_printf(a, "booti %s - ${fdtcontroladdr}", place) },
		{ .key = NULL },
	};

	return board_files_write(a, values, folder, ret_conf, e);
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
	    write_files(&r->a, o, &b, folder, &conf, e) == ERR_OK)
		printf("%s\n%s/%s/README.md: how to boot it\n"
		       "next:  anechoic doctor --board %s --tty DEV\n",
		       conf, folder, o->name, o->name);
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
