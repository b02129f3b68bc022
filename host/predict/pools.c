/* Pseudo ports for forms whose ports are unknown, and second accesses for
 * streams that cross cache lines.
 *
 * A form with a measured throughput but without ports uses pools. A pool is a
 * pseudo port: one for all loads, one for all stores, and one for each
 * mnemonic. A uop keeps its pool busy for as long as the form takes alone.
 * Contention between different pools is ignored, so the bound is a lower bound.
 *
 * If the model has ports, a form without them borrows ports: those of a plain
 * access of the same width, and those of a register form of the same mnemonic.
 * A form whose ports explain less than its throughput uses its pools as
 * well. */
#include <math.h>
#include <string.h>

#include "host/predict/body.h"
#include "host/predict/load_store_mix.h"

enum { LINE = 64 }; /* bytes of a cache line */

enum part { PART_LOAD, PART_STORE, PART_COMPUTE, PART_N };

enum { ROOM = 24 }; /* uses of one instruction, at most */

/* What an instruction does, and which of that has no ports. */
struct parts {
	bool does[PART_N], lacks[PART_N];
};

struct pools {
	struct body *b;
	struct model *m; /* a copy of the model with pseudo ports */
	struct model_port *ports;
	struct parts *parts;            /* one per op */
	bool wanted[PART_N];            /* does any op need this pool? */
	struct access_cycles *accesses; /* one per op */
	bool has_contention;            /* loads and stores also share a pool */
	struct load_store_cost cost;
};

/* Throughput of the form, or of its fallback. */
static struct model_span pools_rate_of(const struct op *o)
{
	if (o->form->throughput.has_value || !o->fallback)
		return o->form->throughput;
	return o->fallback->throughput;
}

static bool pools_has_rate(const struct op *o)
{
	return o->form && !o->is_zero_idiom && !o->form->eliminated &&
	       pools_rate_of(o).has_value;
}

/* Do the ports account for the measured throughput? */
static bool is_explained(const struct op *o)
{
	static const double slack = 0.98;

	return model_port_bound(o->uses, o->n_uses, NULL) >=
	       slack * pools_rate_of(o).low;
}

static size_t pools_port(struct pools *p, const char *name)
{
	for (size_t k = 0; k < p->m->n_ports; k++)
		if (strcmp(p->ports[k].name, name) == 0)
			return k;
	if (p->m->n_ports == MODEL_MAX_PORTS)
		return MODEL_MAX_PORTS;
	p->ports[p->m->n_ports].name = name;
	return p->m->n_ports++;
}

static void pools_add_use(struct pools *p, struct model_use *uses, size_t *n,
			  const char *name, double cycles)
{
	size_t k = pools_port(p, name);

	if (k < MODEL_MAX_PORTS && cycles > 0 && *n < ROOM)
		uses[(*n)++] = (struct model_use){
			.ports = (model_ports)1 << k,
			.n_uops = 1,
			.cycles = cycles,
		};
}

bool op_is_plain_access(const struct op *o)
{
	if (o->load == o->store)
		return false;
	for (size_t i = 0; o->load && i < o->n_reads; i++)
		if (!o->reads[i].address)
			return false;
	return o->load || o->n_writes == 0;
}

bool op_computes_vectors(const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	return f && f->vector_state && !o->eliminated && !o->is_zero_idiom &&
	       !op_is_plain_access(o);
}

bool op_writes_vectors(const struct op *o)
{
	for (size_t w = 0; w < o->n_writes; w++) {
		unsigned bank = o->writes[w].unit / BODY_BANK_UNITS;

		if (bank == BANK_VECTOR || bank == BANK_FP)
			return true;
	}
	return false;
}

/* ---- borrowed ports ---------------------------------------------------- */

static const struct model_form *pools_fallback_of(const struct body *b,
						  const struct op *o,
						  enum part part)
{
	const struct form *f = o->insn->instance.form;

	return part == PART_COMPUTE
		       ? body_in_registers(b, f, NEED_PORTS)
		       : body_plain_access(b, f, part == PART_STORE,
					   NEED_PORTS);
}

/* Borrow ports for each part of the instruction, memory accesses first. */
static void pools_borrow(struct pools *p, struct op *o, struct parts *parts)
{
	struct model_use *uses = ARENA_ARRAY(p->b->a, struct model_use, ROOM);
	size_t n = 0;

	for (enum part k = 0; k < PART_N; k++) {
		const struct model_form *x =
			parts->does[k] ? pools_fallback_of(p->b, o, k) : NULL;

		parts->lacks[k] = parts->does[k] && !x;
		for (size_t u = 0; x && u < x->n_uses && n < ROOM; u++)
			uses[n++] = x->uses[u];
		if (k < PART_COMPUTE)
			o->n_access = n;
	}
	o->uses = uses;
	o->n_uses = n;
}

