/* Symbolic addresses of the loop's accesses.
 *
 * Each register holds a symbolic value plus a constant. The value is what some
 * register held at the start of the iteration, or a new one for the result of
 * an instruction. A register that ends the iteration with its own value plus a
 * constant is an induction variable with that stride. A value that another
 * register held one iteration earlier is replaced by that register's value. */
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/predict/bind.h"

#include <stdlib.h>
#include <string.h>

/* name: 0 none, a constant; 1 + unit: the register's value at the start of the
 * iteration; larger: the result of an instruction. */
struct place_value {
	uint32_t name;
	int64_t add;
};

struct tracker {
	struct body *b;
	struct place_value now[BODY_UNITS];
	uint32_t next;
	bool written[BODY_UNITS];
};

static bool unit_of_reg(const struct body *b, uint16_t number, uint16_t *ret)
{
	const struct reg *r = &b->program->c->regs[number];

	if (number == REG_NONE || r->bank == BANK_NONE ||
	    r->index >= BODY_BANK_UNITS)
		return false;
	*ret = unit_of(r->bank, r->index);
	return true;
}

static struct place_value places_value_of(const struct tracker *t,
					  uint16_t number)
{
	uint16_t unit;

	if (!unit_of_reg(t->b, number, &unit))
		return (struct place_value){ 0 };
	return t->now[unit];
}

/* ---- one iteration ----------------------------------------------------- */

/* Bytes by which an instruction moves the stack pointer; 0: it does not. */
static int stack_move(const struct body *b, const struct op *o)
{
	const struct isa_loop *rules = b->program->c->isa->loop;

	return rules->stack_move && o->insn->instance.form
		       ? rules->stack_move(o->insn->instance.form)
		       : 0;
}

static struct place_value *stack_pointer(struct tracker *t)
{
	int gpr = t->b->program->c->isa->loop->stack_gpr;

	return &t->now[unit_of(BANK_GPR, (unsigned)gpr)];
}

/* What it pushes goes below the top; what it pops is there. */
static void set_stack_place(struct tracker *t, struct op *o, int move)
{
	struct place_value top = *stack_pointer(t);

	o->place = (struct mem_place){
		.known = true,
		.base = top.name,
		.offset = (int64_t)((uint64_t)top.add +
				    (uint64_t)(int64_t)(move < 0 ? move : 0)),
		.bytes = (unsigned)abs(move),
		.symbol = "",
	};
}

static void set_place(struct tracker *t, struct op *o)
{
	const struct catalogue *c = t->b->program->c;
	const struct instance *i = &o->insn->instance;
	int move = stack_move(t->b, o);
	struct isa_address at;
	struct place_value base = { 0 }, index = { 0 };

	if (!i->form || (!o->load && !o->store))
		return;
	/* An instruction has one place: not one that pushes or pops memory. */
	if (move != 0 && o->load && o->store)
		return;
	if (!c->isa->loop->address(c, i, &at)) {
		if (move != 0)
			set_stack_place(t, o, move);
		return;
	}
	if (at.base >= 0)
		base = places_value_of(t, i->reg[at.base]);
	if (at.index >= 0)
		index = places_value_of(t, i->reg[at.index]);
	o->place = (struct mem_place){
		.known = true,
		.base = base.name,
		.index = index.name,
		.scale = index.name ? at.scale : 0,
		.offset = (int64_t)((uint64_t)base.add +
				    (uint64_t)index.add * (uint64_t)at.scale +
				    (uint64_t)at.displacement),
		.bytes = at.bytes,
		.symbol = o->insn->symbol,
	};
}

/* Does this zero idiom clear a whole general register? */
static bool clears_register(const struct body *b, const struct op *o,
			    uint16_t *ret)
{
	const struct catalogue *c = b->program->c;
	const struct instance *i = &o->insn->instance;
	const struct operand *x = &i->form->operands[0];

	return i->form->n_explicit > 0 && x->write &&
	       x->reg_class != CLASS_NONE &&
	       c->classes[x->reg_class].bank == BANK_GPR &&
	       c->classes[x->reg_class].bits >= c->isa->loop->merge_bits &&
	       unit_of_reg(b, i->reg[0], ret);
}

