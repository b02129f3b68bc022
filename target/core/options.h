/* Options that override the pack: words of the boot arguments, lines
 * of a file on the boot disk.  Each boot folder feeds in the text it finds,
 * the weaker source first.
 *
 *	passes = 2	# a line of a file, with a remark
 *	anechoic.passes=2 console=ttyS0		(words of a command line)
 *
 * A name without "anechoic." may be for another program, and is skipped if it
 * is unknown.  An unknown name with it, and a wrong value of an option, are
 * skipped too, and INFO repeats them.  No text stops a run.  INFO also has the
 * options that are set. */
#ifndef CORE_OPTIONS_H
#define CORE_OPTIONS_H

#include "common/wire.h"
#include "target/console.h"

struct options {
	uint64_t hart;     /* OPTIONS_ANY: the one the firmware chose */
	uint64_t passes;   /* runs of the whole pack; 0: without end */
	uint64_t ready_ms; /* OPTIONS_ANY: as the pack says */
	uint64_t log;      /* 0: no file on the boot disk */
	uint64_t poweroff; /* 0: back to the firmware, where there is a way */
	const struct console *console; /* to try first; NULL: in their order */
};

#define OPTIONS_ANY UINT64_MAX

const struct options *options(void);

/* Take the options among the n bytes of `text`. */
void options_take(const char *text, size_t n);

/* Add the fields of INFO: options that are not at their defaults, and what was
 * refused. */
void options_describe(struct wire_line *w);

#endif
