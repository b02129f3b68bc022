/* Operand numbers of uops.info; see operand.h. */
#include "host/codec/uops/operand.h"

const char *const uops_part_ends[XML_N_PARTS] = {
	[XML_VALUE] = "",
	[XML_BASE] = "_addr",
	[XML_INDEX] = "_addr_index",
};

/* The operand that has the number which i takes: itself, or one before. */
static int first_of(const struct form *f, int i)
{
	const struct operand *o = &f->operands[i];

	if (o->kind != OPERAND_MEM && !o->flag)
		return o->tied_to >= 0 ? o->tied_to : i;
	for (int k = 0; k < i; k++)
		if (f->operands[k].kind == o->kind &&
		    f->operands[k].flag == o->flag)
			return k;
	return i;
}

struct uops_operands uops_number_operands(const struct form *f)
{
	struct uops_operands ret = { .n = 0 };

	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		bool index =
			o->role == ROLE_INDEX || o->role == ROLE_OPTIONAL_INDEX;
		int first = first_of(f, i);

		ret.part[i] = o->kind != OPERAND_MEM ? XML_VALUE
			      : index                ? XML_INDEX
						     : XML_BASE;
		if (first < i)
			ret.number[i] = ret.number[first];
		else if (o->kind != OPERAND_OTHER)
			ret.number[i] = ++ret.n;
	}
	return ret;
}
