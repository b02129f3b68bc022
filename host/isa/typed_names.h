/* Names of operands of each instruction set; see typed.h. */
#ifndef ISA_TYPED_NAMES_H
#define ISA_TYPED_NAMES_H

#include "host/isa/typed.h"

/* Tables of the instruction sets; a NULL name ends.  A name that a table lacks
 * is looked for in the common one: numbers and addresses. */
extern const struct typed_names aarch64_typed_names[];
extern const struct typed_names riscv64_typed_names[];
extern const struct typed_names x86_64_typed_names[];
extern const struct typed_names typed_common_names[];

/* Forms that programs use most, one a line (cmake/used_forms.py). */
extern const char aarch64_used[];
extern const char riscv64_used[];
extern const char x86_64_used[];

#endif
