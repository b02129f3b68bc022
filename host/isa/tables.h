/* Under which opcode LLVM's scheduling tables have a form.  Most forms stand
 * there as themselves; those of which an opcode says too little have opcodes of
 * the code generator's, without an encoding, for some of what it leaves open.
 */
#ifndef ISA_TABLES_H
#define ISA_TABLES_H

#include "host/isa/isa.h"

enum { TABLES_MAX_NAMES = 32 };

struct tables;

/* All opcodes by name; owned by `a`, refers to the catalogue. */
struct tables *tables_new(struct arena *a, const struct catalogue *c);

/* The opcode for a form that isa->table_names knows, and its name; false when
 * there is none. */
bool tables_find(const struct tables *t, const struct form *f,
		 const char **ret_name, uint32_t *ret_opcode);

#endif
