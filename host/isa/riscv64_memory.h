/* Memory forms of the RISC-V instruction set: isa.open_address and
 * isa.memory. */
#ifndef ISA_RISCV64_MEMORY_H
#define ISA_RISCV64_MEMORY_H

#include "host/isa/catalogue.h"
#include "host/isa/loop.h"
#include "host/isa/value_words.h"

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
extern const struct isa_numbers riscv64_numbers;
extern const struct isa_value_words riscv64_value_words[];

#endif