/* Does it pop into the stack pointer? */
static bool writes_explicitly(struct tracker *t, const struct op *o)
{
	for (size_t w = 0; w < o->n_writes; w++) {
		const struct operand *p = op_operand(o, &o->writes[w]);

		if (p && !p->implicit &&
		    &t->now[o->writes[w].unit] == stack_pointer(t))
			return true;
	}
	return false;
}

static void set_values(struct tracker *t, const struct op *o)
{
	const struct catalogue *c = t->b->program->c;
	const struct instance *i = &o->insn->instance;
	struct isa_step step = { 0 };
	struct place_value next = { 0 };
	bool known = i->form && c->isa->loop->step(c, i, &step);
	int move = stack_move(t->b, o);
	struct place_value top = { 0 };
	uint16_t unit;

	if (known && step.source != REG_NONE)
		next = places_value_of(t, step.source);
	next.add = (int64_t)((uint64_t)next.add + (uint64_t)step.add);
	if (move != 0)
		top = *stack_pointer(t);
	for (size_t w = 0; w < o->n_writes; w++) {
		const struct reg_span *x = &o->writes[w];

		for (unsigned k = 0; k < x->span; k++) {
			t->now[x->unit + k] =
				(struct place_value){ t->next++, 0 };
			t->written[x->unit + k] = true;
		}
	}
	if (known && unit_of_reg(t->b, i->reg[step.written], &unit))
		t->now[unit] = next;
	else if (o->is_zero_idiom && clears_register(t->b, o, &unit))
		t->now[unit] = (struct place_value){ 0 };
	if (move != 0 && !writes_explicitly(t, o)) {
		top.add =
			(int64_t)((uint64_t)top.add + (uint64_t)(int64_t)move);
		*stack_pointer(t) = top;
	}
}

/* ---- from one iteration to the next ------------------------------------ */

/* Stride of a symbolic value in bytes per iteration. False when it is no
 * induction variable. */
static bool step_of(const struct tracker *t, uint32_t name, int64_t *ret)
{
	const struct place_value *end;

	*ret = 0;
	if (name == 0)
		return true;
	if (name > BODY_UNITS)
		return false;
	end = &t->now[name - 1];
	*ret = end->name == name ? end->add : 0;
	return end->name == name;
}

/* If a register starts the iteration with what another register held one
 * iteration earlier plus a constant, express the value by that other
 * register. */
static void places_replace(const struct tracker *t, uint32_t *name,
			   int64_t *offset, int64_t scale)
{
	for (int depth = 0; depth < 8; depth++) {
		const struct place_value *end;
		int64_t step;

		if (*name == 0 || *name > BODY_UNITS)
			return;
		end = &t->now[*name - 1];
		if (end->name == *name || end->name == 0 ||
		    end->name > BODY_UNITS)
			return;
		if (!step_of(t, end->name, &step))
			step = 0;
		*offset = (int64_t)((uint64_t)*offset +
				    ((uint64_t)end->add - (uint64_t)step) *
					    (uint64_t)scale);
		*name = end->name;
	}
}

static void places_finish(const struct tracker *t, struct mem_place *p)
{
	int64_t base, index;

	if (!p->known)
		return;
	places_replace(t, &p->base, &p->offset, 1);
	places_replace(t, &p->index, &p->offset, p->scale);
	p->known = step_of(t, p->base, &base) && step_of(t, p->index, &index);
	p->fleeting = !p->known;
	if (p->known)
		p->step = (int64_t)((uint64_t)base +
				    (uint64_t)index * (uint64_t)p->scale);
}

void bind_places(struct body *b)
{
	struct tracker t = { .b = b, .next = BODY_UNITS + 1 };

	for (uint32_t u = 0; u < BODY_UNITS; u++)
		t.now[u] = (struct place_value){ 1 + u, 0 };
	for (size_t i = 0; i < b->n; i++) {
		set_place(&t, &b->ops[i]);
		set_values(&t, &b->ops[i]);
	}
	for (size_t i = 0; i < b->n; i++)
		places_finish(&t, &b->ops[i].place);
}