/* Determine the parts of op i and which of them need pools. */
static void pools_inspect(struct pools *p, size_t i)
{
	struct op *o = &p->b->ops[i];
	struct parts *parts = &p->parts[i];
	bool plain = op_is_plain_access(o);

	if (!pools_has_rate(o))
		return;
	parts->does[PART_LOAD] = o->load;
	parts->does[PART_STORE] = o->store;
	parts->does[PART_COMPUTE] = !plain;
	if (!o->has_ports && p->b->model->n_ports > 0)
		pools_borrow(p, o, parts);
	else if (!o->has_ports)
		memcpy(parts->lacks, parts->does, sizeof(parts->does));
	/* Ports that explain too little still bound the form, with its
	 * pools. */
	if (!is_explained(o)) {
		parts->lacks[PART_COMPUTE] = !plain;
		parts->lacks[PART_LOAD] |= plain && o->load;
		parts->lacks[PART_STORE] |= plain && o->store;
	}
	for (int k = 0; k < PART_N; k++)
		p->wanted[k] |= parts->lacks[k];
}

/* Record how long the accesses of op i take alone, from plain accesses of that
 * width. */
static void note_access(struct pools *p, size_t i)
{
	const struct op *o = &p->b->ops[i];
	const struct form *f = o->insn->instance.form;
	struct access_cycles *x = &p->accesses[i];

	for (enum part k = 0; k < PART_COMPUTE; k++) {
		const struct model_form *plain;
		double cycles;

		if (!p->parts[i].does[k])
			continue;
		plain = body_plain_access(p->b, f, k == PART_STORE, NEED_RATE);
		cycles = plain ? plain->throughput.low : pools_rate_of(o).low;
		*(k == PART_LOAD ? &x->loads : &x->stores) = cycles;
	}
	x->form = f;
}

/* Remove ports that the body does not use, to make room for pools. */
static void keep_used(struct pools *p)
{
	const struct model *from = p->b->model;
	uint8_t place[MODEL_MAX_PORTS] = { 0 };
	model_ports used = 0;

	for (size_t i = 0; i < p->b->n; i++)
		for (size_t u = 0; u < p->b->ops[i].n_uses; u++)
			used |= p->b->ops[i].uses[u].ports;
	p->m->n_ports = 0;
	for (size_t k = 0; k < from->n_ports; k++)
		if (used >> k & 1) {
			place[k] = (uint8_t)p->m->n_ports;
			p->ports[p->m->n_ports++] = from->ports[k];
		}
	for (size_t i = 0; i < p->b->n; i++) {
		struct op *o = &p->b->ops[i];
		struct model_use *uses =
			arena_copy(p->b->a, o->uses, o->n_uses * sizeof(*uses));

		for (size_t u = 0; u < o->n_uses; u++) {
			model_ports old = uses[u].ports;

			uses[u].ports = 0;
			for (size_t k = 0; k < from->n_ports; k++)
				uses[u].ports |= (old >> k & 1) << place[k];
		}
		o->uses = uses;
	}
}

static void pools_fill_op(struct pools *p, size_t i)
{
	static const char *const names[] = {
		[PART_LOAD] = "loads", [PART_STORE] = "stores"
	};
	struct op *o = &p->b->ops[i];
	const struct parts *parts = &p->parts[i];
	const struct form *f = o->insn->instance.form;
	struct model_use *uses =
		ARENA_ARRAY(p->b->a, struct model_use, ROOM + PART_N + 1);
	const double alone[] = { [PART_LOAD] = p->accesses[i].loads,
				 [PART_STORE] = p->accesses[i].stores };
	size_t n = 0;

	/* Instructions with known ports are charged to the pool too. */
	for (enum part k = 0; k < PART_COMPUTE; k++)
		if (parts->does[k] && p->wanted[k])
			pools_add_use(p, uses, &n, names[k], alone[k]);
	if (p->has_contention)
		pools_add_use(p, uses, &n, LOAD_STORE_POOL,
			      p->cost.load * alone[PART_LOAD] +
				      p->cost.store * alone[PART_STORE]);
	o->n_access += n;
	for (size_t u = 0; u < o->n_uses && n < ROOM; u++)
		uses[n++] = o->uses[u];
	if (parts->lacks[PART_COMPUTE])
		pools_add_use(p, uses, &n, f->mnemonic, pools_rate_of(o).low);
	o->uses = uses;
	o->n_uses = n;
}

/* Estimate an unknown width from the throughput of the probe or filler form.
 * The front end alone limits these forms: eliminated idioms, or no-operations,
 * two of which some cores handle as one. */
static void pools_find_width(struct pools *p)
{
	const struct isa *isa = p->b->program->c->isa;
	const struct model_form *f = model_find(p->m, isa->calibration.probe);

	if (!f && isa->filler)
		f = model_find(p->m, isa->filler);
	if (p->m->width.has_value || !f || !f->throughput.has_value ||
	    f->throughput.high <= 0)
		return;
	p->m->width.has_value = true;
	p->m->width.low = p->m->width.high = round(1 / f->throughput.high);
}

/* ---- accesses that cross cache lines ----------------------------------- */

static bool same_stream(const struct mem_place *a, const struct mem_place *b)
{
	return a->known && b->known && a->base == b->base &&
	       a->index == b->index && a->scale == b->scale &&
	       a->step == b->step && a->bytes == b->bytes &&
	       strcmp(a->symbol, b->symbol) == 0;
}

