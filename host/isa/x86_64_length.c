/* x86-64: what the predecoder must know of an instruction to find its end. */
#include <string.h>

#include "host/isa/loop.h"
#include "host/isa/x86_64.h"

enum {
	SIZE = 0x66, /* operands of 16 bits */
	REX = 0x40,
	REX_W = 0x48,
	REX_MASK = 0xf0,
	REX_W_MASK = 0xf8,
	ESCAPE = 0x0f,
};

/* Legacy prefixes (Intel SDM, volume 2A, 2.1.1). */
static bool is_prefix(unsigned char c)
{
	static const unsigned char all[] = { 0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e,
					     0x26, 0x64, 0x65, 0x66, 0x67 };

	return memchr(all, c, sizeof(all)) != NULL;
}

/* Opcodes whose immediate has the size of the operands: additions to comparisons
 * with the accumulator (05, 0d ... 3d), push, imul, the group 81, test, mov, and
 * the group f7 if it is a test. */
static bool has_sized_immediate(const unsigned char *code, size_t n)
{
	unsigned char op = code[0];

	if (op == 0xf7) /* /0 and /1 */
		return n > 1 && (code[1] >> 3 & 7) <= 1;
	return (op < 0x40 && (op & 7) == 5) || op == 0x68 || op == 0x69 ||
	       op == 0x81 || op == 0xa9 || op == 0xc7 || (op & 0xf8) == 0xb8;
}

/* Bytes of the prefix that an instruction of AVX, AVX-512 or XOP begins with;
 * 0: none. */
static size_t vector_prefix(unsigned char c)
{
	return c == 0xc5 ? 2 : c == 0xc4 ? 3 : c == 0x62 ? 4 : 0;
}

void x86_64_lengths(const unsigned char *code, size_t n,
		    struct isa_lengths *ret)
{
	bool narrow = false, wide = false;
	size_t at = 0;

	for (; at < n && is_prefix(code[at]); at++)
		narrow |= code[at] == SIZE;
	if (at < n && (code[at] & REX_MASK) == REX) {
		wide = (code[at] & REX_W_MASK) == REX_W;
		at++;
	}
	*ret = (struct isa_lengths){ .opcode = 0 };
	if (at >= n)
		return;
	ret->changes =
		narrow && !wide && has_sized_immediate(code + at, n - at);
	if (vector_prefix(code[at]) > 0)
		at += vector_prefix(code[at]);
	else if (code[at] == ESCAPE)
		at += at + 1 < n && (code[at + 1] == 0x38 ||
				     code[at + 1] == 0x3a)
			      ? 2
			      : 1;
	ret->opcode = (uint8_t)(at < n ? at : n - 1);
}
