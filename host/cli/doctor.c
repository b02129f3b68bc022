/* anechoic doctor: what is installed, what works, and which package has what
 * is missing. */
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/board_places.h"
#include "host/base/version.h"
#include "host/cli/doctor_machine.h"
#include "host/cli/request.h"
#include "host/isa/isa.h"
#include "host/link/link.h"

struct doctor_args {
	struct request_args r;
};
#define ARGS struct doctor_args

static bool have_program(struct arena *a, const char *name)
{
	const char *path = program_find(a, name);

	return path && program_is(path);
}

static void line(bool good, const char *what, const char *advice)
{
	printf("  %-4s %s%s%s\n", good ? "ok" : "--", what, good ? "" : ": ",
	       good ? "" : advice);
}

static void check_isas(struct arena *a)
{
	printf("instruction sets\n");
	for (size_t i = 0; isas[i]; i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct catalogue *c;
		const char *cpu = isas[i] == isa_native() ? "native" : NULL;

		if (catalogue_load(a, isas[i], cpu, &c, &e) != ERR_OK) {
			line(false, isas[i]->name, e.message);
			continue;
		}

		size_t n = 0;

		for (size_t k = 0; k < c->n_forms; k++)
			n += c->forms[k].status == FORM_MEASURABLE;
		line(true,
		     arena_printf(a, "%-8s %zu forms, %zu measurable (%s)",
				  isas[i]->name, c->n_forms, n,
				  c->cpu ? c->cpu : "any CPU"),
		     "");
		catalogue_free(c);
	}
}

/* What is missing here to use a board, or NULL. */
static const char *board_lacks(struct arena *a, const struct board *b)
{
	char *program = arena_strdup(a, b->command);
	char *runtime;

	program[strcspn(program, " ")] = '\0';
	if (*program && *program != '@' && !have_program(a, program))
		return arena_printf(a, "%s, of package %s", program,
				    b->package);
	if (*b->firmware && access(b->firmware, R_OK) != 0)
		return arena_printf(a, "%s, of package %s", b->firmware,
				    b->package);
	if (!*b->runtime || strcmp(b->runtime, "none") == 0)
		return NULL;
	runtime = share_path(a, arena_printf(a, "runtime/%s", b->runtime));
	if (access(runtime, R_OK) != 0)
		return arena_printf(a, "%s, which `make build` makes", runtime);
	return NULL;
}

static int check_boards(struct arena *a, struct err *e)
{
	struct board *boards;
	size_t n;

	if (boards_list(a, share_folder(a), &boards, &n, e) != ERR_OK)
		return e->code;
	printf("boards\n");
	for (size_t i = 0; i < n; i++) {
		const struct board *b = &boards[i];
		const char *lacks = board_lacks(a, b);
		bool link = transport_find(b->transport) != NULL;

		line(!lacks,
		     arena_printf(a, "%-14s %-8s %s", b->name, b->isa,
				  link ? b->transport
				       : "by image and log only"),
		     lacks ? lacks : "");
	}
	return ERR_OK;
}

/* ---- one board -------------------------------------------------------- */

struct checkup {
	struct arena *a;
	const struct board *board;
	size_t n_missing;
};

/* One line; `advice` if it is not good. */
static void PRINTF_LIKE(4, 5) check(struct checkup *c, bool good,
				    const char *advice, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line(good, arena_vprintf(c->a, format, args), advice);
	va_end(args);
	c->n_missing += !good;
}

static const char *package(struct checkup *c, const char *name)
{
	return arena_printf(c->a, "Debian package %s", name);
}

/* The core's forms, as `measure` would load them. */
static void check_forms(struct checkup *c)
{
	struct err e = { .code = ERR_OK, .message = "" };
	const struct board *b = c->board;
	const struct isa *isa = isa_find(b->isa);
	struct catalogue *catalogue = NULL;

	if (isa)
		(void)catalogue_load(c->a, isa, campaign_cpu(c->a, b, NULL),
				     &catalogue, &e);
	else
		(void)err_set(&e, ERR_INPUT, "unknown instruction set '%s'",
			      b->isa);
	check(c, e.code == ERR_OK, e.message, "forms of %s %s", b->isa,
	      *b->cpu ? b->cpu : "(any CPU)");
	catalogue_free(catalogue);
}

static void check_runtime(struct checkup *c)
{
	const char *name = c->board->runtime;
	const char *path =
		share_path(c->a, arena_printf(c->a, "runtime/%s", name));

	if (*name && strcmp(name, "none") != 0)
		check(c, access(path, R_OK) == 0,
		      arena_printf(c->a, "%s, which `make build` makes", path),
		      "runtime %s", name);
}

static void check_command(struct checkup *c)
{
	const struct board *b = c->board;
	const char *program = arena_printf(
		c->a, "%.*s", (int)strcspn(b->command, " "), b->command);

	if (*program && *program != '@')
		check(c, have_program(c->a, program), package(c, b->package),
		      "program %s", program);
	if (*b->firmware)
		check(c, access(b->firmware, R_OK) == 0, package(c, b->package),
		      "firmware %s", b->firmware);
}

