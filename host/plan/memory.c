/* Chains through addresses and memory; see memory.h.
 *
 *	base > result	a load of a pointer that points to itself
 *	index > result	everything is zero, so the result is an index again
 *	base > base	what a form writes back
 *	index > result	of another kind, and back through a move: a sum
 *	base > result	of any kind, back, and the base added to zero: a sum
 *	store + load	the data goes through memory: the sum of both
 *
 * Other pairs of an address and a result need values that the ISA's tables do
 * not have; address.c closes those of a base. */
#include "host/plan/memory.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "host/plan/pairs.h"

struct list {
	const struct catalogue *c;
	bool measured;
	struct experiment *at;
	size_t n;
};

bool memory_allows(const struct form *form, int dst)
{
	int base = form_part(form, ROLE_BASE);

	if (base >= 0 && form->operands[base].tied_to == dst)
		return false;
	return form->access != (ACCESS_LOAD | ACCESS_STORE) ||
	       form->operands[dst].implicit;
}

bool memory_has_few_places(const struct form *form)
{
	for (int i = 0; i < form->n_explicit; i++)
		if (form->operands[i].tied_to >= 0)
			return false;
	return form->access == (ACCESS_LOAD | ACCESS_STORE) &&
	       form_part(form, ROLE_DISPLACEMENT) < 0 &&
	       form_part(form, ROLE_BASE) >= 0 && !form_writes_base(form) &&
	       !(form->variant && form->variant->boundary);
}

bool memory_keeps_place(const struct catalogue *c, const struct form *form)
{
	const struct experiment x =
		experiment_of(EXPERIMENT_DEPENDENT, form, -1, -1);
	const char *const *locked =
		c->isa->memory ? c->isa->memory->locked : NULL;

	for (; locked && *locked; locked++)
		if (name_matches(*locked, form->name))
			return false;
	for (int i = 0; i < form->n_explicit; i++)
		if (form->operands[i].tied_to >= 0)
			return false;
	return !form->variant && !form_writes_base(form) &&
	       experiment_keeps_place(c, &x);
}

/* Tables name opcodes; the layout of an access does not change its
 * operation. */
static bool is_named(const struct form *f, const char *pattern)
{
	char name[ISA_NAME_ROOM];

	if (!f->variant || !f->variant->boundary)
		return name_matches(pattern, f->name);
	(void)snprintf(name, sizeof(name), "%s", f->name);
	name[strcspn(name, "/")] = '\0';
	return name_matches(pattern, name);
}

static bool matches(const char *const *patterns, const struct form *f)
{
	for (; *patterns; patterns++)
		if (is_named(f, *patterns))
			return true;
	return false;
}

static const struct form *with_index(const struct catalogue *c,
				     const struct form *f)
{
	char name[ISA_NAME_ROOM];

	(void)snprintf(name, sizeof(name), "%s/index", f->name);
	return catalogue_form(c, name);
}

/* The form of an opcode whose accesses have the layout of those of `like`. */
static const struct form *form_like(const struct catalogue *c,
				    const char *opcode, const struct form *like)
{
	char name[ISA_NAME_ROOM];

	if (!like->variant || !like->variant->boundary)
		return catalogue_form(c, opcode);
	(void)snprintf(name, sizeof(name), "%s/%s", opcode,
		       like->variant->suffix);
	return catalogue_form(c, name);
}

static bool is_gpr(const struct catalogue *c, const struct operand *o)
{
	return o->kind == OPERAND_REG && o->write && !o->implicit &&
	       o->fixed_reg == REG_NONE && o->reg_class != CLASS_NONE &&
	       c->classes[o->reg_class].bank == BANK_GPR;
}

static void memory_add(struct list *l, const struct experiment *x)
{
	if (l->n < MEMORY_MAX_EXPERIMENTS)
		l->at[l->n++] = *x;
}

static void add_pair(struct list *l, const struct form *f, int src, int dst,
		     bool control)
{
	struct experiment x = experiment_of(EXPERIMENT_LATENCY, f, src, dst);
	struct pair pair;

	if (pair_check(l->c, f, src, dst, &pair) != PAIR_OK || pair.n_cuts > 0)
		return;
	memory_add(l, &x);
	x.kind = EXPERIMENT_CONTROL;
	if (control)
		memory_add(l, &x);
}

