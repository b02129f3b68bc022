/* Loads whose index is multiplied: the address takes longer.  A load that
 * represents all was measured. */
#include <math.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_scaled;

/* ---- model --------------------------------------------------------------- */

enum { MOST = 8 };

/* Cycles that a load takes longer from the operands of its address, for each
 * factor; 0: not measured. */
struct scaled {
	uint32_t n;
	int64_t scale[MOST];
	double cycles[MOST];
};

/* The longest latency of a load; negative: none, or not known to a cycle. */
static double load_cycles(const struct completion *k, const char *name)
{
	struct known_latencies l =
		latencies_between(NULL, model_find(k->given, name), 0);

	return l.n == l.n_exact ? l.most : -1;
}

static double scaled_cycles(const struct scaled *x, int64_t scale)
{
	for (uint32_t i = 0; i < x->n; i++)
		if (x->scale[i] == scale)
			return x->cycles[i];
	return -1;
}

static void complete(const struct completion *k, void *filled)
{
	struct scaled *ret = filled;
	const struct variant_rule *r = k->c->isa->rules;

	for (; r && r->names && ret->n < MOST; r++) {
		double plain, scaled;

		if (r->variant.family != FAMILY_SCALED ||
		    scaled_cycles(ret, r->variant.scale) >= 0)
			continue;
		plain = load_cycles(k, *r->names);
		scaled = load_cycles(k, arena_printf(k->a, "%s/%s", *r->names,
						     r->variant.suffix));
		ret->scale[ret->n] = r->variant.scale;
		ret->cycles[ret->n++] =
			plain < 0 || scaled < 0 ? 0 : fmax(scaled - plain, 0);
	}
}

/* ---- loops --------------------------------------------------------------- */

/* The address of a load waits longer for its registers if the index is
 * scaled. */
static void add_cycles(const struct body *b, const struct scaled *x,
		       struct op *o)
{
	const struct catalogue *c = b->program->c;
	size_t columns = o->n_writes + 1;
	struct isa_address at;
	double cycles, *l;

	if (!o->load || !o->insn->instance.form ||
	    !c->isa->loop->address(c, &o->insn->instance, &at) ||
	    at.index < 0 || o->insn->instance.reg[at.index] == REG_NONE)
		return;
	cycles = scaled_cycles(x, at.scale);
	if (cycles <= 0)
		return;
	l = arena_copy(b->a, o->latency,
		       (o->n_reads + 2) * columns * sizeof(*l));
	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < o->n_writes; w++)
			if (o->reads[r].address && l[r * columns + w] >= 0)
				l[r * columns + w] += cycles;
	o->latency = l;
}

static void bind(struct body *b)
{
	const struct scaled *x =
		b->completion->effects[effect_number(&effect_scaled)];

	for (size_t i = 0; i < b->n; i++)
		add_cycles(b, x, &b->ops[i]);
}

const struct effect effect_scaled = {
	.name = "scaled",
	.completed_bytes = sizeof(struct scaled),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
