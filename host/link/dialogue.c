/* Finds the prompts of firmware; see dialogue.h. */
#include "host/link/dialogue.h"

#include <stdio.h>
#include <string.h>

enum { MS_PER_S = 1000 };

void dialogue_open(struct dialogue *d, const struct board *b)
{
	*d = (struct dialogue){
		.steps = b->dialogue,
		.n_steps = b->n_dialogue,
	};
}

void dialogue_restart(struct dialogue *d)
{
	d->next = d->n_turns = 0;
	d->since_ms = 0;
	d->escape = DIALOGUE_TEXT;
	d->n_line = 0;
}

/* ---- the line --------------------------------------------------------- */

/* Does the byte belong to a control sequence?  Cursor movements and colours
 * stand between the letters of EFI shells and menus. */
static bool is_control(struct dialogue *d, char c)
{
	switch (d->escape) {
	case DIALOGUE_ESCAPE:
		d->escape = c == '[' ? DIALOGUE_SEQUENCE : DIALOGUE_TEXT;
		return true;
	case DIALOGUE_SEQUENCE:
		/* ECMA-48 5.4: a final byte ends it. */
		if (c >= '@' && c <= '~')
			d->escape = DIALOGUE_TEXT;
		return true;
	default:
		if (c == '\x1b')
			d->escape = DIALOGUE_ESCAPE;
		return c == '\x1b';
	}
}

/* Add a byte; false if it is no text. */
static bool add_byte(struct dialogue *d, char c)
{
	if (is_control(d, c))
		return false;
	if (c == '\n' || c == '\r') {
		d->n_line = 0;
		return false;
	}
	if (c < ' ' || c > '~')
		return false;
	if (d->n_line == DIALOGUE_LINE_BYTES) {
		d->n_line -= DIALOGUE_LINE_BYTES / 2;
		memmove(d->line, d->line + DIALOGUE_LINE_BYTES / 2, d->n_line);
	}
	d->line[d->n_line++] = c;
	return true;
}

static bool line_ends_with(const struct dialogue *d, const char *text)
{
	size_t n = strlen(text);

	return n <= d->n_line && memcmp(d->line + d->n_line - n, text, n) == 0;
}

const char *dialogue_prompt(const struct dialogue *d)
{
	return d->line;
}

/* ---- the steps -------------------------------------------------------- */

/* Is it the first of the steps with its text? */
static bool is_first(const struct dialogue *d, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(d->steps[k].text, d->steps[i].text) == 0)
			return false;
	return true;
}

/* The step that the line completes, or n_steps. */
static size_t find_step(const struct dialogue *d)
{
	if (d->next < d->n_steps && line_ends_with(d, d->steps[d->next].text))
		return d->next;
	for (size_t i = 0; i < d->n_steps; i++)
		if (line_ends_with(d, d->steps[i].text) && is_first(d, i))
			return i;
	return d->n_steps;
}

const struct step *dialogue_take(struct dialogue *d, char c, uint64_t now_ms)
{
	bool is_text = add_byte(d, c);
	size_t i = is_text ? find_step(d) : d->n_steps;

	d->line[d->n_line] = '\0';
	if (i == d->n_steps)
		return NULL;
	/* A countdown may print its text each second. */
	d->n_turns += i + 1 < d->next;
	d->next = i + 1;
	d->since_ms = now_ms;
	d->n_line = 0;
	d->line[0] = '\0';
	return &d->steps[i];
}

const struct step *dialogue_late(const struct dialogue *d, uint64_t now_ms)
{
	const struct step *s;

	if (d->since_ms == 0 || d->next >= d->n_steps)
		return NULL;
	s = &d->steps[d->next];
	if (s->limit_s == 0 ||
	    now_ms - d->since_ms < (uint64_t)s->limit_s * MS_PER_S)
		return NULL;
	return s;
}

/* ---- unknown prompts -------------------------------------------------- */

/* Ends of lines that are known prompts, and what it means to be there. */
static const struct {
	const char *end, *means;
} prompts[] = {
	{ "=> ", "this is U-Boot's prompt" },
	{ "login: ", "an operating system has started: the firmware must "
		     "start the image before it (boot order)" },
	{ "Password: ", "an operating system has started: the firmware must "
			"start the image before it (boot order)" },
	{ "Shell> ", "this is the EFI shell" },
	{ "grub> ", "this is GRUB's prompt" },
	{ "grub rescue> ", "this is GRUB's prompt" },
	{ "# ", "this may be a shell of an operating system" },
	{ "$ ", "this may be a shell of an operating system" },
};

void dialogue_advise(const struct dialogue *d, const struct board *b,
		     char *text, size_t room)
{
	const char *means = "";
	size_t from = d->n_line > STEP_MAX_TEXT ? d->n_line - STEP_MAX_TEXT : 0;
	const char *bar = strrchr(d->line + from, '|');

	/* A bar would end the text of the step. */
	if (bar && bar[1] != '\0')
		from = (size_t)(bar + 1 - d->line);

	for (size_t i = 0; i < ARRAY_LEN(prompts); i++) {
		if (line_ends_with(d, prompts[i].end)) {
			means = prompts[i].means;
			break;
		}
	}
	(void)snprintf(text, room,
		       "%s: the board is silent after '%s'%s%s. If it waits "
		       "for an answer there, add a line to %s: dialogue.%zu = "
		       "%s|KEYS",
		       b->name, d->line, *means ? ": " : "", means, b->path,
		       d->n_steps + 1, d->line + from);
}

/* The first of the steps at the end that share their text. */
static size_t first_typed(const struct dialogue *d)
{
	size_t i = d->n_steps - 1;

	while (i > 0 && strcmp(d->steps[i - 1].text, d->steps[i].text) == 0)
		i--;
	return i;
}

void dialogue_typed(const struct dialogue *d, char *text, size_t room)
{
	size_t first, n;

	text[0] = '\0';
	if (d->n_steps == 0)
		return;
	first = first_typed(d);
	n = (size_t)snprintf(
		text, room,
		". If it waits at '%s', --wake types Ctrl-C once and "
		"then what the board's file says; or type there:",
		d->steps[first].text);
	for (size_t i = first; i < d->n_steps && n < room; i++) {
		const struct step *s = &d->steps[i];
		size_t length = s->n_keys;

		while (length > 0 && (unsigned char)s->keys[length - 1] < ' ')
			length--;
		n += (size_t)snprintf(text + n, room - n, "%s %.*s",
				      i > first ? " and" : "", (int)length,
				      s->keys);
	}
}
