/* Loads whose address is what another load has loaded: some cores deliver it a
 * cycle earlier, if the address is this register and a small displacement.
 *
 * A. Abel and J. Reineke, "uiCA", 2022, and its program: 4 cycles, where other
 * addresses take 5, for a base that a load of 4 or 8 bytes has written, and a
 * displacement from 0 to 2047.  A model that was measured with such loads has
 * this latency. */
#include <math.h>
#include <stdlib.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_load_to_load;

/* ---- model --------------------------------------------------------------- */

struct load_to_load {
	double cycles;        /* from one load to the next; 0: not published */
	int64_t displacement; /* less than this, and not negative */
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "load_to_load");
	struct load_to_load *x = ret;
	char *rest;

	if (!published)
		return;
	x->cycles = strtod(published, &rest);
	x->displacement = strtoll(rest, NULL, 10);
}

/* ---- loops --------------------------------------------------------------- */

/* The longest time from the address to the loaded register. */
static double own_cycles(const struct op *load)
{
	double most = 0;

	for (size_t r = 0; r < load->n_reads; r++)
		most = fmax(most, op_latency(load, r, 0));
	return most;
}

static double earlier(const struct body *b, const struct op *from,
		      const struct op *to, const struct reg_span *source,
		      double cycles)
{
	const struct load_to_load *x =
		b->completion->effects[effect_number(&effect_load_to_load)];
	/* What is narrower is extended. */
	enum { NARROWEST = 4 };
	const struct catalogue *c = b->program->c;
	struct isa_address at;

	if (x->cycles <= 0 || !source->address || !to->load || !from->load ||
	    !op_is_plain_access(from) || op_writes_vectors(from) ||
	    from->place.bytes < NARROWEST ||
	    !c->isa->loop->address(c, &to->insn->instance, &at) ||
	    (to->insn->symbol && *to->insn->symbol != '\0') || at.index >= 0 ||
	    at.displacement < 0 || at.displacement >= x->displacement)
		return cycles;
	return cycles - fmax(0, own_cycles(from) - x->cycles);
}

const struct effect effect_load_to_load = {
	.name = "load_to_load",
	.completed_bytes = sizeof(struct load_to_load),
	.complete = complete,
	.link = earlier,
};
