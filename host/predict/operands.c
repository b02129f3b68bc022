/* What each instruction reads and writes. */
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/mc.h"
#include "host/predict/bind.h"

static void add_span(struct reg_span *list, size_t *n, struct reg_span x)
{
	if (*n < BODY_MAX_SPANS)
		list[(*n)++] = x;
}

/* Index of the operand that stands for this flag. A condition code may read
 * other flags than the form lists; then any flag operand, or n_explicit. */
static uint8_t flag_operand(const struct body *b, const struct form *f,
			    unsigned flag, bool written)
{
	uint8_t any = f->n_explicit;

	for (uint8_t k = f->n_operands; k-- > f->n_explicit;) {
		const struct operand *p = &f->operands[k];

		if (!p->flag || !(p->keeps || (written ? p->write : p->read)))
			continue;
		any = k;
		if (catalogue_flag(b->program->c, p->fixed_reg) == (int)flag)
			return k;
	}
	return any;
}

/* Does an instruction that preserves flags wait for their old values? One
 * measured flag decides for all of them. */
static bool merges_flags(const struct op *o)
{
	static const double waits = 0.5;
	const struct form *f = o->insn->instance.form;

	for (size_t i = 0; o->form && i < o->form->n_latencies; i++) {
		const struct model_latency *l = &o->form->latencies[i];

		if (l->source >= 0 && l->source == l->destination &&
		    l->source < f->n_operands && f->operands[l->source].keeps &&
		    !f->operands[l->source].read)
			return l->cycles.has_value && l->cycles.low > waits;
	}
	return false;
}

static void add_flags(const struct body *b, struct op *o)
{
	const struct instance *i = &o->insn->instance;
	struct flag_sets s = instance_flags(b->program->c, i);

	if (merges_flags(o)) {
		s.reads |= s.keeps;
		s.writes |= s.keeps;
	}

	for (unsigned flag = 0; (s.reads | s.writes | s.clears) >> flag != 0;
	     flag++) {
		struct reg_span x = { .unit = unit_of(BANK_FLAGS, flag),
				      .span = 1 };

		if (s.reads >> flag & 1) {
			x.operand = flag_operand(b, i->form, flag, false);
			add_span(o->reads, &o->n_reads, x);
		}
		if ((s.writes | s.clears) >> flag & 1) {
			x.operand = flag_operand(b, i->form, flag, true);
			add_span(o->writes, &o->n_writes, x);
		}
	}
}

/* Does a write preserve some bits of the register's old value? */
static bool keeps_bits(const struct body *b, const struct operand *o)
{
	const struct catalogue *c = b->program->c;
	unsigned least = c->isa->loop->merge_bits;

	return least != 0 && o->reg_class != CLASS_NONE && !o->implicit &&
	       c->classes[o->reg_class].bank == BANK_GPR &&
	       c->classes[o->reg_class].bits < least;
}

/* Is the register also read, as another operand tied to this one? */
static bool is_tied(const struct form *f, unsigned k)
{
	for (unsigned i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to == (int)k)
			return true;
	return false;
}

static void add_operand(const struct body *b, struct op *o, unsigned k)
{
	const struct catalogue *c = b->program->c;
	const struct operand *p = &o->insn->instance.form->operands[k];
	uint16_t number = p->implicit ? p->fixed_reg : o->insn->instance.reg[k];
	const struct reg *r = &c->regs[number];
	struct reg_span x = {
		.unit = unit_of(r->bank, r->index),
		.span = r->span,
		.operand = (uint8_t)k,
		.address = p->kind == OPERAND_MEM || p->role != ROLE_NONE,
	};

	if (number == REG_NONE || r->bank == BANK_NONE ||
	    r->bank == BANK_STATE || r->index + r->span > BODY_BANK_UNITS)
		return;
	if (r->bank == BANK_X87 && c->isa->loop->stack)
		return;
	if (r->bank == BANK_GPR && r->index == c->isa->loop->zero_gpr)
		return;
	if (p->flag)
		return;
	if (p->read || (p->write && keeps_bits(b, p) &&
			!is_tied(o->insn->instance.form, k)))
		add_span(o->reads, &o->n_reads, x);
	if (p->write)
		add_span(o->writes, &o->n_writes, x);
}

/* Entries of a stack keep their places while its top moves. A loop leaves the
 * top where it was. */
static void add_stack(struct body *b, struct op *o)
{
	enum { ENTRIES = 8 };
	const struct isa_loop *rules = b->program->c->isa->loop;
	struct isa_stack s;

	if (!rules->stack ||
	    !rules->stack(b->program->c, &o->insn->instance, &s))
		return;
	for (uint8_t i = 0; i < s.n; i++) {
		unsigned at = b->stack_top + (unsigned)s.uses[i].entry;
		struct reg_span x = {
			.unit = unit_of(BANK_X87, at % ENTRIES),
			.span = 1,
			.operand = s.uses[i].operand,
		};

		if (s.uses[i].read)
			add_span(o->reads, &o->n_reads, x);
		if (s.uses[i].write)
			add_span(o->writes, &o->n_writes, x);
	}
	b->stack_top += (unsigned)s.pops;
	if (s.form) {
		o->costs = completed_form(b->completion, s.form);
		o->form = &o->costs->costs;
		o->operands = o->costs->form;
	}
}

void bind_operands(struct body *b, struct op *o)
{
	const struct form *f = o->insn->instance.form;

	if (!f)
		return;
	for (unsigned k = 0; k < f->n_operands; k++)
		add_operand(b, o, k);
	add_flags(b, o);
	add_stack(b, o);
	o->load = f->access ? f->access & ACCESS_LOAD : f->flags & MC_MAY_LOAD;
	o->store =
		f->access ? f->access & ACCESS_STORE : f->flags & MC_MAY_STORE;
	o->is_zero_idiom = op_is_zero_idiom(b, o);
	if (o->is_zero_idiom)
		o->n_reads = 0;
	b->stores |= o->store;
}
