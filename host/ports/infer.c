/* What all stages of the inference use; see infer.h. */
#include "host/ports/infer.h"

#include <math.h>
#include <string.h>

#include "host/base/random.h"

/* For values without an error of their own, relative. */
static const double least_tolerance = 0.01;
const double infer_uneven = 0.18;
const double infer_equal_rates = 0.03;
const double infer_equal_times = 0.03;
const double infer_nearly_full = 0.7;
/* Chosen: a time whose error (4.5 standard errors) is this share of it says
 * nothing. */
static const double vague = 0.25;

double infer_tolerance(const struct ports_value *v)
{
	return fmax(least_tolerance, 4.5 * v->sigma);
}

bool infer_in_batch(const struct infer *in, size_t form)
{
	return in->all_batches || in->q->forms[form].batch == in->batch;
}

size_t infer_n_in_batch(const struct infer *in)
{
	size_t n = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		n += infer_in_batch(in, i);
	return n;
}

void infer_add(struct ports_mix *mix, uint32_t form, uint32_t count)
{
	mix->part[mix->n].form = form;
	mix->part[mix->n++].count = count;
}

unsigned infer_shared(const struct infer *in, uint32_t form)
{
	const struct ports_form *f = &in->q->forms[form];

	return (unsigned)f->memory + f->stores;
}

bool infer_may_represent(const struct infer *in, uint32_t form)
{
	const struct ports_form *f = &in->q->forms[form];

	return !f->dependent && !f->renamed && !f->represents_none;
}

bool infer_may_mix(const struct infer *in, uint32_t x, uint32_t y)
{
	const struct ports_oracle *o = in->q->oracle;

	return !o->may_mix || o->may_mix(o->context, x, y);
}

bool infer_may_join(const struct infer *in, const struct ports_mix *mix,
		    uint32_t form)
{
	for (size_t i = 0; i < mix->n; i++)
		if (!infer_may_mix(in, mix->part[i].form, form))
			return false;
	return true;
}

void infer_add_use(struct form_state *f, model_ports ports, double n_uops,
		   double cycles)
{
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports == ports && f->uses[i].cycles == cycles) {
			f->uses[i].n_uops += n_uops;
			return;
		}
	f->uses[f->n_uses++] = (struct model_use){ ports, n_uops, cycles };
}

bool infer_have_equal_uses(const struct form_state *f,
			   const struct form_state *g)
{
	if (f->n_uses != g->n_uses)
		return false;
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports != g->uses[i].ports ||
		    f->uses[i].n_uops != g->uses[i].n_uops ||
		    f->uses[i].cycles != g->uses[i].cycles)
			return false;
	return true;
}

double infer_random(struct infer *in)
{
	return random_unit(&in->random);
}

void infer_note(struct infer *in, const char *text)
{
	buffer_add(&in->notes, &text, sizeof(text));
}

void infer_conflict(struct infer *in, const struct ports_mix *mix,
		    double measured, double expected)
{
	struct ports_conflict c = { *mix, measured, expected };

	buffer_add(&in->conflicts, &c, sizeof(c));
}

static void note_most(struct infer *in, const struct ports_mix *mix,
		      const struct ports_value *v)
{
	if (!v->has_value || mix->n < 2)
		return;
	for (size_t i = 0; i < mix->n; i++) {
		struct form_state *f = &in->f[mix->part[i].form];
		double cycles = v->cycles * (1 + infer_tolerance(v)) /
				mix->part[i].count;

		if (f->most_cycles == 0 || cycles < f->most_cycles)
			f->most_cycles = cycles;
	}
}

int infer_measure(struct infer *in, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret)
{
	const struct ports_oracle *o = in->q->oracle;

	if (n == 0)
		return ERR_OK;
	if (infer_is_far(in, phase))
		return err_set(in->e, ERR_INTERRUPTED,
			       "more is to be measured");
	in->w->n_experiments[phase] += n;
	memset(ret, 0, n * sizeof(*ret));
	if (o->measure(o->context, phase, mixes, n, ret, in->e) != ERR_OK)
		return in->e->code;
	infer_guess(in, phase, mixes, n, ret);
	for (size_t i = 0; i < n; i++) {
		ret[i].has_value &= infer_tolerance(&ret[i]) < vague;
		note_most(in, &mixes[i], &ret[i]);
	}
	return ERR_OK;
}

static struct ports_mix backwards(const struct ports_mix *mix, uint32_t times)
{
	struct ports_mix ret = { .n = 0 };

	for (size_t i = mix->n; i-- > 0;)
		infer_add(&ret, mix->part[i].form, mix->part[i].count * times);
	return ret;
}

int infer_measure_orders(struct infer *in, enum ports_phase phase,
			 const struct ports_mix *mixes, size_t n,
			 struct ports_value *values)
{
	enum { ORDERS = 3 };
	struct ports_mix *orders =
		ARENA_ARRAY(in->a, struct ports_mix, ORDERS * n + 1);
	struct ports_value *got =
		ARENA_ARRAY(in->a, struct ports_value, ORDERS * n + 1);

	for (uint32_t i = 0; i < ORDERS * n; i++)
		orders[i] = backwards(&mixes[i / ORDERS], 1 + i % ORDERS);
	if (infer_measure(in, phase, orders, ORDERS * n, got) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < ORDERS * n; i++) {
		struct ports_value *to = &values[i / ORDERS];

		got[i].cycles /= (double)(1 + i % ORDERS);
		if (got[i].has_value && to->has_value &&
		    got[i].cycles < to->cycles)
			*to = got[i];
	}
	return ERR_OK;
}

double infer_instances(const struct ports_mix *mix)
{
	double n = 0;

	for (size_t i = 0; i < mix->n; i++)
		n += mix->part[i].count;
	return n;
}
