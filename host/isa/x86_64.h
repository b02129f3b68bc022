/* Shared by the files of the x86-64 instruction set. */
#ifndef ISA_X86_64_H
#define ISA_X86_64_H

#include "host/isa/carrier.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"
#include "host/isa/variant.h"

/* LLVM features a form needs, from its name and encoding. */
const char *x86_64_required_features(const struct form *form,
				     const unsigned char *code, size_t n);

/* isa.variants, isa.derive, isa.straddles and isa.operand_value */
void x86_64_variants(const struct mc *mc, size_t opcode,
		     struct variant_list *ret);
void x86_64_derive(const struct catalogue *c, const struct form *form,
		   struct variant_list *ret);
unsigned x86_64_straddles(const struct form *form);
bool x86_64_operand_value(const struct form *form, int operand,
			  enum reg_bank bank, uint8_t ret[VALUE_BYTES]);

extern const struct isa_family x86_64_address, x86_64_same, x86_64_high,
	x86_64_branch, x86_64_fused, x86_64_stack, x86_64_string, x86_64_x87;
extern const struct isa_family *const x86_64_families[];

/* variant.shape of the family STACK: what stands around the form. */
enum x86_64_stack {
	X86_64_UP_8,    /* lea 8(%rsp), %rsp */
	X86_64_UP_2,    /* lea 2(%rsp), %rsp */
	X86_64_DOWN_8,  /* lea -8(%rsp), %rsp */
	X86_64_DOWN_2,  /* lea -2(%rsp), %rsp */
	X86_64_FRAME,   /* lea -8(%rsp), %rbp */
	X86_64_FLAGS,   /* pushfq */
	X86_64_ALONE,   /* nothing: on a stack in the kernel's memory */
	X86_64_THROUGH, /* push, of the register that is popped */
};

/* variant_rule.when: do cores fuse the form with a conditional branch? */
bool x86_64_fuses(const struct catalogue *c, const struct form *form,
		  const struct variant *v);

/* Code before the loop; isa_surround.enclose; isa_loop.stack. */
size_t x86_64_x87_prologue(const struct catalogue *c, const struct instance *i,
			   size_t n, unsigned char *code, size_t room);
size_t x86_64_stack_prologue(const struct instance *i, unsigned char *code,
			     size_t room);
void x86_64_stack_enclose(const struct instance *i, struct surround *ret);
bool x86_64_x87_stack(const struct catalogue *c, const struct instance *i,
		      struct isa_stack *ret);

/* isa.open_address of string instructions and XLAT; false for other forms. */
bool x86_64_open_string(const struct catalogue *c, struct form *form,
			struct operand *operands);

/* isa.surround, isa.prologue and isa.clash */
extern const struct isa_surround x86_64_surround;
size_t x86_64_prologue(const struct catalogue *c, const struct instance *i,
		       size_t n, unsigned char *code, size_t room);
const char *x86_64_clash(const struct catalogue *c, const struct form *a,
			 const struct form *b);

/* isa.keeps_above: is it a legacy SSE instruction? */
bool x86_64_is_legacy_sse(const struct catalogue *c, const struct form *f);

/* lea r, [rip + displacement]; returns bytes. */
size_t x86_64_put_lea(unsigned r, int32_t displacement, unsigned char *code);

/* An operand that is a base in a register of its own. */
struct operand x86_64_pointer(const struct catalogue *c, const char *reg);

/* isa.behind_prefix and isa.whole_form */
const char *x86_64_behind_prefix(const struct form *form,
				 const unsigned char *code, size_t n,
				 char name[ISA_NAME_ROOM], size_t *ret_skip);
const char *x86_64_whole_form(const struct form *behind,
			      const unsigned char *code, size_t n,
			      char name[ISA_NAME_ROOM]);

/* x86_64_xstate.c: of the rows with SYSTEM_STATE.  Bits of XCR0: x87 and SSE, AVX, and
 * what AVX-512 adds. */
enum {
	XSTATE_X87 = 1,
	XSTATE_SSE = 3,
	XSTATE_AVX = 7,
	XSTATE_AVX512 = 0xe7,
};
bool x86_64_has_state(const struct catalogue *c, const struct form *form,
		      const struct variant *v);
void x86_64_xstate_shape(struct form *f);
size_t x86_64_xstate_prologue(const struct catalogue *c,
			      const struct instance *i, unsigned char *code,
			      size_t room);

/* isa.access_bytes, isa.open_address and isa.memory */
unsigned x86_64_access_bytes(const char *text, unsigned *ret_data);
bool x86_64_open_address(const struct catalogue *c, struct form *form,
			 struct operand *operands);
extern const struct isa_memory x86_64_memory;

/* The operand of a gather or scatter in which it writes back its used mask, -1
 * for other forms. */
int x86_64_consumed_mask(const struct catalogue *c, const struct form *form,
			 const struct operand *operands);
extern const struct isa_loop x86_64_loop;
extern const struct isa_stream x86_64_stream;
extern const struct isa_guest x86_64_guest;
extern const struct variant_rule x86_64_rules[];

/* x86_64_system.c: why a system instruction is no ordinary form, FORM_MEASURABLE for
 * others; isa.system and its family. */
enum form_status x86_64_system_status(const char *name);
extern const struct variant_rule x86_64_system[];
extern const struct isa_family x86_64_system_family;
extern const struct isa_usual_numbers x86_64_usual_numbers[];
extern const struct isa_decoding x86_64_decoding;

/* x86_64_length.c: isa_loop.lengths */
struct isa_lengths;
void x86_64_lengths(const unsigned char *code, size_t n,
		    struct isa_lengths *ret);

/* isa_loop.respell */
void x86_64_respell(char *text, size_t from, size_t start, size_t to);

/* isa_loop.intel */
int x86_64_is_intel(const char *operands, size_t n);

/* x86_64_flags.c */
extern const struct isa_flags x86_64_flags;

extern const struct isa_frame x86_64_frame;

#endif
