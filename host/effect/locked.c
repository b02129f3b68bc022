/* Locked instructions: each waits until all earlier ones are done, and later
 * loads wait for it, so they follow one another.  How long one takes is
 * published, or is what the model has as its throughput; LLVM's tables do not
 * know it. */
#include <stdlib.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_locked;

/* ---- model --------------------------------------------------------------- */

struct locked {
	double cycles; /* from one to the next; 0: not published */
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "locked");
	struct locked *x = ret;

	if (published && k->given->llvm)
		x->cycles = strtod(published, NULL);
}

/* ---- loops --------------------------------------------------------------- */

/* Of one of them; 0: not known. */
static double cycles_of(const struct locked *x, const struct op *o)
{
	if (x->cycles > 0 || !o->form || !o->form->throughput.has_value)
		return x->cycles;
	return o->origin[COST_THROUGHPUT].origin == ORIGIN_MODEL
		       ? model_cycles(o->form->throughput)
		       : 0;
}

static double bound_cycles(const struct body *b)
{
	const struct locked *x =
		b->completion->effects[effect_number(&effect_locked)];
	const char *const *forms = b->program->c->isa->loop->locked;
	double cycles = 0;

	for (size_t i = 0; forms && i < b->n; i++) {
		const struct op *o = &b->ops[i];

		if (o->load && o->store &&
		    name_matches_any(forms, o->insn->instance.form->name))
			cycles += cycles_of(x, o);
	}
	return cycles;
}

static const struct effect_bound bound = {
	.text = "locked instructions",
	.html = "Locked instructions",
	.json = "locked_bound",
	.reason = "locked instructions",
	.cycles = bound_cycles,
};

const struct effect effect_locked = {
	.name = "locked",
	.completed_bytes = sizeof(struct locked),
	.complete = complete,
	.bound = &bound,
};
