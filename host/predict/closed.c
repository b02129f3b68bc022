/* Ports closed to vector instructions in loops with 512-bit instructions
 * (host/model/complete_closed.c). */
#include "host/isa/catalogue.h"
#include "host/predict/body.h"

static bool is_executed(const struct op *o)
{
	return o->costs && o->insn->instance.form && !o->eliminated &&
	       !o->is_zero_idiom;
}

/* Loads and stores of 512 bits close the ports as well, mostly: seen on an Emerald
 * Rapids. */
static bool is_wide(const struct body *b, const struct op *o)
{
	return is_executed(o) &&
	       completed_closes(b->completion, o->insn->instance.form);
}

static bool is_vector(const struct op *o)
{
	return is_executed(o) && o->insn->instance.form->vector_state;
}

void body_close_ports(struct body *b)
{
	model_ports closed = completed_closed(b->completion);
	bool wide = false, narrow = false;

	for (size_t i = 0; closed != 0 && i < b->n; i++) {
		if (!is_vector(&b->ops[i]))
			continue;
		wide |= is_wide(b, &b->ops[i]);
		narrow |= !is_wide(b, &b->ops[i]);
	}
	b->closes = wide && narrow;
	for (size_t i = 0; b->closes && i < b->n; i++)
		if (is_vector(&b->ops[i]) && b->ops[i].n_uses > 0)
			op_remove_ports(b, &b->ops[i], closed);
}

const char *body_closed_text(const struct body *b)
{
	return b->closes
		       ? model_ports_text(b->a, completed_model(b->completion),
					  completed_closed(b->completion))
		       : NULL;
}

/* Is it on the ports that are left anyway? */
static bool is_charged_to(const struct op *o, uint32_t pool)
{
	for (size_t i = 0; i < o->costs->n_charges; i++)
		if (o->costs->charges[i].pool == pool)
			return true;
	return false;
}

/* A pool of a set of ports stays as it is, because general instructions that share it keep
 * all its ports; that of a scheduling class grows. */
struct model_charge op_closed_charge(const struct body *b, const struct op *o,
				     const struct model_charge *x)
{
	const struct completion *k = b->completion;
	struct model_charge ret = { .pool = x->pool };

	if (!b->closes || !is_vector(o) || is_wide(b, o))
		return ret;
	ret.cycles = x->cycles * completed_closed_factor(k, o->costs, x->pool);
	ret.pool = completed_open_pool(k, x->pool);
	if (ret.cycles <= x->cycles ||
	    (ret.pool == x->pool ? completed_pool_name(k, x->pool) != NULL
				 : is_charged_to(o, ret.pool)))
		ret.cycles = 0;
	return ret;
}
