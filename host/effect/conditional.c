/* Conditional moves of two uops: the first computes with the flags, so that the
 * registers may come a cycle later.  LLVM's tables have one latency for all
 * operands. */
#include <stdlib.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_conditional;

/* ---- model --------------------------------------------------------------- */

struct conditional {
	double cycles; /* from a register; 0: not published */
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "conditional_move");
	struct conditional *x = ret;

	if (published && k->given->llvm)
		x->cycles = strtod(published, NULL);
}

/* ---- loops --------------------------------------------------------------- */

static void set_latencies(const struct body *b, const struct conditional *x,
			  struct op *o)
{
	size_t columns = o->n_writes + 1;
	double *l = arena_copy(b->a, o->latency,
			       (o->n_reads + 2) * columns * sizeof(*l));

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < o->n_writes; w++)
			if (!o->reads[r].address &&
			    o->reads[r].unit / BODY_BANK_UNITS != BANK_FLAGS &&
			    l[r * columns + w] > x->cycles)
				l[r * columns + w] = x->cycles;
	o->latency = l;
}

static bool reads_flags(const struct op *o)
{
	for (size_t r = 0; r < o->n_reads; r++)
		if (o->reads[r].unit / BODY_BANK_UNITS == BANK_FLAGS)
			return true;
	return false;
}

static void bind(struct body *b)
{
	const struct conditional *x =
		b->completion->effects[effect_number(&effect_conditional)];
	const char *const *forms = b->program->c->isa->loop->conditional_moves;

	for (size_t i = 0; x->cycles > 0 && forms && i < b->n; i++) {
		struct op *o = &b->ops[i];

		if (reads_flags(o) &&
		    name_matches_any(forms, o->insn->instance.form->name))
			set_latencies(b, x, o);
	}
}

const struct effect effect_conditional = {
	.name = "conditional",
	.completed_bytes = sizeof(struct conditional),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
