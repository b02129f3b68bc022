/* Addresses of memory operands.
 *
 *	base	points to the middle of the memory and is never written, but
 *		by forms that write it back, where it rotates as a pool
 *	index	0, and only where the form has no address without one or the
 *		measured operand is the index
 *	vector	of addresses: the prologue makes it of the base
 *
 * Instances go through consecutive places of the first cache, aligned to what
 * they access, through displacements, or through several bases where a form
 * that reads and writes has no displacement.  Other forms without one go to
 * one place, each of a mix with stores to another, and so do chains through
 * addresses or memory.
 *
 * Forms that straddle a line follow each other from line to line; those that
 * straddle a page cross the only page boundary there is, all of them. */
#include "host/gen/assigner.h"

#include <string.h>

#include "host/isa/straddle.h"

enum {
	MIDDLE = 2048, /* of the memory a kernel has */
	/* Banks of the first cache are passed by turns: on Golden Cove three
	 * loads start in a cycle when they follow each other in memory, two
	 * when they go to one word. */
	PLACES = 16,
	/* A sum in memory takes up to twelve cycles until it can be added to
	 * again; 24 places hide that at two in a cycle. */
	MODIFY_PLACES = 24,
	BASE_STEP = 16, /* the widest atomic */
	REGION = 256,   /* of each form of a mix; eight lie above the middle */
};

static const struct experiment_step *step_at(const struct assigner *a, size_t s)
{
	return &a->x->steps[s];
}

static bool is_modify(const struct form *f)
{
	return f->access == (ACCESS_LOAD | ACCESS_STORE);
}

static unsigned boundary(const struct form *f)
{
	return f->variant ? f->variant->boundary : 0;
}

/* Where the base of a form's accesses points. */
static uint16_t start(const struct form *f)
{
	unsigned at = MIDDLE;

	if (boundary(f))
		at = (MIDDLE / boundary(f) + 1) * boundary(f) -
		     f->variant->head;
	return (uint16_t)at;
}

/* From one place to the next. */
static int64_t stride(const struct form *f)
{
	return boundary(f) ? (int64_t)boundary(f) : f->access_bytes;
}

static bool has_displacement(const struct form *f)
{
	return form_part(f, ROLE_DISPLACEMENT) >= 0;
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
	const struct form *f = step_at(a, s)->form;

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
	const struct form *f = step_at(a, s)->form;

	return start(f) == start(first)
		       ? ERR_OK
		       : err_set(a->e, ERR_INPUT,
				 "%s: accesses other places than %s", f->name,
				 first->name);
}

