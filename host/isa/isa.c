/* Finding an instruction set, and the words of the closed list of reasons. */

#include <string.h>
#include <sys/utsname.h>

#include "host/isa/isa.h"

const struct isa *isa_find(const char *name)
{
	for (size_t i = 0; isas[i]; i++)
		if (strcmp(isas[i]->name, name) == 0)
			return isas[i];
	return NULL;
}

const struct isa *isa_by_pack(uint32_t pack_isa)
{
	for (size_t i = 0; isas[i]; i++)
		if (isas[i]->pack_isa == pack_isa)
			return isas[i];
	return NULL;
}

const struct isa *isa_native(void)
{
	struct utsname machine;

	/* The kernel's names are those of this project. */
	return uname(&machine) == 0 ? isa_find(machine.machine) : NULL;
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

bool form_writes_base(const struct form *form)
{
	int base = form_part(form, ROLE_BASE);

	return base >= 0 && form->operands[base].tied_to >= 0;
}

static bool is_mask(const struct catalogue *c, const struct operand *o)
{
	return o->reg_class != CLASS_NONE &&
	       c->classes[o->reg_class].bank == BANK_MASK;
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
		other |= o->tied_to < 0 && !is_mask(c, o);
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
