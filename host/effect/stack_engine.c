/* Stack engines: the renamer adds what pushes, pops, calls and returns add to
 * the stack pointer, so that none of them waits for the one before.  An
 * instruction that reads the register otherwise makes some cores insert a
 * micro-operation that brings it up to date.
 *
 * A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", on stack engines;
 * the micro-operation also in the program of A. Abel and J. Reineke, "uiCA",
 * 2022. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"
#include "host/predict/bind.h"

extern const struct effect effect_stack_engine;

/* ---- model --------------------------------------------------------------- */

struct stack_engine {
	bool present;
	/* The slots, and the cycles of latency, of what brings the register up
	 * to date. */
	double cost;
};

/* Below a cycle an instruction cannot have waited for the one before it: a
 * throughput that is no whole cycle, with the error of 5 % that facts allow. */
static const double below_a_cycle = 0.95;

enum seen { NOT_SEEN, SEEN_WITHOUT, SEEN_WITH };

/* What the measured forms that move the stack pointer show: one that is
 * executed more than once a cycle needs the engine. */
static enum seen seen_in(const struct completion *k)
{
	const struct isa_loop *rules = k->c->isa->loop;
	const struct model *m = k->given;
	enum seen ret = NOT_SEEN;
	size_t at = 0;

	for (size_t i = 0; rules->stack_move && i < m->n_forms; i++) {
		const struct model_form *x = &m->forms[i];
		const struct form *f = complete_next(k->c, &at, x->name);

		if (!f || form_family(f) != FAMILY_STACK ||
		    !x->throughput.has_value || rules->stack_move(f) == 0)
			continue;
		if (x->throughput.high < below_a_cycle)
			return SEEN_WITH;
		ret = SEEN_WITHOUT;
	}
	return ret;
}

static void complete(const struct completion *k, void *ret)
{
	const char *published = completed_fact(k, "stack_engine");
	enum seen seen = seen_in(k);
	struct stack_engine *x = ret;

	x->present = seen == SEEN_WITH || (seen == NOT_SEEN && published);
	if (x->present && published)
		x->cost = strtod(published, NULL);
}

/* ---- loops --------------------------------------------------------------- */

/* The loop's registers and costs that binding needs. */
struct stack {
	struct body *b;
	const struct stack_engine *engine;
	uint16_t unit; /* of the stack pointer */
	/* An addition to a register: its ports are those of what the tables
	 * have for the stack pointer, and of what brings it up to date. */
	size_t n_uses;
	const struct model_use *uses;
};

static int moves_by(const struct body *b, const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	return f ? b->program->c->isa->loop->stack_move(f) : 0;
}

/* Is it the implicit operand of an instruction that moves it? */
static bool is_implicit(const struct stack *s, const struct op *o,
			const struct reg_span *x)
{
	const struct operand *p = op_operand(o, x);

	return x->unit == s->unit && p && p->implicit;
}

static bool reads_it(const struct stack *s, const struct op *o)
{
	bool moves = moves_by(s->b, o) != 0;

	for (size_t r = 0; r < o->n_reads; r++)
		if (o->reads[r].unit == s->unit &&
		    !(moves && is_implicit(s, o, &o->reads[r])))
			return true;
	return false;
}

static bool writes_it(const struct stack *s, const struct op *o)
{
	for (size_t w = 0; w < o->n_writes; w++)
		if (o->writes[w].unit == s->unit)
			return true;
	return false;
}

static double *own_latencies(const struct body *b, struct op *o)
{
	size_t n = (o->n_reads + 2) * (o->n_writes + 1);
	double *ret = arena_copy(b->a, o->latency, n * sizeof(*ret));

	o->latency = ret;
	return ret;
}

/* What pops into the stack pointer, or moves to it, has another value for it. */
static bool writes_another(const struct stack *s, const struct op *o)
{
	for (size_t w = 0; w < o->n_writes; w++)
		for (size_t k = 0; k < o->n_writes; k++)
			if (is_implicit(s, o, &o->writes[w]) &&
			    !is_implicit(s, o, &o->writes[k]) &&
			    o->writes[k].unit == o->writes[w].unit)
				return true;
	return false;
}

/* The register is ready when its old value is, and nothing else matters.  It is
 * the address of what is pushed or popped. */
static void free_pointer(const struct stack *s, struct op *o)
{
	size_t columns = o->n_writes + 1;
	double *l;

	if (writes_another(s, o))
		return;
	l = own_latencies(s->b, o);
	for (size_t r = 0; r < o->n_reads; r++)
		o->reads[r].address |= is_implicit(s, o, &o->reads[r]);
	for (size_t w = 0; w < o->n_writes; w++)
		for (size_t r = 0; r < o->n_reads + 2; r++) {
			bool old = r < o->n_reads &&
				   is_implicit(s, o, &o->reads[r]);

			if (is_implicit(s, o, &o->writes[w]))
				l[r * columns + w] = old ? 0 : -1;
		}
}