/* The first register that memory is loaded into. */
static int loaded(const struct catalogue *c, const struct form *f, int base)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (is_gpr(c, &f->operands[i]) &&
		    f->operands[base].tied_to != i)
			return i;
	return -1;
}

static void add_base(struct list *l, const struct form *f, int base)
{
	int dst = loaded(l->c, f, base);

	if (form_writes_base(f))
		add_pair(l, f, base, f->operands[base].tied_to, !l->measured);
	if (dst >= 0 && matches(l->c->isa->memory->pointer_loads, f))
		add_pair(l, f, base, dst, true);
}

/* Loads of a 64-bit address from the place that the address points to. */
static void add_addresses(struct list *l, const struct form *f)
{
	int addresses = form_part(f, ROLE_ADDRESSES);

	if (matches(l->c->isa->memory->pointer_loads, f))
		add_pair(l, f, addresses, form_register(f, true), true);
}

static int index_part(const struct form *f)
{
	int index = form_part(f, ROLE_OPTIONAL_INDEX);

	return index < 0 ? form_part(f, ROLE_INDEX) : index;
}

static bool is_vector(const struct catalogue *c, const struct operand *o)
{
	return o->reg_class != CLASS_NONE &&
	       c->classes[o->reg_class].bank == BANK_VECTOR;
}

/* Does a part of the old register value remain? */
static bool is_kept(const struct form *f, int dst)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to == dst)
			return true;
	return false;
}

/* Is the result zero if all inputs are, in a form that only loads? */
static bool loads_zeros(const struct list *l, const struct form *f)
{
	return f->access == ACCESS_LOAD &&
	       !matches(l->c->isa->memory->nonzero_loads, f);
}

/* Indices of zero load elements of zero, which are indices again. */
static void add_vector_index(struct list *l, const struct form *f, int index)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_REG &&
		    f->operands[i].write && is_vector(l->c, &f->operands[i])) {
			add_pair(l, f, index, i, true);
			return;
		}
}

static void add_index(struct list *l, const struct form *f)
{
	int index = index_part(f);

	if (index < 0 || form_writes_base(f) || !loads_zeros(l, f))
		return;
	if (is_vector(l->c, &f->operands[index])) {
		add_vector_index(l, f, index);
		return;
	}
	for (int i = 0; i < f->n_explicit; i++)
		if (is_gpr(l->c, &f->operands[i]))
			add_pair(l, f, index, i, true);
}

/* Append a step of the form with this name; false when there is none. */
static bool append(struct list *l, struct experiment *x, const char *name)
{
	const struct form *f = catalogue_form(l->c, name);

	if (!f || f->status != FORM_MEASURABLE)
		return false;
	x->steps[x->n_steps++] = (struct experiment_step){
		.form = f,
		.src = (int16_t)form_register(f, false),
		.dst = (int16_t)form_register(f, true),
		.count = 1,
	};
	return true;
}

/* Append "FORM@source>destination". */
static bool append_step(const struct list *l, struct experiment *x,
			const char *step)
{
	char label[PACK_MAX_LABEL];
	struct err ignored = { .code = ERR_OK };
	struct experiment alone;

	(void)snprintf(label, sizeof(label), "latency:%s", step);
	if (experiment_parse(l->c, label, &alone, &ignored) != ERR_OK ||
	    alone.steps[0].form->status != FORM_MEASURABLE)
		return false;
	x->steps[x->n_steps++] = alone.steps[0];
	return true;
}

/* The chain from a store to a load, and to an operation on what was loaded if
 * `then` is not NULL; and its control. */
static void add_chain(struct list *l, const struct form *store,
		      const struct form *load, const char *then)
{
	struct experiment x = {
		.kind = EXPERIMENT_LATENCY,
		.n_steps = 2,
		.steps = { { .form = store, .count = 1 },
			   { .form = load, .count = 1 } },
	};

	if (!store || !load || store->status != FORM_MEASURABLE ||
	    load->status != FORM_MEASURABLE ||
	    (then && !append_step(l, &x, then)) || !experiment_forwards(&x))
		return;
	memory_add(l, &x);
	x.kind = EXPERIMENT_CONTROL;
	memory_add(l, &x);
}

