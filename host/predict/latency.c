/* Latencies of an instruction from each source to each result. */
#include <math.h>

#include "host/isa/isa.h"
#include "host/predict/body.h"

double body_cycles(struct model_span s)
{
	double x = (s.low + s.high) / 2, whole = round(x);

	return fabs(x - whole) < 0.1 ? whole : x;
}

static double longest_known(const struct model_form *f)
{
	double longest = -1;

	for (size_t i = 0; i < f->n_latencies; i++)
		if (f->latencies[i].cycles.has_value)
			longest = fmax(longest,
				       body_cycles(f->latencies[i].cycles));
	return longest;
}

void body_assume(struct op *o, const char *what)
{
	if (!o->assumed)
		o->assumed = what;
}

static bool is_flag(const struct op *o, int operand)
{
	const struct form *f = o->insn->instance.form;

	return f && operand >= 0 && operand < f->n_operands &&
	       f->operands[operand].flag;
}

/* The longest known latency of the form with other flags in place of these. For
 * a flag without a latency of its own. */
static struct model_span latency_of_flag(const struct op *o, int source,
					 int destination)
{
	struct model_span most = { 0 };

	for (size_t i = 0; i < o->form->n_latencies; i++) {
		const struct model_latency *l = &o->form->latencies[i];
		bool from = l->source == source ||
			    (is_flag(o, source) && is_flag(o, l->source));
		bool to =
			l->destination == destination ||
			(is_flag(o, destination) && is_flag(o, l->destination));

		if (from && to && l->cycles.has_value &&
		    (!most.has_value || l->cycles.high > most.high))
			most = l->cycles;
	}
	return most;
}

static bool latency_is_address(const struct op *o, int operand)
{
	const struct form *f = o->insn->instance.form;

	return f && operand >= 0 && operand < f->n_operands &&
	       (f->operands[operand].kind == OPERAND_MEM ||
		f->operands[operand].role != ROLE_NONE);
}

/* The longest latency from sources inside the address, or from those outside
 * it. Negative: none is known. */
static double latency_longest_of(const struct op *o, bool address)
{
	double longest = -1;

	for (size_t i = 0; o->form && i < o->form->n_latencies; i++) {
		const struct model_latency *l = &o->form->latencies[i];

		if (l->source >= 0 && l->cycles.has_value &&
		    latency_is_address(o, l->source) == address)
			longest = fmax(longest, body_cycles(l->cycles));
	}
	return longest;
}

/* Latency of the same computation between registers. Negative: unknown. */
static double in_registers(const struct body *b, const struct op *o)
{
	const struct model_form *x =
		body_in_registers(b, o->insn->instance.form, NEED_LATENCY);

	return x ? longest_known(x) : -1;
}

double body_compute_cycles(const struct body *b, const struct op *o)
{
	double most = -1;

	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address)
			most = fmax(most, op_latency(o, r, 0));
	if (most < 0 && o->load && o->store && o->insn->instance.form)
		most = in_registers(b, o);
	return fmax(most, 0);
}

/* Latency from the address: a plain load plus the computation. Negative:
 * unknown. */
static double latency_after_load(const struct body *b, const struct op *o)
{
	const struct model_form *plain = body_plain_access(
		b, o->insn->instance.form, false, NEED_LATENCY);
	double load = plain ? longest_known(plain) : -1;
	double compute = latency_longest_of(o, false);

	if (compute < 0)
		compute = in_registers(b, o);
	return load < 0 || compute < 0 ? -1 : load + compute;
}

/* Estimate a missing latency from other operands of the form, or from its
 * fallback forms. Negative: unknown. The address and the other sources of a
 * load are treated separately, because data is needed later than the
 * address. */
static double like_others(const struct body *b, struct op *o, int source)
{
	bool address = latency_is_address(o, source);
	double cycles = latency_longest_of(o, address);

	/* All parts of an address have the same latency. */
	if (cycles >= 0 && address)
		return cycles;
	if (cycles < 0 && o->load && !is_flag(o, source))
		cycles =
			address ? latency_after_load(b, o) : in_registers(b, o);
	if (cycles < 0)
		cycles = longest_known(o->form);
	if (cycles >= 0)
		body_assume(o, address ? "latency from its address: that of a "
					 "plain load, and of what it computes"
				       : "latency of a pair of operands that "
					 "is not in the model: as from others");
	return cycles;
}

