/* Addresses of memory operands.
 *
 *	base	points to the middle of the memory and is never written, but
 *		by forms that write it back, where it rotates as a pool
 *	index	0, and only where the form has no address without one or the
 *		measured operand is the index
 *	vector	of addresses: the prologue makes it of the base
 *
 * Instances go through places of the first cache, aligned to what they access
 * and as far apart as the form's layout says (host/isa/layout.h), through
 * displacements, or through several bases where a form has no displacement.
 * In a mix such a form goes to one place, with stores each to another; and so
 * do chains through addresses or memory.
 *
 * Forms that straddle a line follow each other from line to line; those that
 * straddle a page cross the only page boundary there is, all of them. */
#include "host/gen/assigner.h"

#include <string.h>

#include "host/gen/places.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/layout.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"

/* Where the base of a form's accesses points. */
static uint16_t start(const struct form *f)
{
	unsigned at = PLACES_MIDDLE;

	if (places_boundary(f))
		at = (PLACES_MIDDLE / places_boundary(f) + 1) *
			     places_boundary(f) -
		     f->variant->head;
	return (uint16_t)at;
}

static uint16_t gpr_of_class(const struct assigner *a, uint16_t reg_class,
			     unsigned index)
{
	const struct reg_class *cls = &a->c->classes[reg_class];

	for (uint32_t i = 0; i < cls->n_regs; i++) {
		const struct reg *r = &a->c->regs[cls->regs[i]];

		if (r->bank == BANK_GPR && r->index == index && r->span == 1)
			return cls->regs[i];
	}
	return REG_NONE;
}

/* The base of the memory as the form's class names it. */
static uint16_t memory_base(const struct assigner *a, size_t s, int base)
{
	const struct form *f = places_step(a, s)->form;

	return gpr_of_class(a, f->operands[base].reg_class,
			    a->c->isa->memory->base);
}

static void take_gpr(struct assigner *a, unsigned index)
{
	const struct reg r = { .bank = BANK_GPR,
			       .index = (uint8_t)index,
			       .span = 1 };

	assign_take(a, &r);
}

/* One register cannot point to the places of both. */
static int fit(const struct assigner *a, size_t s, const struct form *first)
{
	const struct form *f = places_step(a, s)->form;

	return start(f) == start(first)
		       ? ERR_OK
		       : err_set(a->e, ERR_INPUT,
				 "%s and %s access different places", f->name,
				 first->name);
}

int address_reserve(struct assigner *a)
{
	const struct form *first = NULL;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct form *f = places_step(a, s)->form;
		int base = form_part(f, ROLE_BASE);
		uint16_t reg = base < 0 || form_writes_base(f)
				       ? REG_NONE
				       : memory_base(a, s, base);

		if (form_part(f, ROLE_ADDRESSES) >= 0)
			take_gpr(a, a->c->isa->memory->base);
		if (reg == REG_NONE)
			continue;
		/* Steps share it: what one stores the other loads. */
		if (!first && !assign_is_free(a, &a->c->regs[reg]))
			return assign_no_register(a, s, base);
		first = first ? first : f;
		if (fit(a, s, first) != ERR_OK)
			return a->e->code;
		assign_take(a, &a->c->regs[reg]);
		a->bases[s].n = 1;
		a->bases[s].regs[0] = reg;
	}
	return ERR_OK;
}

/* More bases for a form that cannot reach other places by a number. */
static void add_bases(struct assigner *a, size_t s, size_t most)
{
	const struct form *f = places_step(a, s)->form;
	int base = form_part(f, ROLE_BASE);
	const struct reg_class *cls =
		&a->c->classes[f->operands[base].reg_class];
	struct rotation *bases = &a->bases[s];

	for (uint32_t k = cls->n_regs; k-- > 0 && bases->n < most;) {
		const struct reg *r = &a->c->regs[cls->regs[k]];

		if (r->span != 1 || !assign_is_free(a, r))
			continue;
		assign_take(a, r);
		bases->regs[bases->n++] = cls->regs[k];
	}
}

static bool is_index(const struct operand *o)
{
	return o->role == ROLE_INDEX || o->role == ROLE_OPTIONAL_INDEX;
}

/* A part that is a register of its own, whatever it holds. */
static bool is_constant(const struct operand *o)
{
	return is_index(o) || o->role == ROLE_ADDRESSES;
}

/* Does the step measure an index that its address can do without, or what one
 * costs? */
static bool is_indexed(const struct assigner *a, size_t s)
{
	const struct experiment_step *st = places_step(a, s);

	return form_family(st->form) == FAMILY_INDEX ||
	       (st->src >= 0 &&
		st->form->operands[st->src].role == ROLE_OPTIONAL_INDEX);
}

/* The zero index of a step, if it needs one. */
static int index_of(const struct assigner *a, size_t s)
{
	const struct form *f = places_step(a, s)->form;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (is_constant(o) && !assign_is_link(a, s, i) &&
		    (o->role != ROLE_OPTIONAL_INDEX || is_indexed(a, s)))
			return i;
	}
	return -1;
}

