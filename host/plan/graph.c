/* Finds latency cycles through register banks and single flags, the ends of
 * bridges; see graph.h. */
#include "host/plan/graph.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/carrier.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/memory.h"

enum {
	MAX_BRIDGES = 64,
	GRAPH_MAX_STEPS = 4, /* MAX_PARTS of host/solve/graph.c */
};

/* A bridge as a step, and the ends it connects. */
struct bridge {
	struct experiment_step step;
	uint16_t from, to;
};

static uint8_t bank_of(const struct catalogue *c, const struct operand *o)
{
	if (o->kind != OPERAND_REG)
		return BANK_NONE;
	return o->fixed_reg != REG_NONE ? c->regs[o->fixed_reg].bank
					: c->classes[o->reg_class].bank;
}

static bool is_bank(uint8_t bank)
{
	return bank != BANK_NONE && bank != BANK_STATE && bank != BANK_X87;
}

/* A bank, or one of the flags. */
static uint16_t end_of(const struct catalogue *c, const struct operand *o)
{
	enum { FIRST_FLAG = BANK_N };
	int flag = o->flag ? catalogue_flag(c, o->fixed_reg) : -1;

	return flag < 0 ? bank_of(c, o) : (uint16_t)(FIRST_FLAG + flag);
}

static bool listed(const struct bridge *list, size_t n, uint16_t from,
		   uint16_t to)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].from == from && list[i].to == to)
			return true;
	return false;
}

/* The pairs of a form that connect two ends not yet connected by a bridge. */
static size_t add_crossings(const struct catalogue *c, const struct form *f,
			    struct bridge list[MAX_BRIDGES], size_t n)
{
	for (int s = 0; s < f->n_operands; s++)
		for (int d = 0; d < f->n_operands; d++) {
			const struct operand *o = &f->operands[s];
			const struct operand *p = &f->operands[d];
			uint16_t from = end_of(c, o), to = end_of(c, p);

			/* A flag that is set to a constant passes nothing
			 * on. */
			if (!o->read || !p->write || from == to ||
			    !is_bank(bank_of(c, o)) ||
			    !is_bank(bank_of(c, p)) || n == MAX_BRIDGES ||
			    listed(list, n, from, to) || p->constant)
				continue;
			list[n++] = (struct bridge){
				.step = { .form = f,
					  .src = (int16_t)s,
					  .dst = (int16_t)d,
					  .count = 1 },
				.from = from,
				.to = to,
			};
		}
	return n;
}

/* The name of a bridge; NULL: it is for other forms than `head`. */
static const char *bridge_for(const char *entry, const struct form *head)
{
	const char *colon = strchr(entry, ':');
	char pattern[ISA_NAME_ROOM];

	if (!colon)
		return entry;
	(void)snprintf(pattern, sizeof(pattern), "%.*s", (int)(colon - entry),
		       entry);
	return name_matches(pattern, head->name) ? colon + 1 : NULL;
}

/* List the bridges that can be in one kernel with `head`.  Of several with the
 * same ends only the first. */
static size_t find_bridges(const struct catalogue *c, const struct form *head,
			   struct bridge list[MAX_BRIDGES])
{
	size_t n = 0;

	for (const char *const *at = c->isa->bridges; at && *at; at++) {
		const char *name = bridge_for(*at, head);
		const struct form *f = name ? catalogue_form(c, name) : NULL;

		if (f && f->status == FORM_MEASURABLE &&
		    !(c->isa->clash && c->isa->clash(c, head, f)))
			n = add_crossings(c, f, list, n);
	}
	return n;
}

static void append(struct experiment *x, const struct bridge *b)
{
	x->steps[x->n_steps++] = b->step;
}

/* The shortest path from one end to another: one bridge, or two. */
static bool lead_back(const struct catalogue *c, uint16_t from, uint16_t to,
		      struct experiment *x)
{
	struct bridge list[MAX_BRIDGES];
	size_t n = find_bridges(c, x->steps[0].form, list);

	for (size_t i = 0; i < n; i++)
		if (list[i].from == from && list[i].to == to) {
			append(x, &list[i]);
			return true;
		}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (list[i].from == from && list[k].to == to &&
			    list[i].to == list[k].from) {
				append(x, &list[i]);
				append(x, &list[k]);
				return true;
			}
	return false;
}

static bool is_fixed_at(const struct catalogue *c, const struct operand *o,
			const struct reg *r)
{
	return o->fixed_reg != REG_NONE &&
	       reg_overlap(&c->regs[o->fixed_reg], r);
}

static bool writes_flag(const struct form *f, uint16_t flag)
{
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (f->operands[i].fixed_reg == flag)
			return f->operands[i].write && !f->operands[i].keeps;
	return false;
}

/* A latency cycle that starts from a flag: the bridge before the form
 * writes this flag and all flags that the form passes on, and none of the
 * others that it reads. */
