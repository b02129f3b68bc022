/* Binding a loop to a model. */
#include "host/predict/body.h"

#include <math.h>
#include <string.h>

#include "host/isa/match.h"
#include "host/isa/mc.h"

/* ---- effects ----------------------------------------------------------- */

static void add_effect(struct effect *list, size_t *n, struct effect x)
{
	if (*n < BODY_MAX_EFFECTS)
		list[(*n)++] = x;
}

/* The operand that a flag is; a condition may read others than the form's. */
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

/* Does an instruction that keeps flags wait for them?  What was measured of one
 * of them holds for all. */
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

	for (unsigned flag = 0; flag < 8; flag++) {
		struct effect x = { .unit = unit_of(BANK_FLAGS, flag),
				    .span = 1 };

		x.operand = flag_operand(b, i->form, flag, false);
		if (s.reads >> flag & 1)
			add_effect(o->reads, &o->n_reads, x);
		x.operand = flag_operand(b, i->form, flag, true);
		if ((s.writes | s.clears) >> flag & 1)
			add_effect(o->writes, &o->n_writes, x);
	}
}

/* Does a result leave bits of its register as they were? */
static bool keeps_bits(const struct body *b, const struct operand *o)
{
	const struct catalogue *c = b->program->c;
	unsigned least = c->isa->loop->merge_bits;

	return least != 0 && o->reg_class != CLASS_NONE && !o->implicit &&
	       c->classes[o->reg_class].bank == BANK_GPR &&
	       c->classes[o->reg_class].bits < least;
}

static void add_operand(const struct body *b, struct op *o, unsigned k)
{
	const struct catalogue *c = b->program->c;
	const struct operand *p = &o->insn->instance.form->operands[k];
	uint16_t number = p->implicit ? p->fixed_reg : o->insn->instance.reg[k];
	const struct reg *r = &c->regs[number];
	struct effect x = {
		.unit = unit_of(r->bank, r->index),
		.span = r->span,
		.operand = (uint8_t)k,
		.address = p->kind == OPERAND_MEM || p->role != ROLE_NONE,
	};

	if (number == REG_NONE || r->bank == BANK_NONE ||
	    r->bank == BANK_STATE || r->index + r->span > BODY_BANK_UNITS)
		return;
	if (r->bank == BANK_GPR && r->index == c->isa->loop->zero_gpr)
		return;
	if (p->flag)
		return;
	if (p->read || (p->write && keeps_bits(b, p)))
		add_effect(o->reads, &o->n_reads, x);
	if (p->write)
		add_effect(o->writes, &o->n_writes, x);
}

/* Are all registers it reads explicitly the same, and two at least? */
static bool one_source(const struct instance *i)
{
	uint16_t reg = REG_NONE;
	unsigned n = 0;

	for (unsigned k = 0; k < i->form->n_explicit; k++) {
		const struct operand *p = &i->form->operands[k];

		if (!p->read || p->kind != OPERAND_REG || i->reg[k] == REG_NONE)
			continue;
		if (n > 0 && i->reg[k] != reg)
			return false;
		reg = i->reg[k];
		n++;
	}
	return n > 1;
}

static bool is_zero_idiom(const struct body *b, const struct op *o)
{
	const char *const *at = b->program->c->isa->loop->zero_idioms;
	const struct form *f = o->insn->instance.form;

	if (!one_source(&o->insn->instance))
		return false;
	if (o->form && o->form->zero_idiom)
		return true;
	for (; at && *at; at++)
		if (name_matches(*at, f->name))
			return true;
	return false;
}

static void find_effects(struct body *b, struct op *o)
{
	const struct form *f = o->insn->instance.form;

	if (!f)
		return;
	for (unsigned k = 0; k < f->n_operands; k++)
		add_operand(b, o, k);
	add_flags(b, o);
	o->load = f->access ? f->access & ACCESS_LOAD : f->flags & MC_MAY_LOAD;
	o->store =
		f->access ? f->access & ACCESS_STORE : f->flags & MC_MAY_STORE;
	o->no_wait = is_zero_idiom(b, o);
	if (o->no_wait)
		o->n_reads = 0;
}

/* ---- costs ------------------------------------------------------------- */

/* Measured ones lie beside whole cycles. */
static double middle(struct model_span s)
{
	double x = (s.low + s.high) / 2, whole = round(x);

	return fabs(x - whole) < 0.1 ? whole : x;
}

static double longest_known(const struct model_form *f)
{
	double longest = -1;

	for (size_t i = 0; i < f->n_latencies; i++)
		if (f->latencies[i].cycles.has_value)
			longest = fmax(longest, middle(f->latencies[i].cycles));
	return longest;
}

static void assume(struct op *o, const char *what)
{
	if (!o->assumed)
		o->assumed = what;
}

static bool is_flag(const struct op *o, int operand)
{
	const struct form *f = o->insn->instance.form;

	return f && operand >= 0 && operand < f->n_operands &&
	       f->operands[operand].flag;
}

