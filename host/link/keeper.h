/* The keeper of a console's command: a process that runs the command, starts it
 * again when it ends, and ends it with all that it started when this program ends
 * in any way, killed included.
 *
 *	this program --life--> keeper --+--> command --> its children
 *	             <-report-          |      (pipelines, sessions of their own)
 *	                                +--> at_end, once
 *
 * PR_SET_PDEATHSIG is not enough: it ends the shell, not what the shell started.
 * The keeper is their subreaper: whatever loses its parent becomes its child. */
#ifndef LINK_KEEPER_H
#define LINK_KEEPER_H

#include <stdint.h>

enum {
	/* Time to the next start, doubled by each start that lives shorter than
	 * KEEPER_LIVED_MS. */
	KEEPER_AGAIN_MS = 1000,
	KEEPER_AGAIN_MOST_MS = 60 * 1000,
	KEEPER_LIVED_MS = 10 * 1000,
	KEEPER_EXEC_FAILED = 127, /* status of the shell, too */
};

/* What the keeper writes: the command started, or it ended. */
struct keeper_report {
	int32_t ended;
	int32_t status; /* as waitpid() */
	uint32_t lived_ms, again_ms;
};

struct keeper_job {
	const char *command;
	const char *at_end; /* NULL: none */
	int terminal;       /* the command's standard input and output */
	int errors;         /* its standard error */
	int life;           /* end of file: end everything */
	int report;
};

/* The whole life of the keeper, in a process of its own.  Async-signal-safe:
 * the program that forked may have threads. */
_Noreturn void keeper_main(const struct keeper_job *job);

#endif