/* Does any form of the mix store? */
static bool has_store(const struct assigner *a)
{
	for (size_t s = 0; s < a->x->n_steps; s++)
		if (a->bases[s].n > 0 &&
		    places_step(a, s)->form->access & ACCESS_STORE)
			return true;
	return false;
}

/* A free register as a base; REG_NONE: there is none. */
static uint16_t pick_base(struct assigner *a, size_t s)
{
	const struct form *f = places_step(a, s)->form;
	const struct reg_class *cls =
		&a->c->classes[f->operands[form_part(f, ROLE_BASE)].reg_class];

	for (uint32_t k = cls->n_regs; k-- > 0;) {
		const struct reg *r = &a->c->regs[cls->regs[k]];

		if (r->span != 1 || r->bank != BANK_GPR ||
		    !assign_is_free(a, r))
			continue;
		assign_take(a, r);
		return cls->regs[k];
	}
	return REG_NONE;
}

/* A store and a load that does not wait for it: both go through a few places,
 * and the load reads what an earlier instance stored.  A place without a store
 * would change more than the wait, because loads of it may be faster. */
static int break_memory(struct assigner *a)
{
	size_t s = a->broken_step;
	struct rotation *bases;

	if (!a->broken || places_step(a, s)->src >= 0)
		return ERR_OK;
	bases = &a->bases[s - 1];
	if (s == 0 || bases->n != 1 || a->bases[s].n != 1)
		return err_set(a->e, ERR_INPUT,
			       "%s: no step before it stores to a place that "
			       "can vary",
			       places_step(a, s)->form->name);
	while (bases->n < PLACES_FEW) {
		uint16_t reg = pick_base(a, s);

		if (reg == REG_NONE)
			return assign_no_register(a, s, 0);
		bases->regs[bases->n++] = reg;
	}
	a->bases[s] = *bases;
	a->apart = true;
	return ERR_OK;
}

/* A form of a mix that cannot reach a region of its own by a number gets a base
 * of its own, as long as there are registers: what one form stores is not for
 * another one to load. */
static void own_base(struct assigner *a, size_t s)
{
	const struct form *f = places_step(a, s)->form;
	bool shared = false;
	uint16_t reg;

	for (size_t t = 0; t < s; t++)
		shared |= a->bases[t].n > 0 && a->bases[s].n > 0 &&
			  a->bases[t].regs[0] == a->bases[s].regs[0];
	if (a->x->kind != EXPERIMENT_MIX || !shared || !has_store(a) ||
	    places_boundary(f) ||
	    (places_by_number(f) && places_reach_region(a, s)))
		return;
	reg = pick_base(a, s);
	if (reg == REG_NONE)
		return;
	a->bases[s].regs[0] = reg;
	a->has_own_base[s] = true;
}

/* Do the instances of a form without a displacement go through several bases?
 * How many; 1: no. */
static size_t n_bases(const struct assigner *a, size_t s)
{
	const struct experiment_step *st = places_step(a, s);
	const struct form *f = st->form;

	if (a->bases[s].n == 0 || places_by_number(f) || places_boundary(f) ||
	    layout_step(f) == 0 || a->x->kind == EXPERIMENT_DEPENDENT)
		return 1;
	if (places_modify(f))
		return MAX_BASES;
	if (a->x->kind == EXPERIMENT_MIX || st->helper || form_writes_base(f) ||
	    !places_alone(a, s) || !places_unchained(st))
		return 1;
	return f->access & ACCESS_STORE ? MAX_BASES : PLACES_FEW;
}

static int choose_index(struct assigner *a, size_t s, int i)
{
	const struct operand *o = &places_step(a, s)->form->operands[i];

	a->constants[s][i] = assign_pick(a, o->reg_class);
	return a->constants[s][i] == REG_NONE ? assign_no_register(a, s, i)
					      : ERR_OK;
}

int address_choose(struct assigner *a)
{
	int ret = ERR_OK;

	for (size_t s = 0; s < a->x->n_steps; s++)
		a->in_line[s] = places_in_line(a, s);
	for (size_t s = 0; s < a->x->n_steps && ret == ERR_OK; s++) {
		int index = index_of(a, s);

		if (index >= 0)
			ret = choose_index(a, s, index);
		own_base(a, s);
		if (n_bases(a, s) > 1)
			add_bases(a, s, n_bases(a, s));
	}
	return ret == ERR_OK ? break_memory(a) : ret;
}

uint16_t address_reg(const struct assigner *a, size_t s, int i, size_t op)
{
	const struct operand *o = &places_step(a, s)->form->operands[i];

	size_t at = op + (a->apart && s == a->broken_step);

	if (o->role == ROLE_BASE && a->bases[s].n > 0)
		return a->bases[s].regs[at % a->bases[s].n];
	return is_constant(o) ? a->constants[s][i] : REG_NONE;
}

