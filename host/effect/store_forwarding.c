/* Store-to-load forwarding: which measured chain through memory is like a store
 * of the loop and the load of its data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "host/model/claims_read.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_store_forwarding;

/* ---- model --------------------------------------------------------------- */

/* "MOV64mr+MOV64rm": a store, and a load that receives its data by forwarding.
 * "MOV64mr+MOV64rm+ADD64rr@1>0": and an operation on what was loaded. */
static void add_chain(const struct claim_reader *r, const struct claim *c,
		      struct buffer *forwards)
{
	struct experiment x;
	struct model_forward f;

	/* The ends of the store and of the load are the place. */
	if (!claims_experiment(r, c, &x) || x.steps[0].dst >= 0 ||
	    x.steps[1].src >= 0)
		return;
	f = (struct model_forward){ .store = x.steps[0].form->name,
				    .load = x.steps[1].form->name,
				    .cycles = claim_span(c) };
	if (x.n_steps > 2)
		f.then = x.steps[2].form->name;
	f.mixed = !f.then && c->verdict == VERDICT_MIXTURE;
	buffer_add(forwards, &f, sizeof(f));
}

/* Instances of a form that wait for what the one before stored.  A bound says
 * nothing of forms like this one. */
static void add_modify(const struct claim_reader *r, const struct claim *c,
		       struct buffer *forwards)
{
	const char *name = catalogue_form(r->c, c->form)->name;
	const struct model_forward f = { .store = name,
					 .load = name,
					 .cycles = claim_span(c) };
	double exact;

	if (claim_exact(c, &exact) || claim_two_values(c))
		buffer_add(forwards, &f, sizeof(f));
}

/* Published cycles from stored data to loaded data, for general and for vector
 * registers; 0: none. */
struct published_forwarding {
	double general, vector;
};

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "forwarding");
	struct published_forwarding *x = ret;
	char *rest;

	if (!published)
		return;
	x->general = strtod(published, &rest);
	x->vector = strtod(rest, NULL);
}

static void read_claims(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->several.bytes;
	struct buffer forwards = { 0 };

	for (size_t i = 0; i < r->several.n / sizeof(*list); i++) {
		if (claim_is(&list[i], "latency"))
			add_chain(r, &list[i], &forwards);
		if (claim_is(&list[i], "dependent"))
			add_modify(r, &list[i], &forwards);
	}
	r->m->forwards = claims_settle(r->a, &forwards, sizeof(*r->m->forwards),
				       &r->m->n_forwards);
}

/* ---- loops --------------------------------------------------------------- */

/* Conditions of a chain in addition to its store and its load. */
enum forward_way {
	FORWARD_PLAIN = 0,
	FORWARD_INDEX = 1 << 0, /* an address has an index */
	FORWARD_THEN = 1 << 1,  /* an operation overwrites what was loaded */
	FORWARD_MODIFY = 1 << 2 /* the load computes and stores */
};

static const struct form *form_named(const struct body *b, const char *name)
{
	return catalogue_form(b->program->c, name);
}

static unsigned way_of(const struct body *b, const struct model_forward *f)
{
	const struct form *load = form_named(b, f->load);
	bool indexed = load && form_family(load) == FAMILY_INDEX;

	if (strcmp(f->store, f->load) == 0)
		return FORWARD_MODIFY;
	return (indexed ? FORWARD_INDEX : 0u) | (f->then ? FORWARD_THEN : 0u);
}

/* How well a measured form represents f: 2 the same opcode, 1 the same width
 * and kind of register, 0 not at all. */
static int likeness(const struct body *b, const char *measured,
		    const struct model_form *f)
{
	size_t n = strcspn(measured, "/");
	const struct form *x, *y;

	if (strncmp(measured, f->name, n) == 0 && f->name[n] == '\0')
		return 2;
	x = form_named(b, measured);
	y = form_named(b, f->name);
	return x && y && model_accesses_alike(b->program->c, x, y);
}

