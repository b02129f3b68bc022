/* Measure every form alone, the width of the front end, and the slots of each
 * form. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	MAX_FILLERS = 96,
};

static int measure_alone(struct infer *in)
{
	size_t n = in->q->n_forms;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n);
	struct ports_value *values = ARENA_ARRAY(in->a, struct ports_value, n);
	size_t n_mixes = 0;

	for (size_t i = 0; i < n; i++)
		if (infer_in_batch(in, i))
			infer_add(&mixes[n_mixes++], (uint32_t)i, 1);
	if (infer_measure(in, PORTS_SINGLES, mixes, n_mixes, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_mixes; i++) {
		struct form_state *f = &in->f[mixes[i].part[0].form];

		f->alone = values[i];
		f->verdict =
			values[i].has_value ? PORTS_UNFINISHED : PORTS_NO_VALUE;
	}
	return ERR_OK;
}

/* Mark forms as fast as the front end. Forms that are faster are fused with
 * their neighbours. */
static void find_wide(struct infer *in)
{
	/* Without a filler the front end has no constant width. */
	double least = in->filler == PORTS_NONE ? infer_uneven : 0;

	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];
		double limit = 1.5 * fmax(infer_equal_rates,
					  infer_tolerance(&f->alone));

		if (!infer_in_batch(in, i) || !f->alone.has_value ||
		    f->alone.cycles * in->width > 1 + fmax(least, limit))
			continue;
		f->wide = true;
	}
}

/* Number of fillers that make the front end the bottleneck; 0: too many. */
static uint32_t fillers_for(const struct infer *in, const struct form_state *f)
{
	double n = ceil(1.25 * in->width * f->alone.cycles) + 2;

	return n > MAX_FILLERS ? 0 : (uint32_t)n;
}

static void note_slots(struct infer *in, struct form_state *f, uint32_t k,
		       const struct ports_value *v)
{
	double slots = in->width * v->cycles - k;
	double off = (slots + k) * fmax(4.5 * v->sigma, 0.002);
	double whole = round(slots);

	f->lost = !v->has_value;
	/* The form cannot take this many slots in its time alone; something
	 * else is slow. */
	if (!v->has_value || slots - off > 1.05 * in->width * f->alone.cycles)
		return;
	f->slots_low = fmax(1, slots - off);
	f->slots_high = fmax(f->slots_low, slots + off);
	if (whole >= 1 && fabs(slots - whole) <= fmax(off, 0.35) && off < 0.5)
		f->slots = (unsigned)whole;
}

static int measure_slots(struct infer *in)
{
	size_t n = 0;
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms);

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];
		uint32_t k = fillers_for(in, f);

		if (!infer_in_batch(in, i))
			continue;
		f->slots_high = in->width * f->alone.cycles;
		if (f->wide) {
			f->slots_low = f->slots_high = f->slots = 1;
			continue;
		}
		if (!f->alone.has_value || k == 0 || in->filler == PORTS_NONE)
			continue;
		infer_add(&mixes[n], i, 1);
		infer_add(&mixes[n++], (uint32_t)in->filler, k);
	}
	if (infer_measure(in, PORTS_SLOTS, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++)
		note_slots(in, &in->f[mixes[i].part[0].form],
			   mixes[i].part[1].count, &values[i]);
	return ERR_OK;
}

int infer_singles(struct infer *in)
{
	if (measure_alone(in) != ERR_OK || infer_width(in) != ERR_OK)
		return in->e->code;
	find_wide(in);
	if (infer_least_slots(in) != ERR_OK)
		return in->e->code;
	return measure_slots(in);
}

int infer_batch_singles(struct infer *in, bool *ret_begun)
{
	*ret_begun = false;
	if (measure_alone(in) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < in->q->n_forms; i++)
		*ret_begun |= infer_in_batch(in, i) && in->f[i].alone.has_value;
	for (size_t i = 0; !*ret_begun && i < in->q->n_forms; i++)
		if (infer_in_batch(in, i))
			in->f[i].verdict = PORTS_UNFINISHED;
	if (!*ret_begun)
		return ERR_OK;
	find_wide(in);
	if (infer_least_slots(in) != ERR_OK)
		return in->e->code;
	return measure_slots(in);
}
