/* Shared by the files of the AArch64 instruction set. */
#ifndef ISA_AARCH64_H
#define ISA_AARCH64_H

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

/* isa.straddles and isa.operand_value */
unsigned aarch64_straddles(const struct form *form);
bool aarch64_operand_value(const struct form *form, int operand,
			   enum reg_bank bank, uint8_t ret[VALUE_BYTES]);

/* isa.prologue and isa.clash */
size_t aarch64_prologue(const struct catalogue *c, const struct instance *i,
			size_t n, unsigned char *code, size_t room);
const char *aarch64_clash(const struct catalogue *c, const struct form *a,
			  const struct form *b);

/* variant_rule.when: do cores fuse the form with a conditional branch? */
bool aarch64_fuses(const struct catalogue *c, const struct form *form,
		   const struct variant *v);
extern const struct isa_family *const aarch64_families[];
extern const struct isa_surround aarch64_surround;
extern const struct isa_flags aarch64_flags;

/* isa.open_address and isa.memory */
bool aarch64_open_address(const struct catalogue *c, struct form *form,
			  struct operand *operands);
/* Does the form load from an address relative to the program counter? */
bool aarch64_is_literal(const struct form *form);
/* Bytes between the addresses of consecutive elements, if a vector holds the
 * addresses. */
unsigned aarch64_element_bytes(const struct form *form);
/* isa.operand_value for the vector of offsets of a gather or scatter: they name
 * consecutive elements.  False for other operands. */
bool aarch64_offset_value(const struct form *form, int operand,
			  uint8_t ret[VALUE_BYTES]);
extern const struct isa_memory aarch64_memory;
extern const struct isa_loop aarch64_loop;
extern const struct isa_stream aarch64_stream;
extern const struct isa_guest aarch64_guest;

extern const struct variant_rule aarch64_rules[];

/* aarch64_system.c: why a system instruction is no ordinary form, FORM_MEASURABLE for
 * others; isa.system and its family. */
enum form_status aarch64_system_status(const char *name);
/* Is the form, of the first version of SME, measured in streaming mode, with ZA on? */
bool aarch64_streams(const char *name);
extern const struct variant_rule aarch64_system[];
extern const struct isa_family aarch64_system_family;
extern const struct isa_usual_numbers aarch64_usual_numbers[];

extern const struct isa_frame aarch64_frame;

#endif