/* Programs that make a kind of image. */
static void check_image(struct checkup *c)
{
	static const struct {
		const char *kind, *program, *package;
	} tools[] = {
		{ "fat", "mformat", "mtools" },
		{ "sd", "mformat", "mtools" },
		{ "sd", "mkimage", "u-boot-tools" },
	};

	for (size_t i = 0; i < ARRAY_LEN(tools); i++)
		if (strcmp(c->board->image, tools[i].kind) == 0)
			check(c, have_program(c->a, tools[i].program),
			      package(c, tools[i].package),
			      "program %s for its image", tools[i].program);
}

/* The path must exist, be a tty, and be readable and writable. */
static void check_tty(struct checkup *c, const char *tty)
{
	struct stat st;
	bool is_there = stat(tty, &st) == 0;
	bool is_tty = is_there && S_ISCHR(st.st_mode);

	check(c, is_tty && access(tty, R_OK | W_OK) == 0,
	      !is_there ? "is the adapter plugged in?"
	      : !is_tty ? "it is not a tty"
			: "no permission; join the group that owns it (on "
			  "Debian: adduser USER dialout), then log in again",
	      "serial line %s", tty);
}

/* Without --tty: check every line of a USB adapter. */
static void look_for_ttys(struct checkup *c)
{
	glob_t found = { .gl_pathc = 0 };

	(void)glob("/dev/ttyUSB*", 0, NULL, &found);
	(void)glob("/dev/ttyACM*", GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_tty(c, found.gl_pathv[i]);
	if (found.gl_pathc == 0)
		check(c, false,
		      "no /dev/ttyUSB* or /dev/ttyACM*; name another one by "
		      "--tty (a recorded log needs none: `anechoic import`)",
		      "serial line");
	globfree(&found);
}

/* Is the board a process on this machine's own core? */
static bool is_here(const struct board *b)
{
	return strcmp(b->transport, "process") == 0 &&
	       isa_find(b->isa) == isa_native();
}

static int forecast_here(struct arena *a, struct doctor_args *o, struct err *e)
{
	doctor_machine(a);
	(void)fflush(stdout);
	if (request_fill(&o->r, a, e) != ERR_OK)
		return e->code;
	o->r.q.stop = interrupt_flag();
	return doctor_forecast(&o->r.q, e);
}

static int check_board(struct arena *a, struct doctor_args *o, struct err *e)
{
	const struct campaign_request *q = &o->r.q;
	struct checkup c = { .a = a };
	bool local;

	if (board_get(a, share_folder(a), q->board, q->isa, &c.board, e) !=
	    ERR_OK)
		return e->code;
	local = transport_find(c.board->transport) != NULL &&
		strcmp(c.board->transport, "serial") != 0;
	printf("%s %s: %s\n", c.board->name, c.board->isa, c.board->describe);
	check_forms(&c);
	check_runtime(&c);
	check_command(&c);
	check_image(&c);
	if (q->tty)
		check_tty(&c, q->tty);
	else if (!local)
		look_for_ttys(&c);
	if (c.n_missing == 0)
		return is_here(c.board) ? forecast_here(a, o, e) : ERR_OK;
	return err_set(e, ERR_FAILED,
		       "board '%s' cannot be used here: %zu things are missing "
		       "(lines marked --)",
		       c.board->name, c.n_missing);
}

static int doctor_run(void *args, struct command_resources *r, struct err *e)
{
	struct doctor_args *o = args;

	printf("anechoic %s\n", anechoic_version);
	if (o->r.q.board)
		return check_board(&r->a, o, e);
	check_isas(&r->a);
	if (check_boards(&r->a, e) == ERR_OK)
		doctor_machine(&r->a);
	return e->code;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary =
		"say what is installed, what works here, and what is missing",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(WORD("--board", r.q.board, "NAME",
				"check everything that this board needs",
				.see = "anechoic boards"),
			   WORD("--isa", r.q.isa, "ISA",
				"instruction set, required if the board has "
				"several",
				.choice = choice_isa, .needs = "--board"),
			   WORD("--tty", r.q.tty, "DEV",
				"serial line of the board, e.g. /dev/ttyUSB0",
				.needs = "--board")),
	.describe =
		"A line marked '--' names what is missing and the Debian "
		"package that has it, or what limits or disturbs "
		"measurements on this machine. With --board: everything that "
		"the board "
		"needs here; exit status 1 if something is missing. For a "
		"board that is this machine, a part of the default set is "
		"measured for two seconds, to forecast its time and values.",
	.examples = "anechoic doctor\n"
		    "anechoic doctor --board linux-process\n"
		    "anechoic doctor --board banana-pi-f3 --tty /dev/ttyUSB0",
	.run = doctor_run,
};
