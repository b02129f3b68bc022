/* Reads throughput, slots and variants of uops.info's XML; see read.h. */
#include <math.h>

#include "host/codec/uops/read.h"
#include "host/isa/isa.h"

static struct model_span exact_span(struct uops_reader *r,
				    const struct xml_tag *t, const char *name,
				    const char *suffix)
{
	struct model_span s = { 0 };

	s.has_value = uops_number(r, t, uops_key(name, suffix).text, &s.low);
	s.high = s.low;
	return s;
}

/* The least of the ways to measure it: each may be limited by something else,
 * as long code by the decoders.  Files until 2019 have one, TP. */
static struct model_span least_throughput(struct uops_reader *r,
					  const struct xml_tag *t,
					  const char *suffix)
{
	static const char *const names[] = { "TP_unrolled", "TP_loop", "TP" };
	struct model_span ret = { .has_value = false };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct model_span s = exact_span(r, t, names[i], suffix);

		if (s.has_value && (!ret.has_value || s.low < ret.low))
			ret = s;
	}
	return ret;
}

/* What retires counts fused uops, as the front end does; cores without it have
 * none.  What needs no port takes a slot. */
static struct model_span slots_of(struct uops_reader *r,
				  const struct xml_tag *t, const char *suffix)
{
	struct model_span s = exact_span(r, t, "uops_retire_slots", suffix);

	if (!s.has_value)
		s = exact_span(r, t, "uops", suffix);
	if (s.has_value && !r->has_list)
		s.low = s.high = fmax(1, s.low);
	return s;
}

/* Of the same with one register for all sources, if it differs. */
static void read_same(struct uops_reader *r, const struct xml_tag *t)
{
	static const char suffix[] = "_same_reg";
	const struct form *f = catalogue_form(
		r->c, arena_printf(r->a, "%s/same", r->form->name));

	r->same = (struct model_form){ .name = f ? f->name : NULL };
	if (!xml_get(t, uops_key("uops", suffix).text))
		return;
	r->same.throughput = least_throughput(r, t, suffix);
	r->same.slots = slots_of(r, t, suffix);
	uops_read_ports(r, t, suffix, &r->same);
}

static model_ports ports_of(const struct model_form *f)
{
	model_ports ports = 0;

	for (size_t i = 0; i < f->n_uses; i++)
		ports |= f->uses[i].ports;
	return ports;
}

/* Of the same with an index in its address, if it differs. */
static void read_indexed(struct uops_reader *r, const struct xml_tag *t)
{
	static const char suffix[] = "_indexed";
	struct model_form x = { 0 };

	r->f.indexed_slots = exact_span(r, t, "uops_retire_slots", suffix);
	uops_read_ports(r, t, suffix, &x);
	for (size_t p = 0; x.has_ports && p < r->m->n_ports; p++)
		if (ports_of(&r->f) >> p & 1)
			(ports_of(&x) >> p & 1 ? r->n_kept : r->n_lost)[p]++;
}

void uops_read_costs(struct uops_reader *r, const struct xml_tag *t)
{
	r->f.throughput = least_throughput(r, t, "");
	if (xml_get(t, "TP_measured")) /* 0: what the ports allow */
		r->f.throughput = (struct model_span){ .has_value = false };
	r->f.slots = slots_of(r, t, "");
	r->f.first_decoder = xml_get(t, "complex_decoder") != NULL;
	uops_read_ports(r, t, "", &r->f);
	read_same(r, t);
	read_indexed(r, t);
}
