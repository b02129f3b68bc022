/* Additions of three parts in an address that is not accessed: base, index and
 * displacement take longer than two of them, and only one port has the adder.
 *
 * A. Fog, "Instruction tables", lea with three components.  A measured model has
 * such forms as variants. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_lea;

/* ---- model --------------------------------------------------------------- */

struct lea {
	double cycles;     /* 0: not published */
	model_ports ports; /* 0: those of the form */
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "three_part_lea");
	struct lea *x = ret;
	char *port;

	if (!published || !k->given->llvm)
		return;
	x->cycles = strtod(published, &port);
	port += strspn(port, " ");
	for (size_t p = 0; p < k->m.n_ports; p++)
		if (strcmp(k->m.ports[p].name, port) == 0)
			x->ports |= (model_ports)1 << p;
}

/* ---- loops --------------------------------------------------------------- */

static void set_costs(const struct body *b, const struct lea *x, struct op *o)
{
	size_t n = (o->n_reads + 2) * (o->n_writes + 1);
	double *l = arena_copy(b->a, o->latency, n * sizeof(*l));

	for (size_t i = 0; i < n; i++)
		if (l[i] > 0)
			l[i] = x->cycles;
	o->latency = l;
	op_remove_ports(b, o, x->ports ? ~x->ports : 0);
}

/* A symbol is a displacement whose value the linker knows. */
static bool adds_three(const struct body *b, const struct insn *i)
{
	const struct catalogue *c = b->program->c;
	const struct isa_loop *rules = c->isa->loop;
	struct isa_address at;

	if (!i->instance.form || !rules->adds_three)
		return false;
	return rules->adds_three(c, &i->instance) ||
	       (i->symbol && *i->symbol != '\0' &&
		i->instance.form->access == 0 &&
		rules->address(c, &i->instance, &at) && at.base >= 0 &&
		at.index >= 0);
}

static void bind(struct body *b)
{
	const struct lea *x =
		b->completion->effects[effect_number(&effect_lea)];

	for (size_t i = 0; x->cycles > 0 && i < b->n; i++)
		if (adds_three(b, b->ops[i].insn))
			set_costs(b, x, &b->ops[i]);
}

const struct effect effect_lea = {
	.name = "lea",
	.completed_bytes = sizeof(struct lea),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
