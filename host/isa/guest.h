/* Programs of an instruction set that run under an emulator: how it is started,
 * and what an instruction does to memory and to the flow of control. */
#ifndef ISA_GUEST_H
#define ISA_GUEST_H

#include "common/types.h"

struct catalogue; /* host/isa/isa.h */
struct instance;
struct isa;

enum { GUEST_CALLS = 4, GUEST_NONE = 0xff };

/* Where an instruction accesses memory, in terms of registers: for accesses
 * that the emulator does not report, or not as the instruction makes them.
 *
 * Element i, if the mask has it, is at base + (index << index_shift) +
 * displacement + vectors * (elements of a vector) * memory_bytes, plus i *
 * memory_bytes * n_registers or the i-th of `addresses`, plus the address of
 * the end of the instruction if `relative`.  Registers are hardware numbers;
 * GUEST_NONE: there is none. */
struct guest_state {
	bool any; /* false: the emulator reports it */
	bool relative;
	uint8_t base, index, index_shift;
	int16_t vectors;
	int64_t displacement;
	/* Vector of offsets, or of whole addresses: the low address_bits of
	 * each element, shifted. */
	uint8_t addresses, address_bits, address_shift;
	bool address_signed;
	/* Predicate register with a bit for each byte of a vector, or a vector
	 * with the sign of each element. */
	uint8_t mask;
	bool mask_signs;
	uint8_t element_bytes, memory_bytes; /* in registers, in memory */
	uint8_t n_registers;
	uint8_t limit_bytes; /* of a vector; 0: all of it */
	bool early;          /* it overwrites a vector that the address needs */
	bool store;
};

/* How many of a vector instruction's lanes do work. */
enum lanes_kind {
	LANES_NONE,    /* no vector instruction */
	LANES_UNKNOWN, /* depends on what is not read */
	LANES_FIXED,   /* `used` of `room` */
	LANES_STATE,   /* those that the mask of guest_state has */
	/* RISC-V: as many as vl says; and an access whose mask may leave some
	 * out. */
	LANES_LENGTH,
	LANES_LENGTH_MASKED,
	LANES_SETS_LENGTH, /* sets vl; and the type, if it is no access */
};

struct guest_lanes {
	uint8_t kind; /* enum lanes_kind */
	/* LANES_FIXED: used of room lanes are in use.  LANES_SETS_LENGTH: LMUL
	 * is used / room; both 0: not known. */
	uint8_t used, room;
	/* LANES_SETS_LENGTH: SEW.  LANES_LENGTH of an access: EEW, 0: SEW. */
	uint8_t element_bytes;
	uint8_t fields; /* of a segment access, 1: no segments; 0: no access */
};

/* A share is known only if it holds for every execution: one lane, all lanes,
 * or half of them (NEON of 64 bits).  Instructions with masks of AVX-512,
 * arithmetic of SVE with predicates and all others are LANES_UNKNOWN. */
static inline struct guest_lanes lanes_fixed(unsigned used, unsigned room)
{
	return (struct guest_lanes){
		.kind = used ? LANES_FIXED : LANES_UNKNOWN,
		.used = (uint8_t)used,
		.room = (uint8_t)room,
	};
}

struct isa_guest {
	const char *emulator; /* program, e.g. "qemu-x86_64" */
	const char *cpu;      /* its CPU unless the user names one */
	/* Where Debian's cross compiler keeps the C library of dynamic
	 * programs. */
	const char *sysroot;
	uint16_t elf_machine;
	/* System calls that start another program; 0 ends. */
	uint16_t exec_calls[GUEST_CALLS];
	/* Bytes that each execution accesses, all of them, from the lowest
	 * address on; 0: not known, or elements may be left out. */
	unsigned (*bytes)(const struct catalogue *c, const struct instance *i);
	/* Is it a call?  *ret_offset: bytes from its start to the target, 0 if
	 * that is in a register. */
	bool (*call)(const struct catalogue *c, const struct instance *i,
		     size_t n_code, int64_t *ret_offset);
	/* Lanes of an instruction that names a vector register, or sets vl;
	 * LANES_UNKNOWN unless they are known for certain. */
	struct guest_lanes (*lanes)(const struct instance *i,
				    const unsigned char *code, size_t n);
	/* Bytes of an element of an instruction that handles many (REP MOVS),
	 * which the emulator executes once for each; 0: it is no such
	 * instruction.  NULL: the ISA has none. */
	unsigned (*repeats)(const unsigned char *code, size_t n);
	/* One execution takes repeat_cycles, and one more cycle for each
	 * repeat_bytes of its elements.  The ISA's file names the source. */
	uint8_t repeat_cycles, repeat_bytes;
	/* Does it go back to where a call came from? */
	bool (*returns)(const struct catalogue *c, const struct instance *i);
	/* Names of forms (host/isa/match.h), NULL-terminated: after these the
	 * next instruction in memory is not executed, unless they are calls;
	 * and forms that access memory although LLVM does not say so. */
	const char *const *stops;
	const char *const *accessing;
	/* False: the emulator reports the access.  NULL: it reports all. */
	bool (*state)(const struct catalogue *c, const struct instance *i,
		      struct guest_state *ret);
	/* The program that shows where the emulator keeps registers
	 * (host/isa/state/ISA.S): its file, the instruction in it at which
	 * register i has guest_state_value(i), every byte of vector i is
	 * GUEST_STATE_BYTE + i, and mask i has its first i + 1 bits. */
	const char *state_program;
	unsigned char state_mark[8];
	uint8_t n_state_mark;
	uint8_t n_gprs, n_vectors, n_masks;
	uint8_t other_gpr; /* has another value */
};

enum { GUEST_STATE_BYTE = 0x40 };

static inline uint64_t guest_state_value(unsigned i)
{
	return UINT64_C(0x1357924680ac0000) + i;
}

/* What one instruction does. */
struct guest_insn {
	bool known;  /* false: LLVM does not decode these bytes */
	bool vector; /* uses a vector register */
	bool accesses, loads, stores;
	uint16_t bytes; /* isa_guest.bytes() */
	struct guest_state state;
	struct guest_lanes lanes;
	/* Ends a block: jump, call, return, trap. */
	bool branch;
	bool direct; /* a jump or call to `target` */
	bool falls;  /* the next instruction may be executed after it */
	bool calls;
	bool returns;
	/* Parts of a mark, as host/isa/loop.h has it: its number, 111 or 222,
	 * as an immediate, or 0; and the bytes behind it. */
	uint8_t constant;
	bool marks;
	int64_t offset; /* of the target from the instruction's address */
};

/* Decode one instruction at code[0..n). */
void guest_decode(const struct catalogue *c, const unsigned char *code,
		  size_t n, struct guest_insn *ret);

/* The ISA of a 64-bit little-endian ELF executable by its first n bytes, NULL
 * if it is none or of another machine. */
const struct isa *guest_isa(const unsigned char *bytes, size_t n);

#endif
