#include "host/image/tree.h"

#include <stdio.h>
#include <string.h>

enum {
	MAGIC = 0xd00dfeed,
	VERSION = 17,
	COMPATIBLE_VERSION = 16,
	BEGIN_NODE = 1,
	END_NODE = 2,
	PROPERTY = 3,
	END = 9,
	HEADER_BYTES = 40,
	RESERVED_BYTES = 16, /* the end of an empty list */
	CELL = 4,
	DEVICE_BYTES = 0x10000, /* a CLINT's, the largest */
	NAME_BYTES = 64,
};

/* The two blocks of a tree while it is made. */
struct blob {
	struct buffer structure, strings;
};

static void add_cell(struct buffer *b, uint64_t v)
{
	unsigned char cell[CELL] = {
		(unsigned char)(v >> 24),
		(unsigned char)(v >> 16),
		(unsigned char)(v >> 8),
		(unsigned char)v,
	};

	buffer_add(b, cell, sizeof(cell));
}

static void pad(struct buffer *b)
{
	static const unsigned char zeros[CELL];

	buffer_add(b, zeros, (CELL - b->n % CELL) % CELL);
}

static void begin(struct blob *t, const char *name)
{
	add_cell(&t->structure, BEGIN_NODE);
	buffer_add(&t->structure, name, strlen(name) + 1);
	pad(&t->structure);
}

static void end(struct blob *t)
{
	add_cell(&t->structure, END_NODE);
}

static void property(struct blob *t, const char *name, const void *value,
		     size_t n)
{
	add_cell(&t->structure, PROPERTY);
	add_cell(&t->structure, n);
	add_cell(&t->structure, t->strings.n);
	buffer_add(&t->structure, value, n);
	pad(&t->structure);
	buffer_add(&t->strings, name, strlen(name) + 1);
}

static void text(struct blob *t, const char *name, const char *value)
{
	property(t, name, value, strlen(value) + 1);
}

static void number(struct blob *t, const char *name, uint64_t value)
{
	struct buffer cell = { 0 };

	add_cell(&cell, value);
	property(t, name, cell.bytes, cell.n);
	buffer_free(&cell);
}

/* Addresses and sizes of the children have as many cells. */
static void cells(struct blob *t, uint64_t address, uint64_t size)
{
	number(t, "#address-cells", address);
	number(t, "#size-cells", size);
}

static void name_of(const char *kind, const struct device *d,
		    char ret[NAME_BYTES])
{
	(void)snprintf(ret, NAME_BYTES, "%s@%llx", kind,
		       (unsigned long long)d->address);
}

/* Begin the node of a device that the board has; the caller ends it. */
static bool begin_device(struct blob *t, const char *kind,
			 const struct device *d)
{
	struct buffer reg = { 0 };
	char name[NAME_BYTES];

	if (*d->type == '\0')
		return false;
	name_of(kind, d, name);
	begin(t, name);
	text(t, "compatible", d->type);
	add_cell(&reg, d->address >> 32);
	add_cell(&reg, d->address);
	add_cell(&reg, 0);
	add_cell(&reg, DEVICE_BYTES);
	property(t, "reg", reg.bytes, reg.n);
	buffer_free(&reg);
	return true;
}

static void add_device(struct blob *t, const char *kind, const struct device *d)
{
	if (begin_device(t, kind, d))
		end(t);
}

static void add_uart(struct blob *t, const struct devices *d)
{
	if (!begin_device(t, "serial", &d->uart))
		return;
	if (d->uart_clock)
		number(t, "clock-frequency", d->uart_clock);
	if (d->uart_shift)
		number(t, "reg-shift", d->uart_shift);
	if (d->uart_width)
		number(t, "reg-io-width", d->uart_width);
	end(t);
}

static void add_cpus(struct blob *t, const struct devices *d)
{
	begin(t, "cpus");
	cells(t, 1, 0);
	if (d->timebase)
		number(t, "timebase-frequency", d->timebase);
	begin(t, "cpu@0");
	text(t, "device_type", "cpu");
	number(t, "reg", 0);
	text(t, "compatible", *d->chip ? d->chip : "riscv");
	end(t);
	end(t);
}

static void add_chosen(struct blob *t, const struct devices *d)
{
	char name[NAME_BYTES], path[NAME_BYTES + sizeof("/soc/")];

	if (*d->uart.type == '\0')
		return;
	name_of("serial", &d->uart, name);
	(void)snprintf(path, sizeof(path), "/soc/%s", name);
	begin(t, "chosen");
	text(t, "stdout-path", path);
	end(t);
}

static void add_root(struct blob *t, const struct devices *d, const char *board)
{
	begin(t, "");
	cells(t, 2, 2);
	text(t, "compatible", *d->chip ? d->chip : board);
	text(t, "model", board);
	add_chosen(t, d);
	add_cpus(t, d);
	begin(t, "soc");
	cells(t, 2, 2);
	text(t, "compatible", "simple-bus");
	property(t, "ranges", "", 0);
	add_uart(t, d);
	add_device(t, "clint", &d->clint);
	add_device(t, "poweroff", &d->poweroff);
	end(t);
	end(t);
	add_cell(&t->structure, END);
}

void tree_build(const struct devices *d, const char *board, struct buffer *ret)
{
	static const unsigned char reserved[RESERVED_BYTES];
	struct blob t = { 0 };
	struct buffer file = { 0 };

	add_root(&t, d, board);

	size_t structure = HEADER_BYTES + RESERVED_BYTES;
	size_t strings = structure + t.structure.n;

	add_cell(&file, MAGIC);
	add_cell(&file, strings + t.strings.n);
	add_cell(&file, structure);
	add_cell(&file, strings);
	add_cell(&file, HEADER_BYTES);
	add_cell(&file, VERSION);
	add_cell(&file, COMPATIBLE_VERSION);
	add_cell(&file, 0); /* boot_cpuid_phys */
	add_cell(&file, t.strings.n);
	add_cell(&file, t.structure.n);
	buffer_add(&file, reserved, sizeof(reserved));
	buffer_add(&file, t.structure.bytes, t.structure.n);
	buffer_add(&file, t.strings.bytes, t.strings.n);
	buffer_free(&t.structure);
	buffer_free(&t.strings);
	*ret = file;
}
