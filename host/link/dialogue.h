/* A board's dialogue: finds the texts of its steps in what the firmware prints,
 * and returns the keys to type.
 *
 *	console bytes -> lines without control sequences -> a step's text
 *
 * The steps are in order, but a firmware may skip some, and begins again when
 * it is reset.  So a text matches the next step if it is that step's, else the
 * first step that has it.  Steps with equal texts are taken one after the
 * other. */
#ifndef LINK_DIALOGUE_H
#define LINK_DIALOGUE_H

#include "host/base/board.h"

enum {
	DIALOGUE_LINE_BYTES = 128,
	/* A dialogue that begins again more often than this in one start is
	 * stuck. */
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

/* Take a byte that the console sent at the time now_ms.  Returns the step whose
 * text it completes, or NULL. */
const struct step *dialogue_take(struct dialogue *d, char c, uint64_t now_ms);

/* The expected step if its time limit has passed, or NULL. */
const struct step *dialogue_late(const struct dialogue *d, uint64_t now_ms);

/* Did the firmware begin again too often? */
static inline bool dialogue_is_stuck(const struct dialogue *d)
{
	return d->n_turns > DIALOGUE_MAX_TURNS;
}

/* The unfinished line: a prompt if the board waits there.  "" if there is
 * none. */
const char *dialogue_prompt(const struct dialogue *d);

/* Write into text[room] what a person types if the board waits at the last
 * step's prompt already, as the end of a message; "" without a dialogue. */
void dialogue_typed(const struct dialogue *d, char *text, size_t room);

/* Write a message into text[room]: the unknown prompt, and the line to add to
 * the board's file. */
void dialogue_advise(const struct dialogue *d, const struct board *b,
		     char *text, size_t room);

#endif
