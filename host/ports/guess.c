/* The time of a mix that is measured later, as a guess; see infer.h.
 *
 * What is known of a form counts: its uops, or its class and the matrix, or the
 * uses that its saturation kernels leave.  A form of which only the time alone is
 * known gets ports of its side, as many as it starts instances per cycle: the first
 * ones for the first class, the next for the next one. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	SIDE_BITS = 20, /* of model_ports, for the ports of a side */
	MOST_PORTS = 16,
};

/* Chosen: a guess is as certain as most measured times. */
static const double sigma = 0.001;
/* A form this close to the width is as fast as the front end, relative. */
static const double nearly = 0.06;

/* ---- what a form has ----------------------------------------------------- */

/* The width, or the fastest rate where it is not known yet. */
static double width_of(const struct infer *in)
{
	double rate = in->width;

	for (size_t i = 0; in->width == 0 && i < in->q->n_forms; i++)
		if (in->f[i].alone.has_value)
			rate = fmax(rate, 1 / in->f[i].alone.cycles);
	return fmax(rate, 1);
}

/* Ports that a form of this time alone has at least. */
static unsigned ports_of_time(double cycles)
{
	double n = ceil(1 / cycles - nearly);

	return n < 1 ? 1 : n > MOST_PORTS ? MOST_PORTS : (unsigned)n;
}

static bool is_as_fast(const struct form_state *f, double width)
{
	return f->wide || f->alone.cycles * width < 1 + nearly;
}

/* The most ports of a form of each side. */
static void find_sides(struct infer *in)
{
	double width = width_of(in);

	for (size_t i = 0; i < in->q->n_forms; i++) {
		const struct form_state *f = &in->f[i];
		unsigned *most = &in->side_ports[in->q->forms[i].side];
		unsigned n;

		if (!f->alone.has_value || is_as_fast(f, width))
			continue;
		n = ports_of_time(f->alone.cycles);
		*most = n > *most ? n : *most;
	}
}

/* The number of `size` consecutive ports of a side, round its `most` ports. */
static model_ports ports_at(const struct infer *in, unsigned side,
			    unsigned size, unsigned number)
{
	unsigned most = in->side_ports[side], from = number * size;
	model_ports ports = 0;

	most = most < size ? size : most;
	/* All ports again: others, as if there were more. */
	if (size == most)
		return (((model_ports)1 << size) - 1)
		       << (side * SIDE_BITS +
			   (from + size <= SIDE_BITS ? from : 0));
	/* Behind the last port the sets begin again, one further. */
	from += from / most;
	for (unsigned i = 0; i < size; i++)
		ports |= (model_ports)1
			 << (side * SIDE_BITS + (from + i) % most);
	return ports;
}

/* Classes before class c with as many ports of the same side. */
static unsigned number_of(const struct infer *in, size_t c, unsigned side,
			  unsigned size)
{
	unsigned n = 0;

	for (size_t i = 0; i < c; i++)
		n += in->classes[i].size == size &&
		     in->q->forms[in->classes[i].form].side == side;
	return n;
}

static model_ports ports_of_class(const struct infer *in, size_t c)
{
	unsigned side = in->q->forms[in->classes[c].form].side;
	unsigned size = in->classes[c].size;

	if (in->solution.row[c] != 0 && !in->classes[c].out)
		return in->solution.row[c];
	return ports_at(in, side, size, number_of(in, c, side, size));
}

/* A form without a class: is it of the one that is being made?  Every other pass
 * takes all forms of a side and size for one class. */
static model_ports ports_of_form(const struct infer *in, uint32_t form)
{
	const struct ports_form *f = &in->q->forms[form];
	unsigned size = ports_of_time(in->f[form].alone.cycles);
	size_t last = in->n_classes - 1;

	if (in->n_classes > 0 && in->classes[last].size == size) {
		const struct ports_form *r =
			&in->q->forms[in->classes[last].form];

		if (r->side == f->side &&
		    (r->kind == f->kind || in->q->pass % 2 == 1))
			return ports_of_class(in, last);
	}
	return ports_at(in, f->side, size,
			number_of(in, in->n_classes, f->side, size));
}

/* Uses of a form, in `ret` of PORTS_MAX_USES; returns how many. */
static size_t uses_of(const struct infer *in, uint32_t form,
		      struct model_use *ret)
{
	const struct form_state *f = &in->f[form];
	model_ports ports;

	if (f->n_uses > 0 || f->n_guess > 0) {
		size_t n = f->n_uses > 0 ? f->n_uses : f->n_guess;

		for (size_t i = 0; i < n; i++)
			ret[i] = f->n_uses > 0 ? f->uses[i] : f->guess[i];
		return n;
	}
	if (!f->alone.has_value || is_as_fast(f, width_of(in)))
		return 0;
	ports = f->class_id != PORTS_NONE
			? ports_of_class(in, (size_t)f->class_id)
			: ports_of_form(in, form);
	ret[0] = (struct model_use){ ports,
				     f->alone.cycles * model_ports_count(ports),
				     1 };
	return 1;
}

static double slots_of(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	if (f->slots > 0)
		return f->slots;
	return fmax(f->slots_low, in->q->forms[form].published_uops);
}

/* ---- a mix --------------------------------------------------------------- */

static struct ports_value guess_mix(const struct infer *in,
				    const struct ports_mix *mix)
{
	struct model_use uses[PORTS_MAX_PARTS * PORTS_MAX_USES];
	double slots = 0, cycles = 0;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		uint32_t form = mix->part[i].form, count = mix->part[i].count;
		size_t n_uses = uses_of(in, form, &uses[n]);

		for (; n_uses > 0; n_uses--)
			uses[n++].n_uops *= count;
		slots += count * slots_of(in, form);
		cycles = fmax(cycles, count * in->f[form].alone.cycles);
	}
	cycles = fmax(cycles, model_port_bound(uses, n, NULL));
	return (struct ports_value){ .has_value = true,
				     .cycles =
					     fmax(cycles, slots / width_of(in)),
				     .sigma = sigma };
}

void infer_guess(struct infer *in, enum ports_phase phase,
		 const struct ports_mix *mixes, size_t n,
		 struct ports_value *values)
{
	for (size_t i = 0; i < n; i++) {
		if (!values[i].later)
			continue;
		if (in->n_guessed[phase]++ == 0)
			find_sides(in);
		values[i] = guess_mix(in, &mixes[i]);
	}
}

/* ---- how far -------------------------------------------------------------- */

/* The first phase whose times may be guesses when mixes of a phase are asked
 * for.  Saturation kernels depend on the classes; which forms a random mix has
 * depends on the verdicts of all. */
static const enum ports_phase may_be_guessed[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = PORTS_SINGLES, [PORTS_SLOTS] = PORTS_SINGLES,
	[PORTS_MERGE] = PORTS_SINGLES,   [PORTS_MATRIX] = PORTS_SINGLES,
	[PORTS_CHECK] = PORTS_MERGE,     [PORTS_SATURATION] = PORTS_MERGE,
	[PORTS_UNITS] = PORTS_MATRIX,    [PORTS_TRIAL] = PORTS_SATURATION,
	[PORTS_FIT] = PORTS_TRIAL,
};

bool infer_is_far(const struct infer *in, enum ports_phase phase)
{
	for (int p = 0; p < (int)may_be_guessed[phase]; p++)
		if (in->n_guessed[p] > 0)
			return true;
	return false;
}