/* A flag without a latency of its own takes as long as the slowest of those
 * beside it. */
static struct model_span beside_flag(const struct op *o, int source,
				     int destination)
{
	struct model_span most = { 0 };

	for (size_t i = 0; i < o->form->n_latencies; i++) {
		const struct model_latency *l = &o->form->latencies[i];
		bool from = l->source == source ||
			    (is_flag(o, source) && is_flag(o, l->source));
		bool to =
			l->destination == destination ||
			(is_flag(o, destination) && is_flag(o, l->destination));

		if (from && to && l->cycles.has_value &&
		    (!most.has_value || l->cycles.high > most.high))
			most = l->cycles;
	}
	return most;
}

/* Cycles from operand to operand; one where nobody knows. */
static double latency_of(struct op *o, int source, int destination)
{
	struct model_span s = { 0 };
	double longest;

	if (o->eliminated || o->no_wait)
		return 0;
	if (!o->form)
		return 1;
	s = model_latency(o->form, source, destination);
	if (!s.has_value)
		s = beside_flag(o, source, destination);
	if (s.has_value)
		return middle(s);
	longest = longest_known(o->form);
	if (longest >= 0) {
		assume(o, "latency of a pair of operands that is not in the "
			  "model: the form's longest");
		return longest;
	}
	longest = o->kin ? longest_known(o->kin) : -1;
	if (longest >= 0) {
		assume(o, "what the model has of another form of the mnemonic");
		return longest;
	}
	assume(o, "latency: 1 cycle, the model has none");
	return 1;
}

static const struct effect *address_read(const struct op *o)
{
	for (size_t i = 0; i < o->n_reads; i++)
		if (o->reads[i].address)
			return &o->reads[i];
	return NULL;
}

/* From loaded data to a result: what the address costs, for forwarded data
 * come no sooner. */
static double load_latency(struct op *o, int destination)
{
	enum { ASSUMED_LOAD = 4 };
	const struct effect *base = address_read(o);
	int source = base ? base->operand : MODEL_ANY;

	if (!o->form) {
		assume(o, "loaded data: after 4 cycles");
		return ASSUMED_LOAD;
	}
	return latency_of(o, source, destination);
}

/* A result that stands for what a read-modify-write form computes. */
static int any_result(const struct op *o)
{
	return o->n_writes > 0 ? o->writes[0].operand : MODEL_ANY;
}

/* A base that is written back. */
static bool is_write_back(const struct op *o, size_t write)
{
	const struct form *f = o->insn->instance.form;
	int base = form_part(f, ROLE_BASE);

	return base >= 0 &&
	       f->operands[base].tied_to == o->writes[write].operand;
}

/* It waits for the address alone, unless the model says otherwise of this
 * very pair. */
static bool depends(const struct op *o, size_t read, size_t write)
{
	if (!is_write_back(o, write) || o->reads[read].address)
		return true;
	for (size_t i = 0; o->form && i < o->form->n_latencies; i++)
		if (o->form->latencies[i].source == o->reads[read].operand &&
		    o->form->latencies[i].destination ==
			    o->writes[write].operand)
			return true;
	return false;
}

static double between(struct op *o, size_t read, size_t write)
{
	if (!depends(o, read, write))
		return -1;
	return latency_of(o, o->reads[read].operand, o->writes[write].operand);
}

static void fill_latencies(struct body *b, struct op *o)
{
	size_t columns = o->n_writes + 1;
	double *l = ARENA_ARRAY(b->a, double, (o->n_reads + 2) * columns);
	double *alone = l + (o->n_reads + 1) * columns;

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < o->n_writes; w++)
			l[r * columns + w] = between(o, r, w);
	for (size_t w = 0; o->n_reads == 0 && w < o->n_writes; w++)
		alone[w] = latency_of(o, MODEL_ANY, o->writes[w].operand);
	for (size_t w = 0; o->load && w < o->n_writes; w++)
		l[o->n_reads * columns + w] =
			is_write_back(o, w)
				? -1
				: load_latency(o, o->writes[w].operand);
	/* A plain store adds nothing to what forwarding costs. */
	for (size_t r = 0; o->load && o->store && r < o->n_reads; r++)
		l[r * columns + o->n_writes] =
			latency_of(o, o->reads[r].operand, any_result(o));
	if (o->load && o->store)
		l[o->n_reads * columns + o->n_writes] =
			load_latency(o, any_result(o));
	if (o->store && o->form) {
		struct model_span s =
			model_latency(o->form, MODEL_ANY, MODEL_ANY);

		o->store_end = s.has_value ? middle(s) : 0;
	}
	o->latency = l;
}

static bool is_branch(const struct op *o)
{
	return o->insn->instance.form &&
	       (o->insn->instance.form->flags & MC_CONTROL_FLOW);
}

bool body_ports_can_be(const struct model_form *f)
{
	enum { PERCENT = 10 };

	return !f->throughput.has_value ||
	       model_port_bound(f->uses, f->n_uses, NULL) <=
		       f->throughput.high * (100 + PERCENT) / 100;
}

