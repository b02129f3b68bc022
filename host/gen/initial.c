/* Values of single operands; see initial.h. */
#include "host/gen/initial.h"

#include <string.h>

static void put_register(const struct reg *r, const uint8_t value[VALUE_BYTES],
			 struct pack_image *image)
{
	size_t end = (size_t)r->index + r->span;

	for (size_t i = r->index; i < end && i < ARRAY_LEN(image->gpr); i++) {
		if (r->bank == BANK_GPR)
			memcpy(&image->gpr[i], value, sizeof(image->gpr[i]));
		if (r->bank == BANK_VECTOR)
			memcpy(image->vector[i], value,
			       sizeof(image->vector[i]));
		if (r->bank == BANK_FP)
			memcpy(&image->fp[i], value, sizeof(image->fp[i]));
	}
}

/* The register that an instance has for an operand. */
static const struct reg *register_of(const struct catalogue *c,
				     const struct instance *in, int operand)
{
	const struct operand *o = &in->form->operands[operand];

	if (o->fixed_reg != REG_NONE)
		return &c->regs[o->fixed_reg];
	if (operand >= in->form->n_explicit ||
	    (o->role != ROLE_NONE && o->role != ROLE_INDEX))
		return &c->regs[REG_NONE];
	/* Indices in general registers are the address's own. */
	return o->role == ROLE_INDEX &&
			       c->regs[in->reg[operand]].bank == BANK_GPR
		       ? &c->regs[REG_NONE]
		       : &c->regs[in->reg[operand]];
}

static void put_operands(const struct catalogue *c, const struct instance *in,
			 struct pack_image *image)
{
	uint8_t value[VALUE_BYTES];

	for (int i = 0; i < in->form->n_operands; i++) {
		const struct reg *r = register_of(c, in, i);

		if (r->bank != BANK_NONE &&
		    c->isa->operand_value(in->form, i, (enum reg_bank)r->bank,
					  value))
			put_register(r, value, image);
	}
	if (image->memory_fill == PACK_FILL_PATTERN && in->form->access &&
	    c->isa->operand_value(in->form, OPERAND_MEMORY, BANK_NONE, value))
		memcpy(image->memory, value, sizeof(image->memory));
}

/* A copy gives a register its first value back: the source of the copy holds
 * it all the time. */
static void put_copies(const struct catalogue *c, const struct experiment *x,
		       const struct assigned *a, struct pack_image *image)
{
	for (size_t s = 0; s < x->n_steps; s++) {
		const struct instance *in = &a->instances[0][s];

		if (x->steps[s].helper && c->isa->breaker_copy &&
		    strcmp(in->form->name, c->isa->breaker_copy) == 0)
			image->gpr[c->regs[in->reg[1]].index] =
				image->gpr[c->regs[in->reg[0]].index];
	}
}

void initial_values(const struct catalogue *c, const struct experiment *x,
		    const struct assigned *a, struct pack_image *image)
{
	/* A chain through zeros is made of nothing else. */
	if (!c->isa->operand_value || a->memory.all_zero)
		return;
	for (size_t op = 0; op < a->period; op++)
		for (size_t s = 0; s < x->n_steps; s++)
			if (!x->steps[s].helper)
				put_operands(c, &a->instances[op][s], image);
	put_copies(c, x, a, image);
}
