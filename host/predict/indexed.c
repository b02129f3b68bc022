/* Accesses whose address has an index register: some address units support no
 * index at all; their ports are removed. */
#include "host/predict/body.h"

bool op_has_index(const struct op *o)
{
	const struct form *f = o->insn->instance.form;
	int at = f ? form_part(f, ROLE_OPTIONAL_INDEX) : -1;

	return at >= 0 && o->insn->instance.reg[at] != REG_NONE;
}

void body_remove_ports(struct body *b)
{
	const struct model *m = b->model;
	model_ports barred = 0;

	for (size_t i = 0; i < m->n_ports; i++)
		if (m->ports[i].no_index)
			barred |= (model_ports)1 << i;
	for (size_t i = 0; barred != 0 && i < b->n; i++) {
		struct op *o = &b->ops[i];
		struct model_use *uses;

		if (o->n_uses == 0 || !op_has_index(o))
			continue;
		uses = ARENA_ARRAY(b->a, struct model_use, o->n_uses);
		for (size_t u = 0; u < o->n_uses; u++) {
			uses[u] = o->uses[u];
			if ((uses[u].ports & ~barred) != 0)
				uses[u].ports &= ~barred;
		}
		o->uses = uses;
	}
}
