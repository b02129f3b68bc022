/* Throughputs that follow from ports; see claims_read.h. */
#include <math.h>
#include <string.h>

#include "host/model/claims_read.h"

static void claims_say(struct claim_reader *r, const char *text)
{
	buffer_add(&r->words, text, strlen(text));
}

static bool ports_are_sure(const struct claim *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (claim_is(&c[i], "ports") &&
		    (!c[i].has_value || strcmp(c[i].verdict, "ok") != 0))
			return false;
	return n > 0;
}

/* A form with ports keeps a throughput, even if its newest run of values has no
 * settled one: the port search measured it alone, and where that was not
 * stored, the ports bound it. */
static void keep_rate(struct claim_reader *r, const struct claim *ports,
		      size_t n, struct model_form *f)
{
	const struct model_span *width = &r->m->width;
	double cycles;

	if (!f->has_ports || f->throughput.has_value)
		return;
	for (size_t i = 0; i < n; i++) {
		if (!claim_is(&ports[i], "alone") ||
		    !claim_is_settled(&ports[i]))
			continue;
		f->throughput = claim_span(&ports[i]);
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

/* The throughput of a form with breakers of its dependency is an interval.
 * If its ports are known, the throughput that follows from them is the value
 * if it lies in the interval. */
static void close_bounds(struct claim_reader *r, const struct claim *values,
			 size_t n_values, struct model_form *f)
{
	static const double doubt = 0.02;
	const struct model_span *width = &r->m->width, *t = &f->throughput;
	double cycles;

	if (!f->has_ports || !f->slots.has_value || !width->has_value ||
	    f->slots.low != f->slots.high || width->low != width->high)
		return;
	cycles = fmax(model_port_bound(f->uses, f->n_uses, NULL),
		      f->slots.low / width->low);
	for (size_t i = 0; i < n_values; i++) {
		if (!claim_is(&values[i], "throughput") ||
		    strcmp(values[i].verdict, "helper") != 0 || !t->has_value ||
		    cycles < t->low * (1 - doubt) ||
		    cycles > t->high * (1 + doubt))
			continue;
		buffer_printf(&r->words,
			      "; throughput from its ports, in %.4g..%.4g "
			      "measured",
			      t->low, t->high);
		f->throughput = (struct model_span){ true, cycles, cycles };
		return;
	}
}

/* Helpers that find free slots cost little.  The upper bound is the value if helpers
 * alone take at most a tenth of it, so that no more is at stake, and form and helpers
 * together at most half of the front end's slots, so that it is not the limit.  Both
 * chosen.  Ports are not checked. */
static void use_upper_bound(struct claim_reader *r, const struct claim *values,
			    size_t n_values, struct model_form *f)
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
	for (size_t i = 0; i < n_values; i++)
		if (claim_is(&values[i], "throughput") &&
		    strcmp(values[i].verdict, "helper") == 0) {
			claims_say(
				r,
				"; upper bound: helpers fit into free slots");
			f->throughput.low = t->high;
			return;
		}
}

void claims_rate(struct claim_reader *r, const struct claim *values,
		 size_t n_values, const struct claim *ports, size_t n_ports,
		 struct model_form *f)
{
	if (ports_are_sure(ports, n_ports))
		close_bounds(r, values, n_values, f);
	use_upper_bound(r, values, n_values, f);
	keep_rate(r, ports, n_ports, f);
}