static void add_forward(struct list *l, const struct isa_forward *forward,
			const struct form *load)
{
	const struct form *store = form_like(l->c, forward->store, load);

	add_chain(l, store, load, NULL);
	if (!store || load->variant)
		return;
	if (forward->indexed)
		add_chain(l, with_index(l->c, store), with_index(l->c, load),
			  NULL);
	if (forward->then)
		add_chain(l, store, load, forward->then);
	if (forward->indexed && forward->then)
		add_chain(l, with_index(l->c, store), with_index(l->c, load),
			  forward->then);
}

/* The step that moves the result of a load into a GPR; NULL: none is known. */
static const char *find_return(const struct list *l, const struct form *load)
{
	const struct isa_return *r = l->c->isa->memory->returns;

	while (r->load && !is_named(load, r->load))
		r++;
	return r->back;
}

/* From an address to a result, back into a GPR and to the address: an index is
 * zero, and a base is added to the zero.  The sum can be measured. */
static void add_sum(struct list *l, const struct form *load, int src, int dst,
		    const char *back, const char *plus)
{
	struct experiment x = { .kind = EXPERIMENT_LATENCY };

	if (!append(l, &x, load->name))
		return;
	x.steps[0].src = (int16_t)src;
	x.steps[0].dst = (int16_t)dst;
	if ((back && !append(l, &x, back)) || (plus && !append(l, &x, plus)))
		return;
	memory_add(l, &x);
	x.kind = EXPERIMENT_CONTROL;
	memory_add(l, &x);
}

/* Narrower results keep a part of the register. */
static bool fills_register(const struct list *l, const struct operand *o)
{
	enum { ZERO_EXTENDED = 32 };
	unsigned bits = l->c->classes[o->reg_class].bits;

	/* 0: the core's largest */
	return bits == 0 || bits >= ZERO_EXTENDED;
}

/* Sums that one result of a load closes. */
static void add_returns(struct list *l, const struct form *load, int base,
			int dst)
{
	const struct isa_memory *m = l->c->isa->memory;
	bool gpr = is_gpr(l->c, &load->operands[dst]);
	const char *back = gpr ? NULL : find_return(l, load);
	int index = index_part(load);
	bool pointer = gpr && matches(m->pointer_loads, load) &&
		       dst == loaded(l->c, load, base);

	if (is_kept(load, dst) ||
	    (gpr ? !fills_register(l, &load->operands[dst]) : !back))
		return;
	if (back && index >= 0 && !is_vector(l->c, &load->operands[index]) &&
	    !form_writes_base(load))
		add_sum(l, load, index, dst, back, NULL);
	if (!pointer)
		add_sum(l, load, base, dst, back, m->add);
}

static void add_sums(struct list *l, const struct form *load, int base)
{
	uint16_t carried;

	/* Instances may wait for a register that all of them share. */
	if (!loads_zeros(l, load) ||
	    form_carried(l->c, load, NULL, &carried, 1) > 0)
		return;
	for (int i = 0; i < load->n_explicit; i++) {
		const struct operand *o = &load->operands[i];

		if (o->kind == OPERAND_REG && o->write &&
		    o->reg_class != CLASS_NONE && o->fixed_reg == REG_NONE &&
		    load->operands[base].tied_to != i)
			add_returns(l, load, base, i);
	}
}

const char *memory_silence(const struct catalogue *c, const struct form *form,
			   int dst)
{
	struct list l = { .c = c };

	if (form->operands[dst].implicit)
		return "no address comes of what it writes there";
	if (form->access != ACCESS_LOAD)
		return "what a form that stores returns is no address";
	if (is_kept(form, dst))
		return "the result keeps a part of what it was";
	if (!loads_zeros(&l, form))
		return "what comes of zeros is no zero";
	return "nothing leads from the result to an address";
}

size_t memory_experiments(const struct catalogue *c, const struct form *form,
			  bool measured,
			  struct experiment ret[MEMORY_MAX_EXPERIMENTS])
{
	const struct isa_memory *m = c->isa->memory;
	struct list l = { .c = c, .measured = measured, .at = ret };
	int base = form_part(form, ROLE_BASE);

	if (m && form_part(form, ROLE_ADDRESSES) >= 0)
		add_addresses(&l, form);
	if (!m || base < 0)
		return l.n;
	add_base(&l, form, base);
	add_index(&l, form);
	add_sums(&l, form, base);
	for (const struct isa_forward *f = m->forwards; f->load; f++)
		if (is_named(form, f->load))
			add_forward(&l, f, form);
	return l.n;
}
