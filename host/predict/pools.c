/* Ports where the model has none, and accesses that need theirs twice.
 *
 * A form whose throughput was measured but whose ports nobody found takes its
 * time from pools that stand in for ports: loads share one, stores another, and
 * forms of one mnemonic a third.  Each is a port that a uop keeps busy for as
 * long as the form takes by itself; what different pools share stays unseen, so
 * that the bound is one from below.
 *
 * Where others of the loop have ports, it borrows what it can: those of a plain
 * access as wide as its own, and those of a form that computes the same in
 * registers.  And a form whose ports say less than its throughput keeps its
 * pools besides: no loop is faster for knowing ports. */
#include <math.h>
#include <string.h>

#include "host/predict/beside.h"
#include "host/predict/body.h"

enum { LINE = 64 }; /* bytes that one access can reach */

enum part { PART_LOAD, PART_STORE, PART_COMPUTE, PART_N };

enum { ROOM = 24 }; /* uses of one instruction */

/* What an instruction does, and which parts of it have no ports. */
struct parts {
	bool does[PART_N], lacks[PART_N];
};

struct pools {
	struct body *b;
	struct model *m; /* a copy with other ports */
	struct model_port *ports;
	struct parts *parts; /* of each op */
	bool wanted[PART_N]; /* somebody needs the pool of all loads, stores */
	struct beside_access *accesses; /* of each op */
	bool is_beside;                 /* loads and stores share a pool, too */
	struct beside beside;
};

/* The form's own throughput, or that of its kin. */
static struct model_span rate_of(const struct op *o)
{
	if (o->form->throughput.has_value || !o->kin)
		return o->form->throughput;
	return o->kin->throughput;
}

static bool has_rate(const struct op *o)
{
	return o->form && !o->no_wait && !o->form->eliminated &&
	       rate_of(o).has_value;
}

/* Do its ports say that it takes as long as it was seen to? */
static bool is_explained(const struct op *o)
{
	static const double slack = 0.98;

	return model_port_bound(o->uses, o->n_uses, NULL) >=
	       slack * rate_of(o).low;
}

static size_t pool(struct pools *p, const char *name)
{
	for (size_t k = 0; k < p->m->n_ports; k++)
		if (strcmp(p->ports[k].name, name) == 0)
			return k;
	if (p->m->n_ports == MODEL_MAX_PORTS)
		return MODEL_MAX_PORTS;
	p->ports[p->m->n_ports].name = name;
	return p->m->n_ports++;
}

static void add_use(struct pools *p, struct model_use *uses, size_t *n,
		    const char *name, double cycles)
{
	size_t k = pool(p, name);

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

	return f && f->vector_state && !o->eliminated && !o->no_wait &&
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

/* ---- what can be borrowed ---------------------------------------------- */

static const struct model_form *lender(const struct body *b, const struct op *o,
				       enum part part)
{
	const struct form *f = o->insn->instance.form;

	return part == PART_COMPUTE
		       ? body_in_registers(b, f, LEND_PORTS)
		       : body_plain_access(b, f, part == PART_STORE,
					   LEND_PORTS);
}

/* Ports of the parts that have any, those of accesses first. */
static void borrow(struct pools *p, struct op *o, struct parts *parts)
{
	struct model_use *uses = ARENA_ARRAY(p->b->a, struct model_use, ROOM);
	size_t n = 0;

	for (enum part k = 0; k < PART_N; k++) {
		const struct model_form *x =
			parts->does[k] ? lender(p->b, o, k) : NULL;

		parts->lacks[k] = parts->does[k] && !x;
		for (size_t u = 0; x && u < x->n_uses && n < ROOM; u++)
			uses[n++] = x->uses[u];
		if (k < PART_COMPUTE)
			o->n_access = n;
	}
	o->uses = uses;
	o->n_uses = n;
}

/* What the instruction does, and which of that needs pools. */
static void look(struct pools *p, size_t i)
{
	struct op *o = &p->b->ops[i];
	struct parts *parts = &p->parts[i];
	bool plain = op_is_plain_access(o);

	if (!has_rate(o))
		return;
	parts->does[PART_LOAD] = o->load;
	parts->does[PART_STORE] = o->store;
	parts->does[PART_COMPUTE] = !plain;
	if (!o->has_ports && p->b->model->n_ports > 0)
		borrow(p, o, parts);
	else if (!o->has_ports)
		memcpy(parts->lacks, parts->does, sizeof(parts->does));
	/* What is not explained is a bound still. */
	if (!is_explained(o)) {
		parts->lacks[PART_COMPUTE] = !plain;
		parts->lacks[PART_LOAD] |= plain && o->load;
		parts->lacks[PART_STORE] |= plain && o->store;
	}
	for (int k = 0; k < PART_N; k++)
		p->wanted[k] |= parts->lacks[k];
}

/* What the accesses of an instruction take alone: a plain one of that width. */
static void note_access(struct pools *p, size_t i)
{
	const struct op *o = &p->b->ops[i];
	const struct form *f = o->insn->instance.form;
	struct beside_access *x = &p->accesses[i];

	for (enum part k = 0; k < PART_COMPUTE; k++) {
		const struct model_form *plain;
		double cycles;

		if (!p->parts[i].does[k])
			continue;
		plain = body_plain_access(p->b, f, k == PART_STORE, LEND_RATE);
		cycles = plain ? plain->throughput.low : rate_of(o).low;
		*(k == PART_LOAD ? &x->loads : &x->stores) = cycles;
	}
	x->form = f;
}

/* Ports that the body does not use make room for pools. */
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

static void pool_op(struct pools *p, size_t i)
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

	/* Whoever has ports shares the pool with those that have none. */
	for (enum part k = 0; k < PART_COMPUTE; k++)
		if (parts->does[k] && p->wanted[k])
			add_use(p, uses, &n, names[k], alone[k]);
	if (p->is_beside)
		add_use(p, uses, &n, BESIDE_POOL,
			p->beside.load * alone[PART_LOAD] +
				p->beside.store * alone[PART_STORE]);
	o->n_access += n;
	for (size_t u = 0; u < o->n_uses && n < ROOM; u++)
		uses[n++] = o->uses[u];
	if (parts->lacks[PART_COMPUTE])
		add_use(p, uses, &n, f->mnemonic, rate_of(o).low);
	o->uses = uses;
	o->n_uses = n;
}