static bool starts_alone(const struct experiment *x)
{
	const struct form *head = x->steps[0].form;
	const struct form *last = x->steps[x->n_steps - 1].form;

	for (int i = head->n_explicit; i < head->n_operands; i++) {
		const struct operand *o = &head->operands[i];
		bool rewritten = o->flag && writes_flag(last, o->fixed_reg);

		if (o->flag && o->read && i != x->steps[0].src &&
		    (rewritten || o->write))
			return false;
	}
	return true;
}

/* The dependencies that helpers must cut; false if a helper would also cut the
 * latency cycle.  A flag that is the form's result has been read when the
 * helper runs; the bridge before writes the flag that the cycle starts from. */
static bool add_cuts(const struct catalogue *c, const struct experiment *x,
		     struct pair *ret)
{
	const struct experiment_step *head = &x->steps[0];
	const struct operand *s = &head->form->operands[head->src];
	const struct operand *d = &head->form->operands[head->dst];
	uint16_t carried[PAIR_MAX_CUTS];
	size_t n = form_carried(c, head->form, NULL, carried, PAIR_MAX_CUTS);

	*ret = (struct pair){ .src = head->src, .dst = head->dst };
	if (n > PAIR_MAX_CUTS || (s->flag && !starts_alone(x)))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct reg *r = &c->regs[carried[i]];

		if (r->bank == BANK_FLAGS && s->flag)
			continue;
		if (r->bank != BANK_FLAGS &&
		    (is_fixed_at(c, s, r) || is_fixed_at(c, d, r)))
			return false;
		ret->cuts[ret->n_cuts++] = r->bank;
	}
	return true;
}

/* A write to a part of a register that may be slow to merge with the rest. */
static bool is_high_byte(const struct catalogue *c, const struct operand *o)
{
	if (o->fixed_reg != REG_NONE)
		return c->regs[o->fixed_reg].high_byte;
	return c->regs[c->classes[o->reg_class].regs[0]].high_byte;
}

static bool parse_steps(const struct catalogue *c, const char *steps,
			struct experiment *ret)
{
	struct err ignored = { .code = ERR_OK };
	char label[PACK_MAX_LABEL];

	(void)snprintf(label, sizeof(label), "latency:%s", steps);
	if (experiment_parse(c, label, ret, &ignored) != ERR_OK)
		return false;
	for (size_t i = 0; i < ret->n_steps; i++)
		if (ret->steps[i].form->status != FORM_MEASURABLE)
			return false;
	return true;
}

bool graph_carrier(const struct catalogue *c, const struct isa_carrier *k,
		   struct experiment *ret)
{
	return parse_steps(c, k->steps, ret);
}

static bool append_steps(const struct catalogue *c, const char *steps,
			 struct experiment *x)
{
	struct experiment more;

	if (!parse_steps(c, steps, &more))
		return false;
	for (size_t i = 0; i < more.n_steps; i++)
		x->steps[x->n_steps++] = more.steps[i];
	return true;
}

static uint16_t source_class(const struct experiment *carrier)
{
	const struct experiment_step *s = &carrier->steps[0];

	return s->form->operands[s->src].reg_class;
}

/* Is the starting value of the chain's source as wide as the factor? */
static bool fits_value(const struct catalogue *c, const struct experiment *x,
		       const struct isa_carrier *k)
{
	const struct experiment_step *first = &x->steps[0];
	uint8_t value[VALUE_BYTES];
	uint64_t number = 1;

	if (k->factor == 0)
		return true;
	if (c->isa->operand_value(first->form, first->src,
				  (enum reg_bank)k->bank, value))
		memcpy(&number, value, sizeof(number));
	if (c->isa->vary)
		(void)c->isa->vary(first->form, first->src, 0, &number);
	return carrier_is_wide(number) == carrier_is_wide(k->factor);
}

/* The path back within a bank: the carrier of the result's class, or the
 * first. */
static bool carry_back(const struct catalogue *c, const struct operand *from,
		       struct experiment *x)
{
	const struct isa_carrier *k = c->isa->carriers;
	uint8_t bank = bank_of(c, from);
	struct experiment back = { .n_steps = 0 }, one;

	for (; k && k->bank != BANK_NONE; k++) {
		if (k->bank != bank || !graph_carrier(c, k, &one) ||
		    !fits_value(c, x, k))
			continue;
		if (back.n_steps == 0 || source_class(&one) == from->reg_class)
			back = one;
		if (source_class(&one) == from->reg_class)
			break;
	}
	for (size_t i = 0; i < back.n_steps; i++)
		x->steps[x->n_steps++] = back.steps[i];
	return back.n_steps > 0;
}

/* Dependencies through registers that carriers do not overwrite. */
static bool add_carried_cuts(const struct catalogue *c,
			     const struct experiment *x, struct pair *ret)
{
	uint16_t cuts[PAIR_MAX_CUTS];

	*ret = (struct pair){ .src = x->steps[0].src, .dst = x->steps[0].dst };
	ret->n_cuts = experiment_cuts(c, x, cuts, PAIR_MAX_CUTS);
	if (ret->n_cuts > PAIR_MAX_CUTS)
		return false;
	for (size_t i = 0; i < ret->n_cuts; i++)
		ret->cuts[i] = c->regs[cuts[i]].bank;
	return true;
}

