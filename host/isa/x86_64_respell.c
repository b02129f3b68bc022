/* Intel's syntax as gcc writes it, where LLVM reads another.
 *
 * gcc has one mnemonic for all extensions of signs, LLVM one of its own for
 * those of 32 bits; and gcc puts the memory operand of an indirect jump into
 * brackets that stand for nothing. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "host/isa/x86_64.h"

static bool starts(const char *text, size_t from, size_t to, const char *word)
{
	size_t n = strlen(word);

	return to - from >= n && strncasecmp(text + from, word, n) == 0;
}

static size_t skip_blanks(const char *text, size_t at, size_t to)
{
	while (at < to && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

/* eax, r10d */
static bool is_dword(const char *text, size_t at, size_t to)
{
	size_t n = 0;

	while (at + n < to && isalnum((unsigned char)text[at + n]))
		n++;
	if (n == 3 && tolower((unsigned char)text[at]) == 'e')
		return true;
	return n >= 3 && tolower((unsigned char)text[at]) == 'r' &&
	       isdigit((unsigned char)text[at + 1]) &&
	       tolower((unsigned char)text[at + n - 1]) == 'd';
}

static void extension(char *text, size_t from, size_t start, size_t to)
{
	static const char mnemonic[] = "movsx";
	size_t n = sizeof(mnemonic) - 1;
	const char *comma = memchr(text + start, ',', to - start);
	size_t source = comma ? (size_t)(comma - text) + 1 : to;

	if (!starts(text, start, to, mnemonic) || start == from ||
	    !isspace((unsigned char)text[start - 1]) ||
	    !isspace((unsigned char)text[start + n]))
		return;
	source = skip_blanks(text, source, to);
	if (!starts(text, source, to, "dword ptr") &&
	    !is_dword(text, source, to))
		return;
	memmove(text + start - 1, text + start, n);
	text[start - 1 + n] = 'd';
}

static void brackets(char *text, size_t start, size_t to)
{
	static const char size[] = "[qword ptr";
	size_t at = start, end = to;

	while (at < to && isalpha((unsigned char)text[at]))
		at++;
	if (!starts(text, start, at, "call") && !starts(text, start, at, "jmp"))
		return;
	at = skip_blanks(text, at, to);
	while (end > at && isspace((unsigned char)text[end - 1]))
		end--;
	if (end == at || !starts(text, at, end, size) || text[end - 1] != ']')
		return;
	text[at] = text[end - 1] = ' ';
}

void x86_64_respell(char *text, size_t from, size_t start, size_t to)
{
	extension(text, from, start, to);
	brackets(text, start, to);
}
