/* Loads whose index is scaled: struct isa_memory.scaled as variants. */
#ifndef ISA_SCALED_H
#define ISA_SCALED_H

#include "host/isa/isa.h"
#include "host/isa/variant.h"

/* Add the variants of a form: those that the ISA's table has for it. */
void scaled_variants(const struct isa *isa, const struct form *f,
		     struct variant_list *ret);

/* Encode the scale of the variant into its operands; operands of
 * variants of other families are not changed. */
void scaled_shape(const struct isa *isa, const struct form *f,
		  struct operand *ops);

#endif
