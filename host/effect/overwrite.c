/* Cores in program order that rename no registers: an instruction that writes a
 * register waits until the result before it is there.
 *
 * A chain of a form through its own destination (`/same-register`) is longer than
 * one between two registers by the cycles of that wait. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_overwrite;

/* ---- model --------------------------------------------------------------- */

struct overwrite {
	double cycles; /* 0: no instruction waits */
};

/* Times of chains differ by less if they are the same, in cycles. */
static const double same = 0.5;

static double own_cycles(const struct completion *k, const char *name)
{
	struct known_latencies l =
		latencies_between(NULL, model_find(k->given, name), 0);

	return l.n > 0 && l.n == l.n_exact ? l.most : -1;
}

/* Cycles that a form waits for its own result before it; negative: not
 * measured. */
static double own_wait(const struct completion *k, const char *form)
{
	double plain = own_cycles(k, form);
	double again =
		own_cycles(k, arena_printf(k->a, "%s/same-register", form));

	return plain < 0 || again < 0 ? -1 : fmax(0, again - plain);
}

/* The least wait of all forms of which it was measured. */
static void complete(const struct completion *k, void *ret)
{
	struct overwrite *x = ret;
	double least = INFINITY;
	size_t at = 0;

	for (size_t i = 0; k->given->in_order && i < k->given->n_forms; i++) {
		const char *name = k->given->forms[i].name;
		const struct form *f = complete_next(k->c, &at, name);
		size_t n = strcspn(name, "/");
		double cycles;

		if (!f || form_family(f) != FAMILY_SAME_REGISTER)
			continue;
		cycles = own_wait(k, arena_printf(k->a, "%.*s", (int)n, name));
		if (cycles >= 0)
			least = fmin(least, cycles);
	}
	x->cycles = isfinite(least) && least >= same ? least : 0;
}

/* ---- loops --------------------------------------------------------------- */

static void bind(struct body *b)
{
	const struct overwrite *x =
		b->completion->effects[effect_number(&effect_overwrite)];

	if (x->cycles <= 0)
		return;
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];
		const struct form *f = o->insn->instance.form;

		if (!f || !op_is_executed(o))
			continue;
		o->overwrite = x->cycles;
		/* Results of one unit come in order, unless it was seen to
		 * wait for itself. */
		o->overwrite_own = fmax(0, own_wait(b->completion, f->name));
	}
}

const struct effect effect_overwrite = {
	.name = "overwrite",
	.completed_bytes = sizeof(struct overwrite),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_ACCESS,
};
