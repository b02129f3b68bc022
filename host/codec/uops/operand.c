/* Operand numbers of uops.info; see operand.h. */
#include "host/codec/uops/operand.h"
#include "host/isa/catalogue.h"

/* Does operand i have a number of its own? */
static bool xml_is_first(const struct form *f, int i)
{
	const struct operand *o = &f->operands[i];

	if (o->kind == OPERAND_OTHER)
		return false;
	if (o->kind != OPERAND_MEM && !o->flag)
		return o->tied_to < 0;
	for (int k = 0; k < i; k++)
		if (f->operands[k].kind == o->kind &&
		    f->operands[k].flag == o->flag)
			return false;
	return true;
}

int xml_operand(const struct form *f, int i, enum xml_part *ret_part)
{
	const struct operand *o = &f->operands[i];
	int first = i, number = 0;

	*ret_part = XML_VALUE;
	if (o->kind == OPERAND_MEM) {
		*ret_part =
			o->role == ROLE_INDEX || o->role == ROLE_OPTIONAL_INDEX
				? XML_INDEX
				: XML_BASE;
		for (first = 0; f->operands[first].kind != OPERAND_MEM;)
			first++;
	} else if (o->flag) {
		for (first = 0; !f->operands[first].flag;)
			first++;
	} else if (o->tied_to >= 0) {
		first = o->tied_to;
	}
	if (!xml_is_first(f, first))
		return 0;
	for (int k = 0; k <= first; k++)
		number += xml_is_first(f, k);
	return number;
}
