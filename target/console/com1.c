/* The serial port of a PC: a 16550 behind I/O ports, where the firmware says
 * its console is or else the first one.  Firmware may have left it unused, so
 * speed and format are set here.  Registers: 16550 data sheet; port 0x3f8:
 * IBM PC AT Technical Reference. */
#include "target/console.h"

#include "target/boot/efi/machine.h"

enum {
	FIRST_PORT = 0x3f8,
	SPACE_PORTS = 1,
	DATA = 0,
	DIVISOR_LOW = 0,
	INTERRUPTS = 1,
	DIVISOR_HIGH = 1,
	FIFO = 2,
	LINE_CONTROL = 3,
	LINE_STATUS = 5,
	SCRATCH = 7,
	FIFO_ON = 0x07, /* on, both directions emptied */
	EIGHT_BITS = 0x03,
	DIVISOR_ACCESS = 0x80,
	DIVISOR_115200 = 1,
	DATA_READY = 1 << 0,
	TRANSMITTER_EMPTY = 1 << 5,
	PATTERN = 0x5a,
};

static struct {
	uint16_t port;
} com;

static uint8_t get(unsigned index)
{
	uint8_t value;

	__asm__ volatile("inb %w1, %0"
			 : "=a"(value)
			 : "Nd"((uint16_t)(com.port + index)));
	return value;
}

static void put(unsigned index, uint8_t value)
{
	__asm__ volatile("outb %0, %w1"
			 :
			 : "a"(value), "Nd"((uint16_t)(com.port + index)));
}

static bool init(void)
{
	struct machine_uart u = machine_uart();

	com.port = FIRST_PORT;
	if (u.address && u.address < UINT16_MAX && u.space == SPACE_PORTS)
		com.port = (uint16_t)u.address;
	/* Where there is no port the bus reads all ones. */
	put(SCRATCH, PATTERN);
	if (get(SCRATCH) != PATTERN)
		return false;
	put(INTERRUPTS, 0);
	put(LINE_CONTROL, DIVISOR_ACCESS | EIGHT_BITS);
	put(DIVISOR_LOW, DIVISOR_115200);
	put(DIVISOR_HIGH, 0);
	put(LINE_CONTROL, EIGHT_BITS);
	put(FIFO, FIFO_ON);
	return true;
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
	return get(DATA);
}

extern const struct console console_com1;
const struct console console_com1 = {
	.name = "com1",
	.init = init,
	.write = write,
	.read = read,
};
