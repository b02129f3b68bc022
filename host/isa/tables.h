/* Finds the opcode of a form in LLVM's scheduling tables.  Most forms have
 * their own.  If an opcode does not determine the cost (RISC-V vectors), the
 * code generator has opcodes without an encoding for some of the cases. */
#ifndef ISA_TABLES_H
#define ISA_TABLES_H

#include "host/base/arena.h"
#include "host/isa/catalogue.h"

enum { TABLES_MAX_NAMES = 32 };

struct tables;

/* All opcodes by name; owned by `a`, refers to the catalogue. */
struct tables *tables_new(struct arena *a, const struct catalogue *c);

/* The opcode for a form that isa->table_names knows, and its name; false if
 * there is none. */
bool tables_find(const struct tables *t, const struct form *f,
		 const char **ret_name, uint32_t *ret_opcode);

#endif
