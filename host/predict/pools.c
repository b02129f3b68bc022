/* Ports where the model has none, and accesses that need theirs twice.
 *
 * A form whose throughput was measured but whose ports nobody found takes its
 * time from pools that stand in for ports: loads share one, stores another, and
 * forms of one mnemonic a third.  Each is a port that a uop keeps busy for as
 * long as the form takes by itself; what different pools share stays unseen, so
 * that the bound is one from below. */
#include <math.h>
#include <string.h>

#include "host/predict/body.h"

enum { LINE = 64 }; /* bytes that one access can reach */

struct pools {
	struct body *b;
	struct model *m; /* a copy with more ports */
	struct model_port *ports;
};

/* The form's own throughput, or that of its kin. */
static struct model_span rate_of(const struct op *o)
{
	if (o->form->throughput.has_value || !o->kin)
		return o->form->throughput;
	return o->kin->throughput;
}

static bool needs_pools(const struct op *o)
{
	return o->form && !o->has_ports && !o->no_wait &&
	       !o->form->eliminated && rate_of(o).has_value;
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

/* Where the data of an access go or come from: the bank of the first register
 * that is no part of the address. */
static uint8_t data_bank(const struct catalogue *c, const struct form *f)
{
	for (int k = 0; k < f->n_explicit; k++) {
		const struct operand *x = &f->operands[k];

		if (x->kind == OPERAND_REG && x->role == ROLE_NONE &&
		    x->reg_class != CLASS_NONE)
			return c->classes[x->reg_class].bank;
	}
	return BANK_NONE;
}

/* What a plain access like this one takes, of as many bytes between memory and
 * the same bank of registers; negative: nobody knows. */
static double access_rate(const struct body *b, const struct form *of,
			  bool store)
{
	const struct catalogue *c = b->program->c;
	const struct isa_forward *f = c->isa->memory->forwards;
	uint8_t bank = data_bank(c, of);
	double best = -1;

	for (; f && f->store; f++) {
		const char *name = store ? f->store : f->load;
		const struct form *form = catalogue_form(c, name);
		const struct model_form *x = model_find(b->model, name);

		if (!form || !x || !x->throughput.has_value ||
		    form->access_bytes != of->access_bytes ||
		    (bank != BANK_NONE && data_bank(c, form) != bank))
			continue;
		if (best < 0 || x->throughput.low < best)
			best = x->throughput.low;
	}
	return best;
}

static void add_use(struct pools *p, struct model_use *uses, size_t *n,
		    const char *name, double cycles)
{
	size_t k = pool(p, name);

	if (k < MODEL_MAX_PORTS && cycles > 0)
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

static void pool_op(struct pools *p, struct op *o)
{
	const struct form *f = o->insn->instance.form;
	struct model_use *uses = ARENA_ARRAY(p->b->a, struct model_use, 3);
	double own = rate_of(o).low;
	size_t n = 0;

	if (o->load) {
		double rate = access_rate(p->b, f, false);

		add_use(p, uses, &n, "loads", rate > 0 ? rate : own);
	}
	if (o->store) {
		double rate = access_rate(p->b, f, true);

		add_use(p, uses, &n, "stores", rate > 0 ? rate : own);
	}
	if (!op_is_plain_access(o))
		add_use(p, uses, &n, f->mnemonic, own);
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

/* The use that is the access itself: the one of a plain load. */
static const struct model_use *access_use(const struct body *b,
					  const struct op *o)
{
	if (o->n_uses == 1 || (op_is_plain_access(o) && o->n_uses > 0))
		return &o->uses[0];
	for (size_t i = 0; i < b->n; i++) {
		const struct op *x = &b->ops[i];

		if (x->load != o->load || x->n_uses == 0 ||
		    !op_is_plain_access(x))
			continue;
		for (size_t u = 0; u < o->n_uses; u++)
			if (o->uses[u].ports == x->uses[0].ports)
				return &o->uses[u];
	}
	return o->load && o->n_uses > 0 ? &o->uses[0] : NULL;
}

/* It goes to the cache twice whenever it lies across the end of a line, which
 * is bytes / line of all times. */
static void access_twice(struct body *b, struct op *o)
{
	const struct model_use *use = access_use(b, o);
	struct model_use *uses;

	if (!use)
		return;
	uses = ARENA_ARRAY(b->a, struct model_use, o->n_uses + 1);
	memcpy(uses, o->uses, o->n_uses * sizeof(*uses));
	uses[o->n_uses] = *use;
	uses[o->n_uses].cycles *= (double)o->place.bytes / LINE;
	o->uses = uses;
	o->n_uses++;
	o->straddles = true;
}

void body_pool(struct body *b)
{
	struct pools p = { .b = b };
	bool any = false;

	for (size_t i = 0; i < b->n; i++)
		any = any || needs_pools(&b->ops[i]);
	if (any) {
		p.m = arena_copy(b->a, b->model, sizeof(*p.m));
		p.ports = ARENA_ARRAY(b->a, struct model_port, MODEL_MAX_PORTS);
		for (size_t k = 0; k < b->model->n_ports; k++)
			p.ports[k] = b->model->ports[k];
		p.m->ports = p.ports;
		find_width(&p);
		for (size_t i = 0; i < b->n; i++)
			if (needs_pools(&b->ops[i]))
				pool_op(&p, &b->ops[i]);
		b->model = p.m;
	}
	for (size_t i = 0; i < b->n; i++)
		if (straddles(b, &b->ops[i].place))
			access_twice(b, &b->ops[i]);
}
