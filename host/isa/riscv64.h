/* Shared by the files of the RISC-V instruction set.
 *
 * An opcode of the vector extension does not determine an instruction: its
 * meaning depends on the vector type.  So each legal combination of element
 * width, register grouping and mask is a form, VADD_VV/e32,m2,masked. */
#ifndef ISA_RISCV64_H
#define ISA_RISCV64_H

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/variant.h"

/* The hooks of struct isa of the same names. */
void riscv64_variants(const struct mc *mc, size_t opcode,
		      struct variant_list *ret);
const char *riscv64_variant_features(const struct form *f);
unsigned riscv64_straddles(const struct form *f);
bool riscv64_vary(const struct form *f, int operand, unsigned k,
		  uint64_t *value);
bool riscv64_operand_value(const struct form *form, int operand,
			   enum reg_bank bank, uint8_t ret[VALUE_BYTES]);
size_t riscv64_table_names(const struct form *f, char (*ret)[ISA_NAME_ROOM]);
size_t riscv64_prologue(const struct catalogue *c, const struct instance *i,
			size_t n, unsigned char *code, size_t room);
const char *riscv64_clash(const struct catalogue *c, const struct form *a,
			  const struct form *b);

extern const struct isa_family riscv64_branch, riscv64_reserved;
extern const struct isa_family *const riscv64_families[];
extern const struct isa_surround riscv64_surround;

/* Logarithms of the element width in bits and of the grouping. */
int riscv64_sew(const struct variant *v);
int riscv64_lmul(const struct variant *v);

/* The operands of a vector type. */
void riscv64_shape_vector(const struct catalogue *c, struct form *f,
			  struct operand *operands);

/* The type of the elements that a variant reads. */
enum form_domain riscv64_vector_domain(const struct form *f);

/* An odd number with bits at all positions, from splitmix64. */
#define RISCV64_WIDE_NUMBER 0x9e3779b97f4a7c15

bool riscv64_open_address(const struct catalogue *c, struct form *form,
			  struct operand *operands);
extern const struct isa_memory riscv64_memory;

/* riscv64_thead.c: loads and stores of T-Head's extensions.  Each returns false
 * for every other form. */
bool riscv64_thead_open(struct form *form, struct operand *operands);
bool riscv64_thead_address(const struct instance *i, struct isa_address *ret);
bool riscv64_thead_step(const struct instance *i, struct isa_step *ret);
extern const struct isa_loop riscv64_loop;
extern const struct isa_stream riscv64_stream;
extern const struct isa_guest riscv64_guest;
extern const struct variant_rule riscv64_rules[];

/* riscv64_system.c: why a system instruction is no ordinary form, FORM_MEASURABLE for
 * others; isa.system and its family. */
enum form_status riscv64_system_status(const char *name);
extern const struct variant_rule riscv64_system[];
extern const struct isa_family riscv64_system_family;
extern const struct isa_usual_numbers riscv64_usual_numbers[];
extern const struct isa_value_words riscv64_value_words[];

/* jal x0, offset: the J-type immediate, imm[20|10:1|11|19:12]. */
uint32_t riscv64_jump(uint32_t offset);

extern const struct isa_frame riscv64_frame;

#endif
