/* Latencies of an instruction from each source to each result, looked up in the
 * completed model. */
#include <math.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/predict/bind.h"

/* Latency in cycles from an explicit register of an instruction whose sources
 * are one register, which its variant reads once; negative: not measured. */
static double latency_of_same(const struct op *o, int source, int destination)
{
	const struct form *f = o->insn->instance.form;
	double of_any = -1;

	if (!o->same || source < 0 || source >= f->n_explicit ||
	    f->operands[source].kind != OPERAND_REG)
		return -1;
	for (size_t i = 0; i < o->same->n_latencies; i++) {
		const struct model_latency *l = &o->same->latencies[i];

		if (!l->cycles.has_value || l->source >= f->n_explicit)
			continue;
		if (l->destination == destination && l->source != MODEL_ANY)
			return model_cycles(l->cycles);
		if (l->destination == MODEL_ANY)
			of_any = model_cycles(l->cycles);
	}
	return of_any;
}

/* Latency in cycles between two operands; 1 for an unknown instruction. */
static double latency_of_pair(struct op *o, int source, int destination)
{
	enum model_origin origin;
	double cycles;

	if (o->eliminated || o->is_zero_idiom)
		return 0;
	if (!o->costs)
		return 1;
	cycles = latency_of_same(o, source, destination);
	if (cycles >= 0)
		return cycles < 0.5 ? 0 : cycles;
	cycles = completed_latency(o->costs, source, destination, &origin);
	if (origin > o->origin[COST_LATENCY].origin)
		o->origin[COST_LATENCY] = (struct cost_origin){ origin, NULL };
	return cycles;
}

static const struct reg_span *address_read(const struct op *o)
{
	for (size_t i = 0; i < o->n_reads; i++)
		if (o->reads[i].address)
			return &o->reads[i];
	return NULL;
}

/* Latency from loaded data to a result. It equals the latency from the address;
 * forwarding adds the rest. */
static double latency_of_load(struct op *o, int destination)
{
	const struct reg_span *base = address_read(o);

	return latency_of_pair(o, base ? base->operand : MODEL_ANY,
			       destination);
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

/* Has the model a latency for this very pair? */
static bool has_pair(const struct op *o, size_t read, size_t write)
{
	for (size_t i = 0; o->form && i < o->form->n_latencies; i++)
		if (o->form->latencies[i].source == o->reads[read].operand &&
		    o->form->latencies[i].destination ==
			    o->writes[write].operand)
			return true;
	return false;
}

/* Is a flag read only because it may keep its value? */
static bool is_kept(const struct op *o, size_t read)
{
	const struct operand *x = op_operand(o, &o->reads[read]);

	return x && x->flag && x->keeps && !x->read;
}

/* Unless the model has a latency for this pair, a base that is written back
 * depends on the address only, and on a flag that is kept only flags do. */
static bool latency_depends(const struct op *o, size_t read, size_t write)
{
	const struct operand *to = op_operand(o, &o->writes[write]);

	if (is_kept(o, read) && to && !to->flag)
		return has_pair(o, read, write);
	return !is_write_back(o, write) || o->reads[read].address ||
	       has_pair(o, read, write);
}

static double latency_between(struct op *o, size_t read, size_t write)
{
	if (!latency_depends(o, read, write))
		return -1;
	return latency_of_pair(o, o->reads[read].operand,
			       o->writes[write].operand);
}

/* Is a register read only because the result preserves some of its bits? */
static bool is_merged(const struct op *o, size_t read)
{
	const struct operand *x = op_operand(o, &o->reads[read]);

	return x && !x->flag && !x->read && !o->reads[read].address;
}

/* Does it read nothing else? */
static bool only_merges(const struct op *o)
{
	for (size_t r = 0; r < o->n_reads; r++)
		if (o->load || !is_merged(o, r))
			return false;
	return true;
}

/* Does a load keep some bits of the register that it writes, and compute
 * nothing?  Tables have one latency for all operands, which is that of the
 * load. */
static bool load_merges(const struct body *b, const struct op *o, size_t read)
{
	if (!completed_model(b->completion)->llvm)
		return false;
	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address && !is_merged(o, r))
			return false;
	return o->load && is_merged(o, read);
}

/* If so, the latency of the form is that of its result, and not of the merging,
 * which takes a cycle unless the model has this pair. */
static double latency_of_merging(struct op *o, size_t read, size_t write)
{
	return has_pair(o, read, write) ? latency_between(o, read, write) : 1;
}

void bind_latencies(struct body *b, struct op *o)
{
	size_t columns = o->n_writes + 1;
	double *l = ARENA_ARRAY(b->a, double, (o->n_reads + 2) * columns);
	double *alone = l + (o->n_reads + 1) * columns;
	bool merges = only_merges(o);

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < o->n_writes; w++)
			l[r * columns + w] =
				merges || load_merges(b, o, r)
					? latency_of_merging(o, r, w)
					: latency_between(o, r, w);
	for (size_t w = 0; merges && w < o->n_writes; w++)
		alone[w] = latency_of_pair(o, MODEL_ANY, o->writes[w].operand);
	for (size_t w = 0; o->load && w < o->n_writes; w++)
		l[o->n_reads * columns + w] =
			is_write_back(o, w)
				? -1
				: latency_of_load(o, o->writes[w].operand);
	/* A plain store adds no cycles to the latency of forwarding. */
	for (size_t r = 0; o->load && o->store && r < o->n_reads; r++)
		l[r * columns + o->n_writes] =
			latency_of_pair(o, o->reads[r].operand, any_result(o));
	if (o->load && o->store)
		l[o->n_reads * columns + o->n_writes] =
			latency_of_load(o, any_result(o));
	if (o->store && o->costs)
		o->store_end = o->costs->store_end;
	o->latency = l;
}
