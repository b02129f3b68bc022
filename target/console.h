/* The byte stream to the host.  One file per device under target/console/;
 * a board's .conf names those to link, tried in order. */
#ifndef TARGET_CONSOLE_H
#define TARGET_CONSOLE_H

#include "common/types.h"

struct console {
	const char *name;
	/* Find and prepare the device; false: not here, try the next. */
	bool (*init)(void);
	/* Send n bytes, waiting as long as it takes. */
	void (*write)(const char *bytes, size_t n);
	/* Next byte from the host, or -1 when none waits now. */
	int (*read)(void);
	/* Sleep until a byte may wait or about `ms` passed; NULL where there
	 * is nothing to sleep on and the reader spins. */
	void (*wait)(unsigned ms);
	/* Has the host closed its side for good?  NULL: cannot be known. */
	bool (*closed)(void);
};

/* Generated from the board's .conf: the registry, NULL-terminated. */
extern const struct console *const consoles[];

#endif