/* ---- stores that loads read -------------------------------------------- */

/* Bytes from a load to a store whose addresses differ by a constant; false: they
 * do not, or by too many. */
static bool bytes_between(const struct mem_place *store,
			  const struct mem_place *load, int64_t *ret)
{
	return store->base == load->base && store->index == load->index &&
	       store->scale == load->scale && store->step == load->step &&
	       strcmp(store->symbol, load->symbol) == 0 &&
	       !__builtin_sub_overflow(store->offset, load->offset, ret) &&
	       *ret != INT64_MIN;
}

/* Number of iterations after which a load reads what a store wrote. False when
 * it never does. */
static bool places_meet(const struct mem_place *store,
			const struct mem_place *load, bool store_first,
			uint32_t *ret_distance)
{
	/* Iterations; no core keeps stores in flight for longer. */
	enum { MAX_DISTANCE = 256 };
	int64_t delta, distance = 0;

	if (store->fleeting && load->fleeting ? !store_first
					      : !store->known || !load->known)
		return false;
	if (!bytes_between(store, load, &delta))
		return false;
	if (store->step != 0) {
		/* The load reads the stored bytes, or a part of them, where
		 * load.offset + distance * step == store.offset. */
		distance = delta / store->step;
		delta -= distance * store->step;
	}
	if (delta > 0 || -delta >= (int64_t)(store->bytes ? store->bytes : 1))
		return false;
	if (store->step == 0 && !store_first)
		distance = 1;
	if (distance < 0 || distance > MAX_DISTANCE ||
	    (distance == 0 && !store_first))
		return false;
	*ret_distance = (uint32_t)distance;
	return true;
}

bool place_store_of(const struct body *b, uint32_t to, uint32_t *ret_from,
		    uint32_t *ret_distance)
{
	uint32_t nearest = UINT32_MAX;

	for (uint32_t k = 1; b->stores && k <= b->n; k++) {
		uint32_t i = (uint32_t)((to + b->n - k) % b->n);
		uint32_t distance;

		if (!b->ops[i].store ||
		    !places_meet(&b->ops[i].place, &b->ops[to].place, i < to,
				 &distance))
			continue;
		if (distance < nearest) {
			nearest = distance;
			*ret_from = i;
		}
	}
	*ret_distance = nearest;
	return nearest != UINT32_MAX;
}

/* How a store of the same iteration, or of the one before, meets a load. */
enum meeting { MEETS_NOTHING, MEETS_A_PART, MEETS_ALL };

static enum meeting meeting_of(const struct mem_place *store,
			       const struct mem_place *load, uint32_t distance)
{
	int64_t delta, moved;

	if (!store->known || !load->known || store->bytes == 0 ||
	    load->bytes == 0 || !bytes_between(store, load, &delta) ||
	    __builtin_mul_overflow((int64_t)distance, store->step, &moved) ||
	    __builtin_sub_overflow(delta, moved, &delta) || delta == INT64_MIN)
		return MEETS_NOTHING;
	if (delta >= (int64_t)load->bytes || -delta >= (int64_t)store->bytes)
		return MEETS_NOTHING;
	return delta <= 0 && delta + (int64_t)store->bytes >=
				       (int64_t)load->bytes
		       ? MEETS_ALL
		       : MEETS_A_PART;
}

bool place_blocks(const struct body *b, uint32_t to, uint32_t *ret_from,
		  uint32_t *ret_distance)
{
	for (uint32_t k = 1; k <= b->n; k++) {
		uint32_t i = (uint32_t)((to + b->n - k) % b->n);
		enum meeting m;

		if (!b->ops[i].store)
			continue;
		*ret_from = i;
		*ret_distance = i >= to;
		m = meeting_of(&b->ops[i].place, &b->ops[to].place,
			       *ret_distance);
		if (m != MEETS_NOTHING)
			return m == MEETS_A_PART;
	}
	return false;
}