/* Does it read a register that is no part of its address? */
static bool reads_register(const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].role == ROLE_NONE && f->operands[i].read &&
		    f->operands[i].kind == OPERAND_REG)
			return true;
	return false;
}

/* The load decides whether a form that computes waits. */
static int modify_likeness(const struct body *b, const struct model_forward *f,
			   const struct op *store, const struct op *load)
{
	const struct form *x = form_named(b, f->load);
	const struct form *y = form_named(b, load->form->name);

	if (!x || !y || !model_accesses_alike(b->program->c, x, y) ||
	    likeness(b, f->store, store->form) == 0)
		return 0;
	return x == y ? 2 : reads_register(x) == reads_register(y);
}

static const struct model_forward *find_forward(const struct body *b,
						unsigned way,
						const struct op *store,
						const struct op *load)
{
	const struct model_forward *best = NULL;
	int most = 0;

	for (size_t i = 0; i < b->model->n_forwards; i++) {
		const struct model_forward *f = &b->model->forwards[i];
		int points;

		if (!f->cycles.has_value || way_of(b, f) != way)
			continue;
		points = way == FORWARD_MODIFY
				 ? modify_likeness(b, f, store, load)
				 : likeness(b, f->store, store->form);
		if (points > 0 && way != FORWARD_MODIFY)
			points = 3 * points + likeness(b, f->load, load->form);
		if (points > most) {
			most = points;
			best = f;
		}
	}
	return best;
}

/* Does this operation overwrite the register that the load before it writes,
 * with a result of it? */
static bool overwrites_loaded(const struct op *load, const struct op *o,
			      size_t *ret_read)
{
	if (!o->insn->instance.form || o->store || load->n_writes != 1 ||
	    o->n_writes == 0 || !op_is_plain_access(load) ||
	    o->insn->instance.reg[0] != load->insn->instance.reg[0])
		return false;
	for (size_t r = 0; r < o->n_reads; r++)
		if (o->reads[r].unit == load->writes[0].unit) {
			*ret_read = r;
			return o->writes[0].unit == load->writes[0].unit;
		}
	return false;
}

/* Is it one that a core may fuse with the load? */
static bool is_fused(const struct body *b, const struct op *o)
{
	const struct isa_memory *m = b->program->c->isa->memory;
	const char *const *pattern = m ? m->operations : NULL;

	while (pattern && *pattern &&
	       !name_matches(*pattern, o->insn->instance.form->name))
		pattern++;
	return pattern && *pattern;
}

/* Measured cycles of the chain with an operation after the load, minus the
 * latency of the operation, at least 0; negative: there is no operation, or the
 * chain was not measured.  With an index all operations count as the measured
 * one. */
static double cycles_before(const struct body *b, const struct op *store,
			    uint32_t to, bool indexed)
{
	unsigned way = indexed ? FORWARD_INDEX | FORWARD_THEN : FORWARD_THEN;
	const struct op *load = &b->ops[to], *o = load + 1;
	const struct model_forward *f;
	size_t read;

	if (to + 1 >= b->n || !overwrites_loaded(load, o, &read) ||
	    !(indexed || is_fused(b, o)))
		return -1;
	f = find_forward(b, way, store, load);
	if (!f || (!indexed && strcmp(f->load, load->form->name) != 0))
		return -1;
	return fmax(0, model_cycles(f->cycles) - op_latency(o, read, 0));
}

/* Does anything but a plain store read the loaded register, or does the load
 * itself compute? */
static bool is_computed_with(const struct body *b, uint32_t to)
{
	const struct op *load = &b->ops[to];

	if (!op_is_plain_access(load) || load->n_writes != 1)
		return true;
	for (size_t i = 1; i <= b->n; i++) {
		const struct op *o = &b->ops[(to + i) % b->n];
		uint16_t unit = load->writes[0].unit;

		for (size_t r = 0; r < o->n_reads; r++)
			if (o->reads[r].unit == unit && !op_is_plain_access(o))
				return true;
		for (size_t w = 0; w < o->n_writes; w++)
			if (o->writes[w].unit == unit)
				return false;
	}
	return false;
}

