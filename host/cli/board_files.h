/* The files of a new board, from what its user said. */
#ifndef CLI_BOARD_FILES_H
#define CLI_BOARD_FILES_H

#include "host/base/arena.h"
#include "host/base/err.h"

/* What `anechoic board new` knows about a board; strings are never NULL. */
struct new_board {
	const char *name, *isa, *boot, *image;
	const char *cpu, *features; /* "" if unknown */
	/* Set for a board that U-Boot starts, or that has no firmware. */
	bool has_uboot, has_devices;
	const char *uart; /* type: "ns16550" */
	uint64_t uart_address, load_address, timebase_hz;
	/* Of a board without firmware; "" if it has none: its chip, and devices
	 * as TYPE@ADDRESS. */
	const char *chip, *clint, *poweroff;
};

/* Make <folder>/<name> with <isa>-<boot>.conf and README.md; a README.md that
 * is there is kept.  *ret_conf: the path of the .conf, owned by `a`.  ERR_USAGE
 * if the .conf exists, ERR_INPUT if <folder>/<name> cannot be made, ERR_SYSTEM
 * if a file cannot be written; then no new file is left. */
int board_files_write(struct arena *a, const struct new_board *b,
		      const char *folder, const char **ret_conf, struct err *e);

#endif
