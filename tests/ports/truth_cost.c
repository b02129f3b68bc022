/* What a mix costs on an invented core, and how it is measured; see truth.h. */
#include <math.h>
#include <stdlib.h>

#include "tests/ports/truth.h"

enum {
	GREEDY_ROUNDS = 200, /* bodies that a greedy scheduler runs */
	FUSED_ROUNDS = 24,   /* bodies whose fused pairs are counted */
	OBSERVATIONS = 15,
	LONG = 36, /* instances: a few bodies of those leave the buffer */
};

size_t truth_next_part(const struct ports_mix *mix, const unsigned *done)
{
	size_t best = 0;
	double least = INFINITY;

	for (size_t i = 0; i < mix->n; i++) {
		double at = (done[i] + 0.5) / mix->part[i].count;

		if (done[i] < mix->part[i].count && at < least) {
			least = at;
			best = i;
		}
	}
	return best;
}

/* Slots that fusion saves in a body that repeats. */
static double n_fused(const struct truth *t, const struct ports_mix *mix)
{
	double saved = 0;
	bool open = false; /* the one before can take another */

	for (unsigned round = 0; round < FUSED_ROUNDS; round++) {
		unsigned done[PORTS_MAX_PARTS] = { 0 }, left = 0;

		for (size_t i = 0; i < mix->n; i++)
			left += mix->part[i].count;
		for (; left > 0; left--) {
			size_t i = truth_next_part(mix, done);
			bool joins = open && t->forms[mix->part[i].form].fused;

			done[i]++;
			saved += joins;
			open = !joins;
		}
	}
	return saved / FUSED_ROUNDS;
}

static model_ports blocked_by(const struct truth *t,
			      const struct ports_mix *mix)
{
	model_ports blocked = 0;

	for (size_t i = 0; i < mix->n; i++)
		blocked |= t->forms[mix->part[i].form].blocks;
	return blocked;
}

static size_t uses_of(const struct truth *t, const struct ports_mix *mix,
		      struct model_use *uses, double *ret_slots)
{
	model_ports blocked = blocked_by(t, mix);
	size_t n = 0;

	*ret_slots = 0;
	for (size_t i = 0; i < mix->n; i++) {
		const struct truth_form *f = &t->forms[mix->part[i].form];

		*ret_slots += f->slots * mix->part[i].count;
		for (size_t k = 0; k < f->n_uses; k++) {
			uses[n] = f->uses[k];
			if (f->is_blocked)
				uses[n].ports &= ~blocked;
			uses[n++].n_uops *= mix->part[i].count;
		}
	}
	return n;
}

double truth_cycles(const struct truth *t, const struct ports_mix *mix)
{
	struct model_use uses[PORTS_MAX_PARTS * TRUTH_MAX_USES];
	double slots, bound;
	size_t n = uses_of(t, mix, uses, &slots);

	if (mix->n == 1 && t->forms[mix->part[0].form].alone > 0)
		return mix->part[0].count * t->forms[mix->part[0].form].alone;
	bound = model_port_bound(uses, n, NULL);
	return fmax(bound, (slots - n_fused(t, mix)) / t->width);
}

/* Each uop to the port with the least work so far: the busiest port at the
 * end is what it took. */
static double greedy_cycles(const struct truth *t, const struct ports_mix *mix)
{
	double load[MODEL_MAX_PORTS] = { 0 }, slots = 0, most = 0;

	for (unsigned round = 0; round < GREEDY_ROUNDS; round++) {
		unsigned done[PORTS_MAX_PARTS] = { 0 }, left = 0;

		for (size_t i = 0; i < mix->n; i++)
			left += mix->part[i].count;
		for (; left > 0; left--) {
			size_t i = truth_next_part(mix, done);
			const struct truth_form *f =
				&t->forms[mix->part[i].form];

			done[i]++;
			slots += f->slots;
			for (size_t k = 0; k < f->n_uses; k++) {
				size_t best = MODEL_MAX_PORTS;

				for (size_t p = 0; p < t->n_ports; p++)
					if ((f->uses[k].ports >> p & 1) &&
					    (best == MODEL_MAX_PORTS ||
					     load[p] < load[best]))
						best = p;
				load[best] =
					fmax(load[best], slots / t->width) +
					f->uses[k].cycles;
			}
		}
	}
	for (size_t p = 0; p < t->n_ports; p++)
		most = fmax(most, load[p]);
	return fmax(most, slots / t->width) / GREEDY_ROUNDS;
}

