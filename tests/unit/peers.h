/* What the tests of other tools' mistakes share: plans, kernels and their
 * instructions. */
#ifndef UNIT_PEERS_H
#define UNIT_PEERS_H

#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "tests/unit/planned.h"

static inline bool touches_memory(const struct form *f)
{
	return f->flags & (MC_MAY_LOAD | MC_MAY_STORE);
}

/* Is it a register in its own right, not a tied use or a fixed one? */
static inline bool is_free_register(const struct operand *o)
{
	return o->kind == OPERAND_REG && !o->implicit && o->tied_to < 0 &&
	       o->fixed_reg == REG_NONE;
}

static inline const struct reg *reg_at(const struct all *w,
				       const struct instance *in, int operand)
{
	return &w->c->regs[in->reg[operand]];
}

/* Call each() for every instruction of a kernel's first length. */
typedef void each_instance(const struct all *w, const struct instance *in,
			   void *context);

static inline void walk(const struct all *w, const struct kernel_row *k,
			each_instance *each, void *context)
{
	for (size_t at = 0; at < k->code_bytes[0];) {
		struct instance in;
		size_t n = instance_decode(w->c, k->code[0] + at,
					   k->code_bytes[0] - at, &in);

		assert_true(n > 0);
		if (in.form)
			each(w, &in, context);
		at += n;
	}
}

/* One experiment's kernel, or the test fails. */
static inline struct gen *one_kernel(const struct all *w, const char *label,
				     struct kernel_row *ret)
{
	struct gen *g = gen_of(w->c);

	add_label(g, w->c, label, ret);
	return g;
}

#endif
