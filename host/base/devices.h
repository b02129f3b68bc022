/* Devices of a machine that no firmware describes, as keys of a board's file:
 *
 *	chip = thead,c906
 *	timebase = 10000000
 *	uart = ns16550a@0x10000000
 *	clint = riscv,clint0@0x2000000
 *	poweroff = sifive,test0@0x100000
 *
 * A device is TYPE@ADDRESS; the type is the word that `compatible` has in a
 * device tree. */
#ifndef BASE_DEVICES_H
#define BASE_DEVICES_H

#include "host/base/arena.h"
#include "host/base/conf.h"
#include "host/base/err.h"

struct device {
	const char *type; /* "": the board has none */
	uint64_t address;
};

struct devices {
	bool any;         /* does the board's file have one of the keys? */
	const char *chip; /* first word of the root's `compatible`, "" */
	struct device uart, clint, poweroff;
	uint32_t timebase;   /* Hz of `time`, 0: not said */
	uint32_t uart_clock; /* Hz of the UART's input, 0: not said */
	/* Of a UART's registers: they are 1 << uart_shift bytes apart, and are
	 * read and written by so many bytes; 0: as the type has them. */
	uint32_t uart_shift, uart_width;
};

/* The types that the runtime has a driver for, words between blanks, of the
 * device key `uart`, `clint` or `poweroff`; NULL: any. */
const char *devices_types(const char *key);

/* Read all but the numbers, which board.c reads, from a board's file.  Strings
 * are owned by `a` and the conf.  ERR_INPUT with file and line: a value is no
 * device, or the runtime has no driver for it. */
int devices_read(struct arena *a, const struct conf *c, struct devices *ret,
		 struct err *e);

#endif
