/* A board's dialogue: finds the texts of its steps in what the firmware prints,
 * and tells what to type.
 *
 *	console bytes -> lines without control sequences -> a step's text
 *
 * The steps are in order, but a firmware may leave out the first ones, and
 * begins again when it is reset.  So the next step is expected, or the first
 * step with any other text.  Steps with equal texts follow each other. */
#ifndef LINK_DIALOGUE_H
#define LINK_DIALOGUE_H

#include "host/base/board.h"

enum {
	DIALOGUE_LINE_BYTES = 128,
	/* A dialogue that began again so often in a start leads nowhere. */
	DIALOGUE_MAX_TURNS = 2,
};

enum dialogue_escape {
	DIALOGUE_TEXT,
	DIALOGUE_ESCAPE,   /* behind Escape */
	DIALOGUE_SEQUENCE, /* behind Escape [ */
};

/* Initialise with dialogue_open(). */
struct dialogue {
	const struct step *steps;
	size_t n_steps;
	size_t next;       /* the step that is expected; n_steps: none */
	unsigned n_turns;  /* times it began again since dialogue_restart() */
	uint64_t since_ms; /* time of the last step; 0: none yet */
	enum dialogue_escape escape;
	/* End of the console's unfinished line, behind the last step's
	 * text. */
	size_t n_line;
	char line[DIALOGUE_LINE_BYTES + 1];
};

void dialogue_open(struct dialogue *d, const struct board *b);

/* The board was reset: expect the first step. */
void dialogue_restart(struct dialogue *d);

/* Take a byte of the console at a time in ms.  Returns the step whose text it
 * completes, or NULL. */
const struct step *dialogue_take(struct dialogue *d, char c, uint64_t now_ms);

/* The step whose text should have appeared by now, or NULL. */
const struct step *dialogue_late(const struct dialogue *d, uint64_t now_ms);

/* Did the firmware begin again too often? */
static inline bool dialogue_is_stuck(const struct dialogue *d)
{
	return d->n_turns > DIALOGUE_MAX_TURNS;
}

/* The unfinished line: a prompt if the board waits there.  "" if there is
 * none. */
const char *dialogue_prompt(const struct dialogue *d);

/* Write what to add to a board's file for an unknown prompt, in words. */
void dialogue_advise(const struct dialogue *d, const struct board *b,
		     char *text, size_t room);

#endif