double truth_normal(uint64_t *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += truth_random(random);
	return sum;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A kernel is measured several times, and its median counts. */
static struct ports_value observe(struct truth *t, double cycles)
{
	double seen[OBSERVATIONS];

	for (size_t i = 0; i < OBSERVATIONS; i++) {
		seen[i] = cycles * (1 + t->noise * truth_normal(&t->random));
		if (truth_random(&t->random) < t->outliers)
			seen[i] *= 1 + 10 * truth_random(&t->random);
	}
	qsort(seen, OBSERVATIONS, sizeof(*seen), by_size);
	return (struct ports_value){ true, seen[OBSERVATIONS / 2],
				     1.25 * t->noise / sqrt(OBSERVATIONS),
				     false };
}

double truth_share_of(const struct ports_mix *mix)
{
	uint64_t state = 1;

	for (size_t i = 0; i < mix->n; i++)
		state = state * 1000003 + mix->part[i].form * 401ull +
			mix->part[i].count;
	(void)truth_random(&state);
	return truth_random(&state);
}

/* An uneven front end takes more than its width says, and fillers that drift
 * more than their slots. */
static double front_cycles(const struct truth *t, const struct ports_mix *mix)
{
	static const double drift = 0.014, more = 0.01;
	double slots = 0, decoded = 0, reads = 0, drifting = 0, part = 0;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		const struct truth_form *f = &t->forms[mix->part[i].form];

		n += mix->part[i].count;
		slots += mix->part[i].count * (double)f->slots;
		decoded += mix->part[i].count * (double)f->crowded;
		reads += mix->part[i].count * (double)f->n_read;
		drifting += mix->part[i].count * (double)f->drifts;
		part += mix->part[i].count * f->part;
	}
	if (t->n_reads > 0)
		return reads / t->n_reads;
	if (part > 0)
		return (slots + part) / t->width;
	if (drifting > 0)
		return (slots +
			drifting * (drift + more * truth_share_of(mix))) /
		       t->width;
	return fmax(n > LONG ? decoded : 0,
		    t->uneven ? slots / t->width * (1 + truth_share_of(mix) / 7)
			      : 0);
}

bool truth_may_mix(void *context, uint32_t x, uint32_t y)
{
	const struct truth *t = context;

	return (t->forms[x].side | t->forms[y].side) != 3;
}

static bool is_unstable(const struct truth *t, uint32_t x, uint32_t y)
{
	return t->forms[x].unstable && t->forms[y].n_uses > 0 &&
	       t->forms[y].uses[0].cycles > 1;
}

static bool is_possible(struct truth *t, const struct ports_mix *mix)
{
	for (size_t i = 0; i < mix->n; i++)
		for (size_t k = 0; k < i; k++)
			if (is_unstable(t, mix->part[i].form,
					mix->part[k].form) ||
			    is_unstable(t, mix->part[k].form,
					mix->part[i].form) ||
			    !truth_may_mix(t, mix->part[i].form,
					   mix->part[k].form))
				return false;
	return true;
}

int truth_measure(void *context, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret, struct err *e)
{
	struct truth *t = context;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		double cycles = t->greedy ? greedy_cycles(t, &mixes[i])
				: t->n_queues > 0
					? truth_bound_cycles(t, &mixes[i])
					: truth_cycles(t, &mixes[i]);

		cycles = fmax(front_cycles(t, &mixes[i]), cycles) *
			 truth_in_state(t, &mixes[i]);
		ret[i] = t->is_shared ? truth_observe_shared(t, cycles)
				      : observe(t, cycles);
		ret[i].has_value &= (!t->spent || phase <= PORTS_MERGE) &&
				    is_possible(t, &mixes[i]);
	}
	t->n_measured += n;
	return ERR_OK;
}
