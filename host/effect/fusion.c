/* Micro-fusion: a load and the computation with its data, and the address and
 * the data of a store, take one slot each.  With an index some cores split them
 * again when they dispatch them ("unlamination").
 *
 * Intel, "Optimization Reference Manual", on micro-fusion; on un-lamination as
 * answers to question 26046634 of Stack Overflow cite it and measured it.
 * LLVM's tables count uops of the ports; a measured model has the slots
 * themselves. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_fusion;

/* ---- model --------------------------------------------------------------- */

enum unlamination {
	FUSION_UNKNOWN,
	FUSION_ALWAYS,   /* whatever the address */
	FUSION_NO_INDEX, /* not with an index */
	/* With an index only if the result replaces a source, with at most
	 * three registers to read. */
	FUSION_TWO_OPERANDS,
	FUSION_N,
};

static const char *const words[FUSION_N] = {
	[FUSION_ALWAYS] = "any",
	[FUSION_NO_INDEX] = "no index",
	[FUSION_TWO_OPERANDS] = "two operands",
};

struct fusion {
	enum unlamination rule;
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "micro_fusion");
	struct fusion *x = ret;

	for (int i = 0; published && i < FUSION_N; i++)
		if (words[i] && strcmp(words[i], published) == 0)
			x->rule = i;
}

/* ---- loops --------------------------------------------------------------- */

/* Does an addressed computation stay fused although it has an index? */
static bool stays_fused(const struct op *o)
{
	enum { MOST_SOURCES = 3 };
	const struct form *f = o->insn->instance.form;
	unsigned n = 0;
	bool tied = false;

	for (unsigned k = 0; k < f->n_explicit; k++) {
		const struct operand *p = &f->operands[k];
		bool is_register =
			p->kind == OPERAND_REG ||
			(p->kind == OPERAND_MEM && p->reg_class != CLASS_NONE);

		n += is_register && p->read &&
		     o->insn->instance.reg[k] != REG_NONE;
		tied |= p->tied_to >= 0;
	}
	return n <= MOST_SOURCES && tied;
}

/* Uops on real ports. */
static double count_uops(const struct body *b, const struct op *o)
{
	double n = 0;

	for (size_t u = 0; u < o->n_uses; u++) {
		const struct model_use *x = &o->uses[u];

		if (x->ports &&
		    !b->model->ports[__builtin_ctzll(x->ports)].pseudo)
			n += x->n_uops;
	}
	return n;
}

static void set_slots(const struct body *b, const struct fusion *x,
		      struct op *o)
{
	/* What loads, computes and stores is two pairs. */
	double least = o->load && o->store ? 2 : 1;
	double uops = count_uops(b, o);
	double slots = fmax(least, uops - o->load - o->store);
	bool indexed = op_has_index(o);

	o->decoded = slots;
	/* A plain load is one uop. */
	if (indexed && uops > 1 &&
	    (x->rule == FUSION_NO_INDEX ||
	     (x->rule == FUSION_TWO_OPERANDS && o->load && !o->store &&
	      !stays_fused(o))))
		slots = uops;
	o->slots = slots;
	/* The parts of what is split are dispatched in one cycle. */
	if (o->slots > o->decoded)
		o->room = (uint32_t)o->slots;
}

static void bind(struct body *b)
{
	const struct fusion *x =
		b->completion->effects[effect_number(&effect_fusion)];

	for (size_t i = 0; x->rule != FUSION_UNKNOWN && i < b->n; i++) {
		struct op *o = &b->ops[i];

		if ((o->load || o->store) && o->n_uses > 0 &&
		    op_has_llvm_ports(b, o) &&
		    completed_model(b->completion)->llvm)
			set_slots(b, x, o);
	}
}

const struct effect effect_fusion = {
	.name = "fusion",
	.completed_bytes = sizeof(struct fusion),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
