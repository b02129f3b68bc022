/* Folds and colours lines; see terminal.h. */
#include "host/cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/base/file.h"
#include "host/store/verdict.h"

enum {
	TAB = 8,
	INDENT = 4,        /* of the later lines, more than of the first */
	NARROWEST = 20,    /* narrower terminals cut lines themselves */
	USUAL = 80,        /* of a terminal that does not know its width */
	LONGEST_WORD = 40, /* of a verdict */
};

static struct terminal {
	bool on, colours, failed;
	size_t columns;
	struct buffer line; /* not ended yet */
} terminal;

size_t terminal_columns_of(int fd)
{
	struct winsize size;

	if (!isatty(fd))
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return USUAL;
	return size.ws_col;
}

size_t terminal_columns(void)
{
	return terminal_columns_of(STDOUT_FILENO);
}

/* ---- one line ---------------------------------------------------------- */

static const char *colour_of(enum verdict verdict)
{
	if (verdict == VERDICT_OK)
		return "\x1b[32m";
	return verdict == VERDICT_FAULT ? "\x1b[31m" : "\x1b[33m";
}

/* Append text whose bytes from `at` on are a verdict if `word` is one. */
static void add_coloured(struct buffer *ret, const char *text, size_t n,
			 size_t at, size_t length)
{
	char word[LONGEST_WORD];
	enum verdict verdict;

	if (length == 0 || length >= sizeof(word)) {
		buffer_add(ret, text, n);
		return;
	}
	memcpy(word, text + at, length);
	word[length] = '\0';
	verdict = verdict_of(word);
	if (verdict == VERDICT_UNKNOWN) {
		buffer_add(ret, text, n);
		return;
	}
	buffer_add(ret, text, at);
	buffer_printf(ret, "%s%s\x1b[0m", colour_of(verdict), word);
	buffer_add(ret, text + at + length, n - at - length);
}

/* A verdict is the last word of a table's row, or the first of a row behind
 * blanks or before a colon. Words within a sentence are no verdicts. */
static void add_colours(struct buffer *ret, const char *text, size_t n)
{
	size_t first = 0, end, last = n;

	while (first < n && text[first] == ' ')
		first++;
	end = first;
	while (end < n && text[end] != ' ' && text[end] != ':')
		end++;
	while (last > first && text[last - 1] != ' ')
		last--;
	if (last >= 2 && text[last - 2] == ' ' && last > end)
		add_coloured(ret, text, n, last, n - last);
	else if (first > 0 && end < n &&
		 (text[end] == ':' || (end + 1 < n && text[end + 1] == ' ')))
		add_coloured(ret, text, n, first, end - first);
	else
		buffer_add(ret, text, n);
}

/* Bytes of a character that is no ASCII take one column together. */
static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Bytes of the text that fit, up to a blank if there is one behind the first
 * words. */
static size_t fitting(const char *text, size_t n, size_t columns)
{
	size_t at = 0, column = 0, blank = 0;

	for (; at < n; at++) {
		column += !continues(text[at]);
		if (column > columns)
			break;
		if (text[at] == ' ')
			blank = at;
	}
	if (at == n)
		return n;
	return blank > columns / 4 ? blank : at;
}

static void expand_tabs(struct buffer *ret, const char *line, size_t n)
{
	size_t column = 0;

	for (size_t i = 0; i < n; i++) {
		size_t blanks = line[i] == '\t' ? TAB - column % TAB : 0;

		column += blanks ? blanks : !continues(line[i]);
		if (blanks)
			buffer_printf(ret, "%*s", (int)blanks, "");
		else
			buffer_add(ret, &line[i], 1);
	}
}

/* Append `line` of n bytes without its line feed to *ret as the terminal shows
 * it: in lines of at most `columns`, the later ones indented, with a line feed
 * behind each; tabs become blanks. */
static void show_line(struct buffer *ret, const char *line, size_t n,
		      size_t columns, bool colours)
{
	struct buffer plain = { 0 };
	size_t indent = 0, at = 0, before = 0;
	const char *text;

	expand_tabs(&plain, line, n);
	text = (const char *)plain.bytes;
	n = plain.n;
	while (indent < n && text[indent] == ' ')
		indent++;
	indent += INDENT;
	if (columns < NARROWEST || indent > columns / 2)
		indent = INDENT;
	do {
		size_t part = columns < NARROWEST ? n - at
						  : fitting(text + at, n - at,
							    columns - before);

		buffer_printf(ret, "%*s", (int)before, "");
		if (colours)
			add_colours(ret, text + at, part);
		else
			buffer_add(ret, text + at, part);
		buffer_add(ret, "\n", 1);
		at += part;
		while (at < n && text[at] == ' ')
			at++;
		before = indent;
	} while (at < n);
	buffer_free(&plain);
}

/* ---- the stream -------------------------------------------------------- */

static ssize_t on_write(void *cookie, const char *bytes, size_t n)
{
	struct terminal *t = cookie;
	struct buffer shown = { 0 };
	const char *line, *end;

	buffer_add(&t->line, bytes, n);
	line = (const char *)t->line.bytes;
	end = line + t->line.n;
	for (const char *stop;
	     line < end && (stop = memchr(line, '\n', (size_t)(end - line)));
	     line = stop + 1)
		show_line(&shown, line, (size_t)(stop - line), t->columns,
			  t->colours);
	t->failed |= !file_put(STDOUT_FILENO, shown.bytes, shown.n);
	buffer_free(&shown);
	t->line.n = (size_t)(end - line);
	memmove(t->line.bytes, line, t->line.n);
	return t->failed ? 0 : (ssize_t)n;
}

void terminal_start(void)
{
	const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
	FILE *f;

	terminal.columns = terminal_columns();
	if (terminal.columns == 0)
		return;
	terminal.colours = !(none && *none != '\0') &&
			   !(kind && strcmp(kind, "dumb") == 0);
	f = fopencookie(&terminal, "w",
			(cookie_io_functions_t){ .write = on_write });
	if (!f)
		return;
	(void)setvbuf(f, NULL, _IOLBF, BUFSIZ);
	terminal.on = true;
	stdout = f;
}

bool terminal_end(void)
{
	if (!terminal.on)
		return true;
	terminal.failed |=
		!file_put(STDOUT_FILENO, terminal.line.bytes, terminal.line.n);
	buffer_free(&terminal.line);
	return !terminal.failed;
}
