/* Throughputs that follow from ports; see claims_read.h. */
#include <math.h>

#include "host/model/claims_read.h"

static bool ports_are_sure(struct claim_list ports)
{
	for (size_t i = 0; i < ports.n; i++)
		if (claim_is(&ports.list[i], "ports") &&
		    (!ports.list[i].has_value ||
		     ports.list[i].verdict != VERDICT_OK))
			return false;
	return ports.n > 0;
}

/* Was the throughput measured with helpers that break a dependency?  It is an
 * interval then. */
static bool has_helpers(struct claim_list values)
{
	for (size_t i = 0; i < values.n; i++)
		if (claim_is(&values.list[i], "throughput") &&
		    values.list[i].verdict == VERDICT_HELPER)
			return true;
	return false;
}

/* A form with ports keeps a throughput, even if its newest run of values has no
 * settled one: the port search measured it alone, and where that was not
 * stored, the ports bound it. */
static void keep_rate(struct claim_reader *r, struct claim_list ports,
		      struct model_form *f)
{
	const struct model_span *width = &r->m->width;
	double cycles;

	if (!f->has_ports || f->throughput.has_value)
		return;
	for (size_t i = 0; i < ports.n; i++) {
		const struct claim *c = &ports.list[i];

		if (!claim_is(c, "alone") || !claim_taken(c))
			continue;
		f->throughput = claim_span(c);
		claims_say(r, "; throughput from the search for ports");
		return;
	}
	cycles = model_port_bound(f->uses, f->n_uses, NULL);
	if (width->has_value && f->slots.has_value)
		cycles = fmax(cycles, f->slots.low / width->high);
	if (!(cycles > 0))
		return;
	f->throughput = (struct model_span){ true, cycles, cycles };
	claims_say(r, "; throughput from its ports");
}

/* If the ports are known, the throughput that follows from them is the value if
 * it lies in the interval. */
static void close_bounds(struct claim_reader *r, struct model_form *f)
{
	static const double doubt = 0.02;
	const struct model_span *width = &r->m->width, *t = &f->throughput;
	double cycles;

	if (!f->has_ports || !f->slots.has_value || !width->has_value ||
	    f->slots.low != f->slots.high || width->low != width->high)
		return;
	cycles = fmax(model_port_bound(f->uses, f->n_uses, NULL),
		      f->slots.low / width->low);
	if (!t->has_value || cycles < t->low * (1 - doubt) ||
	    cycles > t->high * (1 + doubt))
		return;
	buffer_printf(&r->words,
		      "; throughput from its ports, in %.4g..%.4g measured",
		      t->low, t->high);
	f->throughput = (struct model_span){ true, cycles, cycles };
}

/* Helpers that find free slots cost little.  The upper bound is the value if
 * helpers alone take at most a tenth of it, so that no more is at stake, and
 * form and helpers together at most half of the front end's slots, so that it
 * is not the limit.  Both chosen.  Ports are not checked. */
static void use_upper_bound(struct claim_reader *r, struct model_form *f)
{
	static const double part = 0.1, half = 0.5;
	const struct model_span *width = &r->m->width, *t = &f->throughput;
	double more = t->high - t->low, slots;

	if (!t->has_value || !f->slots.has_value || !width->has_value)
		return;
	slots = f->slots.high + more * width->high;
	if (more == 0 || more > part * t->high ||
	    slots > half * width->low * t->high)
		return;
	claims_say(r, "; upper bound: helpers fit into free slots");
	f->throughput.low = t->high;
}

void claims_rate(struct claim_reader *r, struct claim_list values,
		 struct claim_list ports, struct model_form *f)
{
	if (has_helpers(values)) {
		if (ports_are_sure(ports))
			close_bounds(r, f);
		use_upper_bound(r, f);
	}
	keep_rate(r, ports, f);
}
