/* Latencies of completed forms; see complete.h. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"

/* The longest known latency of the form with other flags in place of these. For
 * a flag without a latency of its own. */
static struct model_span of_flag(const struct form *f,
				 const struct model_form *x, int source,
				 int destination)
{
	struct model_span most = { 0 };

	for (size_t i = 0; i < x->n_latencies; i++) {
		const struct model_latency *l = &x->latencies[i];
		bool from = l->source == source ||
			    (form_flag(f, source) && form_flag(f, l->source));
		bool to = l->destination == destination ||
			  (form_flag(f, destination) &&
			   form_flag(f, l->destination));

		if (from && to && l->cycles.has_value &&
		    (!most.has_value || l->cycles.high > most.high))
			most = l->cycles;
	}
	return most;
}

/* Latency of the pair in the entry, or of its other flags. */
static struct model_span span_of_pair(const struct form *f,
				      const struct model_form *x, int source,
				      int destination)
{
	struct model_span s = { 0 };

	if (x)
		s = model_latency(x, source, destination);
	if (x && !s.has_value)
		s = of_flag(f, x, source, destination);
	return s;
}

/* The same in cycles; negative: none. */
static double of_pair(const struct form *f, const struct model_form *x,
		      int source, int destination)
{
	struct model_span s = span_of_pair(f, x, source, destination);

	return s.has_value ? model_cycles(s) : -1;
}

/* No computation with loaded data is faster than the same one in registers, nor
 * comes its result earlier than a plain load and the computation. */
static double at_least(const struct completed_form *f, int source,
		       double cycles)
{
	if (cycles < 0 || source < 0 || form_flag(f->form, source))
		return cycles;
	return fmax(cycles, form_address(f->form, source) ? f->least_load
							  : f->least_compute);
}

/* The narrowest interval from a part of the address to this result, or the
 * given one if none is narrower. */
static struct model_span narrowest(const struct form *f,
				   const struct model_form *x, int destination,
				   struct model_span given)
{
	for (size_t i = 0; i < x->n_latencies; i++) {
		const struct model_latency *l = &x->latencies[i];

		if (l->cycles.has_value && l->destination == destination &&
		    form_address(f, l->source) &&
		    l->cycles.high - l->cycles.low < given.high - given.low)
			given = l->cycles;
	}
	return given;
}

/* What the model has of the pair. All parts of an address have the same
 * latency, so the narrowest interval of any part counts if it lies inside that
 * of this one. */
static struct model_span own_span(const struct completed_form *f, int source,
				  int destination)
{
	struct model_span s = span_of_pair(f->form, f->own, source,
					   destination),
			  best;

	if (!s.has_value || !form_address(f->form, source) ||
	    !model_latency(f->own, source, destination).has_value)
		return s;
	best = narrowest(f->form, f->own, destination, s);
	return best.low >= s.low && best.high <= s.high ? best : s;
}

/* Conditions of several flags may take longer than those of one. */
static double of_own(const struct completed_form *f, int source,
		     int destination)
{
	struct model_span s;
	double cycles;

	if (f->costs.eliminated)
		return 0;
	s = own_span(f, source, destination);
	cycles = s.has_value ? model_cycles(s) : -1;
	if (cycles < 0 && form_address(f->form, source))
		cycles = latencies_between(f->form, f->own, FROM_ADDRESS).most;
	if (cycles < 0 && form_flag(f->form, source))
		cycles = latencies_between(f->condition_form, f->condition,
					   FROM_FLAG)
				 .most;
	return at_least(f, source, cycles);
}

static double of_class(const struct completed_form *f, int source,
		       int destination)
{
	double cycles = -1;

	if (!f->like)
		return -1;
	if (f->like_same)
		return of_pair(f->form, f->like, source, destination);
	if (!form_flag(f->form, destination) && !form_address(f->form, source))
		cycles = latencies_between(f->like_form, f->like,
					   NOT_FROM_ADDRESS | NOT_TO_FLAG)
				 .most;
	return cycles >= 0 ? cycles
			   : latencies_between(f->like_form, f->like,
					       form_address(f->form, source)
						       ? FROM_ADDRESS
						       : FROM_DATA)
				     .most;
}

double completed_compute(const struct completed_form *f)
{
	double cycles = latencies_between(f->form, f->own, FROM_DATA).most;

	if (cycles < 0 && f->registers)
		cycles = longest_latency(f->registers);
	return fmax(cycles, 0);
}

/* From the address: a plain load and the computation. The register form of the
 * mnemonic gives what the data takes. */
