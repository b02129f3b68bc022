/* Loads whose index is scaled. */
#include "host/isa/scaled.h"

#include <string.h>

#include "host/isa/build.h"
#include "host/isa/memory.h"

void scaled_variants(const struct isa *isa, const struct form *f,
		     struct variant_list *ret)
{
	const struct isa_scaled *s = isa->memory ? isa->memory->scaled : NULL;

	for (; s && s->load; s++)
		if (strcmp(s->load, f->name) == 0)
			variant_add(ret, &s->variant);
}

void scaled_shape(const struct isa *isa, const struct form *f,
		  struct operand *ops)
{
	const struct isa_scaled *s = isa->memory ? isa->memory->scaled : NULL;

	if (form_family(f) != FAMILY_SCALED)
		return;
	for (; s && s->load; s++)
		if (f->variant == &s->variant)
			operand_pin(&ops[s->operand], s->variant.number);
	/* No bytes encode the scale of an absent index. */
	for (int i = 0; i < f->n_explicit; i++)
		if (ops[i].role == ROLE_OPTIONAL_INDEX)
			ops[i].role = ROLE_INDEX;
}
