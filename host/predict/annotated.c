/* Addresses and names of disassemblers, line by line; see annotated.h. */
#include "host/predict/annotated.h"

#include <ctype.h>
#include <string.h>

#include "host/predict/source.h"

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

/* The colon behind "0x1128 <+8>" at the begin of a line of gdb, and where its number
 * begins; NULL: it is another line. */
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

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\r')
			*from = ' ';
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

static void clean_line(char *line, char *end)
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

bool annotated_is(const char *text, size_t n)
{
	const char *end = text + n;

	for (const char *at = text; at < end;) {
		const char *line = source_line_end(at, end);
		/* Only looked at. */
		char *from = (char *)(uintptr_t)at, *number;

		if (label_colon(from, line) || gdb_prefix(from, line, &number))
			return true;
		at = line + (line < end);
	}
	return false;
}

void annotated_clean(char *text, size_t n)
{
	char *end = text + n;

	for (char *at = text; at < end;) {
		char *line = at + (source_line_end(at, end) - at);

		clean_line(at, line);
		at = line + (line < end);
	}
}