/* Measured cycles of the chain with an operation on a loaded vector, minus the
 * latency of that operation, plus what the load computes; negative: the data is
 * only stored, or the chain was not measured. */
static double cycles_of_vector(const struct body *b, const struct op *store,
			       uint32_t to, bool indexed)
{
	unsigned way = indexed ? FORWARD_INDEX | FORWARD_THEN : FORWARD_THEN;
	const struct op *load = &b->ops[to];
	const struct model_forward *f;
	const struct form *then;
	double cycles;

	if (load->store || !op_writes_vectors(load) || !is_computed_with(b, to))
		return -1;
	f = find_forward(b, way, store, load);
	if (!f && indexed)
		f = find_forward(b, FORWARD_THEN, store, load);
	then = f ? form_named(b, f->then) : NULL;
	if (!then)
		return -1;
	cycles = completed_latency(completed_form(b->completion, then),
				   form_register(then, false),
				   form_register(then, true), NULL);
	return fmax(0, model_cycles(f->cycles) - cycles) +
	       op_compute_cycles(load);
}

/* A pair that takes less than a cycle is renamed: what was measured is how
 * often the store can be executed. */
static double pair_cycles(const struct model_forward *f)
{
	double cycles = f ? model_cycles(f->cycles) : -1;

	return f && cycles < 1 ? 0 : cycles;
}

static double memory_period(const struct body *b, uint32_t from, uint32_t to)
{
	const struct op *store = &b->ops[from], *load = &b->ops[to];
	const struct model_forward *f = NULL;

	if (store->form && load->form && op_n_results(load) > 0 &&
	    !load->store && !op_has_index(store) && !op_has_index(load))
		f = find_forward(b, FORWARD_PLAIN, store, load);
	return f && f->mixed ? model_cycles(f->cycles) : 0;
}

/* Measured cycles of a value that is pushed and popped, less than a cycle as
 * none; negative: this is no such pair, or it was not measured. */
static double stack_cycles(const struct body *b, const struct op *store,
			   const struct op *load)
{
	const struct isa_loop *rules = b->program->c->isa->loop;
	const struct form *f = load->insn->instance.form;
	const struct model_form *x;
	double cycles;

	if (!rules->stack_move || load->store || rules->stack_move(f) <= 0 ||
	    rules->stack_move(store->insn->instance.form) >= 0)
		return -1;
	x = model_find(b->completion->given,
		       arena_printf(b->a, "%s/push", f->name));
	if (!x || x->n_latencies == 0 || !x->latencies->cycles.has_value)
		return -1;
	cycles = model_cycles(x->latencies->cycles);
	return cycles < 1 ? 0 : cycles;
}

/* The same, measured; negative: not measured. */
static double measured_cycles(const struct body *b, uint32_t from, uint32_t to)
{
	const struct op *store = &b->ops[from], *load = &b->ops[to];
	double compute = op_compute_cycles(load), cycles, before;
	const struct model_forward *f;
	bool indexed;

	if (!store->form || !load->form || op_n_results(load) == 0)
		return -1;
	cycles = stack_cycles(b, store, load);
	if (cycles >= 0)
		return cycles;
	indexed = op_has_index(store) || op_has_index(load);
	f = indexed ? find_forward(b, FORWARD_INDEX, store, load) : NULL;
	if (!f) {
		f = find_forward(b, FORWARD_PLAIN, store, load);
		/* A core that renames memory does not always do so with an
		 * index. */
		if (indexed && pair_cycles(f) == 0)
			f = NULL;
	}
	cycles = f && memory_period(b, from, to) == 0 ? pair_cycles(f) + compute
						      : -1;
	if (load->store) {
		f = find_forward(b, FORWARD_MODIFY, store, load);
		if (f)
			cycles = indexed ? fmax(cycles, model_cycles(f->cycles))
					 : model_cycles(f->cycles);
		return cycles;
	}
	/* Some cores forward copies earlier, others what was computed.  In
	 * general registers it was measured with the operation that follows, as
	 * it stands here; of vectors with one for all. */
	before = op_writes_vectors(load)
			 ? cycles_of_vector(b, store, to, indexed)
			 : cycles_before(b, store, to, indexed);
	return before >= 0 ? before : cycles;
}

