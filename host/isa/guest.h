/* Programs of an instruction set that run under an emulator: how it is started,
 * and what an instruction does to memory and to the flow of control. */
#ifndef ISA_GUEST_H
#define ISA_GUEST_H

#include "common/types.h"

struct catalogue; /* host/isa/isa.h */
struct instance;
struct isa;

enum { GUEST_CALLS = 4 };

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
	/* Names of forms (host/isa/match.h), NULL-terminated: after these the
	 * next instruction in memory is not executed, unless they are calls;
	 * and forms that access memory although LLVM does not say so. */
	const char *const *stops;
	const char *const *accessing;
};

/* What one instruction does. */
struct guest_insn {
	bool known;  /* false: LLVM does not decode these bytes */
	bool vector; /* uses a vector register */
	bool accesses, loads, stores;
	uint16_t bytes; /* isa_guest.bytes() */
	/* Ends a block: jump, call, return, trap. */
	bool branch;
	bool direct; /* a jump or call to `target` */
	bool falls;  /* the next instruction may be executed after it */
	bool calls;
	int64_t offset; /* of the target from the instruction's address */
};

/* Decode one instruction at code[0..n). */
void guest_decode(const struct catalogue *c, const unsigned char *code,
		  size_t n, struct guest_insn *ret);

/* The ISA of a 64-bit little-endian ELF executable by its first n bytes, NULL
 * if it is none or of another machine. */
const struct isa *guest_isa(const unsigned char *bytes, size_t n);

#endif
