/* The firmware's own console: its serial port, byte for byte, or where there
 * is none its text console, which may wrap lines. */
#include "target/console.h"

#include "target/boot/efi/cores.h"
#include "target/boot/efi/machine.h"

enum { PIECE = 64 };

static struct {
	struct efi_serial *serial;
	struct efi_text_output *out;
	struct efi_text_input *in;
	int byte; /* read last, or -1 */
} console;

static bool init(void)
{
	/* EFI_SERIAL_IO_PROTOCOL_GUID */
	static const struct efi_guid guid = { 0xbb25cf6f,
					      0xf1d4,
					      0x11d2,
					      { 0x9a, 0x0c, 0x00, 0x90, 0x27,
						0x3f, 0xc1, 0xfd } };
	const struct efi_system_table *st = machine_system();
	void *p = NULL;

	console.out = st->out;
	console.in = st->in;
	if (st->boot->locate_protocol(&guid, NULL, &p) == 0)
		console.serial = p;
	return console.serial || console.out;
}

/* Text goes as UCS-2, and the console may ask for "\r\n". */
static void write_text(const char *bytes, size_t n)
{
	uint16_t text[2 * PIECE + 1];

	while (n > 0) {
		size_t take = n < PIECE ? n : PIECE;
		size_t at = 0;

		for (size_t i = 0; i < take; i++) {
			if (bytes[i] == '\n')
				text[at++] = '\r';
			text[at++] = (unsigned char)bytes[i];
		}
		text[at] = 0;
		(void)console.out->output(console.out, text);
		bytes += take;
		n -= take;
	}
}

static void write_now(const char *bytes, size_t n)
{
	if (!console.serial) {
		write_text(bytes, n);
		return;
	}
	/* A full FIFO ends a call early with what it took. */
	while (n > 0) {
		uint64_t took = n;

		(void)console.serial->write(console.serial, &took, bytes);
		bytes += took;
		n -= took;
	}
}

static void write(const char *bytes, size_t n)
{
	if (cores_are_first())
		write_now(bytes, n);
	else
		cores_keep(SINK_CONSOLE, write_now, bytes, n);
}

static int read_now(void)
{
	struct efi_key key;
	uint64_t one = 1;
	unsigned char c;

	if (console.serial) {
		if (console.serial->read(console.serial, &one, &c) || one != 1)
			return -1;
		return c;
	}
	if (!console.in || console.in->read_key(console.in, &key))
		return -1;
	/* The text console turns a line feed into a carriage return. */
	return key.character == '\r' ? '\n' : key.character & 0xff;
}

static void poll(void)
{
	console.byte = read_now();
}

/* On another core what was kept is written, too: a host may wait for it. */
static int read(void)
{
	cores_on_first(poll);
	return console.byte;
}

extern const struct console console_efi;
const struct console console_efi = {
	.name = "efi",
	.init = init,
	.write = write,
	.read = read,
};
