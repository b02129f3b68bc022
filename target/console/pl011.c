/* The PL011 (or its SBSA subset) that firmware names as its console, driven
 * directly: bytes arrive as sent, and no firmware call stands between two
 * records.  The firmware has set its speed; only the data path is touched.
 * Registers: Arm PL011 TRM (DDI 0183), 3.3. */
#include "target/console.h"

#include "target/boot/bare/uart.h"

enum {
	DATA = 0x00,
	FLAGS = 0x18,
	RECEIVE_EMPTY = 1 << 4,
	TRANSMIT_FULL = 1 << 5,
};

static struct uart uart;

static volatile uint32_t *at(unsigned offset)
{
	return (volatile uint32_t *)(uart.address + offset);
}

static bool init(void)
{
	uart = boot_uart();
	return uart.kind == UART_PL011;
}

static void write(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		while (*at(FLAGS) & TRANSMIT_FULL)
			;
		*at(DATA) = (unsigned char)bytes[i];
	}
}

static int read(void)
{
	if (*at(FLAGS) & RECEIVE_EMPTY)
		return -1;
	return (int)(*at(DATA) & 0xff);
}

extern const struct console console_pl011;
const struct console console_pl011 = {
	.name = "pl011",
	.init = init,
	.write = write,
	.read = read,
};
