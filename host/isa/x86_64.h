/* Shared by the files of the x86-64 instruction set. */
#ifndef ISA_X86_64_H
#define ISA_X86_64_H

#include "host/isa/isa.h"

/* LLVM features a form needs, from its name and encoding. */
const char *x86_64_required_features(const struct form *form,
				     const unsigned char *code, size_t n);

/* isa.variants, isa.derive, isa.shape_form and isa.operand_value */
size_t x86_64_variants(const struct mc *mc, size_t opcode,
		       const struct variant **ret, size_t room);
size_t x86_64_derive(const struct catalogue *c, const struct form *form,
		     const struct variant **ret, size_t room);
void x86_64_shape_form(const struct catalogue *c, struct form *form,
		       struct operand *operands);
bool x86_64_operand_value(const struct form *form, int operand,
			  enum reg_bank bank, uint8_t ret[VALUE_BYTES]);

/* Branches: what variants an opcode has, the operands of one, and the code
 * around it; pairs of a comparison and a branch.  Functions return how many
 * variants they wrote. */
size_t x86_64_branch_variants(const char *opcode, const struct variant **ret);
void x86_64_shape_branch(struct form *form, struct operand *operands);
size_t x86_64_fused(const struct form *form, const struct variant **ret);
bool x86_64_fused_value(const struct form *form, int operand,
			enum reg_bank bank, uint8_t ret[VALUE_BYTES]);
extern const struct isa_surround x86_64_surround;

/* isa.access_bytes, isa.behind_prefix, isa.open_address and isa.memory */
unsigned x86_64_access_bytes(const char *text);
const char *x86_64_behind_prefix(const struct form *form,
				 const unsigned char *code, size_t n,
				 char name[ISA_NAME_ROOM], size_t *ret_skip);
bool x86_64_open_address(const struct catalogue *c, struct form *form,
			 struct operand *operands);
extern const struct isa_memory x86_64_memory;

/* The operand of a gather or scatter in which it writes back the mask that it
 * used up, -1 for other forms. */
int x86_64_consumed_mask(const struct catalogue *c, const struct form *form,
			 const struct operand *operands);
extern const struct isa_loop x86_64_loop;

/* x86_64_forwarding.c: struct isa.forwarding */
extern const char *const x86_64_forwarding[];

#endif
