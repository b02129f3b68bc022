/* The UART that firmware names as its console: by the device tree or by an ACPI
 * table.  The boot folder finds it, the console's file drives it. */
#ifndef BOOT_BARE_UART_H
#define BOOT_BARE_UART_H

#include "common/types.h"

enum uart_kind {
	UART_NONE,
	UART_NS16550,
	UART_PL011,
};

/* A UART with memory-mapped registers. */
struct uart {
	enum uart_kind kind;
	uint64_t address;
	uint32_t shift; /* NS16550: registers are 1 << shift bytes apart */
	uint32_t width; /* NS16550: bytes of one access, 1 or 4 */
	uint32_t clock; /* Hz of its input, 0: unknown */
	uint32_t fifo;  /* NS16550: bytes that its type can hold, at least */
	uint32_t speed; /* to set, if the clock is known; 0: firmware did */
};

/* Set by the boot folder; kind UART_NONE if none is named. */
struct uart boot_uart(void);

#endif
