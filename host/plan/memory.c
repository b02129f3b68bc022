/* Chains through addresses and memory; see memory.h.
 *
 *	base > result	a load of a pointer to where it stands
 *	index > result	everything is zero, so the result is an index again
 *	base > base	what a form writes back
 *	index > result	of another kind, and back through what moves it: a sum
 *	base > result	of any kind, back, and the base added to zero: a sum
 *	store + load	the data goes through memory: the sum of both
 *
 * Other pairs of an address and a result need a value that only the ISA's
 * tables could vouch for and are left out. */
#include "host/plan/memory.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/match.h"
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

/* Tables name opcodes; where an access lies does not change what it does. */
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

/* The form of an opcode whose accesses lie where those of `like` lie. */
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

static void add(struct list *l, const struct experiment *x)
{
	if (l->n < MEMORY_MAX_EXPERIMENTS)
		l->at[l->n++] = *x;
}

static void add_pair(struct list *l, const struct form *f, int src, int dst,
		     bool control)
{
	struct experiment x = {
		.kind = EXPERIMENT_LATENCY,
		.n_steps = 1,
		.steps[0] = { .form = f,
			      .src = (int16_t)src,
			      .dst = (int16_t)dst,
			      .count = 1 },
	};
	struct pair pair;

	if (pair_check(l->c, f, src, dst, &pair) != PAIR_OK || pair.n_cuts > 0)
		return;
	add(l, &x);
	x.kind = EXPERIMENT_CONTROL;
	if (control)
		add(l, &x);
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

static void add_index(struct list *l, const struct form *f)
{
	int index = form_part(f, ROLE_OPTIONAL_INDEX);

	if (index < 0)
		index = form_part(f, ROLE_INDEX);
	if (index < 0 || f->access != ACCESS_LOAD || form_writes_base(f) ||
	    matches(l->c->isa->memory->nonzero_loads, f))
		return;
	for (int i = 0; i < f->n_explicit; i++)
		if (is_gpr(l->c, &f->operands[i]))
			add_pair(l, f, index, i, true);
}

static void add_forward(struct list *l, const struct isa_forward *forward,
			const struct form *load)
{
	const struct form *store = form_like(l->c, forward->store, load);
	struct experiment x = {
		.kind = EXPERIMENT_LATENCY,
		.n_steps = 2,
		.steps = { { .form = store, .count = 1 },
			   { .form = load, .count = 1 } },
	};

	if (!store || store->status != FORM_MEASURABLE ||
	    !experiment_forwards(&x))
		return;
	add(l, &x);
	x.kind = EXPERIMENT_CONTROL;
	add(l, &x);
}

static int operand_with(const struct form *f, bool write)
{
	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind == OPERAND_REG && (write ? o->write : o->read))
			return i;
	}
	return -1;
}

/* One step more, of the form with this name; false when there is none. */
static bool append(struct list *l, struct experiment *x, const char *name)
{
	const struct form *f = catalogue_form(l->c, name);

	if (!f || f->status != FORM_MEASURABLE)
		return false;
	x->steps[x->n_steps++] = (struct step){
		.form = f,
		.src = (int16_t)operand_with(f, false),
		.dst = (int16_t)operand_with(f, true),
		.count = 1,
	};
	return true;
}

static const struct isa_return *find_return(const struct list *l,
					    const struct form *load)
{
	const struct isa_return *r = l->c->isa->memory->returns;

	while (r->load && !is_named(load, r->load))
		r++;
	return r->back || r->add ? r : NULL;
}

/* From an address to a result of another kind and back to the address.  The
 * sum is what can be measured. */
static void add_return(struct list *l, const struct form *load, int base)
{
	const struct isa_return *r = find_return(l, load);
	int index = form_part(load, ROLE_OPTIONAL_INDEX);
	struct experiment x = { .kind = EXPERIMENT_LATENCY };

	if (index < 0)
		index = form_part(load, ROLE_INDEX);
	if (!r || load->access != ACCESS_LOAD || (!r->add && index < 0) ||
	    !append(l, &x, load->name))
		return;
	x.steps[0].src = (int16_t)(r->add ? base : index);
	if ((r->back && !append(l, &x, r->back)) ||
	    (r->add && !append(l, &x, r->add)))
		return;
	add(l, &x);
	x.kind = EXPERIMENT_CONTROL;
	add(l, &x);
}

size_t memory_experiments(const struct catalogue *c, const struct form *form,
			  bool measured,
			  struct experiment ret[MEMORY_MAX_EXPERIMENTS])
{
	const struct isa_memory *m = c->isa->memory;
	struct list l = { .c = c, .measured = measured, .at = ret };
	int base = form_part(form, ROLE_BASE);

	if (!m || base < 0)
		return 0;
	add_base(&l, form, base);
	add_index(&l, form);
	add_return(&l, form, base);
	for (const struct isa_forward *f = m->forwards; f->load; f++)
		if (is_named(form, f->load))
			add_forward(&l, f, form);
	return l.n;
}