/* Latency in cycles between two operands; 1 when nothing is known. */
static double latency_of_pair(const struct body *b, struct op *o, int source,
			      int destination)
{
	struct model_span s = { 0 };
	double longest;

	if (o->eliminated || o->is_zero_idiom)
		return 0;
	if (!o->form)
		return 1;
	s = model_latency(o->form, source, destination);
	if (!s.has_value)
		s = latency_of_flag(o, source, destination);
	if (s.has_value)
		return body_cycles(s);
	longest = like_others(b, o, source);
	if (longest >= 0)
		return longest;
	longest = o->fallback ? longest_known(o->fallback) : -1;
	if (longest >= 0) {
		body_assume(
			o,
			"what the model has of another form of the mnemonic");
		return longest;
	}
	body_assume(o, "latency: 1 cycle, the model has none");
	return 1;
}

static const struct reg_effect *address_read(const struct op *o)
{
	for (size_t i = 0; i < o->n_reads; i++)
		if (o->reads[i].address)
			return &o->reads[i];
	return NULL;
}

/* Latency from loaded data to a result. It equals the latency from the address;
 * forwarding adds the rest. */
static double latency_of_load(const struct body *b, struct op *o,
			      int destination)
{
	enum { ASSUMED_LOAD = 4 };
	const struct reg_effect *base = address_read(o);
	int source = base ? base->operand : MODEL_ANY;

	if (!o->form) {
		body_assume(o, "loaded data: after 4 cycles");
		return ASSUMED_LOAD;
	}
	return latency_of_pair(b, o, source, destination);
}

/* The result that represents what a read-modify-write form computes. */
static int any_result(const struct op *o)
{
	return o->n_writes > 0 ? o->writes[0].operand : MODEL_ANY;
}

/* Is this result an address base that is written back? */
static bool is_write_back(const struct op *o, size_t write)
{
	const struct form *f = o->insn->instance.form;
	int base = form_part(f, ROLE_BASE);

	return base >= 0 &&
	       f->operands[base].tied_to == o->writes[write].operand;
}

/* A base that is written back depends on the address only, unless the model has
 * a latency for this pair. */
static bool latency_depends(const struct op *o, size_t read, size_t write)
{
	if (!is_write_back(o, write) || o->reads[read].address)
		return true;
	for (size_t i = 0; o->form && i < o->form->n_latencies; i++)
		if (o->form->latencies[i].source == o->reads[read].operand &&
		    o->form->latencies[i].destination ==
			    o->writes[write].operand)
			return true;
	return false;
}

static double latency_of_effects(const struct body *b, struct op *o,
				 size_t read, size_t write)
{
	if (!latency_depends(o, read, write))
		return -1;
	return latency_of_pair(b, o, o->reads[read].operand,
			       o->writes[write].operand);
}

void body_fill_latencies(struct body *b, struct op *o)
{
	size_t columns = o->n_writes + 1;
	double *l = ARENA_ARRAY(b->a, double, (o->n_reads + 2) * columns);
	double *alone = l + (o->n_reads + 1) * columns;

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < o->n_writes; w++)
			l[r * columns + w] = latency_of_effects(b, o, r, w);
	for (size_t w = 0; o->n_reads == 0 && w < o->n_writes; w++)
		alone[w] =
			latency_of_pair(b, o, MODEL_ANY, o->writes[w].operand);
	for (size_t w = 0; o->load && w < o->n_writes; w++)
		l[o->n_reads * columns + w] =
			is_write_back(o, w)
				? -1
				: latency_of_load(b, o, o->writes[w].operand);
	/* A plain store adds no cycles to the latency of forwarding. */
	for (size_t r = 0; o->load && o->store && r < o->n_reads; r++)
		l[r * columns + o->n_writes] = latency_of_pair(
			b, o, o->reads[r].operand, any_result(o));
	if (o->load && o->store)
		l[o->n_reads * columns + o->n_writes] =
			latency_of_load(b, o, any_result(o));
	if (o->store && o->form) {
		struct model_span s =
			model_latency(o->form, MODEL_ANY, MODEL_ANY);

		o->store_end = s.has_value ? body_cycles(s) : 0;
	}
	o->latency = l;
}
