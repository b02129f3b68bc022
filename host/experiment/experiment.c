/* Labels of experiments: written and read back here and nowhere else. */
#include "host/experiment/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/experiment/label.h"
#include "host/isa/carrier.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"

enum { MAX_COUNT = 1000, NAME_ROOM = 64 };

void operand_name(const struct catalogue *c, const struct form *form,
		  int operand, char *name, size_t room)
{
	const struct operand *o = &form->operands[operand];

	if (o->implicit && o->fixed_reg != REG_NONE)
		(void)snprintf(name, room, "%s", c->regs[o->fixed_reg].name);
	else
		(void)snprintf(name, room, "%d", operand);
}

const char *operand_access_word(const struct operand *o)
{
	if (o->read)
		return o->write ? "r/w" : "read";
	return o->write ? "write" : "";
}

const char *operand_kind_word(const struct catalogue *c,
			      const struct operand *o)
{
	if (o->implicit)
		return "implicit";
	if (o->kind == OPERAND_OTHER)
		return "left out";
	if (o->reg_class < c->n_classes)
		return c->classes[o->reg_class].name;
	return o->kind == OPERAND_IMM   ? "number"
	       : o->kind == OPERAND_MEM ? "part of the address"
					: "";
}

bool reg_overlap(const struct reg *a, const struct reg *b)
{
	return a->bank == b->bank && a->index < b->index + b->span &&
	       b->index < a->index + a->span;
}

/* Does an operand that is fixed to an overlapping register read it? */
static bool reads_fixed(const struct catalogue *c, const struct form *form,
			const struct reg *r)
{
	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];

		if (o->kind == OPERAND_REG && o->read &&
		    o->fixed_reg != REG_NONE &&
		    reg_overlap(&c->regs[o->fixed_reg], r))
			return true;
	}
	return false;
}

/* Is an overlapping register in the list?  One helper cuts all flags, so flags
 * count as one register. */
static bool is_listed(const struct catalogue *c, const uint16_t *regs, size_t n,
		      const struct reg *r)
{
	for (size_t i = 0; i < n; i++)
		if (reg_overlap(&c->regs[regs[i]], r) ||
		    (r->bank == BANK_FLAGS &&
		     c->regs[regs[i]].bank == BANK_FLAGS))
			return true;
	return false;
}

size_t form_carried(const struct catalogue *c, const struct form *form,
		    const struct reg *keep, uint16_t *regs, size_t room)
{
	size_t n = 0;

	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];
		const struct reg *r = &c->regs[o->fixed_reg];

		if (o->kind != OPERAND_REG || !o->write ||
		    o->fixed_reg == REG_NONE || r->bank == BANK_NONE ||
		    r->bank == BANK_STATE || (keep && reg_overlap(r, keep)) ||
		    !reads_fixed(c, form, r) || is_listed(c, regs, n, r))
			continue;
		if (n == room)
			return room + 1;
		regs[n++] = o->fixed_reg;
	}
	return n;
}

static bool is_flags(const struct catalogue *c, const struct form *form,
		     int operand)
{
	return operand >= 0 &&
	       c->regs[form->operands[operand].fixed_reg].bank == BANK_FLAGS;
}

bool experiment_chains_flags(const struct catalogue *c,
			     const struct experiment *x)
{
	for (size_t i = 0; i < x->n_steps; i++)
		if (!x->steps[i].helper &&
		    (is_flags(c, x->steps[i].form, x->steps[i].src) ||
		     is_flags(c, x->steps[i].form, x->steps[i].dst)))
			return true;
	return false;
}

/* Append to a label; false when it does not fit. */
static bool append_text(char label[PACK_MAX_LABEL], const char *part)
{
	size_t at = strlen(label);
	size_t n = strlen(part);

	if (n >= PACK_MAX_LABEL - at)
		return false;
	memcpy(label + at, part, n + 1);
	return true;
}

static bool append_step(const struct catalogue *c,
			const struct experiment_step *s,
			char label[PACK_MAX_LABEL])
{
	char text[NAME_ROOM * 2 + 2];
	char src[NAME_ROOM], dst[NAME_ROOM];
	bool fits = true;

	if (s->helper)
		fits = append_text(label, "~");
	if (s->count > 1) {
		(void)snprintf(text, sizeof(text), "%ux", s->count);
		fits = fits && append_text(label, text);
	}
	fits = fits && append_text(label, s->form->name);
	if (s->src >= 0 && s->dst >= 0) {
		operand_name(c, s->form, s->src, src, sizeof(src));
		operand_name(c, s->form, s->dst, dst, sizeof(dst));
		(void)snprintf(text, sizeof(text), "@%s>%s", src, dst);
		fits = fits && append_text(label, text);
	}
	return fits;
}

