/* Accesses whose address has an index register: some address units support no
 * index at all; their ports are removed. */
#include "host/predict/body.h"

bool op_has_index(const struct op *o)
{
	const struct form *f = o->insn->instance.form;
	int at = f ? form_part(f, ROLE_OPTIONAL_INDEX) : -1;

	return at >= 0 && o->insn->instance.reg[at] != REG_NONE;
}

void op_remove_ports(const struct body *b, struct op *o, model_ports ports)
{
	struct model_use *uses =
		arena_copy(b->a, o->uses, o->n_uses * sizeof(*uses));

	for (size_t u = 0; u < o->n_uses; u++)
		if ((uses[u].ports & ~ports) != 0)
			uses[u].ports &= ~ports;
	o->uses = uses;
}

void body_remove_ports(struct body *b)
{
	const struct model *m = b->model;
	model_ports barred = 0;

	for (size_t i = 0; i < m->n_ports; i++)
		if (m->ports[i].no_index)
			barred |= (model_ports)1 << i;
	for (size_t i = 0; barred != 0 && i < b->n; i++)
		if (b->ops[i].n_uses > 0 && op_has_index(&b->ops[i]))
			op_remove_ports(b, &b->ops[i], barred);
}
