/* Converts Intel's syntax as gcc writes it into LLVM's.
 *
 * gcc has one mnemonic for all sign extensions, LLVM a separate one for those
 * of 32 bits.  gcc writes the memory operand of an indirect jump in redundant
 * brackets, and names the memory model of an address: OFFSET FLAT:name.  What
 * stands at jumps is of both syntaxes. */
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

/* "offset flat:name" */
static void memory_model(char *text, size_t start, size_t to)
{
	static const char word[] = "flat:";
	size_t n = sizeof(word) - 1;

	for (size_t at = start; at + n <= to; at++)
		if (starts(text, at, to, word))
			memset(text + at, ' ', n);
}

/* What the GNU assembler and disassemblers write at jumps and LLVM does not
 * read: branch hints ("jne,pt"; as prefixes "ds jne"), "bnd", which processors
 * ignore, and how far a target is.  None changes what the jump costs. */
static void jump_words(char *text, size_t start, size_t to)
{
	static const char *const before[] = { "bnd ", "ds ", "cs ", "bnd\t" };
	static const char *const behind[] = { ",pt", ",pn", ",a" };
	static const char *const targets[] = { "short ", "near ptr ", "near " };
	size_t at = start, end;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (starts(text, start, to, before[i]))
			at = skip_blanks(text, start + strlen(before[i]), to);
	if (at == to ||
	    (text[at] != 'j' && text[at] != 'J' &&
	     !starts(text, at, to, "call") && !starts(text, at, to, "ret") &&
	     !starts(text, at, to, "loop")))
		return;
	memset(text + start, ' ', at - start);
	end = at;
	while (end < to && isalnum((unsigned char)text[end]))
		end++;
	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++)
		if (starts(text, end, to, behind[i]))
			memset(text + end, ' ', strlen(behind[i]));
	at = skip_blanks(text, end, to);
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (starts(text, at, to, targets[i])) {
			memset(text + at, ' ', strlen(targets[i]));
			break;
		}
}

void x86_64_respell(char *text, size_t from, size_t start, size_t to)
{
	extension(text, from, start, to);
	jump_words(text, start, to);
	brackets(text, start, to);
	memory_model(text, start, to);
}

/* A register: rax, eax, ax, al, r8d, xmm0, k1. */
static bool is_register(const char *text, size_t n)
{
	static const char *const names[] = {
		"ax", "bx", "cx", "dx", "si", "di", "bp", "sp",  "al",
		"bl", "cl", "dl", "ah", "bh", "ch", "dh", "sil", "dil",
	};
	size_t at = 0;

	if (n >= 2 && tolower((unsigned char)text[0]) == 'r' &&
	    isdigit((unsigned char)text[1]))
		return true;
	if (n >= 4 && strncasecmp(text + 1, "mm", 2) == 0 &&
	    isdigit((unsigned char)text[3]))
		return true;
	if (n == 3 && (text[0] == 'r' || text[0] == 'e' || text[0] == 'R' ||
		       text[0] == 'E'))
		at = 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n - at &&
		    strncasecmp(text + at, names[i], n - at) == 0)
			return true;
	return false;
}

int x86_64_is_intel(const char *operands, size_t n)
{
	size_t word = 0;

	if (memchr(operands, '%', n))
		return -1;
	if (memchr(operands, '[', n))
		return 1;
	for (size_t i = 0; i <= n; i++) {
		bool inside = i < n && (isalnum((unsigned char)operands[i]) ||
					strchr("._$", operands[i]));

		if (inside)
			continue;
		if (i > word && is_register(operands + word, i - word))
			return 1;
		word = i + 1;
	}
	return 0;
}
