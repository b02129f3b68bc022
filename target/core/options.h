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

enum { OPTIONS_MAX_SKIP = 16 };

struct options {
	/* The core that runs the pack; OPTIONS_ANY: the one that booted;
	 * OPTIONS_ALL, OPTIONS_EACH_KIND: one after another. */
	uint64_t core;
	uint64_t passes;   /* runs of the whole pack; 0: without end */
	uint64_t ready_ms; /* OPTIONS_ANY: as the pack says */
	/* Where the first pass begins: kernels that it leaves out, counted over
	 * its visits. */
	uint64_t from;
	uint64_t log;      /* 0: no file on the boot disk */
	uint64_t poweroff; /* 0: back to the firmware, where there is a way */
	const struct console *console; /* to try first; NULL: in their order */
	/* Kernels that are not run: they stop this board. */
	size_t n_skip;
	uint64_t skip[OPTIONS_MAX_SKIP];
};

#define OPTIONS_ANY       UINT64_MAX
#define OPTIONS_ALL       (UINT64_MAX - 1)
#define OPTIONS_EACH_KIND (UINT64_MAX - 2)

const struct options *options(void);

/* Is kernel k of the pack one that is not run? */
bool options_skip(uint64_t k);

/* Take the options among the n bytes of `text`. */
void options_take(const char *text, size_t n);

/* Add the fields of INFO: options that are not at their defaults, and what was
 * refused. */
void options_describe(struct wire_line *w);

#endif