static double of_parts(const struct completed_form *f, int source,
		       int destination)
{
	double load, compute;

	(void)destination;
	if (!form_loads(f->form) || form_flag(f->form, source))
		return -1;
	if (!form_address(f->form, source))
		return longest_latency(f->registers);
	load = longest_latency(f->load);
	compute = latencies_between(f->form, f->own, FROM_DATA).most;
	if (compute < 0)
		compute = f->registers ? longest_latency(f->registers)
				       : (form_computes(f->form) ? -1 : 0);
	return load < 0 || compute < 0 ? -1 : load + compute;
}

/* A table that differs from measured latencies of the form is ignored. */
static double of_table(const struct completed_form *f, int source,
		       int destination)
{
	if (!f->table || f->table_error > latency_error)
		return -1;
	return of_pair(f->form, f->table, source, destination);
}

/* Any other pair of the form. What a load merges its data with is no address:
 * it does not wait for the cache. */
static double of_others(const struct completed_form *f, int source,
			int destination)
{
	const struct model_form *list[] = { f->own, f->like,
					    f->table_error > latency_error
						    ? NULL
						    : f->table };
	bool address = form_address(f->form, source);
	double cycles = latencies_between(f->form, f->own,
					  address ? FROM_ADDRESS : FROM_DATA)
				.most;

	(void)destination;
	if (form_loads(f->form) && !address && source >= 0)
		return cycles;
	for (size_t i = 0; cycles < 0 && i < ARRAY_LEN(list); i++)
		cycles = longest_latency(list[i]);
	return cycles;
}

typedef double layer(const struct completed_form *f, int source,
		     int destination);

static layer *const layers[ORIGIN_N] = {
	[ORIGIN_MODEL] = of_own,   [ORIGIN_CLASS] = of_class,
	[ORIGIN_PARTS] = of_parts, [ORIGIN_TABLES] = of_table,
	[ORIGIN_BETWEEN] = of_own, [ORIGIN_ASSUMED] = of_others,
};

/* Is a latency of this entry a number, not an interval? */
static bool has_exact(const struct model_form *x)
{
	return latencies_between(NULL, x, 0).n_exact > 0;
}

/* Are all latencies from outside the address such numbers? */
static bool computes_exactly(const struct form *f, const struct model_form *x)
{
	struct known_latencies l = latencies_between(f, x, NOT_FROM_ADDRESS);

	return l.n == l.n_exact;
}

/* Does the layer have its value from latencies that are numbers themselves? */
static bool layer_is_exact(const struct completed_form *f, int origin,
			   int source, int destination)
{
	struct model_span s;

	if (origin == ORIGIN_CLASS && f->like && f->like_same) {
		s = span_of_pair(f->form, f->like, source, destination);
		return s.has_value && is_exact(&s);
	}
	if (origin == ORIGIN_CLASS)
		return has_exact(f->like);
	return origin != ORIGIN_PARTS ||
	       ((!f->load || has_exact(f->load)) &&
		(!f->registers || has_exact(f->registers)) &&
		(!form_address(f->form, source) ||
		 computes_exactly(f->form, f->own)));
}

/* The layer that says where in an interval the latency is; ORIGIN_BETWEEN:
 * none. */
static int layer_inside(const struct completed_form *f,
			const struct model_span *s, int source, int destination)
{
	const double off = one_number / 2;

	for (int i = ORIGIN_CLASS; i <= ORIGIN_TABLES; i++) {
		double cycles = layers[i](f, source, destination);

		if (layer_is_exact(f, i, source, destination) &&
		    cycles >= s->low - off && cycles <= s->high + off)
			return i;
	}
	return ORIGIN_BETWEEN;
}

double completed_latency(const struct completed_form *f, int source,
			 int destination, enum model_origin *ret)
{
	struct model_span s = own_span(f, source, destination);
	int from = ORIGIN_MODEL;

	if (s.has_value && !is_exact(&s) && !f->costs.eliminated)
		from = layer_inside(f, &s, source, destination);
	for (int i = from; i < ORIGIN_N; i++) {
		double cycles = layers[i](f, source, destination);

		if (cycles < 0)
			continue;
		if (ret)
			*ret = (enum model_origin)i;
		return cycles < eliminated ? 0 : cycles;
	}
	if (ret)
		*ret = ORIGIN_ASSUMED;
	return 1;
}

/* Has the table more slots than fit into the measured throughput? Then it
 * describes another implementation. */
