/* Questions about a catalogue and its forms. */
#include "host/isa/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/renamed.h"

void catalogue_free(struct catalogue *c)
{
	if (c) {
		mc_close(c->mc);
		c->mc = NULL;
	}
}

uint16_t catalogue_class(const struct catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (strcmp(c->classes[i].name, name) == 0)
			return (uint16_t)i;
	return CLASS_NONE;
}

uint16_t catalogue_register(const struct catalogue *c, const char *name)
{
	for (size_t i = 1; i < c->n_regs; i++)
		if (strcmp(c->regs[i].name, name) == 0)
			return (uint16_t)i;
	return REG_NONE;
}

static int catalogue_compare(const void *name, const void *form)
{
	return strcmp(name, ((const struct form *)form)->name);
}

const struct form *catalogue_form(const struct catalogue *c, const char *name)
{
	const struct form *f = bsearch(name, c->forms, c->n_forms,
				       sizeof(*c->forms), catalogue_compare);
	char room[ISA_NAME_ROOM];
	const char *other =
		f ? NULL
		  : renamed_form(c->isa->renamed, name, room, sizeof(room));

	return other ? bsearch(other, c->forms, c->n_forms, sizeof(*c->forms),
			       catalogue_compare)
		     : f;
}

const struct form *form_next(const struct catalogue *c, const struct form *form)
{
	const struct form *next = form + 1;

	return next < c->forms + c->n_forms && next->opcode == form->opcode
		       ? next
		       : NULL;
}

enum reg_bank operand_reg_bank(const struct catalogue *c,
			       const struct operand *o)
{
	return (enum reg_bank)(
		o->fixed_reg != REG_NONE     ? c->regs[o->fixed_reg].bank
		: o->reg_class != CLASS_NONE ? c->classes[o->reg_class].bank
					     : BANK_NONE);
}

bool form_uses(const struct catalogue *c, const struct form *form,
	       enum reg_bank bank)
{
	for (int i = 0; i < form->n_operands; i++)
		if (operand_reg_bank(c, &form->operands[i]) == bank)
			return true;
	return false;
}

bool form_has(const struct form *form, enum operand_kind kind)
{
	for (int i = 0; i < form->n_explicit; i++)
		if (form->operands[i].kind == kind)
			return true;
	return false;
}

int form_part(const struct form *form, enum memory_role role)
{
	for (int i = 0; i < form->n_explicit; i++)
		if (form->operands[i].role == role)
			return i;
	return -1;
}

int form_register(const struct form *form, bool write)
{
	for (int i = 0; i < form->n_explicit; i++) {
		const struct operand *o = &form->operands[i];

		if (o->kind == OPERAND_REG && (write ? o->write : o->read))
			return i;
	}
	return -1;
}

int form_immediate(const struct form *form)
{
	for (int i = 0; i < form->n_explicit; i++)
		if (form->operands[i].kind == OPERAND_IMM)
			return i;
	return -1;
}

bool form_writes_base(const struct form *form)
{
	int base = form_part(form, ROLE_BASE);

	return base >= 0 && form->operands[base].tied_to >= 0;
}

unsigned form_bits(const struct catalogue *c, const struct form *f)
{
	unsigned most = 0;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind == OPERAND_REG && o->reg_class != CLASS_NONE &&
		    c->classes[o->reg_class].bits > most)
			most = c->classes[o->reg_class].bits;
	}
	return most;
}

bool form_is_wide(const struct catalogue *c, const struct form *f)
{
	enum { LEAST = 128 };

	/* VFPCLASSPDZ256rm reads 32 bytes and writes a mask. */
	return form_bits(c, f) > LEAST || f->data_bytes * 8 > LEAST;
}

bool form_joins(const struct catalogue *c, const struct form *form, int src,
		int dst)
{
	const struct operand *from = &form->operands[src];
	const struct operand *to = &form->operands[dst];
	bool tied = false, other = form->access != 0;

	if (src >= form->n_explicit || dst >= form->n_explicit ||
	    from->kind != OPERAND_REG || from->tied_to >= 0 || from->write ||
	    to->apart || from->reg_class != to->reg_class ||
	    from->fixed_reg != REG_NONE)
		return false;
	for (int i = 0; i < form->n_explicit; i++) {
		const struct operand *o = &form->operands[i];

		if (i == src || i == dst || o->kind != OPERAND_REG || !o->read)
			continue;
		tied |= o->tied_to == dst;
		other |= o->tied_to < 0 && operand_reg_bank(c, o) != BANK_MASK;
	}
	return tied && other;
}

const char *form_status_word(enum form_status status)
{
	static const char *const words[] = {
#define X(id, word, meaning) [FORM_##id] = word,
		FORM_STATUS_LIST(X)
#undef X
	};

	return (size_t)status < ARRAY_LEN(words) ? words[status] : "?";
}

bool form_is_uncached(const struct catalogue *c, const struct form *f)
{
	const struct isa_memory *m = c->isa->memory;

	return m && name_matches_any(m->uncached, f->name);
}
