/* Complete a model; see complete.h. */
#include "host/model/complete.h"

#include <math.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"

/* ---- opening ----------------------------------------------------------- */

const struct form *complete_next(const struct catalogue *c, size_t *at,
				 const char *name)
{
	int order = -1;

	while (*at < c->n_forms &&
	       (order = strcmp(c->forms[*at].name, name)) < 0)
		++*at;
	return order == 0 ? &c->forms[*at] : NULL;
}

/* The forms that a model has, which are sorted by name as those of the
 * catalogue. */
static struct known_form *known_forms(struct arena *a,
				      const struct catalogue *c,
				      const struct model *m,
				      const struct model *tables)
{
	struct known_form *list =
		ARENA_ARRAY(a, struct known_form, (m ? m->n_forms : 0) + 1);
	size_t n = 0, at = 0;

	for (size_t i = 0, j = 0; m && i < m->n_forms; i++) {
		const char *name = m->forms[i].name;
		const struct form *f = complete_next(c, &at, name);
		const struct model_form *table = NULL;

		while (tables && j < tables->n_forms &&
		       strcmp(tables->forms[j].name, name) < 0)
			j++;
		if (tables && j < tables->n_forms &&
		    strcmp(tables->forms[j].name, name) == 0)
			table = &tables->forms[j];
		if (f)
			list[n++] =
				(struct known_form){ f, &m->forms[i], table };
	}
	return list;
}

/* An unknown width follows from the throughput of the probe or filler form,
 * else from the fastest kernel of the run; else it is the tables'. The front
 * end alone limits these forms: eliminated idioms, or no-operations, two of
 * which some cores handle as one. */
static void find_width(struct completion *k)
{
	const struct isa *isa = k->c->isa;
	const struct model_form *f =
		model_find(k->given, isa->calibration.probe);
	double width = 0;

	if (k->m.width.has_value)
		return;
	if (!f && isa->filler)
		f = model_find(k->given, isa->filler);
	if (f && f->throughput.has_value && f->throughput.high > 0)
		width = round(1 / f->throughput.high);
	if (!(width > 0) && k->given->issue_width.has_value)
		width = round(k->given->issue_width.low);
	if (width > 0)
		k->m.width = (struct model_span){ true, width, width };
	else if (k->tables)
		k->m.width = k->tables->width;
}

/* Sizes of queues are measured together: a model without any has those that the
 * tables give.  The tables' reorder buffer is better than none: a disturbed run
 * may have measured the others alone. */
static void find_queues(struct completion *k)
{
	struct model *m = &k->m;
	bool any = m->reorder_buffer > 0 || m->scheduler > 0 ||
		   m->load_queue > 0 || m->store_queue > 0 ||
		   m->vector_queue > 0 || m->vector_registers > 0;

	if (!k->tables || m->in_order || k->tables->in_order)
		return;
	if (m->reorder_buffer == 0)
		m->reorder_buffer = k->tables->reorder_buffer;
	if (any)
		return;
	m->scheduler = k->tables->scheduler;
	m->load_queue = k->tables->load_queue;
	m->store_queue = k->tables->store_queue;
}

/* Where nothing was measured, the tables of the CPU's name say whether it
 * starts instructions in program order. */
static void find_order(struct completion *k)
{
	if (k->m.order_known || !k->tables || !k->tables->order_known)
		return;
	k->m.order_known = true;
	k->m.in_order = k->m.in_order || k->tables->in_order;
}

/* No experiment tells when a core chooses ports, so the tables decide. */
static void find_binding(struct completion *k)
{
	if (k->tables && !k->m.in_order)
		k->m.binds_ports = k->m.binds_ports || k->tables->binds_ports;
}

const char *completed_fact(const struct completion *k, const char *key)
{
	const struct core_fact *f = k->core ? facts_get(k->core, key, 0) : NULL;

	return f ? f->value : NULL;
}

/* Of the core that the model names, or whose tables these are. */
static void open_effects(struct completion *k, struct arena *opening)
{
	const struct model *named =
		k->tables && (!k->given->cpu || *k->given->cpu == '\0')
			? k->tables
			: k->given;
	struct known_cores cores = facts_read(opening);

	k->core = facts_of_cpu(&cores, k->c->isa->name,
			       named->cpu ? named->cpu : "");
	for (size_t i = 0; effects[i]; i++) {
		size_t bytes = effects[i]->completed_bytes;
		void *filled = bytes > 0 ? arena_alloc(k->a, 1, bytes) : NULL;

		if (filled)
			effects[i]->complete(k, filled);
		k->effects[i] = filled;
	}
	k->core = NULL;
}