static bool has_too_many_slots(const struct completion *k,
			       const struct completed_form *f)
{
	return f->own && f->table && f->own->throughput.has_value &&
	       f->table->slots.has_value && k->m.width.has_value &&
	       f->table->slots.low >
		       slower * k->m.width.high * f->own->throughput.high;
}

/* Cycles between a value of the tables and an interval that was measured. */
static double distance(const struct model_span *table,
		       const struct model_span *own)
{
	return fmax(0, fmax(own->low - table->high, table->low - own->high));
}

static double table_error(const struct completion *k,
			  const struct completed_form *f)
{
	double most = has_too_many_slots(k, f) ? INFINITY : 0;

	for (size_t i = 0; f->own && f->table && i < f->own->n_latencies; i++) {
		const struct model_latency *l = &f->own->latencies[i];
		struct model_span s =
			model_latency(f->table, l->source, l->destination);

		if (s.has_value && l->cycles.has_value)
			most = fmax(most,
				    is_exact(&l->cycles)
					    ? fabs(model_cycles(s) -
						   model_cycles(l->cycles))
					    : distance(&s, &l->cycles));
	}
	return most;
}

static double store_end(const struct completed_form *f)
{
	const struct model_form *list[] = { f->own, f->like, f->table };

	for (size_t i = 0; i < ARRAY_LEN(list); i++) {
		struct model_span s = { 0 };

		if (list[i])
			s = model_latency(list[i], MODEL_ANY, MODEL_ANY);
		if (s.has_value)
			return model_cycles(s);
	}
	return 0;
}

/* Find a form of the same opcode and throughput with known flags. Conditions
 * that take two uops differ from the others in both. */
static void complete_condition(struct completion *k, struct completed_form *f)
{
	const struct form *x = f->form, *end = k->c->forms + k->c->n_forms;

	if (!f->own || !f->own->throughput.has_value ||
	    latencies_between(f->form, f->own, FROM_FLAG).most >= 0)
		return;
	while (x > k->c->forms && x[-1].opcode == f->form->opcode)
		x--;
	for (; x < end && x->opcode == f->form->opcode; x++) {
		const struct model_form *m = model_find(k->given, x->name);

		if (m && m != f->own && m->throughput.has_value &&
		    rates_agree(m->throughput, f->own->throughput) &&
		    latencies_between(x, m, FROM_FLAG).most >= 0) {
			f->condition = m;
			f->condition_form = x;
			return;
		}
	}
}

static void complete_least(struct completion *k, struct completed_form *f)
{
	struct known_latencies registers;

	if (!k->given->llvm || form_stores(f->form) ||
	    !form_computes(f->form) || !f->registers || !f->load)
		return;
	registers = latencies_between(NULL, f->registers, 0);
	f->least_compute = registers.n > 0 ? registers.least : 0;
	f->least_load = longest_latency(f->load) + f->least_compute;
}

/* Is a latency to a register known to half a cycle, or to any result where the
 * form writes no explicit register? */
static bool knows_result(const struct form *f, const struct model_form *x)
{
	unsigned ends = form_register(f, true) >= 0 ? NOT_TO_FLAG : 0;

	return latencies_between(f, x, ends).n_exact > 0;
}

void complete_latencies(struct completion *k, struct completed_form *f)
{
	const struct plain_access *load = NULL;
	const struct form *registers = NULL;
	bool none = !f->own || f->own->n_latencies == 0;

	/* A disturbed run may have measured only latencies to flags. */
	if (none || (!form_loads(f->form) && !form_stores(f->form) &&
		     !knows_result(f->form, f->own)))
		f->like = class_stand_in(k, f->form, f->own, COST_LATENCY);
	if (f->like) {
		f->like_form = catalogue_form(k->c, f->like->name);
		f->like_same = class_key(k, f->form, CLASS_STRUCTURE) ==
			       class_key(k, f->like_form, CLASS_STRUCTURE);
		f->costs.eliminated |=
			none && f->like->eliminated && f->like_same;
	}
	if (form_loads(f->form)) {
		load = complete_plain(k, f->form, false, COST_LATENCY);
		registers = class_in_registers(k, f->form, COST_LATENCY);
	}
	f->load = load ? load->known : NULL;
	f->registers = registers ? model_find(k->given, registers->name) : NULL;
	complete_condition(k, f);
	complete_least(k, f);
	f->table_error = table_error(k, f);
	f->store_end = store_end(f);
	f->origin[COST_LATENCY] = (struct cost_origin){ ORIGIN_MODEL, NULL };
	if (none && f->like)
		f->origin[COST_LATENCY] =
			(struct cost_origin){ ORIGIN_CLASS, f->like->name };
}
