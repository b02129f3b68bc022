/* Moves that the renamer eliminates, from a register to itself: some cores
 * execute these. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_moves;

/* ---- model --------------------------------------------------------------- */

/* Cycles of a move, eliminated between two registers, from a register to
 * itself: 0 where the core was not seen to execute such moves. */
struct moves {
	double same;
};

/* Is it a variant with one register for all operands, of a form that is
 * eliminated? */
static bool is_same_move(const struct completion *k, const struct form *f)
{
	const struct model_form *base;
	char name[ISA_NAME_ROOM];
	size_t n = strcspn(f->name, "/");

	if (form_family(f) != FAMILY_SAME || n >= sizeof(name))
		return false;
	memcpy(name, f->name, n);
	name[n] = '\0';
	base = model_find(k->given, name);
	return base && base->n_latencies > 0 &&
	       longest_latency(base) < eliminated;
}

/* Most of the moves decide. */
static void complete(const struct completion *k, void *ret)
{
	const struct model *m = k->given;
	size_t n = 0, n_executed = 0, at = 0;
	double most = 0;

	for (size_t i = 0; i < m->n_forms; i++) {
		const struct model_form *x = &m->forms[i];
		const struct form *f =
			x->n_latencies > 0 ? complete_next(k->c, &at, x->name)
					   : NULL;

		if (!f || !is_same_move(k, f))
			continue;
		n++;
		n_executed += longest_latency(x) >= eliminated;
		most = fmax(most, longest_latency(x));
	}
	((struct moves *)ret)->same = 2 * n_executed > n ? most : 0;
}

/* ---- loops --------------------------------------------------------------- */

/* Does it only write a register that it also reads? */
static bool is_same_register(const struct op *o)
{
	return o->n_reads == 1 && o->n_writes == 1 && !o->load && !o->store &&
	       !o->reads[0].address && o->reads[0].unit == o->writes[0].unit &&
	       o->reads[0].operand != o->writes[0].operand;
}

static void bind(struct body *b)
{
	const struct moves *m =
		b->completion->effects[effect_number(&effect_moves)];

	for (size_t i = 0; m->same > 0 && i < b->n; i++) {
		struct op *o = &b->ops[i];
		size_t n = (o->n_reads + 2) * (o->n_writes + 1);
		double *l;

		if (!is_same_register(o) || o->is_zero_idiom ||
		    o->latency[0] != 0)
			continue;
		l = arena_copy(b->a, o->latency, n * sizeof(*l));
		l[0] = m->same;
		o->latency = l;
		o->eliminated = false;
	}
}

const struct effect effect_moves = {
	.name = "moves",
	.completed_bytes = sizeof(struct moves),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
