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
		if (r->bank == BANK_FP || r->bank == BANK_X87)
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

/* Registers that a carrier only reads: zero in the first of two, what the
 * chain's source starts with in the last, beside the zero that came. */
static void put_constants(const struct catalogue *c, const struct instance *in,
			  int source, uint64_t value, struct pack_image *image)
{
	for (int i = 0; i < in->form->n_explicit; i++) {
		const struct operand *o = &in->form->operands[i];
		const struct reg *r = &c->regs[in->reg[i]];

		if (o->kind == OPERAND_REG && o->read && !o->write &&
		    o->tied_to < 0 && i != source && r->bank == BANK_GPR)
			image->gpr[r->index] = value;
	}
}

static void put_carriers(const struct catalogue *c, const struct experiment *x,
			 const struct assigned *a, struct pack_image *image)
{
	const struct step *first = &x->steps[0];
	size_t last = experiment_measured(x) - 1;
	const struct instance *in = a->instances[0];
	const struct reg *r;

	if (!experiment_is_carried(c, x) || last < 2)
		return;
	r = register_of(c, &in[0], first->src);
	if (r->bank != BANK_GPR)
		return;
	put_constants(c, &in[1], x->steps[1].src, 0, image);
	put_constants(c, &in[last], x->steps[last].src, image->gpr[r->index],
		      image);
	/* Broken, it has nothing to add to either. */
	if (x->kind == EXPERIMENT_CONTROL)
		image->gpr[c->regs[in[last].reg[x->steps[last].src]].index] = 0;
}

void initial_values(const struct catalogue *c, const struct experiment *x,
		    const struct assigned *a, struct pack_image *image)
{
	/* A chain through zeros is made of nothing else. */
	if (a->memory.all_zero)
		return;
	for (size_t op = 0; c->isa->operand_value && op < a->period; op++)
		for (size_t s = 0; s < x->n_steps; s++)
			if (!x->steps[s].helper)
				put_operands(c, &a->instances[op][s], image);
	put_copies(c, x, a, image);
	put_carriers(c, x, a, image);
}