static unsigned pools_residue(const struct mem_place *p, int64_t of)
{
	return (unsigned)((uint64_t)of & (p->bytes - 1));
}

/* Offsets, modulo the access width, at which the stream of this access is
 * accessed; one bit each. */
static uint64_t pools_residues(const struct body *b, const struct mem_place *p)
{
	uint64_t set = 0;

	for (size_t i = 0; i < b->n; i++)
		if (same_stream(&b->ops[i].place, p))
			set |= (uint64_t)1
			       << pools_residue(p, b->ops[i].place.offset);
	return set;
}

/* Is r the centre of the offsets? Stencils reach equally far to both sides of
 * the aligned element. */
static bool is_centre(const struct mem_place *p, uint64_t set, unsigned r)
{
	for (unsigned x = 0; x < p->bytes; x++)
		if ((set >> x & 1) &&
		    !(set >> pools_residue(p, 2 * (int64_t)r - x) & 1))
			return false;
	return true;
}

/* Does the access cross cache lines? A stream that is accessed at several
 * offsets is aligned at most at one of them: at the centre, or at the first
 * when there is no centre. */
static bool pools_crosses_lines(const struct body *b, const struct mem_place *p)
{
	enum { ELEMENT = 4 };
	uint64_t set;
	unsigned own;

	if (!p->known || p->bytes < 16 || p->bytes > LINE ||
	    (p->bytes & (p->bytes - 1)) != 0 || p->step == 0)
		return false;
	set = pools_residues(b, p);
	own = pools_residue(p, p->offset);
	if ((set & (set - 1)) == 0)
		return false;
	for (unsigned r = 0; r < p->bytes; r += ELEMENT)
		if (is_centre(p, set, r) && (set >> r & 1))
			return own != r;
	for (unsigned r = 0; r < p->bytes; r += ELEMENT)
		if (is_centre(p, set, r))
			return true;
	return (set & (((uint64_t)1 << own) - 1)) != 0;
}

/* The use that is the memory access, taken from a plain load where it is not
 * marked. */
static const struct model_use *access_use(const struct body *b,
					  const struct op *o)
{
	const struct model_use *uses = o->uses + o->n_access;
	size_t n = o->n_uses - o->n_access;

	if (!o->has_ports && o->n_access > 0)
		return NULL;
	if (n == 1 || (op_is_plain_access(o) && n > 0))
		return &uses[0];
	for (size_t i = 0; i < b->n; i++) {
		const struct op *x = &b->ops[i];

		if (x->load != o->load || x->n_uses == x->n_access ||
		    !op_is_plain_access(x))
			continue;
		for (size_t u = 0; u < n; u++)
			if (uses[u].ports == x->uses[x->n_access].ports)
				return &uses[u];
	}
	return o->load && n > 0 ? &uses[0] : NULL;
}

/* Charge a second access for each crossing of a cache line. A stream crosses
 * with bytes / line of its accesses. */
static void access_twice(struct body *b, struct op *o)
{
	const struct model_use *use = access_use(b, o);
	struct model_use *uses = ARENA_ARRAY(b->a, struct model_use,
					     o->n_uses + o->n_access + 1);
	size_t n = o->n_uses;

	if (n > 0)
		memcpy(uses, o->uses, n * sizeof(*uses));
	for (size_t u = 0; u < o->n_access; u++)
		uses[n++] = o->uses[u];
	if (use)
		uses[n++] = *use;
	for (size_t u = o->n_uses; u < n; u++)
		uses[u].cycles *= (double)o->place.bytes / LINE;
	o->straddles = n > o->n_uses;
	o->uses = uses;
	o->n_uses = n;
}

void body_pool(struct body *b)
{
	struct pools p = { .b = b };
	bool any = false;

	b->n_ports = b->model->n_ports;
	p.parts = ARENA_ARRAY(b->a, struct parts, b->n);
	p.accesses = ARENA_ARRAY(b->a, struct access_cycles, b->n);
	for (size_t i = 0; i < b->n; i++)
		pools_inspect(&p, i);
	for (int k = 0; k < PART_N; k++)
		any = any || p.wanted[k];
	for (size_t i = 0; i < b->n && (any || b->model->n_mixes > 0); i++)
		note_access(&p, i);
	p.has_contention = load_store_cost_find(b, p.accesses, b->n, &p.cost);
	any = any || p.has_contention;
	if (any) {
		p.m = arena_copy(b->a, b->model, sizeof(*p.m));
		p.ports = ARENA_ARRAY(b->a, struct model_port, MODEL_MAX_PORTS);
		p.m->ports = p.ports;
		keep_used(&p);
		b->n_ports = p.m->n_ports;
		pools_find_width(&p);
		for (size_t i = 0; i < b->n; i++)
			pools_fill_op(&p, i);
		b->model = p.m;
	}
	for (size_t i = 0; i < b->n; i++)
		if (pools_crosses_lines(b, &b->ops[i].place))
			access_twice(b, &b->ops[i]);
}
