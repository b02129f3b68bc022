/* x86-64: prefixes that make another form of an instruction, and those that
 * change the length of what is behind them.
 *
 * LLVM's decoder returns `lock` in front of an instruction as one of its own,
 * and ignores it behind another prefix (66 f0). */
#include <stdio.h>
#include <string.h>

#include "host/isa/decoding.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/x86_64.h"

enum { LOCK = 0xf0, REPNE = 0xf2, REP = 0xf3 };

const char *x86_64_behind_prefix(const struct form *f,
				 const unsigned char *code, size_t n,
				 char name[ISA_NAME_ROOM], size_t *ret_skip)
{
	if (name_matches("LOCK_BT*_RM#rm", f->name)) /* BTC_RM16rm: BTC16mr */
		(void)snprintf(name, ISA_NAME_ROOM, "%.3s%.2smr", f->name + 5,
			       f->name + 11);
	else if (name_matches("LOCK_BT*#m", f->name))
		(void)snprintf(name, ISA_NAME_ROOM, "%si8", f->name + 5);
	else if (strncmp(f->name, "LOCK_", 5) == 0)
		(void)snprintf(name, ISA_NAME_ROOM, "%s", f->name + 5);
	else if (name_matches("LCMPXCHG#B", f->name))
		(void)snprintf(name, ISA_NAME_ROOM, "%s", f->name + 1);
	else if (name_matches("LCMPXCHG#", f->name) ||
		 name_matches("LXADD#", f->name))
		(void)snprintf(name, ISA_NAME_ROOM, "%srm", f->name + 1);
	else
		return NULL;
	*ret_skip = n > 0 && code[0] == LOCK;
	return name;
}

/* The bytes before the opcode and its REX prefix (Intel SDM, volume 2A,
 * 2.1.1). */
static bool has_prefix(const unsigned char *code, size_t n,
		       unsigned char prefix)
{
	static const unsigned char all[] = { 0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e,
					     0x26, 0x64, 0x65, 0x66, 0x67 };

	for (size_t i = 0; i < n && memchr(all, code[i], sizeof(all)); i++)
		if (code[i] == prefix)
			return true;
	return false;
}

/* The inverse of x86_64_behind_prefix(). */
static const char *locked(const char *behind, char name[ISA_NAME_ROOM])
{
	int n = (int)strlen(behind);

	if (name_matches("XCHG#rm", behind)) /* locked anyway */
		return behind;
	if (name_matches("BT*#mr", behind)) /* BTC16mr: LOCK_BTC_RM16rm */
		(void)snprintf(name, ISA_NAME_ROOM, "LOCK_%.3s_RM%.2srm",
			       behind, behind + 3);
	else if (name_matches("BT*#mi8", behind))
		(void)snprintf(name, ISA_NAME_ROOM, "LOCK_%.*s", n - 2, behind);
	else if (name_matches("CMPXCHG#B", behind))
		(void)snprintf(name, ISA_NAME_ROOM, "L%s", behind);
	else if (name_matches("CMPXCHG#rm", behind) ||
		 name_matches("XADD#rm", behind))
		(void)snprintf(name, ISA_NAME_ROOM, "L%.*s", n - 2, behind);
	else
		(void)snprintf(name, ISA_NAME_ROOM, "LOCK_%s", behind);
	return name;
}

/* REP_MOVSD_64 of MOVSL.  LLVM has such forms for MOVS and STOS; the names of
 * others are those of no form. */
static const char *repeated(const char *behind, char name[ISA_NAME_ROOM])
{
	bool dword = behind[4] == 'L';

	(void)snprintf(name, ISA_NAME_ROOM, "REP_%.4s%c_64", behind,
		       dword ? 'D' : behind[4]);
	return name;
}

/* A base of rbp or r13 always has a displacement (Intel SDM, volume 2A, 2.1.5),
 * and takes as long as with any other. */
static const char *displaced(const char *lea, const unsigned char *code,
			     size_t n, char name[ISA_NAME_ROOM])
{
	enum { OPCODE = 0x8d, MODES = 0xc0, SIB = 4, BYTE = 0x40 };
	const unsigned char *at = memchr(code, OPCODE, n);
	const char *scale = strrchr(lea, 'x');

	if (strstr(lea, "disp") || !strchr(lea, ',') || !at ||
	    at + 1 >= code + n || (at[1] & MODES) != BYTE || (at[1] & 7) != SIB)
		return NULL;
	(void)snprintf(name, ISA_NAME_ROOM, "%.*s%s,disp8",
		       (int)(scale ? (size_t)(scale - lea) : strlen(lea)), lea,
		       scale ? "x8" : "");
	return name;
}

const char *x86_64_whole_form(const struct form *behind,
			      const unsigned char *code, size_t n,
			      char name[ISA_NAME_ROOM])
{
	static const char *const strings[] = { "MOVS", "STOS", "LODS", "SCAS",
					       "CMPS" };

	if (strncmp(behind->name, "LEA", 3) == 0)
		return displaced(behind->name, code, n, name);
	if (has_prefix(code, n, LOCK))
		return locked(behind->name, name);
	if (!has_prefix(code, n, REP) && !has_prefix(code, n, REPNE))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(strings); i++)
		if (strncmp(behind->name, strings[i], 4) == 0 &&
		    strlen(behind->name) == 5)
			return repeated(behind->name, name);
	return NULL;
}

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