int experiment_label(const struct catalogue *c, const struct experiment *x,
		     char label[PACK_MAX_LABEL], struct err *e)
{
	bool fits;

	label[0] = '\0';
	fits = append_text(label, experiment_kind_word(x->kind)) &&
	       append_text(label, ":");
	for (size_t i = 0; i < x->n_steps && fits; i++)
		fits = (i == 0 || append_text(label, "+")) &&
		       (!x->steps[i].broken || append_text(label, "!")) &&
		       append_step(c, &x->steps[i], label);
	if (!fits)
		return err_set(e, ERR_INPUT,
			       "label '%s...' is longer than %d characters",
			       label, PACK_MAX_LABEL - 1);
	return ERR_OK;
}

size_t experiment_measured(const struct experiment *x)
{
	size_t n = 0;

	while (n < x->n_steps && !x->steps[n].helper)
		n++;
	return n;
}

/* The measured steps from number `first` on, as they stand in a label. */
static bool write_steps(const struct catalogue *c, const struct experiment *x,
			size_t first, char ret[PACK_MAX_LABEL])
{
	size_t n = experiment_measured(x);

	ret[0] = '\0';
	if (n <= first ||
	    (x->kind != EXPERIMENT_LATENCY && x->kind != EXPERIMENT_CONTROL))
		return false;
	for (size_t i = first; i < n; i++)
		if ((i > first && !append_text(ret, "+")) ||
		    !append_step(c, &x->steps[i], ret))
			return false;
	return true;
}

const struct isa_carrier *experiment_carrier(const struct catalogue *c,
					     const struct experiment *x)
{
	const struct isa_carrier *list = c->isa->carriers;
	char steps[PACK_MAX_LABEL];

	if (!write_steps(c, x, 1, steps))
		return NULL;
	for (; list && list->bank != BANK_NONE; list++)
		if (strcmp(list->steps, steps) == 0)
			return list;
	return NULL;
}

bool experiment_is_carried(const struct catalogue *c,
			   const struct experiment *x)
{
	return experiment_carrier(c, x) != NULL;
}

bool experiment_is_closed(const struct catalogue *c, const struct experiment *x)
{
	enum { STEPS = 2 };
	const struct isa_memory *m = c->isa->memory;
	size_t n = experiment_measured(x);
	char steps[PACK_MAX_LABEL];

	return m && m->close && n > STEPS &&
	       write_steps(c, x, n - STEPS, steps) &&
	       strcmp(steps, m->close) == 0;
}

/* The register that the chain goes through because an operand must be it:
 * whatever else the form does with it is part of the chain, or overwritten
 * before the next instance. */
static uint16_t kept_register(const struct catalogue *c,
			      const struct experiment *x)
{
	const struct experiment_step *first = &x->steps[0];
	const struct experiment_step *next =
		&x->steps[experiment_measured(x) > 1];
	uint16_t fixed = REG_NONE;

	if (experiment_is_carried(c, x) || experiment_is_closed(c, x))
		return first->form->operands[first->src].fixed_reg;
	if (!experiment_is_chain(x))
		return REG_NONE;
	if (first->dst >= 0)
		fixed = first->form->operands[first->dst].fixed_reg;
	if (fixed == REG_NONE && next->src >= 0)
		fixed = next->form->operands[next->src].fixed_reg;
	return fixed;
}

size_t experiment_cuts(const struct catalogue *c, const struct experiment *x,
		       uint16_t *regs, size_t room)
{
	uint16_t keep = kept_register(c, x);

	return form_carried(c, x->steps[0].form,
			    keep == REG_NONE ? NULL : &c->regs[keep], regs,
			    room);
}

/* Is the operand one of the flags that `name` denotes? */
static bool is_flag_of(const struct catalogue *c, const struct operand *o,
		       const char *name, bool source)
{
	return c->isa->flags && strcmp(name, c->isa->flags->reg) == 0 &&
	       o->flag && (source ? o->read : o->write && !o->unchained);
}

/* The index in a name by operand_name(); -1 if it is a register's name. */
static int operand_number(const char *name)
{
	int n = 0;

	if (*name == '\0' || (name[0] == '0' && name[1] != '\0'))
		return -1;
	for (; *name; name++) {
		if (*name < '0' || *name > '9' || n > FORM_MAX_OPERANDS)
			return -1;
		n = 10 * n + (*name - '0');
	}
	return n;
}

int operand_find(const struct catalogue *c, const struct form *form,
		 const char *name, bool source)
{
	int number = operand_number(name);

	for (int i = 0; i < form->n_operands; i++) {
		const struct operand *o = &form->operands[i];
		bool named = o->implicit && o->fixed_reg != REG_NONE;

		if (named ? strcmp(c->regs[o->fixed_reg].name, name) == 0
			  : i == number)
			return i;
		if (number < 0 && is_flag_of(c, o, name, source))
			return i;
	}
	return -1;
}

size_t operand_find_all(const struct catalogue *c, const struct form *form,
			const char *name, bool source,
			int ret[FORM_MAX_OPERANDS])
{
	int one = operand_find(c, form, name, source);
	size_t n = 0;

	if (one < 0)
		return 0;
	if (!is_flag_of(c, &form->operands[one], name, source)) {
		ret[0] = one;
		return 1;
	}
	for (int i = 0; i < form->n_operands; i++)
		if (is_flag_of(c, &form->operands[i], name, source))
			ret[n++] = i;
	return n;
}

