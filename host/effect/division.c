/* Divisions of integers.  How long they take depends on the values, and LLVM's
 * tables have the worst, or none.  Compilers extend the dividend with zeros or
 * with its sign, which is the fast case: what is published for it counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_division;

/* ---- model --------------------------------------------------------------- */

enum { MOST_KINDS = 4 };

/* For each kind of isa_loop.divisions; latency 0: not published. */
struct division {
	struct {
		double latency, throughput, slots;
	} of[MOST_KINDS];
};

static void complete(const struct completion *k, void *ret)
{
	const struct isa_kind *kinds = k->c->isa->loop->divisions;
	struct division *x = ret;

	for (int i = 0; kinds && kinds[i].word && i < MOST_KINDS; i++) {
		const char *published = completed_fact(k, kinds[i].word);
		char *rest;

		if (!published || !k->given->llvm)
			continue;
		x->of[i].latency = strtod(published, &rest);
		x->of[i].throughput = strtod(rest, &rest);
		x->of[i].slots = strtod(rest, NULL);
	}
}

/* ---- loops --------------------------------------------------------------- */

/* The divider keeps one port busy; its other uops take slots alone. */
static void set_uses(const struct body *b, struct op *o, double cycles)
{
	struct model_use *uses =
		ARENA_ARRAY(b->a, struct model_use, o->n_access + 1);
	size_t at = o->n_access, n = o->n_access;

	if (n > 0)
		memcpy(uses, o->uses, n * sizeof(*uses));
	while (at < o->n_uses &&
	       b->model->ports[__builtin_ctzll(o->uses[at].ports)].pseudo)
		at++;
	if (at < o->n_uses) {
		model_ports ports = o->uses[at].ports;

		uses[n++] = (struct model_use){ .ports = ports & -ports,
						.n_uops = 1,
						.cycles = cycles };
	}
	o->uses = uses;
	o->n_uses = n;
}

static void set_costs(const struct body *b, const struct division *x, int kind,
		      struct op *o)
{
	size_t columns = o->n_writes + 1, n = (o->n_reads + 2) * columns;
	double *l = arena_copy(b->a, o->latency, n * sizeof(*l));
	double own = x->of[kind].latency, most = 0;

	/* From registers: from memory it takes the load longer. */
	for (size_t i = 0; i < o->n_reads * columns; i++)
		if (!o->reads[i / columns].address)
			most = fmax(most, l[i]);
	for (size_t i = 0; i < n; i++)
		if (l[i] > 0)
			l[i] = fmax(0, l[i] - most + own);
	o->latency = l;
	o->slots = o->decoded = x->of[kind].slots;
	set_uses(b, o, x->of[kind].throughput);
}

static void bind(struct body *b)
{
	const struct division *x =
		b->completion->effects[effect_number(&effect_division)];
	const struct isa_kind *kinds = b->program->c->isa->loop->divisions;

	for (size_t i = 0; kinds && i < b->n; i++) {
		struct op *o = &b->ops[i];

		/* Both halves of the dividend, and the divisor. */
		for (int k = 0; o->n_reads + o->load > 2 && o->n_writes > 1 &&
				k < MOST_KINDS && kinds[k].word;
		     k++)
			if (x->of[k].latency > 0 &&
			    name_matches_any(kinds[k].forms,
					     o->insn->instance.form->name))
				set_costs(b, x, k, o);
	}
}

const struct effect effect_division = {
	.name = "division",
	.completed_bytes = sizeof(struct division),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
