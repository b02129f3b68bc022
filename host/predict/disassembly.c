/* Lines of objdump: "0000000000000000 <name>:" names what follows, and
 * "  1a:<tab>48 83 c0 01<tab>add $0x1,%rax" has an address and machine code.
 * x86 code is printed byte by byte, code of the other instruction sets in words
 * of two or four bytes, least significant byte last.  The text of the
 * instruction is not used: the code says more. */
#include "host/predict/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_CODE = 16,
	/* Sections of an unlinked file begin at 0: each is moved so far behind
	 * the one before. */
	SECTIONS_APART = 1 << 20,
};

struct reader {
	struct arena *a;
	const struct catalogue *c;
	const char *name;
	struct program p;
	uint32_t line;
	uint64_t moved; /* what is added to addresses of this section */
	uint64_t end;   /* of the last instruction, in the file's addresses */
	struct err *e;
};

/* ---- one line ------------------------------------------------------------ */

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && isxdigit((unsigned char)*at))
		at++;
	return at;
}

/* "1a:" at the start of a line; NULL: something else. */
static const char *read_address(const char *at, const char *end, uint64_t *ret)
{
	const char *digits = skip_blanks(at, end);
	const char *behind = skip_digits(digits, end);

	if (behind == digits || behind - digits > 16 || behind == end ||
	    *behind != ':')
		return NULL;
	*ret = strtoull(digits, NULL, 16);
	return behind + 1;
}

/* "0000000000000000 <name>:"; false: something else. */
static bool read_label(const char *at, const char *end, uint64_t *ret,
		       const char **ret_name, size_t *ret_n)
{
	const char *digits = skip_digits(at, end), *close = end;

	if (digits - at < 8 || digits - at > 16 || end - digits < 4 ||
	    digits[0] != ' ' || digits[1] != '<')
		return false;
	while (close > digits && isspace((unsigned char)close[-1]))
		close--;
	if (close - digits < 4 || close[-1] != ':' || close[-2] != '>')
		return false;
	*ret = strtoull(at, NULL, 16);
	*ret_name = digits + 2;
	*ret_n = (size_t)(close - 2 - *ret_name);
	return true;
}

/* Bytes of machine code behind an address: 0 where there are none. */
static size_t read_code(const char *at, const char *end,
			unsigned char code[MAX_CODE])
{
	size_t n = 0;

	at = skip_blanks(at, end);
	for (;;) {
		const char *behind = skip_digits(at, end);
		size_t digits = (size_t)(behind - at);
		char word[9] = { 0 };
		uint32_t value;

		if ((digits != 2 && digits != 4 && digits != 8) ||
		    n + digits / 2 > MAX_CODE ||
		    (behind < end && !isspace((unsigned char)*behind)))
			return n;
		memcpy(word, at, digits);
		value = (uint32_t)strtoul(word, NULL, 16);
		for (size_t i = 0; i < digits / 2; i++)
			code[n++] = (unsigned char)(value >> 8 * i);
		at = behind;
		/* One blank stands between two words, a tab or more behind the
		 * last one. */
		if (at + 1 >= end || *at != ' ' || at[1] == ' ')
			return n;
		at++;
	}
}

/* ---- the whole ----------------------------------------------------------- */

bool disassembly_is(const char *text, size_t n)
{
	const char *end = text + n;

	for (const char *at = text; at < end;) {
		const char *line = source_line_end(at, end), *name;
		uint64_t address;
		size_t length;

		if (read_label(at, line, &address, &name, &length))
			return true;
		at = line + (line < end);
	}
	return false;
}

/* A symbol.  One below the end of the last instruction begins another
 * section. */
static void add_label(struct reader *r, uint64_t address, const char *name,
		      size_t n)
{
	if (r->p.n > 0 && address < r->end) {
		uint64_t behind = r->p.insns[r->p.n - 1].address;

		r->moved = (behind / SECTIONS_APART + 2) * SECTIONS_APART;
		r->end = 0;
	}
	program_label(r->a, &r->p, arena_printf(r->a, "%.*s", (int)n, name),
		      r->line, r->p.n);
}

static int add_code(struct reader *r, uint64_t address,
		    const unsigned char *code, size_t n)
{
	size_t first = r->p.n;

	/* The rest of an instruction whose code takes two lines. */
	if (address < r->end)
		return ERR_OK;
	r->end = address + n;
	if (program_add_bytes(r->a, &r->p, &(struct code){ r->name, code, n },
			      address + r->moved, DATA_SKIPPED, r->e) != ERR_OK)
		return r->e->code;
	for (size_t i = first; i < r->p.n; i++)
		r->p.insns[i].line = r->line;
	return ERR_OK;
}

/* Code of a line, with what the next line has of the same instruction: GNU
 * objdump prints seven bytes in a line. */
static size_t read_instruction(const char *at, const char *line,
			       const char *end, uint64_t address,
			       unsigned char code[MAX_CODE])
{
	unsigned char more[MAX_CODE];
	size_t n = read_code(at, line, code), n_more;
	const char *next = line + (line < end), *behind;
	const char *next_end = source_line_end(next, end);
	uint64_t next_address;

	behind = read_address(next, next_end, &next_address);
	if (n == 0 || !behind || next_address != address + n)
		return n;
	n_more = read_code(behind, next_end, more);
	/* Such a line has no text behind its code. */
	while (next_end > behind && isspace((unsigned char)next_end[-1]))
		next_end--;
	if (n_more == 0 || n + n_more > MAX_CODE ||
	    (size_t)(next_end - skip_blanks(behind, next_end)) !=
		    3 * n_more - 1)
		return n;
	memcpy(code + n, more, n_more);
	return n + n_more;
}

static int read_line(struct reader *r, const char *at, const char *line,
		     const char *end)
{
	unsigned char code[MAX_CODE];
	const char *name, *behind;
	uint64_t address;
	size_t n;

	if (read_label(at, line, &address, &name, &n)) {
		add_label(r, address, name, n);
		return ERR_OK;
	}
	behind = read_address(at, line, &address);
	if (!behind || skip_blanks(behind, line) == line)
		return ERR_OK;
	n = read_instruction(behind, line, end, address, code);
	if (n == 0)
		return err_set(r->e, ERR_INPUT,
			       "%s:%u: no machine code behind the address; run "
			       "objdump without --no-show-raw-insn",
			       r->name, (unsigned)r->line);
	return add_code(r, address, code, n);
}

int program_from_disassembly(struct arena *a, const struct catalogue *c,
			     const struct code *text, struct program *ret,
			     struct err *e)
{
	struct reader r = { .a = a,
			    .c = c,
			    .name = text->name,
			    .p = { .c = c, .placed = false },
			    .e = e };
	const char *at = text->bytes, *end = at + text->n;

	while (at < end) {
		const char *line = source_line_end(at, end);

		r.line++;
		if (read_line(&r, at, line, end) != ERR_OK)
			return e->code;
		at = line + (line < end);
	}
	program_link(a, &r.p);
	*ret = r.p;
	return ERR_OK;
}