int address_reserve(struct assigner *a)
{
	const struct form *first = NULL;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct form *f = step_at(a, s)->form;
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
static void add_bases(struct assigner *a, size_t s)
{
	const struct form *f = step_at(a, s)->form;
	int base = form_part(f, ROLE_BASE);
	const struct reg_class *cls =
		&a->c->classes[f->operands[base].reg_class];
	struct rotation *bases = &a->bases[s];

	for (uint32_t k = cls->n_regs; k-- > 0 && bases->n < MAX_BASES;) {
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
	const struct experiment_step *st = step_at(a, s);

	return form_family(st->form) == FAMILY_INDEX ||
	       (st->src >= 0 &&
		st->form->operands[st->src].role == ROLE_OPTIONAL_INDEX);
}

/* The zero index of a step, if it needs one. */
static int index_of(const struct assigner *a, size_t s)
{
	const struct form *f = step_at(a, s)->form;

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
		    step_at(a, s)->form->access & ACCESS_STORE)
			return true;
	return false;
}

/* A form of a mix that cannot reach a region of its own by a number gets a base
 * of its own, as long as there are registers: what one form stores is not for
 * another one to load. */
static void own_base(struct assigner *a, size_t s)
{
	const struct form *f = step_at(a, s)->form;
	const struct reg_class *cls;
	bool shared = false;

	for (size_t t = 0; t < s; t++)
		shared |= a->bases[t].n > 0 && a->bases[s].n > 0 &&
			  a->bases[t].regs[0] == a->bases[s].regs[0];
	if (a->x->kind != EXPERIMENT_MIX || !shared || !has_store(a) ||
	    has_displacement(f) || boundary(f))
		return;
	cls = &a->c->classes[f->operands[form_part(f, ROLE_BASE)].reg_class];
	for (uint32_t k = cls->n_regs; k-- > 0;) {
		const struct reg *r = &a->c->regs[cls->regs[k]];

		if (r->span != 1 || r->bank != BANK_GPR ||
		    !assign_is_free(a, r))
			continue;
		assign_take(a, r);
		a->bases[s].regs[0] = cls->regs[k];
		a->has_own_base[s] = true;
		return;
	}
}

static int choose_index(struct assigner *a, size_t s, int i)
{
	const struct operand *o = &step_at(a, s)->form->operands[i];

	a->constants[s][i] = assign_pick(a, o->reg_class);
	return a->constants[s][i] == REG_NONE ? assign_no_register(a, s, i)
					      : ERR_OK;
}

int address_choose(struct assigner *a)
{
	int ret = ERR_OK;

	for (size_t s = 0; s < a->x->n_steps && ret == ERR_OK; s++) {
		const struct form *f = step_at(a, s)->form;
		int index = index_of(a, s);

		if (index >= 0)
			ret = choose_index(a, s, index);
		own_base(a, s);
		if (is_modify(f) && a->bases[s].n > 0 && !has_displacement(f))
			add_bases(a, s);
	}
	return ret;
}

uint16_t address_reg(const struct assigner *a, size_t s, int i, size_t op)
{
	const struct operand *o = &step_at(a, s)->form->operands[i];

	if (o->role == ROLE_BASE && a->bases[s].n > 0)
		return a->bases[s].regs[op % a->bases[s].n];
	return is_constant(o) ? a->constants[s][i] : REG_NONE;
}

/* Do the instances of this step go from place to place?  Not where a chain
 * runs through the address or through memory. */
static bool moves_on(const struct assigner *a, size_t s)
{
	const struct experiment_step *st = step_at(a, s);

	for (size_t k = 0; k < a->x->n_steps; k++)
		if (k != s && a->bases[k].n > 0 && a->x->kind != EXPERIMENT_MIX)
			return false;
	return !st->helper && a->bases[s].n > 0 && has_displacement(st->form) &&
	       (st->src < 0 || st->form->operands[st->src].role == ROLE_NONE);
}

/* In a mix no more than its region holds: a vector of 64 bytes has four. */
static size_t n_places(const struct assigner *a, const struct form *f)
{
	size_t n = is_modify(f) ? MODIFY_PLACES : PLACES;
	int64_t most = stride(f) > 0 ? REGION / stride(f) : 0;

	if (boundary(f) == STRADDLE_PAGE)
		return 1;
	if (a->x->kind == EXPERIMENT_MIX && most > 0 && (size_t)most < n)
		n = (size_t)most;
	return n;
}

/* Forms of a mix keep apart, so that none loads what another stores, as far as
 * their numbers reach. */
static int64_t region(const struct assigner *a, size_t s,
		      const struct operand *o)
{
	const struct form *f = step_at(a, s)->form;
	int64_t bytes = stride(f) * (int64_t)n_places(a, f);
	int64_t first = (int64_t)s * REGION;

	if (a->x->kind != EXPERIMENT_MIX || bytes > REGION)
		return 0;
	if (o->imm_max > o->imm_min && o->imm + first + bytes > o->imm_max)
		return 0;
	return first;
}

int64_t address_imm(const struct assigner *a, size_t s, int i, size_t op)
{
	const struct form *f = step_at(a, s)->form;
	const struct operand *o = &f->operands[i];

	if (o->role != ROLE_DISPLACEMENT || !moves_on(a, s))
		return o->imm;
	return o->imm + region(a, s, o) +
	       stride(f) * (int64_t)(op % n_places(a, f));
}

size_t address_period(const struct assigner *a)
{
	size_t period = 1;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		size_t n = moves_on(a, s) ? n_places(a, step_at(a, s)->form)
					  : a->bases[s].n;

		if (n > period)
			period = n;
	}
	return period;
}

static size_t n_measured(const struct assigner *a)
{
	size_t n = 0;

	for (size_t s = 0; s < a->x->n_steps; s++)
		n += !step_at(a, s)->helper;
	return n;
}

/* Several steps hand a loaded zero round: the one before the load adds the
 * base to it. */
static void describe_sum(const struct assigner *a, size_t s,
			 const struct form *load, struct assigned_memory *m)
{
	const struct form *f = step_at(a, s)->form;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct reg *r = &a->c->regs[a->constants[s][i]];

		if (f->operands[i].kind != OPERAND_REG || r->bank != BANK_GPR)
			continue;
		m->pointers |= 1u << r->index;
		m->offset[r->index] = start(load);
	}
}

/* The chain's source decides what the memory holds. */
static void describe_chain(const struct assigner *a, struct assigned *ret)
{
	bool one = n_measured(a) == 1;

	for (size_t s = 0; s < a->x->n_steps; s++) {
		const struct experiment_step *st = step_at(a, s);
		const struct operand *o;

		if (st->helper || st->src < 0)
			continue;
		o = &st->form->operands[st->src];
		if (o->role == ROLE_BASE && !one) {
			ret->memory.all_zero = true;
			describe_sum(a, s ? s - 1 : a->x->n_steps - 1, st->form,
				     &ret->memory);
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
	unsigned gpr = a->c->regs[reg].index;
	unsigned at = start(step_at(a, s)->form);

	if (a->c->regs[reg].bank != BANK_GPR)
		return;
	if (!base) {
		m->zeros |= 1u << gpr;
		return;
	}
	if (a->has_own_base[s])
		at += (unsigned)s * REGION;
	m->pointers |= 1u << gpr;
	m->offset[gpr] = (uint16_t)at;
	for (size_t k = 0; k < a->bases[s].n; k++)
		if (a->bases[s].regs[k] == reg)
			m->offset[gpr] = (uint16_t)(at + k * BASE_STEP);
}

/* A base that the form does not name. */
static void describe_fixed(const struct assigner *a, size_t s,
			   struct assigned_memory *m)
{
	const struct form *f = step_at(a, s)->form;

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
		if (form_part(step_at(a, s)->form, ROLE_ADDRESSES) < 0)
			continue;
		m->pointers |= 1u << gpr;
		m->offset[gpr] = MIDDLE;
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
