/* Names as uops.info's XML has them: of instructions, "ADD (R64, M64)", of
 * their forms, "ADD_GPRv_MEMv", and of CPUs, "SKL". */
#ifndef CODEC_UOPS_NAMES_H
#define CODEC_UOPS_NAMES_H

#include "host/base/file.h"
#include "host/isa/isa.h"

/* Append uops.info's name of the instruction without marks: "ADD", "CMOVZ". */
void uops_mnemonic(struct buffer *b, const struct catalogue *c,
		   const struct form *f);
/* Append the mnemonic in the assembler's second dialect, if it has one, with
 * its encoding in front: "{evex} ADD". */
void uops_assembly(struct buffer *b, const struct catalogue *c,
		   const struct form *f);

/* Bits of an immediate; of a variant, those of the form it is one of. */
unsigned uops_immediate_bits(const struct catalogue *c, const struct form *f,
			     int operand);

/* Append the name with its operands, or that of a form. */
void uops_string(struct buffer *b, const struct catalogue *c,
		 const struct form *f);
void uops_iform(struct buffer *b, const struct catalogue *c,
		const struct form *f);

struct uops_names;

/* All forms by uops_string(); owned by `a`. */
const struct uops_names *uops_names_new(struct arena *a,
					const struct catalogue *c);

/* The form: plain before variants, measurable before others, then the first in
 * the catalogue; NULL: none. */
const struct form *uops_names_find(const struct uops_names *n,
				   const char *string);

/* uops.info's name of a CPU of LLVM's, and back; itself if there is none. */
const char *uops_architecture(const struct catalogue *c, const char *cpu);
const char *uops_cpu(struct arena *a, const struct catalogue *c,
		     const char *architecture);

#endif