static bool stores_vector(const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	return f && f->vector_state;
}

/* Cycles from the data that op `from` stores to the results of op `to`, which
 * loads it, with what it computes.  Negative: not known. */
static double forward_cycles(const struct body *b, uint32_t from, uint32_t to)
{
	const struct published_forwarding *x =
		b->completion->effects[effect_number(&effect_store_forwarding)];
	const struct op *store = &b->ops[from], *load = &b->ops[to];
	double cycles = measured_cycles(b, from, to), published;

	if (cycles >= 0 || op_n_results(load) == 0 ||
	    memory_period(b, from, to) > 0)
		return cycles;
	published = op_writes_vectors(load) || stores_vector(store)
			    ? x->vector
			    : x->general;
	if (published <= 0)
		return -1;
	if (!load->store)
		return published + op_compute_cycles(load);
	/* Tables have one latency for all operands of what loads, computes and
	 * stores; the computation in registers has its own. */
	if (load->costs->registers)
		return published + longest_latency(load->costs->registers);
	return published + fmax(1, completed_compute(load->costs));
}

/* What was measured is the sum of both. */
static double memory_link(const struct body *b, uint32_t from, uint32_t to)
{
	const struct op *load = &b->ops[to];
	double cycles = forward_cycles(b, from, to);

	return cycles < 0 ? 0
			  : cycles - op_latency(load, op_memory_read(load), 0);
}

/* ---- results of loads -------------------------------------------------- */

/* The results of a load whose data comes earlier than from the cache do not
 * wait for its address. */
static void rename_load(struct arena *a, struct op *o, double less)
{
	size_t columns = o->n_writes + 1, rows = o->n_reads + 2;
	double *l = arena_copy(a, o->latency, rows * columns * sizeof(*l));

	for (size_t w = 0; w < op_n_results(o); w++) {
		double *memory = &l[op_memory_read(o) * columns + w];

		if (*memory < 0)
			continue;
		*memory = fmax(0, *memory - less);
		for (size_t r = 0; r < o->n_reads; r++)
			if (o->reads[r].address)
				l[r * columns + w] = -1;
	}
	o->latency = l;
}

/* Is the address there long before the data?  A core that was measured to
 * forward data earlier than from the cache does not need it.  Else it must not
 * be a result of the iteration. */
static bool comes_early(const struct body *b, uint32_t from, uint32_t to)
{
	return measured_cycles(b, from, to) >= 0 || b->ops[to].place.known;
}

/* Loads that get their data earlier than from the cache: their results do not
 * wait for their addresses. */
static void bind(struct body *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];
		uint32_t from, distance;
		double extra;

		if (!o->load || op_n_results(o) == 0 ||
		    !place_store_of(b, i, &from, &distance) ||
		    !comes_early(b, from, i))
			continue;
		extra = memory_link(b, from, i);
		if (extra <= 0)
			rename_load(b->a, o, -extra);
	}
}

const struct effect effect_store_forwarding = {
	.name = "store_forwarding",
	.completed_bytes = sizeof(struct published_forwarding),
	.complete = complete,
	.read_claims = read_claims,
	.bind = bind,
	.when = BIND_AFTER_ACCESS,
	.memory_link = memory_link,
	.memory_period = memory_period,
};
