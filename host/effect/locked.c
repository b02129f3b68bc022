/* Locked instructions: each waits until all earlier ones are done, and later
 * loads wait for it, so they follow one another. */
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

static double bound_cycles(const struct body *b)
{
	const struct locked *x =
		b->completion->effects[effect_number(&effect_locked)];
	const char *const *forms = b->program->c->isa->loop->locked;
	double n = 0;

	for (size_t i = 0; x->cycles > 0 && forms && i < b->n; i++) {
		const struct op *o = &b->ops[i];

		n += o->load && o->store &&
		     name_matches_any(forms, o->insn->instance.form->name);
	}
	return n * x->cycles;
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
