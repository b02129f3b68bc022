/* Loads whose index is scaled: struct isa_memory.scaled as variants. */
#ifndef ISA_SCALED_H
#define ISA_SCALED_H

#include "host/isa/isa.h"
#include "host/isa/variant.h"

/* Add the variants of a form; none unless the table names it. */
void scaled_variants(const struct isa *isa, const struct form *f,
		     struct variant_list *ret);

/* Encode the scale of the variant into its operands; other families stay as
 * they are. */
void scaled_shape(const struct isa *isa, const struct form *f,
		  struct operand *ops);

#endif
