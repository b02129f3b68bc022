/* Boards of a laboratory that are measured side by side.  Each board has a
 * process of this program, so a board that breaks its process breaks no other.
 * Prints nothing. */
#ifndef FARM_FARM_H
#define FARM_FARM_H

#include "common/types.h"
#include "host/base/err.h"

/* The state of one board. */
struct farm_state {
	const char *name, *state; /* waiting, running, ending, done, failed */
	double seconds;           /* of the tries that ended */
	unsigned tries;
	const char *why; /* the last message of its process, or "" */
};

struct farm_request {
	const char *path; /* file of the boards (docs/farm.md) */
	const char
		*folder; /* of databases, logs, the summary; made if missing */
	const volatile int *stop; /* nonzero: end the boards */
	/* Called when a board's state changes, and before each later try. */
	void (*show)(const struct farm_state *s);
};

/* Measure all boards of the file: start a process for each, end it at its
 * limit, try it again, and continue where it was.  Then write summary.json and
 * merge all databases, those of boards that failed, too.  A board that was
 * stopped counts as failed.  A board whose process says that its
 * line is wrong (exit status 2) is not tried again.  ERR_INPUT with file and
 * line, ERR_SYSTEM if the folder cannot be made or this program is not found,
 * the error of file_write() if summary.json cannot be written (nothing is
 * merged then), ERR_FAILED if a board or the merging failed. */
int farm_measure(const struct farm_request *q, struct err *e);

#endif
