/* Instances: instructions with their operands, in memory and as text. */
#ifndef ISA_INSTANCE_H
#define ISA_INSTANCE_H

#include "host/isa/catalogue.h"

struct mc_inst; /* host/isa/mc_inst.h */

/* An instruction: a form and its explicit operands: registers (index into
 * catalogue.regs) or immediates. */
struct instance {
	const struct form *form;
	uint16_t reg[FORM_MAX_OPERANDS];
	int64_t imm[FORM_MAX_OPERANDS];
};

/* Make an instance with a different register for every operand if the form
 * allows it, and the immediates of its operands; `turn` chooses other
 * registers.  False when a class has no usable register. */
bool form_example(const struct catalogue *c, const struct form *f, size_t turn,
		  struct instance *ret);

/* Convert an instance to LLVM's MCInst. */
void instance_to_mc(const struct instance *i, struct mc_inst *ret);

/* Is the MCInst, as LLVM's decoder returns it, this instance?  A register may have
 * another name of the same bits.  Behind the explicit operands may be those that
 * the form always has: LLVM 22 returns the V0 of VADC_VVM, LLVM 19 does not. */
bool instance_equals_mc(const struct catalogue *c, const struct instance *i,
			const struct mc_inst *m);

/* Encode; returns the number of bytes (<= 16) or 0 when LLVM refuses. */
size_t instance_encode(const struct catalogue *c, const struct instance *i,
		       unsigned char *code, size_t room);

/* Decode one instruction at code[0..n).  Returns its size, or 0 when these
 * bytes are no instruction.  ret->form is NULL when the opcode is not in the
 * catalogue.  Only explicit operands of the form are set. */
size_t instance_decode(const struct catalogue *c, const unsigned char *code,
		       size_t n, struct instance *ret);

/* The same for an instruction with the prefixes in front of it, which the
 * decoder returns as instructions of their own or ignores: `lock` and `add` are
 * LOCK_ADD64mr.  If no form has these prefixes, ret->form is NULL.  If what is
 * behind them does not decode, or they have MC_MAX_CODE bytes or more, the
 * prefixes alone are decoded, as the last one's form. */
size_t instance_decode_whole(const struct catalogue *c,
			     const unsigned char *code, size_t n,
			     struct instance *ret);

/* Is the form a prefix that the decoder returns as an instruction?  Not if it
 * is NULL. */
bool instance_is_prefix(const struct form *f);

/* Do the instance's bytes decode to the same instance? */
bool instance_round_trips(const struct catalogue *c, const struct instance *i);

/* Disassembly text of one instruction with its prefixes (tabs become spaces);
 * returns its size in bytes or 0. */
size_t instance_text(const struct catalogue *c, const unsigned char *code,
		     size_t n, char *text, size_t room);

#endif