static bool parse_pair(const struct catalogue *c, const struct label_step *text,
		       struct experiment_step *s)
{
	s->src = (int16_t)operand_find(c, s->form, text->source, true);
	s->dst = (int16_t)operand_find(c, s->form, text->destination, false);
	if (s->src < 0 || s->dst < 0)
		return false;
	return (s->form->operands[s->src].read &&
		s->form->operands[s->dst].write) ||
	       (s->src == s->dst && s->form->operands[s->src].keeps);
}

static bool parse_step(const struct catalogue *c, char *text,
		       struct experiment_step *s)
{
	struct label_step step;

	if (!label_read_step(text, &step) || step.count > MAX_COUNT)
		return false;
	*s = (struct experiment_step){ .form = catalogue_form(c, step.form),
				       .src = -1,
				       .dst = -1,
				       .count = (uint16_t)step.count,
				       .helper = step.helper,
				       .broken = step.broken };
	return s->form && (!step.source || parse_pair(c, &step, s));
}

static int data_operand(const struct form *f, bool write)
{
	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind == OPERAND_REG && (write ? o->write : o->read))
			return i;
	}
	return -1;
}

/* Does the step compute with registers alone, from a named source? */
static bool computes(const struct experiment_step *s)
{
	return !s->helper && s->src >= 0 && s->dst >= 0 && !s->form->access;
}

bool experiment_forwards(struct experiment *x)
{
	struct experiment_step *store = &x->steps[0];
	struct experiment_step *load = &x->steps[1];
	int src, dst;

	if (x->n_steps < 2 || x->n_steps > 3 || store->helper || load->helper ||
	    store->form->access != ACCESS_STORE ||
	    load->form->access != ACCESS_LOAD ||
	    form_writes_base(store->form) || form_writes_base(load->form) ||
	    (x->n_steps == 3 && !computes(&x->steps[2])))
		return false;
	src = data_operand(store->form, false);
	dst = data_operand(load->form, true);
	if (src < 0 || dst < 0)
		return false;
	*store = (struct experiment_step){ .form = store->form,
					   .src = (int16_t)src,
					   .dst = -1,
					   .count = 1,
					   .broken = store->broken };
	*load = (struct experiment_step){ .form = load->form,
					  .src = -1,
					  .dst = (int16_t)dst,
					  .count = 1,
					  .broken = load->broken };
	return true;
}

bool experiment_is_joint(const struct catalogue *c, const struct experiment *x)
{
	const struct experiment_step *s = &x->steps[0];

	return (x->kind == EXPERIMENT_JOINT || x->kind == EXPERIMENT_SHORT) &&
	       s->src >= 0 && s->dst >= 0 &&
	       form_joins(c, s->form, s->src, s->dst);
}

bool experiment_is_chain(const struct experiment *x)
{
	return experiment_kind_is(x->kind, EXPERIMENT_WAITS);
}

/* Does every step of a chain have a source and a destination, named or through
 * memory? */
static bool has_ends(struct experiment *x)
{
	bool chain = experiment_is_chain(x);
	bool named = true;

	for (size_t i = 0; i < x->n_steps; i++)
		named = named && (x->steps[i].helper || x->steps[i].src >= 0);
	if (named || (!chain && x->kind != EXPERIMENT_CONTROL))
		return true;
	return experiment_forwards(x) || !chain;
}

int experiment_parse(const struct catalogue *c, const char *label,
		     struct experiment *ret_experiment, struct err *e)
{
	struct experiment x = { 0 };
	char copy[PACK_MAX_LABEL];
	size_t n = strlen(label);

	if (n >= sizeof(copy))
		return err_set(e, ERR_INPUT,
			       "label '%.40s...' is longer than %d characters",
			       label, PACK_MAX_LABEL - 1);
	memcpy(copy, label, n + 1);

	char *step = strchr(copy, ':');

	if (step)
		*step++ = '\0';
	x.kind = experiment_kind_of(copy, strlen(copy));
	if (!step || x.kind == EXPERIMENT_N)
		return err_set(e, ERR_INPUT,
			       "label '%s': unknown kind; a label starts like "
			       "'latency:'",
			       label);
	while (step) {
		char *next = strchr(step, '+');

		if (next)
			*next++ = '\0';
		if (x.n_steps == EXPERIMENT_MAX_STEPS ||
		    !parse_step(c, step, &x.steps[x.n_steps]))
			return err_set(e, ERR_INPUT,
				       "label '%s': %s has no form with these "
				       "operands: '%s'",
				       label, c->isa->name, step);
		x.n_steps++;
		step = next;
	}
	if (!experiment_has_writer(&x))
		return err_set(e, ERR_INPUT,
			       "label '%s': two forms are needed, each from a "
			       "register to a register, as in "
			       "ADD@1>0+SUB@1>0",
			       label);
	if (!has_ends(&x) || !experiment_marks_fit(&x))
		return err_set(e, ERR_INPUT,
			       "label '%s': each step of a chain needs its "
			       "operands, as in ADD@1>0",
			       label);
	*ret_experiment = x;
	return ERR_OK;
}
