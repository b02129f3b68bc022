/* anechoic collect: measure over a serial line with the pack of the board's
 * image.  Same as `measure`, but sends no kernels. */
#include "host/cli/cli.h"

static int run(const struct options *o, struct err *e)
{
	struct options own = *o;

	own.attached = true;
	return command_find("measure")->run(&own, e);
}

const struct command command_collect = {
	.name = "collect",
	.summary = "measure with the kernels of a board's own image, over a "
		   "serial line",
	.options = OPTIONS(OPTION_BOARD, OPTION_ISA, OPTION_CPU, OPTION_FORMS,
			   OPTION_VARIANTS, OPTION_X87, OPTION_WHAT,
			   WORD("--tty", tty, "DEV",
				"serial line of the board, e.g. /dev/ttyUSB0",
				.required = true),
			   OPTION_BAUD, OPTION_RESET, OPTION_DB, OPTION_RESUME,
			   OPTION_REDO, OPTION_SHARD, OPTION_TIME,
			   OPTION_KERNEL_CYCLES),
	.describe =
		"Waits for the runtime of an image that 'anechoic image' made "
		"with the same options, has it run the kernels that have no "
		"results yet, and stores each sample when it arrives. Other "
		"text on the line, such as menus of the firmware, is stored as "
		"text.\n"
		"\n"
		"Nothing is typed at the board's firmware but the dialogue of "
		"its .conf file (docs/porting-board.md). A prompt that the "
		"dialogue lacks is printed, with what to add.\n"
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
	.run = run,
};
