/* anechoic collect: measure over a serial line with the pack of the board's
 * image.  Same as `measure`, but sends no kernels, and the line may be a
 * command's or a laboratory's. */
#include <string.h>

#include "host/cli/collect_images.h"
#include "host/cli/measure.h"
#include "host/link/console.h"

struct collect_args {
	struct measure_args m;
	const char *console_command, *power_command, *labgrid, *place, *images;
};
#define ARGS struct collect_args

/* Commands that stand for the line of a board. */
struct lab {
	struct console_request console; /* its command is NULL with --tty */
	const char *reset;
};

/* The word in quotes of the shell. */
static const char *quote(struct arena *a, const char *word)
{
	struct buffer b = { 0 };

	buffer_printf(&b, "'");
	for (; *word; word++)
		buffer_printf(&b, *word == '\'' ? "'\\''" : "%c", *word);
	buffer_printf(&b, "'");
	return buffer_take(a, &b);
}

/* A target of an environment file, "ENV.yaml:TARGET". */
static int lab_of_target(struct arena *a, const char *text, struct lab *ret,
			 struct err *e)
{
	const char *colon = strrchr(text, ':');
	const char *script = quote(a, share_path(a, "lab/labgrid_target.py"));
	const char *words;

	if (!colon || colon == text || !colon[1])
		return err_set(e, ERR_USAGE,
			       "--labgrid must be ENV.yaml:TARGET, not '%s'",
			       text);
	words = arena_printf(
		a, "%s %s",
		quote(a, arena_printf(a, "%.*s", (int)(colon - text), text)),
		quote(a, colon + 1));
	ret->console.command = arena_printf(
		a, "exec /usr/bin/python3 %s console %s", script, words);
	ret->console.name = arena_printf(a, "--labgrid %s", text);
	ret->reset =
		arena_printf(a, "/usr/bin/python3 %s cycle %s", script, words);
	return ERR_OK;
}

/* A place of a coordinator, released when this program ends, also by
 * SIGKILL. */
static void lab_of_place(struct arena *a, const char *name, struct lab *ret)
{
	const char *script = quote(a, share_path(a, "lab/labgrid_place.sh"));
	const char *place = quote(a, name);

	ret->console.command =
		arena_printf(a, "exec sh %s console %s", script, place);
	ret->console.name = arena_printf(a, "--labgrid-place %s", name);
	ret->console.at_end =
		arena_printf(a, "exec sh %s release %s", script, place);
	ret->reset = arena_printf(a, "sh %s cycle %s", script, place);
}

static int find_lab(struct arena *a, const struct collect_args *o,
		    struct lab *ret, struct err *e)
{
	const char *reset = o->m.r.q.reset_command;
	int n = !!o->m.r.q.tty + !!o->console_command + !!o->labgrid +
		!!o->place;

	if (n != 1)
		return err_set(e, ERR_USAGE,
			       "collect needs one of --tty, --console-cmd, "
			       "--labgrid and --labgrid-place");
	if (o->power_command && reset)
		return err_set(e, ERR_USAGE,
			       "--power-cmd and --reset-cmd exclude each "
			       "other");
	*ret = (struct lab){ .console = { .command = o->console_command,
					  .notice = request_notice } };
	if (o->console_command)
		ret->console.name = arena_printf(a, "--console-cmd '%s'",
						 o->console_command);
	if (o->labgrid && lab_of_target(a, o->labgrid, ret, e) != ERR_OK)
		return e->code;
	if (o->place)
		lab_of_place(a, o->place, ret);
	if (o->power_command)
		ret->reset = arena_printf(a, "%s cycle", o->power_command);
	if (reset)
		ret->reset = reset;
	return ERR_OK;
}

/* What to do if the line has one direction: the search does not know, it only hears
 * nothing. */
static void note_line(const struct campaign_request *q)
{
	if (q->what && strcmp(q->what, "ports") == 0)
		request_notice("a search for ports sends its kernels over the "
			       "line; if the board cannot read from it, give "
			       "--images FILE, and boot each image that is "
			       "written there");
}