const char *graph_chain(const struct catalogue *c, const struct form *form,
			int src, int dst, struct experiment *ret,
			struct pair *ret_cuts)
{
	static const char nothing[] = "nothing leads back to the source";
	const struct operand *s = &form->operands[src];
	const struct operand *d = &form->operands[dst];
	struct experiment x = experiment_of(EXPERIMENT_LATENCY, form, src, dst);
	bool same = end_of(c, s) == end_of(c, d);
	struct pair cuts;

	if (!is_bank(bank_of(c, s)) || !is_bank(bank_of(c, d)))
		return nothing;
	if (same && (is_high_byte(c, s) || is_high_byte(c, d)))
		return "a high byte joins the rest of its register on the way";
	if (same && (!carry_back(c, d, &x) || !add_carried_cuts(c, &x, &cuts)))
		return nothing;
	if (!same && (!lead_back(c, end_of(c, d), end_of(c, s), &x) ||
		      !add_cuts(c, &x, &cuts)))
		return nothing;
	*ret = x;
	*ret_cuts = cuts;
	return NULL;
}

/* The step from a load's result to a general register, if it is not the first
 * of the bridges. */
static bool lead_by_table(const struct catalogue *c, const struct form *load,
			  uint16_t from, struct experiment *x)
{
	const struct isa_return *way = c->isa->memory->ways;

	for (; way && way->load; way++) {
		const struct form *f = catalogue_form(c, way->back);
		struct bridge list[MAX_BRIDGES];
		size_t n = 0;

		if (name_matches(way->load, load->name) && f &&
		    f->status == FORM_MEASURABLE)
			n = add_crossings(c, f, list, 0);
		for (size_t i = 0; i < n; i++)
			if (list[i].from == from && list[i].to == BANK_GPR) {
				append(x, &list[i]);
				return true;
			}
	}
	return false;
}

static bool lead_to_gpr(const struct catalogue *c, const struct form *form,
			int dst, struct experiment *x)
{
	uint16_t from = end_of(c, &form->operands[dst]);

	return from == BANK_GPR || lead_by_table(c, form, from, x) ||
	       lead_back(c, from, BANK_GPR, x);
}

const char *graph_address(const struct catalogue *c, const struct form *form,
			  int src, int dst, struct experiment *ret,
			  struct pair *ret_cuts)
{
	const struct isa_memory *m = c->isa->memory;
	const struct operand *d = &form->operands[dst];
	struct experiment x = experiment_of(EXPERIMENT_LATENCY, form, src, dst);
	struct pair cuts;

	if (is_high_byte(c, d))
		return "a high byte joins the rest of its register on the way";
	if (!is_bank(bank_of(c, d)) || !m || !m->close ||
	    !lead_to_gpr(c, form, dst, &x) || !append_steps(c, m->close, &x) ||
	    x.n_steps > GRAPH_MAX_STEPS || !add_carried_cuts(c, &x, &cuts))
		return "nothing leads from the result to an address";
	*ret = x;
	*ret_cuts = cuts;
	return NULL;
}

static bool is_locked(const struct catalogue *c, const struct form *f)
{
	const struct isa_memory *m = c->isa->memory;

	for (const char *const *p = m ? m->locked : NULL; p && *p; p++)
		if (name_matches(*p, f->name))
			return true;
	return false;
}

/* Repeat a step as often as a label has room. */
static bool insert_steps(const struct catalogue *c, const struct experiment *x,
			 size_t at, const struct experiment_step *step,
			 struct experiment *ret)
{
	char label[PACK_MAX_LABEL];
	struct err ignored = { .code = ERR_OK };

	for (size_t n = EXPERIMENT_MAX_STEPS - x->n_steps; n > 0; n--) {
		*ret = *x;
		for (size_t i = x->n_steps; i-- > at;)
			ret->steps[i + n] = x->steps[i];
		for (size_t i = 0; i < n; i++)
			ret->steps[at + i] = *step;
		ret->n_steps += n;
		if (experiment_label(c, ret, label, &ignored) == ERR_OK)
			return true;
	}
	return false;
}

bool graph_lengthen(const struct catalogue *c, const struct experiment *x,
		    struct experiment *ret)
{
	enum { CLOSING = 2 };
	size_t n = experiment_measured(x);
	size_t at = experiment_is_closed(c, x) ? n - CLOSING : n;
	const struct experiment_step *before = &x->steps[at - 1];
	struct experiment delay;

	return is_locked(c, x->steps[0].form) && !experiment_is_carried(c, x) &&
	       bank_of(c, &before->form->operands[before->dst]) == BANK_GPR &&
	       parse_steps(c, c->isa->memory->delay, &delay) &&
	       insert_steps(c, x, at, &delay.steps[0], ret);
}
