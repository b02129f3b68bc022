/* The 16550 in memory that firmware names as its console.  Where firmware has
 * set its speed, only the data path is touched.  Registers: 16550 data sheet. */
#include "target/console.h"

#include "target/boot/bare/uart.h"

enum {
	DATA = 0,
	DIVISOR_LOW = 0, /* while DIVISOR_ACCESS is set */
	DIVISOR_HIGH = 1,
	INTERRUPT_ID = 2, /* read */
	FIFO_CONTROL = 2, /* write */
	LINE_CONTROL = 3,
	LINE_STATUS = 5,
	DATA_READY = 1 << 0,
	TRANSMITTER_EMPTY = 1 << 5,
	FIFOS_ON = 1,
	FIFOS_ARE_ON = 3 << 6, /* of INTERRUPT_ID */
	FIFO = 16,
	EIGHT_BITS = 3, /* no parity, one stop bit */
	DIVISOR_ACCESS = 1 << 7,
	SAMPLES = 16, /* of a bit */
};

static struct uart uart;

/* Bytes that fit once the transmitter is empty. */
static size_t burst;

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

static void set_speed(void)
{
	uint32_t per_bit = SAMPLES * uart.speed;
	uint32_t divisor = (uart.clock + per_bit / 2) / per_bit;

	put(LINE_CONTROL, DIVISOR_ACCESS | EIGHT_BITS);
	put(DIVISOR_LOW, (uint8_t)divisor);
	put(DIVISOR_HIGH, (uint8_t)(divisor >> 8));
	put(LINE_CONTROL, EIGHT_BITS);
}

/* Firmware may have left the FIFOs off, and not every UART of this family has
 * them. */
static size_t find_burst(void)
{
	if (uart.speed) {
		put(FIFO_CONTROL, FIFOS_ON);
		return uart.fifo;
	}
	return (get(INTERRUPT_ID) & FIFOS_ARE_ON) == FIFOS_ARE_ON ? FIFO : 1;
}

static bool init(void)
{
	uart = boot_uart();
	if (uart.kind != UART_NS16550)
		return false;
	if (uart.speed && uart.clock)
		set_speed();
	burst = find_burst();
	return true;
}

static size_t wait_for_room(void)
{
	while (!(get(LINE_STATUS) & TRANSMITTER_EMPTY))
		continue;
	return burst;
}

/* A loop for each width, and bytes that are loaded ahead: little but the stores is
 * left to a slow core. */
static void write_bytes(volatile uint8_t *to, const char *at, const char *until)
{
	enum { AT_ONCE = 4 };

	for (; until - at >= AT_ONCE; at += AT_ONCE) {
		char a = at[0], b = at[1], c = at[2], d = at[3];

		*to = (uint8_t)a;
		*to = (uint8_t)b;
		*to = (uint8_t)c;
		*to = (uint8_t)d;
	}
	while (at < until)
		*to = (uint8_t)*at++;
}

static void write_words(volatile uint32_t *to, const char *at,
			const char *until)
{
	while (at < until)
		*to = (uint8_t)*at++;
}

static void write(const char *bytes, size_t n)
{
	for (const char *end = bytes + n; bytes < end;) {
		size_t room = wait_for_room();
		size_t left = (size_t)(end - bytes);
		const char *until = bytes + (left < room ? left : room);

		if (uart.width == 4)
			write_words((volatile uint32_t *)at(DATA), bytes,
				    until);
		else
			write_bytes((volatile uint8_t *)at(DATA), bytes, until);
		bytes = until;
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
