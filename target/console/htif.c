/* The host-target interface of simulators, found by the device tree.  A command
 * goes into tohost, its answer comes in fromhost: riscv-isa-sim's fesvr (bcd_t of
 * device.cc) and OpenSBI's lib/utils/sys/htif.c agree on the words.
 *
 *	63      56 55      48 47                                         0
 *	| device  | command  | payload: the character                    |
 */
#include "target/console.h"

#include "target/boot/hart/platform.h"

enum {
	DEVICE_SHIFT = 56,
	COMMAND_SHIFT = 48,
	CONSOLE = 1,
	READ = 0,
	WRITE = 1,
	BYTE = 0xff,
};

static struct {
	volatile uint64_t *to, *from;
	bool asked; /* for a character */
	int c;      /* one that came meanwhile, or -1 */
} htif = { .c = -1 };

static bool init(void)
{
	uint64_t from, to = platform_htif(&from);

	htif.to = (volatile uint64_t *)(uintptr_t)to;
	htif.from = (volatile uint64_t *)(uintptr_t)from;
	return to != 0;
}

/* Writes are answered, too. */
static void take_answer(void)
{
	uint64_t answer = *htif.from;

	if (!answer)
		return;
	*htif.from = 0;
	if (answer >> DEVICE_SHIFT != CONSOLE ||
	    (answer >> COMMAND_SHIFT & BYTE) != READ)
		return;
	htif.asked = false;
	htif.c = (int)(answer & BYTE);
}

static void command(uint64_t command, uint64_t payload)
{
	while (*htif.to)
		take_answer();
	take_answer();
	*htif.to = (uint64_t)CONSOLE << DEVICE_SHIFT |
		   command << COMMAND_SHIFT | payload;
}

static void write(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		command(WRITE, (unsigned char)bytes[i]);
}

static int read(void)
{
	int c;

	take_answer();
	c = htif.c;
	htif.c = -1;
	if (c < 0 && !htif.asked) {
		htif.asked = true;
		command(READ, 0);
	}
	return c;
}

extern const struct console console_htif;
const struct console console_htif = {
	.name = "htif",
	.init = init,
	.write = write,
	.read = read,
};