static int search_by_images(struct collect_args *o,
			    const struct console_request *console,
			    struct command_resources *r, struct err *e)
{
	const struct collect_images x = { .q = &o->m.r.q,
					  .console = console,
					  .path = o->images };

	return request_fill(&o->m.r, &r->a, e) == ERR_OK
		       ? collect_images(&x, &r->a, e)
		       : e->code;
}

static int run_on_line(struct collect_args *o,
		       const struct console_request *console,
		       struct command_resources *r, struct err *e)
{
	struct campaign_request *q = &o->m.r.q;

	if (console->command && console_open(console, &q->console, e) != ERR_OK)
		return e->code;
	note_line(q);
	if (q->console)
		q->tty = console_path(q->console);
	return measure_run(&o->m, r, e);
}

static int collect_run(void *args, struct command_resources *r, struct err *e)
{
	struct collect_args *o = args;
	struct campaign_request *q = &o->m.r.q;
	struct lab lab = { .reset = NULL };

	o->m.attached = true;
	if (find_lab(&r->a, o, &lab, e) == ERR_OK) {
		q->reset_command = lab.reset;
		(void)(o->images ? search_by_images
				 : run_on_line)(o, &lab.console, r, e);
	}
	console_close(q->console);
	return e->code;
}

const struct command command_collect = {
	.name = "collect",
	.summary = "measure with the kernels of a board's own image, over a "
		   "serial line",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(OPTION_BOARD(m.r.q.board), OPTION_ISA(m.r.q.isa),
			   OPTION_CPU(m.r.q.cpu), OPTION_FORMS(m.r.q.forms),
			   OPTION_VARIANTS(m.r.variants), OPTION_X87(m.r.x87),
			   OPTION_WHAT(m.r.q.what), OPTION_TTY(m.r.q.tty),
			   OPTION_BAUD(m.r.q.baud),
			   WORD("--console-cmd", console_command, "CMD",
				"shell command whose standard input and output "
				"are the board's console"),
			   WORD("--labgrid", labgrid, "ENV:TARGET",
				"target of a labgrid environment file"),
			   WORD("--labgrid-place", place, "NAME",
				"place of a labgrid coordinator "
				"(LG_COORDINATOR, or LG_CROSSBAR before "
				"labgrid 24); it is acquired, and released "
				"whatever happens"),
			   OPTION_RESET(m.r.q.reset_command),
			   WORD("--power-cmd", power_command, "CMD",
				"shell command that is run as 'CMD cycle' to "
				"power-cycle the board"),
			   FLAG("--wake", m.r.q.wake, WAKE_WORDS),
			   WORD("--images", images, "FILE",
				"the board only boots images: write the next "
				"one of the search to FILE, take its log from "
				"the line, and so on until the search ends",
				.needs = "--what=ports",
				.not_with = "--wake --redo --shard --time"),
			   OPTION_DB(m.r.q.db), OPTION_RESUME(m.r.q.resume),
			   OPTION_REDO(m.redo), OPTION_SHARD(m.r.shard),
			   OPTION_TIME(m.time),
			   OPTION_KERNEL_CYCLES(m.r.q.kernel_cycles)),
	.describe =
		"Waits for the runtime of an image that 'anechoic image' made "
		"with the same options, has it run the kernels that have no "
		"results yet, and stores each sample when it arrives. Other "
		"text on the line, such as menus of the firmware, is stored as "
		"text.\n"
		"\n"
		"Nothing is typed at the board's firmware but the dialogue of "
		"its .conf file (docs/porting-board.md), and with --wake one "
		"Ctrl-C. A prompt that the dialogue lacks is printed, with "
		"what to add.\n"
		"\n"
		"If the board stops answering, --reset-cmd (or you) resets it, "
		"and measuring continues behind the last stored kernel. The "
		"command also runs if the board does not answer at first. A "
		"kernel that stops the board twice is stored as lost and left "
		"out.",
	.examples = "anechoic collect --board banana-pi-f3 --tty /dev/ttyUSB0 "
		    "--db f3.db \\\n"
		    "    --reset-cmd 'usbrelay BITFT_1=0; sleep 1; usbrelay "
		    "BITFT_1=1'",
	.run = collect_run,
};