/* As many in a cycle as were seen; a bound from below is none of the core's.
 * What the front end does alone fills it and nothing else: idioms that are
 * never executed, or no-operations, two of which some cores take for one. */
static void find_width(struct pools *p)
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

/* ---- accesses over the end of a line ----------------------------------- */

static bool same_stream(const struct place *a, const struct place *b)
{
	return a->known && b->known && a->base == b->base &&
	       a->index == b->index && a->scale == b->scale &&
	       a->step == b->step && a->bytes == b->bytes &&
	       strcmp(a->symbol, b->symbol) == 0;
}

static unsigned residue(const struct place *p, int64_t of)
{
	return (unsigned)((uint64_t)of & (p->bytes - 1));
}

/* Where in its own width does a stream with this access hold an access? */
static uint64_t residues(const struct body *b, const struct place *p)
{
	uint64_t set = 0;

	for (size_t i = 0; i < b->n; i++)
		if (same_stream(&b->ops[i].place, p))
			set |= (uint64_t)1
			       << residue(p, b->ops[i].place.offset);
	return set;
}

/* Stencils reach as far to the left as to the right of what is aligned. */
static bool is_centre(const struct place *p, uint64_t set, unsigned r)
{
	for (unsigned x = 0; x < p->bytes; x++)
		if ((set >> x & 1) &&
		    !(set >> residue(p, 2 * (int64_t)r - x) & 1))
			return false;
	return true;
}

/* Of a stream that is accessed at several places of its own width at most one
 * is aligned: the one in the middle, or the first when there is no middle. */
static bool straddles(const struct body *b, const struct place *p)
{
	enum { ELEMENT = 4 };
	uint64_t set;
	unsigned own;

	if (!p->known || p->bytes < 16 || p->bytes > LINE ||
	    (p->bytes & (p->bytes - 1)) != 0 || p->step == 0)
		return false;
	set = residues(b, p);
	own = residue(p, p->offset);
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

/* The use that is the access itself, behind those that are known to be: the one
 * of a plain load. */
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

/* It goes to the cache twice whenever it lies across the end of a line, which
 * is bytes / line of all times. */
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
	p.accesses = ARENA_ARRAY(b->a, struct beside_access, b->n);
	for (size_t i = 0; i < b->n; i++)
		look(&p, i);
	for (int k = 0; k < PART_N; k++)
		any = any || p.wanted[k];
	for (size_t i = 0; i < b->n && (any || b->model->n_mixes > 0); i++)
		note_access(&p, i);
	p.is_beside = beside_find(b, p.accesses, b->n, &p.beside);
	any = any || p.is_beside;
	if (any) {
		p.m = arena_copy(b->a, b->model, sizeof(*p.m));
		p.ports = ARENA_ARRAY(b->a, struct model_port, MODEL_MAX_PORTS);
		p.m->ports = p.ports;
		keep_used(&p);
		b->n_ports = p.m->n_ports;
		find_width(&p);
		for (size_t i = 0; i < b->n; i++)
			pool_op(&p, i);
		b->model = p.m;
	}
	for (size_t i = 0; i < b->n; i++)
		if (straddles(b, &b->ops[i].place))
			access_twice(b, &b->ops[i]);
}