static void price(struct body *b, struct op *o)
{
	const struct model_form *f = o->form;
	const struct model_form *indexed = body_indexed(b, o);

	o->slots = 1;
	if (!f) {
		if (!o->insn->instance.form)
			assume(o, "not known to the catalogue: one uop that "
				  "needs no port and nothing waits for");
		else if (!is_branch(o))
			assume(o, "not in the model: one uop that needs no "
				  "port, latency 1 cycle");
	} else {
		o->eliminated = f->eliminated;
		o->has_ports = f->has_ports && body_ports_can_be(f);
		if (f->has_ports && !o->has_ports)
			assume(o, "ports: none, those of the model contradict "
				  "its throughput");
		o->n_uses = o->has_ports ? f->n_uses : 0;
		o->uses = f->uses;
		if (f->slots.has_value)
			o->slots = middle(f->slots);
		else if (o->has_ports && f->n_uses > 1 && !o->load && !o->store)
			o->slots = (double)f->n_uses;
		if (!f->has_ports && !f->throughput.has_value &&
		    !f->eliminated && !is_branch(o))
			assume(o, "ports: none, the model has none");
	}
	if (indexed) {
		o->slots = fmax(o->slots, indexed->slots.low);
		o->room = indexed->room;
	}
	if (o->no_wait && f && f->zero_idiom)
		o->n_uses = 0;
	fill_latencies(b, o);
}

/* The pair goes where the second does. */
static void fuse(struct body *b)
{
	const struct isa_loop *rules = b->program->c->isa->loop;

	for (size_t i = 1; rules->fuses && i < b->n; i++) {
		struct op *first = &b->ops[i - 1], *second = &b->ops[i];

		if (!first->insn->instance.form ||
		    !second->insn->instance.form ||
		    !rules->fuses(&first->insn->instance,
				  &second->insn->instance))
			continue;
		second->fused = true;
		second->slots = 0;
		if (second->n_uses == 0)
			continue;
		/* A memory operand keeps its load. */
		if (!first->load)
			first->n_uses = 0;
	}
}

/* Tables that know no variants know the opcode. */
static const struct model_form *find_form(const struct model *m,
					  const struct form *f)
{
	const struct model_form *found = model_find(m, f->name);
	size_t n = strcspn(f->name, "/");
	char name[ISA_NAME_ROOM];

	if (found || f->name[n] == '\0' || n >= sizeof(name))
		return found;
	memcpy(name, f->name, n);
	name[n] = '\0';
	return model_find(m, name);
}

static bool is_whole(const struct model_form *f)
{
	return f->n_latencies > 0 && (f->has_ports || f->throughput.has_value);
}

/* Names of kin stand beside each other: VADDPDYrm, VADDPDYrr.  With the same
 * access to memory, or with any. */
static const struct model_form *kin_beside(const struct body *b,
					   const struct form *f, bool any)
{
	enum { FAR = 12 };
	const struct catalogue *c = b->program->c;
	ptrdiff_t at = f - c->forms;

	for (ptrdiff_t d = 1; d <= FAR; d++)
		for (ptrdiff_t side = -1; side <= 1; side += 2) {
			ptrdiff_t k = at + side * d;
			const struct model_form *x;

			if (k < 0 || k >= (ptrdiff_t)c->n_forms ||
			    strcmp(c->forms[k].mnemonic, f->mnemonic) != 0 ||
			    (!any && c->forms[k].access != f->access))
				continue;
			x = model_find(b->model, c->forms[k].name);
			if (x && is_whole(x))
				return x;
		}
	return NULL;
}

static const struct model_form *find_kin(const struct body *b,
					 const struct form *f)
{
	const struct model_form *like = kin_beside(b, f, false);

	return like ? like : kin_beside(b, f, true);
}

int body_bind(struct arena *a, const struct program *p, const struct loop *loop,
	      const struct model *m, struct body *ret, struct err *e)
{
	struct body b = { .a = a, .program = p, .model = m, .loop = loop };

	b.n = loop->last - loop->first + 1;
	if (b.n > BODY_MAX_OPS)
		return err_set(e, ERR_INPUT,
			       "loop: at most %d instructions expected, it has "
			       "%zu",
			       BODY_MAX_OPS, b.n);
	b.ops = ARENA_ARRAY(a, struct op, b.n);
	for (size_t i = 0; i < b.n; i++) {
		struct op *o = &b.ops[i];

		o->insn = &p->insns[loop->first + i];
		if (o->insn->instance.form)
			o->form = find_form(m, o->insn->instance.form);
		if (o->form && !o->form->eliminated && !is_whole(o->form))
			o->kin = find_kin(&b, o->insn->instance.form);
		find_effects(&b, o);
		price(&b, o);
	}
	body_find_places(&b);
	body_pool(&b);
	fuse(&b);
	*ret = b;
	return ERR_OK;
}