/* Tables count the addition to the stack pointer as a uop. */
static void remove_addition(const struct stack *s, struct op *o)
{
	struct model_use *uses;
	size_t at = 0;

	if (s->n_uses != 1 || !op_has_llvm_ports(s->b, o))
		return;
	while (at < o->n_uses && o->uses[at].ports != s->uses->ports)
		at++;
	if (at == o->n_uses)
		return;
	uses = arena_copy(s->b->a, o->uses, o->n_uses * sizeof(*uses));
	uses[at].n_uops -= 1;
	if (uses[at].n_uops <= 0) {
		o->n_uses--;
		o->n_access -= at < o->n_access;
		memmove(&uses[at], &uses[at + 1],
			(o->n_uses - at) * sizeof(*uses));
	}
	o->uses = uses;
	o->slots = fmax(1, o->slots - 1);
	o->decoded = fmax(1, o->decoded - 1);
}

static bool has_return(const struct body *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->ops[i].insn->returns)
			return true;
	return false;
}

/* What the model has of the form alone, without what moves the register
 * back.  A call whose function is in the loop is measured with its return, which is
 * predicted; one alone is not. */
static void take_alone(struct body *b, struct op *o)
{
	const struct catalogue *c = b->program->c;
	const char *variant =
		o->insn->calls && has_return(b) ? "return" : "alone";
	const struct form *f = catalogue_form(
		c, arena_printf(b->a, "%s/%s", op_form(o)->name, variant));
	const struct completed_form *x =
		f ? completed_form(b->completion, f) : NULL;

	/* Tables have no times of their own for it. */
	if (!x || !x->own || completed_model(b->completion)->llvm)
		return;
	o->costs = x;
	o->form = &x->costs;
	bind_costs(b, o);
}

/* The instruction reads the register: its new value is needed first.  Its own
 * uops do not wait for the port of the update, which is charged to the
 * instruction that moved the register. */
static void add_update(const struct stack *s, struct op *mover,
		       struct op *reader)
{
	size_t columns = reader->n_writes + 1;
	struct model_use *uses = ARENA_ARRAY(s->b->a, struct model_use,
					     mover->n_uses + s->n_uses + 1);
	double *l = own_latencies(s->b, reader);

	for (size_t r = 0; r < reader->n_reads; r++)
		for (size_t w = 0; w < columns; w++)
			if (reader->reads[r].unit == s->unit &&
			    l[r * columns + w] >= 0)
				l[r * columns + w] += s->engine->cost;
	reader->slots += s->engine->cost;
	if (mover->n_uses > 0)
		memcpy(uses, mover->uses, mover->n_uses * sizeof(*uses));
	if (s->n_uses > 0)
		memcpy(uses + mover->n_uses, s->uses,
		       s->n_uses * sizeof(*uses));
	mover->n_uses += s->n_uses;
	mover->uses = uses;
}

/* Go through the loop twice, and change the costs the second time: what moved
 * the register in the iteration before is known then. */
static void add_updates(const struct stack *s)
{
	struct body *b = s->b;
	struct op *mover = NULL;

	for (size_t i = 0; i < 2 * b->n; i++) {
		struct op *o = &b->ops[i % b->n];

		if (mover && reads_it(s, o)) {
			if (i >= b->n && s->engine->cost > 0)
				add_update(s, mover, o);
			mover = NULL;
		}
		if (moves_by(b, o) != 0)
			mover = o;
		else if (writes_it(s, o))
			mover = NULL;
	}
}

static void bind(struct body *b)
{
	const struct isa_loop *rules = b->program->c->isa->loop;
	struct stack s = {
		.b = b,
		.engine =
			b->completion
				->effects[effect_number(&effect_stack_engine)],
	};
	const struct form *add;
	bool any = false;

	for (size_t i = 0; rules->stack_move && i < b->n; i++)
		any |= moves_by(b, &b->ops[i]) != 0;
	if (!any || !s.engine->present)
		return;
	s.unit = unit_of(BANK_GPR, (unsigned)rules->stack_gpr);
	add = catalogue_form(b->program->c, rules->addition);
	if (add) {
		const struct completed_form *x =
			completed_form(b->completion, add);

		s.uses = x->costs.uses;
		s.n_uses = x->costs.n_uses;
	}
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];

		if (moves_by(b, o) == 0)
			continue;
		take_alone(b, o);
		free_pointer(&s, o);
		remove_addition(&s, o);
	}
	add_updates(&s);
}

const struct effect effect_stack_engine = {
	.name = "stack_engine",
	.completed_bytes = sizeof(struct stack_engine),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