struct completion *model_complete(struct arena *a, const struct catalogue *c,
				  const struct model *m,
				  const struct model *tables)
{
	struct completion *k = ARENA_NEW(a, struct completion);
	struct arena opening = { 0 };
	const struct known_form *given, *published;

	*k = (struct completion){
		.a = a, .c = c, .given = m, .tables = tables, .m = *m
	};
	k->forms = ARENA_ARRAY(a, struct completed_form *, c->n_forms);
	given = known_forms(&opening, c, m, tables);
	published = known_forms(&opening, c, tables, tables);
	complete_index(k, given);
	find_width(k);
	find_order(k);
	find_queues(k);
	find_binding(k);
	complete_open_ports(k, given, published);
	open_effects(k, &opening);
	arena_free(&opening);
	return k;
}

void completed_set_queues(struct completion *k, uint32_t reorder_buffer,
			  uint32_t load_queue, uint32_t store_queue,
			  uint32_t vector_queue)
{
	struct model *m = &k->m;

	if (reorder_buffer)
		m->reorder_buffer = reorder_buffer;
	if (load_queue)
		m->load_queue = load_queue;
	if (store_queue)
		m->store_queue = store_queue;
	if (vector_queue)
		m->vector_queue = vector_queue;
}

const struct model *completed_model(const struct completion *k)
{
	return &k->m;
}

const struct model *completed_tables(const struct completion *k)
{
	return k->tables;
}

/* ---- one form ---------------------------------------------------------- */

static void set_origin(struct completed_form *f, enum model_cost cost,
		       enum model_origin origin, const char *like)
{
	f->origin[cost] = (struct cost_origin){ origin, like };
}

/* The slower of the access and the computation. */
static struct model_span rate_of_parts(const struct completion *k,
				       const struct form *f)
{
	struct model_span rate = { 0 };
	const struct form *registers =
		class_in_registers(k, f, COST_THROUGHPUT);

	if (form_computes(f) && !registers)
		return rate;
	if (form_computes(f))
		rate = model_find(k->given, registers->name)->throughput;
	for (int store = 0; store < 2; store++) {
		const struct plain_access *x;

		if (store ? !form_stores(f) : !form_loads(f))
			continue;
		x = complete_plain(k, f, store, COST_THROUGHPUT);
		if (!x)
			return (struct model_span){ 0 };
		rate.has_value = true;
		rate.low = fmax(rate.low, x->known->throughput.low);
		rate.high = fmax(rate.high, x->known->throughput.high);
	}
	return rate;
}

/* The least time of a pair whose name ends with `end`. */
static double fastest_pair(const struct model *m, const char *end)
{
	double least = HUGE_VAL;
	size_t n_end = strlen(end);

	for (size_t i = 0; i < m->n_forms; i++) {
		const struct model_form *x = &m->forms[i];
		size_t n = strlen(x->name);

		if (n > n_end && strcmp(x->name + n - n_end, end) == 0 &&
		    x->throughput.has_value)
			least = fmin(least, x->throughput.high);
	}
	return least;
}

/* A form that was only measured as a pair takes at most the time of the pair,
 * and at least what the other instruction leaves of it.  That one takes no
 * longer than the fastest pair that it is in. */
static struct model_span rate_of_pair(const struct completion *k,
				      const struct form *f,
				      const char **ret_pair)
{
	const char *const *end = k->c->isa->loop->pairs;
	struct model_span rate = { 0 };

	for (; end && *end; end++) {
		const struct model_form *x = model_find(
			k->given, arena_printf(k->a, "%s%s", f->name, *end));

		if (!x || !x->throughput.has_value)
			continue;
		*ret_pair = x->name;
		rate = x->throughput;
		rate.low = fmax(0, rate.low - fastest_pair(k->given, *end));
	}
	return rate;
}

static void complete_rate(struct completion *k, struct completed_form *f)
{
	const struct model_form *x;
	const char *pair = NULL;

	set_origin(f, COST_THROUGHPUT, ORIGIN_MODEL, NULL);
	if (f->costs.throughput.has_value || f->costs.has_ports)
		return;
	x = class_stand_in(k, f->form, f->own, COST_THROUGHPUT);
	if (x) {
		f->costs.throughput = x->throughput;
		set_origin(f, COST_THROUGHPUT, ORIGIN_CLASS, x->name);
		return;
	}
	f->costs.throughput = rate_of_pair(k, f->form, &pair);
	if (!f->costs.throughput.has_value &&
	    (form_loads(f->form) || form_stores(f->form)))
		f->costs.throughput = rate_of_parts(k, f->form);
	if (f->costs.throughput.has_value) {
		set_origin(f, COST_THROUGHPUT, ORIGIN_PARTS, pair);
		return;
	}
	set_origin(f, COST_THROUGHPUT, ORIGIN_ASSUMED, NULL);
	if (f->table && f->table->throughput.has_value) {
		f->costs.throughput = f->table->throughput;
		set_origin(f, COST_THROUGHPUT, ORIGIN_TABLES, NULL);
	}
}

