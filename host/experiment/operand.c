/* Names of operands, and registers that forms carry from one instance to the
 * next; see experiment.h. */
#include <stdio.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"

void operand_name(const struct catalogue *c, const struct form *form,
		  int operand, char *name, size_t room)
{
	const struct operand *o = &form->operands[operand];

	if (o->implicit && o->fixed_reg != REG_NONE)
		(void)snprintf(name, room, "%s", c->regs[o->fixed_reg].name);
	else
		(void)snprintf(name, room, "%d", operand);
}

const char *operand_access_word(const struct operand *o)
{
	if (o->read)
		return o->write ? "r/w" : "read";
	return o->write ? "write" : "";
}

const char *operand_kind_word(const struct catalogue *c,
			      const struct operand *o)
{
	if (o->implicit)
		return "implicit";
	if (o->kind == OPERAND_OTHER)
		return "left out";
	if (o->reg_class < c->n_classes)
		return c->classes[o->reg_class].name;
	return o->kind == OPERAND_IMM   ? "number"
	       : o->kind == OPERAND_MEM ? "part of the address"
					: "";
}

bool reg_overlap(const struct reg *a, const struct reg *b)
{
	return a->bank == b->bank && a->index < b->index + b->span &&
	       b->index < a->index + a->span;
}

/* Does an operand that is fixed to an overlapping register read it? */
static bool reads_fixed(const struct catalogue *c, const struct form *form,
			const struct reg *r)
{
	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];

		if (o->kind == OPERAND_REG && o->read &&
		    o->fixed_reg != REG_NONE &&
		    reg_overlap(&c->regs[o->fixed_reg], r))
			return true;
	}
	return false;
}

/* Is an overlapping register in the list?  One helper cuts all flags, so flags
 * count as one register. */
static bool is_listed(const struct catalogue *c, const uint16_t *regs, size_t n,
		      const struct reg *r)
{
	for (size_t i = 0; i < n; i++)
		if (reg_overlap(&c->regs[regs[i]], r) ||
		    (r->bank == BANK_FLAGS &&
		     c->regs[regs[i]].bank == BANK_FLAGS))
			return true;
	return false;
}

size_t form_carried(const struct catalogue *c, const struct form *form,
		    const struct reg *keep, uint16_t *regs, size_t room)
{
	size_t n = 0;

	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];
		const struct reg *r = &c->regs[o->fixed_reg];

		if (o->kind != OPERAND_REG || !o->write ||
		    o->fixed_reg == REG_NONE || r->bank == BANK_NONE ||
		    r->bank == BANK_STATE || (keep && reg_overlap(r, keep)) ||
		    !reads_fixed(c, form, r) || is_listed(c, regs, n, r))
			continue;
		if (n == room)
			return room + 1;
		regs[n++] = o->fixed_reg;
	}
	return n;
}

/* Is the operand one of the flags that `name` denotes? */
static bool is_flag_of(const struct catalogue *c, const struct operand *o,
		       const char *name, bool source)
{
	return c->isa->flags && strcmp(name, c->isa->flags->reg) == 0 &&
	       o->flag && (source ? o->read : o->write && !o->unchained);
}

/* The index in a name by operand_name(); -1 if it is a register's name. */
static int operand_number(const char *name)
{
	int n = 0;

	if (*name == '\0' || (name[0] == '0' && name[1] != '\0'))
		return -1;
	for (; *name; name++) {
		if (*name < '0' || *name > '9' || n > FORM_MAX_OPERANDS)
			return -1;
		n = 10 * n + (*name - '0');
	}
	return n;
}

int operand_find(const struct catalogue *c, const struct form *form,
		 const char *name, bool source)
{
	int number = operand_number(name);

	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];
		bool named = o->implicit && o->fixed_reg != REG_NONE;

		if (named ? strcmp(c->regs[o->fixed_reg].name, name) == 0
			  : i == number)
			return i;
		if (number < 0 && is_flag_of(c, o, name, source))
			return i;
	}
	return -1;
}

size_t operand_find_all(const struct catalogue *c, const struct form *form,
			const char *name, bool source,
			int ret[FORM_MAX_OPERANDS])
{
	int one = operand_find(c, form, name, source);
	size_t n = 0;

	if (one < 0)
		return 0;
	if (!is_flag_of(c, &form->operands[one], name, source)) {
		ret[0] = one;
		return 1;
	}
	for (int i = 0; i < form->n_operands; i++)
		if (is_flag_of(c, &form->operands[i], name, source))
			ret[n++] = i;
	return n;
}
