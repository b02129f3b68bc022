/* Chains with fillers: how many instructions a core holds until they retire.
 *
 *	a a f f f   a a f f f  ...	a chain: EXPERIMENT_WINDOW_GROUPS groups
 *	a a f f f   a a f f f  ...	the next; its first a is independent
 *
 * Fillers (the experiment's helpers) are independent, too.  Fillers of several
 * forms take turns. */
#include "host/gen/kernel.h"

struct emitter {
	const struct experiment *x;
	const struct assigned *a;
	struct kernel_code ops[ASSIGN_MAX_PERIOD][EXPERIMENT_MAX_STEPS];
	struct kernel_code first;
	struct buffer *code;
};

static uint32_t n_fillers(const struct experiment *x)
{
	uint32_t n = 0;

	for (size_t s = 1; s < x->n_steps; s++)
		n += x->steps[s].count;
	return n;
}

uint32_t window_instructions(const struct experiment *x)
{
	return EXPERIMENT_WINDOW_GROUPS * (x->steps[0].count + n_fillers(x));
}

static int encode_all(const struct catalogue *c, struct emitter *m,
		      struct err *e)
{
	const struct assigned *a = m->a;
	struct instance first = a->instances[0][0];

	for (size_t op = 0; op < a->period; op++)
		for (size_t s = 0; s < a->n_steps; s++)
			if (kernel_encode(c, &a->instances[op][s],
					  &m->ops[op][s], e) != ERR_OK)
				return e->code;
	first.reg[a->cut_operand] = a->cut_reg;
	return kernel_encode(c, &first, &m->first, e);
}

static void window_add(struct emitter *m, const struct kernel_code *op)
{
	buffer_add(m->code, op->bytes, op->n);
}

static void emit_fillers(struct emitter *m)
{
	uint32_t left = n_fillers(m->x);

	for (uint32_t turn = 0; left > 0; turn++)
		for (size_t s = 1; s < m->x->n_steps; s++) {
			if (turn >= m->x->steps[s].count)
				continue;
			window_add(m, &m->ops[turn % m->a->period][s]);
			left--;
		}
}

static void emit_chain(struct emitter *m)
{
	uint32_t n = m->x->steps[0].count;

	for (uint32_t op = 0; op < EXPERIMENT_WINDOW_GROUPS * n; op++) {
		window_add(m,
			   op == 0 ? &m->first : &m->ops[op % m->a->period][0]);
		if (op % n == n - 1)
			emit_fillers(m);
	}
}

int window_emit(const struct catalogue *c, const struct experiment *x,
		const struct assigned *a, uint32_t chains, struct buffer *code,
		struct err *e)
{
	struct emitter m = { .x = x, .a = a, .code = code };
	size_t start;

	if (a->cut_ops % a->period != 0)
		return err_set(e, ERR_INPUT,
			       "%s: the chain is no multiple of the period of "
			       "registers",
			       x->steps[0].form->name);
	if (encode_all(c, &m, e) != ERR_OK)
		return e->code;
	(void)kernel_start(c, a, code);
	start = code->n;
	for (uint32_t i = 0; i < chains; i++)
		emit_chain(&m);
	return kernel_end(c, a, code->n - start, code, e);
}
