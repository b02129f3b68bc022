/* Parts of uops.info's `string` that follow rules of one instruction set. */
#ifndef CODEC_UOPS_SPELLING_H
#define CODEC_UOPS_SPELLING_H

#include "host/isa/catalogue.h"

enum { UOPS_SPELLING_ROOM = 64 };

struct uops_spelling {
	char name[UOPS_SPELLING_ROOM];  /* ADD */
	char marks[UOPS_SPELLING_ROOM]; /* _EVEX */
	/* _01, _0F28, _IMMB: what tells twins apart, which some files lack. */
	char twin[UOPS_SPELLING_ROOM];
	const char *last;  /* text after the last operand: CL; or NULL */
	bool far;          /* the offset of a label has 32 bits */
	bool without_last; /* the last operand is in the name */
	bool only_first;   /* print one operand; the marks describe the rest */
	bool memory_first; /* the memory operand stands before the others */
	unsigned memory_bits; /* of the memory operand; 0: its access */
};

/* A CPU in LLVM and in uops.info's files. */
struct uops_cpu_name {
	const char *cpu, *uops;
};

/* The only instruction set that uops.info has. */
#define UOPS_ISA "x86_64"
extern const struct uops_cpu_name uops_cpus[]; /* a NULL cpu ends */

/* Replace the mnemonic in name->name by uops.info's name and add marks, from
 * the form's text in the second dialect and its code, n bytes. */
void uops_spell(const struct catalogue *c, const struct form *f,
		const char *text, const unsigned char *code, size_t n,
		struct uops_spelling *name);

#endif
