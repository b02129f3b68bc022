/* A listing line by line: "name PROC" becomes a label, instructions stay, and
 * directives, data and comments become blanks.  See listing.h.
 *
 * The words are those of Microsoft's MASM reference, "Directives". */
#include "host/predict/listing.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "host/predict/source.h"

struct listing_word {
	const char *text;
	size_t n;
};

static bool is_word(struct listing_word w, const char *what)
{
	return strlen(what) == w.n && strncasecmp(w.text, what, w.n) == 0;
}

static bool is_one_of(struct listing_word w, const char *const *list)
{
	for (; *list; list++)
		if (is_word(w, *list))
			return true;
	return false;
}

/* The next word of a line, up to a blank, and where it ends. */
static struct listing_word next_word(const char **at, const char *end)
{
	struct listing_word w;

	while (*at < end && isspace((unsigned char)**at))
		++*at;
	w.text = *at;
	while (*at < end && !isspace((unsigned char)**at))
		++*at;
	w.n = (size_t)(*at - w.text);
	return w;
}

bool listing_is(const char *text, size_t n)
{
	const char *end = text + n;

	for (const char *at = text; at < end;) {
		const char *line = source_line_end(at, end);

		struct listing_word name = next_word(&at, line);

		if (name.n > 0 &&
		    (isalpha((unsigned char)name.text[0]) ||
		     strchr("_?$@", name.text[0])) &&
		    is_word(next_word(&at, line), "PROC"))
			return true;
		at = line + (line < end);
	}
	return false;
}

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\r')
			*from = ' ';
}

/* Is this a directive, by its first word or by its second? */
static bool is_directive(struct listing_word first, struct listing_word second)
{
	static const char *const firsts[] = {
		"TITLE", "INCLUDE", "INCLUDELIB", "PUBLIC", "EXTRN",  "EXTERN",
		"END",   "ALIGN",   "COMM",       "npad",   "DB",     "DW",
		"DD",    "DQ",      "ORG",        "ASSUME", "OPTION", NULL,
	};
	static const char *const seconds[] = {
		"SEGMENT", "ENDS", "ENDP", "DB",      "DW",     "DD",
		"DQ",      "=",    "EQU",  "TYPEDEF", "STRUCT", NULL,
	};

	return first.text[0] == '.' || is_one_of(first, firsts) ||
	       is_one_of(second, seconds);
}

/* Blank a word of an operand that only says how far or of what model a symbol
 * is. */
static void blank_all(char *line, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (char *at = line; at + n <= end; at++)
		if (strncasecmp(at, word, n) == 0)
			blank(at, at + n);
}

static void plain_names(char *line, const char *end)
{
	for (; line < end; line++)
		if (*line == '@' || *line == '?' || *line == '$')
			*line = '_';
}

static void clean_line(char *line, char *end)
{
	char *comment = memchr(line, ';', (size_t)(end - line));
	const char *at = line;
	struct listing_word first, second;

	if (comment)
		blank(comment, end);
	first = next_word(&at, end);
	second = next_word(&at, end);
	if (first.n == 0)
		return;
	if (is_word(second, "PROC")) {
		char *name_end = line + (first.text - line) + first.n;

		plain_names(line, name_end);
		blank(name_end, end);
		*name_end = ':';
	} else if (is_directive(first, second)) {
		blank(line, end);
	} else {
		blank_all(line, end, "SHORT ");
		blank_all(line, end, "FLAT:");
		plain_names(line, end);
	}
}

void listing_clean(char *text, size_t n)
{
	char *end = text + n;

	for (char *at = text; at < end;) {
		char *line = at + (source_line_end(at, end) - at);

		clean_line(at, line);
		at = line + (line < end);
	}
}
