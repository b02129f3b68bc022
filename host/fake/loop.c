/* Loops on an invented core; see loop.h. */
#include "host/fake/loop.h"
#include "host/isa/catalogue.h"

#include <stdlib.h>

struct fake_loop {
	struct fake_decoder *decoder;
	struct fake_simulator *simulator;
};

struct fake_loop *fake_loop_new(const struct catalogue *c,
				const struct core *core)
{
	struct fake_loop *l = xrealloc(NULL, 1, sizeof(*l));

	l->decoder = fake_decoder_new(c, core, NULL);
	l->simulator = fake_simulator_new(core);
	return l;
}

void fake_loop_free(struct fake_loop *l)
{
	if (!l)
		return;
	fake_decoder_free(l->decoder);
	fake_simulator_free(l->simulator);
	free(l);
}

int fake_loop_cycles(struct fake_loop *l, const struct fake_code *code,
		     double *ret_cycles, struct err *e)
{
	struct arena a = { 0 };
	struct fake_kernel k;
	struct fake_timing t;
	double cycles, bound;

	fake_decode_loop(l->decoder, code, &k);
	if (k.fault)
		return err_set(e, ERR_INPUT,
			       "loop: the core cannot execute the instruction "
			       "at byte %u (%s)",
			       (unsigned)k.fault_pc, k.fault);
	if (k.n[0] == 0)
		return err_set(e, ERR_INPUT, "loop: it has no instruction");
	fake_simulate(l->simulator, &a, &k, 0, false, &t);
	cycles = (double)t.period_cycles / t.n_period;
	bound = (double)t.bound_cycles / t.bound_ports;
	*ret_cycles = (cycles > bound ? cycles : bound) + t.jumps_again;
	arena_free(&a);
	return ERR_OK;
}
