/* Costs of accesses whose address has an index register.
 *
 * A front end may handle an access and its computation as one slot, but need
 * two slots when the address adds a register. This was measured for some forms.
 * A form with the same shape (registers read and written, tied operands, width)
 * is assumed to behave like the measured one.
 *
 * Some address units support no index at all; their ports are removed. */

#include "host/isa/memory.h"
#include "host/predict/body.h"

/* The properties of a form that decide its encoding. */
struct indexed_shape {
	uint8_t access;
	bool vectors, tied;
	unsigned n_reads, n_writes, bits;
};

static struct indexed_shape indexed_shape_of(const struct catalogue *c,
					     const struct form *f)
{
	enum { SHORTEST = 128 }; /* bits; scalars use registers of this width */
	struct indexed_shape s = { .access = f->access,
				   .vectors = f->vector_state };

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind != OPERAND_REG || o->role != ROLE_NONE)
			continue;
		s.n_reads += o->read;
		s.n_writes += o->write;
		s.tied |= o->tied_to >= 0;
		if (o->reg_class != CLASS_NONE &&
		    c->classes[o->reg_class].bits > s.bits)
			s.bits = c->classes[o->reg_class].bits;
	}
	if (s.vectors && s.bits < SHORTEST)
		s.bits = SHORTEST;
	return s;
}

static bool indexed_is_alike(const struct indexed_shape *a,
			     const struct indexed_shape *b)
{
	return a->access == b->access && a->vectors == b->vectors &&
	       a->tied == b->tied && a->n_reads == b->n_reads &&
	       a->n_writes == b->n_writes && a->bits == b->bits;
}

static bool indexed_has_index(const struct op *o)
{
	int at = form_part(o->insn->instance.form, ROLE_OPTIONAL_INDEX);

	return at >= 0 && o->insn->instance.reg[at] != REG_NONE;
}

const struct model_form *body_indexed(const struct body *b, const struct op *o)
{
	const struct catalogue *c = b->program->c;
	const struct isa_memory *m = c->isa->memory;
	struct indexed_shape own, other;

	if (!m || !m->indexed || !o->insn->instance.form ||
	    !indexed_has_index(o))
		return NULL;
	own = indexed_shape_of(c, o->insn->instance.form);
	for (const char *const *l = m->indexed; *l; l++) {
		const struct form *f = catalogue_form(c, *l);
		const struct model_form *x;

		if (!f)
			continue;
		other = indexed_shape_of(c, f);
		if (!indexed_is_alike(&own, &other))
			continue;
		x = model_find(b->model,
			       arena_printf(b->a, "%s/index", f->name));
		if (x && x->slots.has_value)
			return x;
	}
	return NULL;
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

		if (o->n_uses == 0 || !o->insn->instance.form ||
		    !indexed_has_index(o))
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
