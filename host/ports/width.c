/* How wide the front end is.
 *
 * Where nothing is free of ports, no form alone shows it; then forms of
 * different ports together do.  Greedily: whatever makes the fastest mix
 * faster joins it, at its own rate. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	PER_RATE = 12, /* forms tried of each rate */
	MAX_RATE = 16,
	MAX_TRIED = PER_RATE * (MAX_RATE + 1),
};

/* A mix must be so much faster to prove that the front end is wider. */
static const double gain = 1.05;
/* A measured rate this close to a whole number is it. */
static const double close = 0.045;

static void set_width(struct infer *in, double rate)
{
	double whole = round(rate);

	in->width = fabs(rate / whole - 1) <= close ? whole : rate;
	in->cap = (unsigned)floor(in->width + 0.5);
}

static bool has_rate(const struct infer *in, uint32_t form, unsigned rate)
{
	const struct ports_value *v = &in->f[form].alone;

	return v->has_value && fabs(1 / v->cycles / rate - 1) <= close;
}

/* The forms tried: of every whole rate some, spread over the list, for
 * neighbours are alike. */
static size_t choose(const struct infer *in, uint32_t *list)
{
	size_t n = 0;

	for (unsigned rate = 1; rate <= MAX_RATE; rate++) {
		size_t have = 0, seen = 0;

		for (uint32_t i = 0; i < in->q->n_forms; i++)
			have += has_rate(in, i, rate);
		for (uint32_t i = 0; i < in->q->n_forms; i++)
			if (has_rate(in, i, rate) &&
			    seen++ % (have / PER_RATE + 1) == 0)
				list[n++] = i;
	}
	return n;
}

static double n_instances(const struct ports_mix *mix)
{
	double n = 0;

	for (size_t i = 0; i < mix->n; i++)
		n += mix->part[i].count;
	return n;
}

static bool is_in(const struct ports_mix *mix, uint32_t form)
{
	for (size_t i = 0; i < mix->n; i++)
		if (mix->part[i].form == form)
			return true;
	return false;
}

/* Forms at their own rates: as many of each as it does in this many cycles. */
static uint32_t at_rate(const struct infer *in, uint32_t form)
{
	double n = round(1 / in->f[form].alone.cycles);

	return n < 1 ? 1 : (uint32_t)n;
}

static uint32_t fastest_form(const struct infer *in)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < in->q->n_forms; i++)
		if (in->f[i].alone.has_value &&
		    (!in->f[best].alone.has_value ||
		     in->f[i].alone.cycles <
			     in->f[best].alone.cycles * (1 - close)))
			best = i;
	return best;
}

/* One more form into the mix; *rate grows when one helps. */
static int grow(struct infer *in, const uint32_t *list, size_t n,
		struct ports_mix *mix, double *rate)
{
	struct ports_mix *tried = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	struct ports_mix start = *mix;
	size_t n_tried = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_in(mix, list[i]))
			continue;
		tried[n_tried] = start;
		infer_add(&tried[n_tried++], list[i], at_rate(in, list[i]));
	}
	if (infer_measure(in, PORTS_SINGLES, tried, n_tried, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_tried; i++) {
		double r = n_instances(&tried[i]) / values[i].cycles;

		if (values[i].has_value && r > *rate) {
			*rate = r;
			*mix = tried[i];
		}
	}
	return ERR_OK;
}

int infer_width(struct infer *in, double rate)
{
	uint32_t list[MAX_TRIED];
	size_t n = choose(in, list);
	struct ports_mix mix = { .n = 0 };
	double before = 0, best = rate;
	uint32_t first = fastest_form(in);

	infer_add(&mix, first, at_rate(in, first));
	while (best > before * gain && mix.n < PORTS_MAX_PARTS) {
		before = best;
		if (grow(in, list, n, &mix, &best) != ERR_OK)
			return in->e->code;
	}
	set_width(in, best > rate * gain ? best : rate);
	return ERR_OK;
}
