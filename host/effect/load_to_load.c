/* Loads whose address is what another load has loaded: some cores deliver it a
 * cycle earlier, if the address is this register and a small displacement.
 *
 * A. Abel and J. Reineke, "uiCA", 2022, and its program: a cycle less for a base
 * that a load of a pointer has written, and a displacement from 0 to 2047. */
#include <stdlib.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_load_to_load;

/* ---- model --------------------------------------------------------------- */

struct load_to_load {
	double cycles;        /* earlier; 0: none */
	int64_t displacement; /* less than this, and not negative */
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "load_to_load");
	struct load_to_load *x = ret;
	char *rest;

	if (!published || !k->given->llvm)
		return;
	x->cycles = strtod(published, &rest);
	x->displacement = strtoll(rest, NULL, 10);
}

/* ---- loops --------------------------------------------------------------- */

static double earlier(const struct body *b, const struct op *from,
		      const struct op *to, const struct reg_span *source,
		      double cycles)
{
	const struct load_to_load *x =
		b->completion->effects[effect_number(&effect_load_to_load)];
	/* A pointer, and no narrower number that is extended. */
	enum { POINTER = 8 };
	const struct catalogue *c = b->program->c;
	struct isa_address at;

	if (x->cycles <= 0 || !source->address || !to->load || !from->load ||
	    !op_is_plain_access(from) || op_writes_vectors(from) ||
	    from->place.bytes != POINTER ||
	    !c->isa->loop->address(c, &to->insn->instance, &at) ||
	    (to->insn->symbol && *to->insn->symbol != '\0') || at.index >= 0 ||
	    at.displacement < 0 || at.displacement >= x->displacement)
		return cycles;
	return cycles - x->cycles;
}

const struct effect effect_load_to_load = {
	.name = "load_to_load",
	.completed_bytes = sizeof(struct load_to_load),
	.complete = complete,
	.link = earlier,
};
