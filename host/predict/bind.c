/* Bind a loop to a model: the list of passes. */
#include "host/predict/bind.h"

#include <assert.h>

/* What passes have filled in. */
enum {
	FORMS = 1 << 0,
	OPERANDS = 1 << 1,
	COSTS = 1 << 2,     /* before pools and fusion */
	LATENCIES = 1 << 3, /* those of the forms */
	PLACES = 1 << 4,
	OPEN_PORTS = 1 << 5, /* closed ones are removed */
	POOLS = 1 << 6,
	PORTS = 1 << 7, /* all that an op may use */
};

static const struct bind_pass {
	/* One of them; none: the passes of effects at this time. */
	void (*each)(struct body *b, struct op *o);
	void (*whole)(struct body *b);
	unsigned requires, reaches;
	enum effect_bind when;
} bind_passes[] = {
	{ bind_form, NULL, 0, FORMS, 0 },
	/* May choose other forms. */
	{ bind_operands, NULL, FORMS, OPERANDS, 0 },
	{ bind_costs, NULL, OPERANDS, COSTS, 0 },
	/* Eliminated moves have none. */
	{ bind_latencies, NULL, OPERANDS | COSTS, LATENCIES, 0 },
	{ NULL, bind_places, OPERANDS, PLACES, 0 },
	{ .requires = COSTS | LATENCIES,
	  .reaches = OPEN_PORTS,
	  .when = BIND_AFTER_COSTS },
	/* Looking up latencies shows their layer. */
	{ bind_assumption, NULL, COSTS | LATENCIES, 0, 0 },
	/* Gives the ports other numbers. */
	{ NULL, bind_pools, COSTS | OPEN_PORTS, POOLS, 0 },
	/* Pools of an access are used twice, too. */
	{ .requires = PLACES | POOLS,
	  .reaches = PORTS,
	  .when = BIND_AFTER_POOLS },
	{ NULL, bind_fused, POOLS | PORTS, 0, 0 },
	{ .requires = PLACES | LATENCIES | PORTS, .when = BIND_AFTER_ACCESS },
};

static unsigned bind_go(const struct bind_pass *p, struct body *b,
			unsigned reached)
{
	assert((p->requires & ~reached) == 0);
	for (size_t i = 0; p->each && i < b->n; i++)
		p->each(b, &b->ops[i]);
	if (p->whole)
		p->whole(b);
	for (size_t i = 0; !p->each && !p->whole && effects[i]; i++)
		if (effects[i]->bind && effects[i]->when == p->when)
			effects[i]->bind(b);
	return reached | p->reaches;
}

int body_bind(struct arena *a, const struct loop_on *l, bool worst,
	      struct body *ret, struct err *e)
{
	struct body b = { .a = a,
			  .program = l->program,
			  .completion = l->completion,
			  .model = completed_model(l->completion),
			  .loop = l->loop,
			  .n = l->loop->last - l->loop->first + 1,
			  .worst = worst };
	unsigned reached = 0;

	if (b.n > BODY_MAX_OPS)
		return err_set(e, ERR_INPUT,
			       "loop: it has more than %d instructions: %zu",
			       BODY_MAX_OPS, b.n);
	b.ops = ARENA_ARRAY(a, struct op, b.n);
	for (size_t i = 0; i < b.n; i++)
		b.ops[i].insn = &b.program->insns[b.loop->first + i];
	for (size_t i = 0; i < ARRAY_LEN(bind_passes); i++)
		reached = bind_go(&bind_passes[i], &b, reached);
	*ret = b;
	return ERR_OK;
}
