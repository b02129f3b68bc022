/* The 16550 in memory that firmware names as its console.  The firmware has
 * set its speed; only the data path is touched.  Registers: 16550 data sheet,
 * line status register. */
#include "target/console.h"

#include "target/boot/bare/uart.h"

enum {
	DATA = 0,
	LINE_STATUS = 5,
	DATA_READY = 1 << 0,
	TRANSMITTER_EMPTY = 1 << 5,
};

static struct uart uart;

static bool init(void)
{
	uart = boot_uart();
	return uart.kind == UART_NS16550;
}

static uintptr_t at(unsigned index)
{
	return uart.address + ((uintptr_t)index << uart.shift);
}

static uint32_t get(unsigned index)
{
	if (uart.width == 4)
		return *(volatile uint32_t *)at(index);
	return *(volatile uint8_t *)at(index);
}

static void put(unsigned index, uint8_t value)
{
	if (uart.width == 4)
		*(volatile uint32_t *)at(index) = value;
	else
		*(volatile uint8_t *)at(index) = value;
}

static void write(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		while (!(get(LINE_STATUS) & TRANSMITTER_EMPTY))
			;
		put(DATA, (uint8_t)bytes[i]);
	}
}

static int read(void)
{
	if (!(get(LINE_STATUS) & DATA_READY))
		return -1;
	return (int)(get(DATA) & 0xff);
}

extern const struct console console_ns16550;
const struct console console_ns16550 = {
	.name = "ns16550",
	.init = init,
	.write = write,
	.read = read,
};