size_t address_chains(const struct assigner *a)
{
	size_t least = 0;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct form *f = places_step(a, s)->form;
		size_t n = a->bases[s].n;

		if (places_modify(f) && !form_writes_base(f) && n > 1 &&
		    (least == 0 || n < least))
			least = n;
	}
	return least;
}

static size_t n_measured(const struct assigner *a)
{
	size_t n = 0;

	for (size_t s = 0; s < a->x->n_steps; s++)
		n += !places_step(a, s)->helper;
	return n;
}

/* The GPRs that a step only reads. */
static uint32_t constants_of(const struct assigner *a, size_t s)
{
	const struct form *f = places_step(a, s)->form;
	uint32_t bits = 0;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct reg *r = &a->c->regs[a->constants[s][i]];

		if (f->operands[i].kind == OPERAND_REG && r->bank == BANK_GPR)
			bits |= 1u << r->index;
	}
	return bits;
}

/* Several steps make an address again: the last of them adds the base to a
 * zero, which is what memory held, or comes of one in the step before. */
static void describe_sum(const struct assigner *a, const struct form *load,
			 struct assigned_memory *m)
{
	size_t last = n_measured(a) - 1;
	uint32_t bases = constants_of(a, last);

	/* Broken, it adds the base to a zero that nothing writes. */
	if (a->broken && a->broken_step == last) {
		int src = places_step(a, last)->src;
		uint32_t zero = 1u << a->c->regs[a->constants[last][src]].index;

		bases &= ~zero;
		m->zeros |= zero;
	}
	m->pointers |= bases;
	for (unsigned i = 0; i < ARRAY_LEN(m->offset); i++)
		if (bases >> i & 1)
			m->offset[i] = start(load);
	if (experiment_is_closed(a->c, a->x))
		m->zeros |= constants_of(a, last - 1);
	else
		m->all_zero = true;
}

/* The chain's source decides what the memory holds. */
static void describe_chain(const struct assigner *a, struct assigned *ret)
{
	bool one = n_measured(a) == 1;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct experiment_step *st = places_step(a, s);
		const struct operand *o;

		if (st->helper || st->src < 0)
			continue;
		o = &st->form->operands[st->src];
		if (o->role == ROLE_BASE && !one) {
			describe_sum(a, st->form, &ret->memory);
			continue;
		}
		ret->memory.self |=
			(o->role == ROLE_BASE || o->role == ROLE_ADDRESSES) &&
			o->tied_to != st->dst;
		ret->memory.all_zero |= is_index(o);
	}
}

static void describe_register(const struct assigner *a, size_t s, uint16_t reg,
			      bool base, struct assigned_memory *m)
{
	const struct form *f = places_step(a, s)->form;
	unsigned gpr = a->c->regs[reg].index, at = start(f);
	unsigned step = a->apart ? PLACES_REGION : layout_step(f);

	if (a->c->regs[reg].bank != BANK_GPR)
		return;
	if (!base) {
		m->zeros |= 1u << gpr;
		return;
	}
	if (a->has_own_base[s])
		at += (unsigned)places_region(a, s);
	m->pointers |= 1u << gpr;
	m->offset[gpr] = (uint16_t)at;
	for (size_t k = 0; k < a->bases[s].n; k++)
		if (a->bases[s].regs[k] == reg)
			m->offset[gpr] = (uint16_t)(at + k * step);
}

/* A base that the form does not name. */
static void describe_fixed(const struct assigner *a, size_t s,
			   struct assigned_memory *m)
{
	const struct form *f = places_step(a, s)->form;

	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (f->operands[i].role == ROLE_BASE)
			describe_register(a, s, f->operands[i].fixed_reg, true,
					  m);
}

/* What the prologue makes a vector of addresses of. */
static void describe_addresses(const struct assigner *a,
			       struct assigned_memory *m)
{
	unsigned gpr = a->c->isa->memory ? a->c->isa->memory->base : 0;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		if (form_part(places_step(a, s)->form, ROLE_ADDRESSES) < 0)
			continue;
		m->pointers |= 1u << gpr;
		m->offset[gpr] = PLACES_MIDDLE;
	}
}

void address_describe(const struct assigner *a, struct assigned *ret)
{
	memset(&ret->memory, 0, sizeof(ret->memory));
	describe_chain(a, ret);
	describe_addresses(a, &ret->memory);
	for (size_t op = 0; op < ret->period; op++)
		for (size_t s = 0; s < a->x->n_steps; s++) {
			const struct instance *in = &ret->instances[op][s];

			describe_fixed(a, s, &ret->memory);
			for (int i = 0; i < in->form->n_explicit; i++) {
				const struct operand *o =
					&in->form->operands[i];

				if (in->reg[i] != REG_NONE &&
				    (o->role == ROLE_BASE || is_index(o)))
					describe_register(a, s, in->reg[i],
							  o->role == ROLE_BASE,
							  &ret->memory);
			}
		}
}
