/* Texts of other tools, line by line; see foreign.h. */
#include "host/predict/foreign.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "host/predict/source.h"

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\r')
			*from = ' ';
}

/* ---- listings of Microsoft's compiler ---------------------------------- */

/* The words are those of Microsoft's MASM reference, "Directives". */
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

/* "name PROC" */
static bool is_procedure(const char *line, const char *end)
{
	const char *at = line;
	struct listing_word name = next_word(&at, end);

	return name.n > 0 &&
	       (isalpha((unsigned char)name.text[0]) ||
		strchr("_?$@", name.text[0])) &&
	       is_word(next_word(&at, end), "PROC");
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

/* "name PROC" becomes a label, instructions stay, and directives, data and
 * comments become blanks. */
static void clean_listing(char *line, char *end)
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

/* ---- text of disassemblers --------------------------------------------- */

static char *skip_blanks(char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* The end of "0x1128"; NULL: something else. */
static char *number_end(char *at, const char *end)
{
	char *digits = at + 2;

	if (end - at < 3 || at[0] != '0' || at[1] != 'x' ||
	    !isxdigit((unsigned char)*digits))
		return NULL;
	while (digits < end && isxdigit((unsigned char)*digits))
		digits++;
	return digits;
}

/* The end of "<sum+8>"; NULL: something else. */
static char *name_end(char *at, const char *end)
{
	int depth = 0;

	if (at == end || *at != '<')
		return NULL;
	for (; at < end; at++) {
		depth += *at == '<';
		/* "operator->" */
		depth -= *at == '>' && at[-1] != '-';
		if (depth == 0)
			return at + 1;
	}
	return NULL;
}

/* The colon behind "0x1128 <+8>" at the begin of a line of gdb, and where its
 * number begins; NULL: it is another line. */
static char *gdb_prefix(char *line, const char *end, char **ret_number)
{
	char *at = skip_blanks(line, end), *behind;

	if (end - at > 2 && at[0] == '=' && at[1] == '>')
		at = skip_blanks(at + 2, end);
	behind = number_end(at, end);
	if (!behind || behind == end || *behind != ' ')
		return NULL;
	*ret_number = at;
	behind = name_end(behind + 1, end);
	return behind && behind < end && *behind == ':' ? behind : NULL;
}

/* The colon of a line "<L0>:"; NULL: it is another line. */
static char *label_colon(char *line, const char *end)
{
	char *behind = name_end(line, end);

	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	return behind && behind + 1 == end && *behind == ':' ? behind : NULL;
}

/* Write "L1128", from the number at `at`, over at[0..end). */
static void put_label(char *at, const char *number_behind, const char *end)
{
	char *digits = at + 2;
	size_t n;

	while (digits + 1 < number_behind && *digits == '0')
		digits++;
	n = (size_t)(number_behind - digits);
	*at = 'L';
	memmove(at + 1, digits, n);
	blank(at + 1 + n, end);
}

static void plain_characters(char *at, const char *end)
{
	for (; at < end; at++)
		if (!isalnum((unsigned char)*at) && !strchr("_.$", *at))
			*at = '_';
}

/* "<a::b(int)>" becomes " a__b_int_ ". */
static void plain_name(char *at, char *end)
{
	*at = ' ';
	end[-1] = ' ';
	plain_characters(at + 1, end - 1);
}

/* "a::b(int):", which may have a blank behind it. */
static void plain_heading(char *at, char *end)
{
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	if (end > at && end[-1] == ':')
		end--;
	plain_characters(at, end);
}

/* Names behind the first blank of an instruction, and numbers before them. */
static void clean_operands(char *at, const char *end)
{
	while (at < end) {
		char *number = number_end(at, end);
		char *name = number ? skip_blanks(number, end) : at;
		char *behind = name < end ? name_end(name, end) : NULL;

		if (!behind) {
			at = number ? number : at + 1;
			continue;
		}
		if (number)
			put_label(at, number, behind);
		else
			plain_name(name, behind);
		at = behind;
	}
}

static bool begins(const char *line, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - line) >= n && memcmp(line, word, n) == 0;
}

/* "k.o:	file format elf64-littleaarch64" */
static bool is_format(const char *line, const char *end)
{
	static const char word[] = "file format ";
	const size_t n = sizeof(word) - 1;

	for (; (size_t)(end - line) >= n; line++)
		if (memcmp(line, word, n) == 0)
			return true;
	return false;
}

static bool is_heading(const char *line, const char *end)
{
	return begins(line, end, "End of assembler dump") ||
	       begins(line, end, "Disassembly of section") ||
	       is_format(line, end);
}

/* A longer line is no instruction; source.c refuses it. */
enum { LONGEST = 1000 };

static void clean_annotated(char *line, char *end)
{
	static const char function[] = "Dump of assembler code for function ";
	char *colon = label_colon(line, end), *number = NULL;
	char *address = gdb_prefix(line, end, &number);

	if (is_heading(line, end)) {
		blank(line, end);
	} else if (begins(line, end, function)) {
		blank(line, line + sizeof(function) - 1);
		plain_heading(line + sizeof(function) - 1, end);
	} else if (colon) {
		plain_name(line, colon);
	} else if (address) {
		blank(line, number);
		put_label(number, number_end(number, end), address);
		if (end - address <= LONGEST)
			clean_operands(address + 1, end);
	} else if (end - line <= LONGEST) {
		clean_operands(line, end);
	}
}

/* A line of gdb, or a label of llvm-objdump. */
static bool is_annotated(const char *line, const char *end)
{
	/* Only looked at. */
	char *from = (char *)(uintptr_t)line, *number;

	return label_colon(from, end) || gdb_prefix(from, end, &number);
}

/* ---- both -------------------------------------------------------------- */

static const struct foreign_tool {
	/* Does a line show that the text is of this tool? */
	bool (*is)(const char *line, const char *end);
	void (*clean)(char *line, char *end);
} foreign_tools[] = {
	{ is_procedure, clean_listing },
	{ is_annotated, clean_annotated },
};

/* The newline of the line that contains `at`, or `end`. */
static char *foreign_line_end(char *at, char *end)
{
	return at + (source_line_end(at, end) - at);
}

static bool foreign_is(const struct foreign_tool *t, char *text, char *end)
{
	for (char *at = text, *line; at < end; at = line + (line < end)) {
		line = foreign_line_end(at, end);
		if (t->is(at, line))
			return true;
	}
	return false;
}

bool foreign_clean(char *text, size_t n)
{
	const struct foreign_tool *t = foreign_tools;
	const struct foreign_tool *last = t + ARRAY_LEN(foreign_tools);
	char *end = text + n;

	while (t < last && !foreign_is(t, text, end))
		t++;
	if (t == last)
		return false;
	for (char *at = text, *line; at < end; at = line + (line < end)) {
		line = foreign_line_end(at, end);
		t->clean(at, line);
	}
	return true;
}
