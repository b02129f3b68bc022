/* x86-64: length-changing prefixes. */
#include <string.h>

#include "host/isa/decoding.h"
#include "host/isa/mc.h"
#include "host/isa/x86_64.h"

/* An operand size of 16 bits shortens an immediate of four bytes to two (Intel
 * Optimization Manual, 3.4.2.3); without the prefix the same bytes are a longer
 * instruction.  If the prefix is a part of the opcode, after the escape byte,
 * it does not slow decoders.  A lock takes longer than decoding does. */
static bool is_slow(const struct catalogue *c, const unsigned char *code,
		    size_t n)
{
	enum {
		OPERAND_SIZE = 0x66,
		ESCAPE = 0x0f,
		REX = 0x40,
		REX_MASK = 0xf0
	};
	unsigned char rest[2 * MC_MAX_CODE] = { 0 };
	struct mc_inst m;
	size_t opcode = 1;

	if (code[0] != OPERAND_SIZE || n < 2)
		return false;
	opcode += (code[1] & REX_MASK) == REX;
	if (opcode >= n || code[opcode] == ESCAPE)
		return false;
	memcpy(rest, code + 1, n - 1);
	return mc_decode(c->mc, MC_ALL, rest, sizeof(rest), &m) > n - 1;
}

const struct isa_decoding x86_64_decoding = {
	.is_slow = is_slow,
	.slow_word = "16",
	.fast_word = "32",
};
