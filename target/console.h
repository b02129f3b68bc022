/* The byte stream to the host.  One file per device in target/console/; a
 * board's .conf lists those to link, tried in order. */
#ifndef TARGET_CONSOLE_H
#define TARGET_CONSOLE_H

#include "common/types.h"

struct console {
	const char *name;
	/* Find and prepare the device; false: absent, try the next. */
	bool (*init)(void);
	/* Send n bytes; blocks. */
	void (*write)(const char *bytes, size_t n);
	/* Next byte from the host, or -1 if none has arrived. */
	int (*read)(void);
	/* Sleep until a byte may have arrived or about `ms` passed; NULL: the
	 * device cannot sleep, and the reader polls. */
	void (*wait)(unsigned ms);
	/* Has the host closed its end for good?  NULL: unknown. */
	bool (*closed)(void);
};

/* Generated from the board's .conf: the registry, NULL-terminated. */
extern const struct console *const consoles[];

#endif
