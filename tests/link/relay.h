/* A serial line that does not exist: a pty whose other end is a board that is
 * a child of ours.  What passes can be slowed to a rate and spoilt on the way
 * as real lines spoil it, the same way for the same seed.
 *
 *	host <- symlink -> pty | relay | socket <-> board
 */
#ifndef TESTS_LINK_RELAY_H
#define TESTS_LINK_RELAY_H

#include "common/types.h"

enum relay_fault {
	RELAY_FLIP,       /* a bit of a byte */
	RELAY_LOSE,       /* some bytes do not arrive */
	RELAY_DUPLICATE,  /* a chunk arrives twice */
	RELAY_REORDER,    /* two chunks change places */
	RELAY_CHATTER,    /* firmware prints into a record */
	RELAY_SILENCE,    /* nothing moves for silence_ms */
	RELAY_DISCONNECT, /* the tty vanishes for gap_ms */
	RELAY_RESET,      /* the board starts again */
	RELAY_N_FAULTS,
};

struct relay {
	const char *link; /* symlink to the pty, replaced */
	uint32_t baud;    /* 0: as fast as it goes */
	uint64_t seed;
	/* Damaged chunks of the board, per 10000. */
	uint32_t rate[RELAY_N_FAULTS];
	/* Maximum number of each fault. */
	uint32_t limit[RELAY_N_FAULTS];
	uint32_t silence_ms, gap_ms;
	bool hides_start; /* after a reset: the host does not see it */
	/* The board: called in a child whose stdin and stdout are the line;
	 * must not return. */
	void (*board)(void *context);
	void *context;
	const char *trace; /* file for one line per fault, or NULL */
};

/* Serve the line until SIGTERM; SIGHUP resets the board.  Returns the status
 * for exit(). */
int relay_run(const struct relay *r);

#endif
