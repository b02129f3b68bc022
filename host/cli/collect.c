/* anechoic collect: measure with the pack that the board's image brought, over
 * a serial line.  All of it is `measure` but the sending of kernels. */
#include "host/cli/cli.h"

static int run(const struct options *o, struct err *e)
{
	struct options own = *o;

	own.attached = true;
	return command_find("measure")->run(&own, e);
}

const struct command command_collect = {
	.name = "collect",
	.summary = "measure with the pack of a board's image, over a serial "
		   "line",
	.takes =
		"--board --isa --cpu --forms --variants --x87 --what --tty --baud --reset-cmd "
		"--db --resume --redo --time --kernel-cycles",
	.needs = "--board --tty --db",
	.describe =
		"Waits for the runtime that `anechoic image` made with the "
		"same options, has it run\nwhat is missing, and stores every "
		"sample as it comes. Menus and other chatter of the\nfirmware "
		"are kept as text. A board that falls silent is reset by "
		"--reset-cmd (or by\nyou) and goes on behind the last stored "
		"kernel; a kernel that takes it down twice\nis stored as lost "
		"and left out. The command runs when the board does not answer "
		"at\nfirst, and after each death.\n\n"
		"  anechoic collect --board banana-pi-f3 --tty /dev/ttyUSB0 "
		"--db f3.db \\\n      --reset-cmd 'usbrelay BITFT_1=0; sleep "
		"1; usbrelay BITFT_1=1'",
	.run = run,
};
