/* Mixes: independent instances of several forms.
 *
 * A scheduler takes the oldest first, so the order matters: the forms are
 * spread evenly over the body.  Registers rotate within each form.  The
 * instances of a whole kernel are cut into runs of equal length, so that two
 * instances of the same register do not follow each other at the end of the
 * loop. */
#include <string.h>

#include "host/gen/kernel.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/surround.h"

enum {
	/* Front ends take four, six or eight at a time: lengths that differ by
	 * a multiple of all leave the same remainder. */
	GROUP = 24,
	/* Longer kernels need no rounding: the remainder is negligible.  From
	 * this length on, neither do forms for which short kernels suffice: a
	 * core keeps short loops decoded. */
	LONG = 400,
	LONG_OF_SHORT = 96,
	SHORT = 48,
};

uint32_t mix_instances(const struct experiment *x)
{
	uint32_t n = 0;

	for (size_t s = 0; s < x->n_steps; s++)
		n += x->steps[s].helper ? 0 : x->steps[s].count;
	return n;
}

uint32_t mix_instructions(const struct experiment *x)
{
	uint32_t n = 0, count = 0;

	for (size_t s = 0; s < x->n_steps; s++) {
		count = x->steps[s].helper ? count : x->steps[s].count;
		n += count;
	}
	return n;
}

uint32_t mix_bodies(const struct experiment *x, uint32_t instances)
{
	uint32_t n = mix_instances(x);
	uint32_t bodies = (instances + n - 1) / n;
	uint32_t most = instances <= SHORT ? LONG_OF_SHORT : LONG;

	while (bodies * n % GROUP != 0 && bodies * n < most)
		bodies++;
	return bodies;
}

int kernel_encode(const struct catalogue *c, const struct instance *in,
		  struct kernel_code *ret, struct err *e)
{
	const struct isa_surround *s = c->isa->surround;
	struct surround around = { .n_before = 0 };

	ret->n = instance_encode(c, in, ret->bytes, sizeof(ret->bytes));
	if (ret->n == 0 || !instance_round_trips(c, in))
		return err_set(e, ERR_INPUT,
			       "%s: its bytes do not decode to the same "
			       "instruction",
			       in->form->name);
	if (s)
		s->around(c, in, ret->n, &around);
	if (s && s->enclose)
		s->enclose(in, &around);
	if ((s && s->calls(in)) || around.n_before + around.n_behind > 0)
		return err_set(e, ERR_INPUT,
			       "%s: the form cannot be mixed with others",
			       in->form->name);
	return ERR_OK;
}

static int encode_all(const struct catalogue *c, const struct assigned *a,
		      struct kernel_code (*ret)[EXPERIMENT_MAX_STEPS],
		      struct err *e)
{
	for (size_t s = 0; s < a->n_steps; s++)
		for (size_t op = 0; op < a->periods[s]; op++)
			if (kernel_encode(c, &a->instances[op][s], &ret[op][s],
					  e) != ERR_OK)
				return e->code;
	return ERR_OK;
}

/* The step whose next instance is due first: the n-th of count is at (n + 1/2)
 * / count of the body. */
static size_t next_step(const struct experiment *x, const uint32_t *done)
{
	size_t best = 0;

	for (size_t s = 1; s < x->n_steps; s++) {
		/* Compares (2 n + 1) / (2 count) by cross-multiplication. */
		uint64_t mine = (2ull * done[s] + 1) * x->steps[best].count;
		uint64_t its = (2ull * done[best] + 1) * x->steps[s].count;

		if (!x->steps[s].helper && mine < its)
			best = s;
	}
	return best;
}

/* Runs of `total` instances through this many sets of registers. */
static uint32_t n_runs(uint32_t total, size_t period)
{
	return (total + (uint32_t)period - 1) / (uint32_t)period;
}

double mix_wait(const struct experiment *x, const struct assigned *a,
		uint32_t bodies)
{
	double most = 0;

	for (size_t s = 0; s < x->n_steps; s++) {
		uint32_t total = x->steps[s].count * bodies;
		double wait = a->waits[s]
				      ? (double)x->steps[s].latency *
						n_runs(total, a->periods[s]) /
						bodies
				      : 0;

		most = wait > most ? wait : most;
	}
	return most;
}

/* Register set of the n-th of `total` instances: runs have the length of the
 * period, or a little less so that all are about equally long. */
static size_t place(uint32_t n, uint32_t total, size_t period)
{
	uint32_t runs = n_runs(total, period);
	uint32_t run = (uint32_t)((uint64_t)n * runs / total);
	uint32_t first = (uint32_t)(((uint64_t)run * total + runs - 1) / runs);

	return n - first;
}

struct emitter {
	const struct experiment *x;
	const struct assigned *a;
	struct kernel_code ops[ASSIGN_MAX_PERIOD][EXPERIMENT_MAX_STEPS];
	uint32_t so_far[EXPERIMENT_MAX_STEPS];
	struct buffer *code;
};

static void mix_add(struct emitter *m, size_t s, size_t at)
{
	const struct kernel_code *op = &m->ops[at][s];

	buffer_add(m->code, op->bytes, op->n);
}

/* An instance, directly after the helpers that cut its dependencies. */
static void emit_instance(struct emitter *m, size_t s, uint32_t bodies)
{
	const struct assigned *a = m->a;
	uint32_t n = m->so_far[s]++;

	for (size_t h = s + 1; h < a->n_steps && a->helper[h]; h++)
		mix_add(m, h, n % a->periods[h]);
	mix_add(m, s, place(n, m->x->steps[s].count * bodies, a->periods[s]));
}

int mix_emit(const struct catalogue *c, const struct experiment *x,
	     const struct assigned *a, uint32_t bodies, struct buffer *code,
	     struct err *e)
{
	struct emitter m = { .x = x, .a = a, .code = code };
	size_t start;

	if (encode_all(c, a, m.ops, e) != ERR_OK)
		return e->code;
	(void)kernel_start(c, a, code);
	start = code->n;
	for (uint32_t b = 0; b < bodies; b++) {
		uint32_t done[EXPERIMENT_MAX_STEPS] = { 0 };

		for (uint32_t k = mix_instances(x); k > 0; k--) {
			size_t s = next_step(x, done);

			done[s]++;
			emit_instance(&m, s, bodies);
		}
	}
	return kernel_end(c, a, code->n - start, code, e);
}