/* Take the slots from the tables if there are none, except for accesses: tables
 * count two uops where the front end needs one slot.  Known slots are raised to
 * at least one. */
static void complete_slots(struct completion *k, struct completed_form *f)
{
	const struct model_span *rate = &f->costs.throughput;
	struct model_span *ret = &f->costs.slots;
	bool access = form_loads(f->form) || form_stores(f->form);

	if (!ret->has_value && !access && f->table && f->table != f->own &&
	    f->table->slots.has_value && rate->has_value &&
	    k->m.width.has_value &&
	    f->table->slots.high / k->m.width.high <= slower * rate->high)
		*ret = f->table->slots;
	/* Tables give no uop to instructions without a port (moves,
	 * no-operations, on some cores additions of small constants), but each
	 * takes a slot. */
	if (ret->has_value) {
		ret->low = fmax(ret->low, 1);
		ret->high = fmax(ret->high, 1);
	}
}

/* What does not depend on layers but on the class alone. */
static void inherit(struct completion *k, struct completed_form *f)
{
	const struct model_form *x =
		class_stand_in(k, f->form, NULL, COST_LATENCY);

	if (f->own || !x)
		return;
	f->costs.bypass = x->bypass;
	f->costs.pairing = x->pairing;
}

static void complete_accesses(struct completion *k, struct completed_form *f)
{
	for (int store = 0; store < 2; store++) {
		const struct plain_access *x;
		double cycles = f->costs.throughput.low;

		if (store ? !form_stores(f->form) : !form_loads(f->form))
			continue;
		x = complete_plain(k, f->form, store, COST_THROUGHPUT);
		if (x)
			cycles = x->known->throughput.low;
		*(store ? &f->store_cycles : &f->load_cycles) = cycles;
	}
}

/* Exact bytes of an access, else their upper bound. */
static unsigned complete_bytes(const struct form *f)
{
	return f->text_bytes ? f->text_bytes : f->access_bytes;
}

bool model_accesses_alike(const struct catalogue *c, const struct form *x,
			  const struct form *y)
{
	uint8_t a = model_access_bank(c, x), b = model_access_bank(c, y);

	/* A constant that is stored has no register. */
	return complete_bytes(x) == complete_bytes(y) &&
	       (a == b || a == BANK_NONE || b == BANK_NONE) &&
	       x->vector_state == y->vector_state &&
	       class_is_locked(c, x) == class_is_locked(c, y);
}

/* A branch has costs only for its variants (taken, not taken ...). Which of
 * them runs is unknown, so the fastest counts. */
static const struct model_form *fastest_branch(const struct completion *k,
					       const struct form *form)
{
	const struct form *f = form, *end = k->c->forms + k->c->n_forms;
	const struct model_form *best = NULL, *x;

	if (form->status != FORM_CONTROL_FLOW || form->variant)
		return NULL;
	for (f++; f < end && f->opcode == form->opcode; f++) {
		x = form_family(f) == FAMILY_BRANCH
			    ? model_find(k->given, f->name)
			    : NULL;
		if (x && x->throughput.has_value &&
		    (!best || x->throughput.high < best->throughput.high))
			best = x;
	}
	return best;
}

const struct completed_form *completed_form(struct completion *k,
					    const struct form *form)
{
	size_t at = (size_t)(form - k->c->forms);
	struct completed_form *f = k->forms[at];

	if (f)
		return f;
	f = ARENA_NEW(k->a, struct completed_form);
	f->form = form;
	f->own = complete_find(k->given, form);
	if (!f->own)
		f->own = fastest_branch(k, form);
	f->table = complete_find(k->tables, form);
	if (f->own)
		f->costs = *f->own;
	f->costs.name = form->name;
	inherit(k, f);
	complete_rate(k, f);
	complete_slots(k, f);
	complete_latencies(k, f);
	complete_accesses(k, f);
	complete_ports(k, f, completed_form);
	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->class_of)
			f->class_of[i] = effects[i]->class_of(k, form);
	k->forms[at] = f;
	return f;
}
