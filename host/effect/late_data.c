/* Stores of cores in program order that need their data later than their address:
 * a store starts before a load behind which it stands has delivered its data.
 *
 * The latency cycle of a store and a load shows it: if each waited for the other
 * in full, it would take the load's latency and a cycle at least. */
#include <math.h>

#include "host/effect/effect.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

/* Cycles by which such a cycle is shorter than the latency of its load and the
 * turn of its store; 0: it is not. */
static double shorter(const struct body *b, const struct model_forward *f)
{
	struct known_latencies l = latencies_between(
		NULL, model_find(b->completion->given, f->load), 0);
	const double turn = 1;

	if (f->then || !f->cycles.has_value || l.n == 0)
		return 0;
	return floor(fmax(0, (l.least + l.most) / 2 + turn - f->cycles.high) +
		     0.1);
}

static bool is_alike(const struct body *b, const char *measured,
		     const struct op *o)
{
	const struct catalogue *c = b->program->c;
	const struct form *f = catalogue_form(c, measured);

	return f && o->insn->instance.form &&
	       model_accesses_alike(c, f, o->insn->instance.form);
}

static double link_cycles(const struct body *b, const struct op *from,
			  const struct op *to, const struct reg_span *source,
			  double cycles)
{
	double most = 0;

	if (!b->model->in_order || source->address ||
	    !op_is_plain_access(from) || !from->load ||
	    !op_is_plain_access(to) || !to->store)
		return cycles;
	for (size_t i = 0; i < b->model->n_forwards; i++) {
		const struct model_forward *f = &b->model->forwards[i];

		if (is_alike(b, f->store, to) && is_alike(b, f->load, from))
			most = fmax(most, shorter(b, f));
	}
	return cycles - most;
}

const struct effect effect_late_data = {
	.name = "late_data",
	.link = link_cycles,
};
