/* Bind a loop to a model. */
#include "host/predict/body.h"

#include <math.h>
#include <string.h>

#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/mc.h"

/* ---- effects ----------------------------------------------------------- */

static void add_effect(struct reg_effect *list, size_t *n, struct reg_effect x)
{
	if (*n < BODY_MAX_EFFECTS)
		list[(*n)++] = x;
}

/* Index of the operand that stands for this flag. A condition code may read
 * other flags than the form lists; then any flag operand, or n_explicit. */
static uint8_t body_flag_operand(const struct body *b, const struct form *f,
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

static void body_add_flags(const struct body *b, struct op *o)
{
	const struct instance *i = &o->insn->instance;
	struct flag_sets s = instance_flags(b->program->c, i);

	if (merges_flags(o)) {
		s.reads |= s.keeps;
		s.writes |= s.keeps;
	}

	for (unsigned flag = 0; (s.reads | s.writes | s.clears) >> flag != 0;
	     flag++) {
		struct reg_effect x = { .unit = unit_of(BANK_FLAGS, flag),
					.span = 1 };

		if (s.reads >> flag & 1) {
			x.operand = body_flag_operand(b, i->form, flag, false);
			add_effect(o->reads, &o->n_reads, x);
		}
		if ((s.writes | s.clears) >> flag & 1) {
			x.operand = body_flag_operand(b, i->form, flag, true);
			add_effect(o->writes, &o->n_writes, x);
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

static void body_add_operand(const struct body *b, struct op *o, unsigned k)
{
	const struct catalogue *c = b->program->c;
	const struct operand *p = &o->insn->instance.form->operands[k];
	uint16_t number = p->implicit ? p->fixed_reg : o->insn->instance.reg[k];
	const struct reg *r = &c->regs[number];
	struct reg_effect x = {
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
		add_effect(o->reads, &o->n_reads, x);
	if (p->write)
		add_effect(o->writes, &o->n_writes, x);
}

/* Entries of a stack keep their places while its top moves. A loop leaves the
 * top where it was. */
static void body_add_stack(struct body *b, struct op *o)
{
	enum { ENTRIES = 8 };
	const struct isa_loop *rules = b->program->c->isa->loop;
	struct isa_stack s;

	if (!rules->stack ||
	    !rules->stack(b->program->c, &o->insn->instance, &s))
		return;
	for (uint8_t i = 0; i < s.n; i++) {
		unsigned at = b->stack_top + (unsigned)s.uses[i].entry;
		struct reg_effect x = {
			.unit = unit_of(BANK_X87, at % ENTRIES),
			.span = 1,
			.operand = s.uses[i].operand,
		};

		if (s.uses[i].read)
			add_effect(o->reads, &o->n_reads, x);
		if (s.uses[i].write)
			add_effect(o->writes, &o->n_writes, x);
	}
	b->stack_top += (unsigned)s.pops;
	if (s.form) {
		o->costs = completed_form(b->completion, s.form);
		o->form = &o->costs->costs;
	}
}

static void find_effects(struct body *b, struct op *o)
{
	const struct form *f = o->insn->instance.form;

	if (!f)
		return;
	for (unsigned k = 0; k < f->n_operands; k++)
		body_add_operand(b, o, k);
	body_add_flags(b, o);
	body_add_stack(b, o);
	o->load = f->access ? f->access & ACCESS_LOAD : f->flags & MC_MAY_LOAD;
	o->store =
		f->access ? f->access & ACCESS_STORE : f->flags & MC_MAY_STORE;
	o->is_zero_idiom = body_is_zero_idiom(b, o);
	if (o->is_zero_idiom)
		o->n_reads = 0;
}

/* ---- operands ---------------------------------------------------------- */

const struct operand *op_operand(const struct op *o, const struct reg_effect *x)
{
	const struct form *f = op_form(o);

	return f && x->operand < f->n_operands ? &f->operands[x->operand]
					       : NULL;
}

/* Without a default, so that the compiler refuses a bank without a name. */
static const char *bank_name(enum reg_bank bank)
{
	switch (bank) {
	case BANK_NONE:
		return "a register";
	case BANK_GPR:
		return "a general register";
	case BANK_VECTOR:
		return "a vector register";
	case BANK_FP:
		return "a floating-point register";
	case BANK_MASK:
		return "a mask register";
	case BANK_FLAGS:
		return "the flags";
	case BANK_X87:
		return "the x87 stack";
	case BANK_STATE:
		return "a control register";
	}
	return "a register";
}

const char *op_read_name(const struct body *b, const struct op *o,
			 uint32_t read)
{
	const struct reg_effect *x = &o->reads[read];
	const struct operand *p;
	uint16_t number = REG_NONE;

	if (read == op_memory_read(o))
		return "memory";
	p = op_operand(o, x);
	if (p)
		number = p->implicit ? p->fixed_reg
				     : o->insn->instance.reg[x->operand];
	return number != REG_NONE
		       ? b->program->c->regs[number].name
		       : bank_name((enum reg_bank)(x->unit / BODY_BANK_UNITS));
}

/* ---- costs ------------------------------------------------------------- */

static bool body_is_branch(const struct op *o)
{
	return o->insn->instance.form &&
	       (o->insn->instance.form->flags & MC_CONTROL_FLOW);
}

static bool body_needs_ports(const struct op *o)
{
	return !o->eliminated && !o->is_zero_idiom && !body_is_branch(o);
}

/* What the layers below the tables mean for the user. */
static void body_say_assumed(struct op *o)
{
	if (!o->insn->instance.form)
		body_assume(o, "not known to the catalogue: one uop that needs "
			       "no port and nothing waits for");
	else if (o->eliminated || o->is_zero_idiom)
		return;
	else if (o->origin[COST_LATENCY].origin == ORIGIN_ASSUMED &&
		 o->origin[COST_THROUGHPUT].origin == ORIGIN_ASSUMED) {
		if (!body_is_branch(o))
			body_assume(o,
				    "not in the model: one uop that needs no "
				    "port, latency 1 cycle");
	} else if (o->costs->own_contradicted)
		body_assume(o, "ports: none, those of the model contradict its "
			       "throughput");
	else if (body_needs_ports(o) && !o->form->has_ports &&
		 o->origin[COST_PORTS].origin != ORIGIN_MODEL &&
		 !o->form->throughput.has_value)
		body_assume(o, "ports: none, the model has none");
	else if (o->origin[COST_LATENCY].origin == ORIGIN_ASSUMED)
		body_assume(o,
			    o->costs->own
				    ? "latency of a pair of operands that is "
				      "not in the model: as from others"
				    : "latency: 1 cycle, the model has none");
}

/* The only whole number of slots that the span allows; 0: none or several. */
static double only_whole(const struct model_span *s)
{
	/* Chosen: measured slots may be off by 1 %. */
	static const double off = 0.01;
	double least = ceil(s->low * (1 - off)),
	       most = floor(s->high * (1 + off));

	return least == most ? least : 0;
}

/* Uses of ports; those of units are limits of the form's rate. */
static size_t uses_of_ports(const struct model *m, const struct model_form *f)
{
	model_ports ports = 0;
	size_t ret = 0;

	for (size_t p = 0; p < m->n_ports; p++)
		if (!m->ports[p].pseudo)
			ports |= (model_ports)1 << p;
	for (size_t u = 0; u < f->n_uses; u++)
		ret += (f->uses[u].ports & ports) != 0;
	return ret;
}

/* Slots of the front end: the only whole number in the measured interval.  If it has
 * none and is narrow, its middle.  Else one, or for a computation in registers whose own
 * ports were measured one for each set of ports that it uses, within the interval. */
static double body_slots(const struct body *b, const struct op *o,
			 const struct model_form *f)
{
	static const double one_number = 0.5;
	const struct model_span *s = &f->slots;
	double slots = 1, whole = s->has_value ? only_whole(s) : 0;

	if (whole > 0)
		return whole;
	if (s->has_value && s->high - s->low < one_number)
		return model_cycles(*s);
	if (!o->load && !o->store &&
	    o->origin[COST_PORTS].origin == ORIGIN_MODEL)
		slots = fmax(1, (double)uses_of_ports(b->model, f));
	if (s->has_value)
		slots = fmin(fmax(slots, s->low), s->high);
	return slots;
}

static void body_price(struct body *b, struct op *o)
{
	const struct model_form *indexed = NULL;

	o->slots = 1;
	if (o->form) {
		const struct completed_form *p = body_port_costs(b, o);

		o->same = body_same_latencies(b, o);
		memcpy(o->origin, o->costs->origin, sizeof(o->origin));
		o->origin[COST_PORTS] = p->origin[COST_PORTS];
		o->eliminated = o->form->eliminated;
		o->n_uses = p->costs.n_uses;
		o->uses = p->costs.uses;
		o->n_access = p->n_access;
		o->slots = body_slots(b, o, &p->costs);
		if (op_has_index(o))
			indexed = o->costs->indexed;
	}
	if (indexed) {
		o->slots = fmax(o->slots, indexed->slots.low);
		o->room = indexed->room;
		o->before = indexed->before;
	}
	if (body_idiom_is_free(b, o)) {
		o->n_uses = 0;
		o->n_access = 0;
	}
	body_fill_latencies(b, o);
	body_say_assumed(o);
}

/* Are these the ports of a pool? */
static bool body_is_pool(const struct body *b, const struct model_use *use)
{
	return b->n_ports < MODEL_MAX_PORTS && use->ports >> b->n_ports != 0;
}

/* Give up the ports of the first instruction of a fused pair, and the pools that
 * the second uses as well. Other pools stay: the second does not say what units
 * the pair shares with forms without ports. */
static void body_give_up_ports(struct body *b, struct op *first,
			       const struct op *second)
{
	struct model_use *kept =
		ARENA_ARRAY(b->a, struct model_use, first->n_uses + 1);
	model_ports taken = 0;
	size_t n = 0;

	for (size_t u = 0; u < second->n_uses; u++)
		taken |= second->uses[u].ports;
	for (size_t u = 0; u < first->n_uses; u++)
		if (body_is_pool(b, &first->uses[u]) &&
		    (first->uses[u].ports & taken) == 0)
			kept[n++] = first->uses[u];
	first->uses = kept;
	first->n_uses = n;
}

/* Does the instruction begin a line of code?  Only linked code has known
 * addresses. */
static bool begins_line(const struct body *b, const struct op *o)
{
	return b->program->placed && o->insn->address % PROGRAM_LINE == 0;
}

/* Macro-fusion: the second instruction of a pair keeps its ports, and the first
 * gives its own up.  A branch that begins a line does not fuse: Intel 64
 * Optimization Reference Manual, 3.4.2.2; assumed for others, which keep decoded
 * instructions by lines, too. */
static void body_fuse(struct body *b)
{
	const struct isa_loop *rules = b->program->c->isa->loop;

	for (size_t i = 1; rules->fuses && i < b->n; i++) {
		struct op *first = &b->ops[i - 1], *second = &b->ops[i];

		if (!first->insn->instance.form ||
		    !second->insn->instance.form || begins_line(b, second) ||
		    !rules->fuses(&first->insn->instance,
				  &second->insn->instance))
			continue;
		second->fused = true;
		second->slots = 0;
		if (second->n_uses == 0)
			continue;
		/* A load in the first instruction still needs its ports. */
		if (!first->load)
			body_give_up_ports(b, first, second);
	}
}

int body_bind(struct arena *a, const struct program *p, const struct loop *loop,
	      struct completion *k, bool worst, struct body *ret, struct err *e)
{
	struct body b = { .a = a,
			  .program = p,
			  .completion = k,
			  .model = completed_model(k),
			  .loop = loop };

	b.n = loop->last - loop->first + 1;
	if (b.n > BODY_MAX_OPS)
		return err_set(e, ERR_INPUT,
			       "loop: it has more than %d instructions: %zu",
			       BODY_MAX_OPS, b.n);
	b.ops = ARENA_ARRAY(a, struct op, b.n);
	for (size_t i = 0; i < b.n; i++) {
		struct op *o = &b.ops[i];

		o->insn = &p->insns[loop->first + i];
		if (o->insn->instance.form) {
			o->costs = body_costs(&b, &o->insn->instance);
			o->form = &o->costs->costs;
		}
		find_effects(&b, o);
		b.stores |= o->store;
		body_price(&b, o);
	}
	body_find_places(&b);
	body_close_ports(&b);
	body_pool(&b);
	body_cross_lines(&b, worst);
	body_remove_ports(&b);
	body_fuse(&b);
	*ret = b;
	return ERR_OK;
}
