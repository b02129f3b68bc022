/* Labels of experiments: written and read back here and nowhere else. */
#include "host/experiment/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/experiment/label.h"
#include "host/isa/isa.h"

enum { MAX_COUNT = 1000, NAME_ROOM = 64 };

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

bool experiment_steps_text(const struct catalogue *c,
			   const struct experiment *x, size_t first,
			   char ret[PACK_MAX_LABEL])
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

bool experiment_is_chain(const struct experiment *x)
{
	return experiment_kind_is(x->kind, EXPERIMENT_WAITS);
}

/* Does the second step, without names, store what the first gives it? */
static bool stores_result(struct experiment *x)
{
	struct experiment_step *s = &x->steps[1];

	if (x->n_steps < 2 || s->src >= 0 || s->form->access != ACCESS_STORE ||
	    form_writes_base(s->form))
		return false;
	s->src = (int16_t)data_operand(s->form, false);
	return x->steps[0].src >= 0 && s->src >= 0;
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
	if (experiment_kind_is(x->kind, EXPERIMENT_BEHIND))
		return stores_result(x);
	return experiment_forwards(x) || !chain;
}

bool experiment_is_free_source(const struct experiment_step *s)
{
	const struct operand *o =
		s->src < 0 ? NULL : &s->form->operands[s->src];

	return o && !o->implicit && o->fixed_reg == REG_NONE &&
	       o->tied_to < 0 && !o->write;
}

/* Is at most one step marked as broken, of a control, and can its source be a
 * constant? */
static bool marks_fit(const struct experiment *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n_steps; i++) {
		const struct experiment_step *s = &x->steps[i];
		bool register_only =
			s->src >= 0 &&
			s->form->operands[s->src].role == ROLE_NONE;

		n += s->broken;
		if (s->broken &&
		    ((s->src < 0 && s->dst < 0) ||
		     (register_only && !experiment_is_free_source(s))))
			return false;
	}
	return n == 0 || (n == 1 && x->kind == EXPERIMENT_CONTROL) ||
	       (experiment_kind_is(x->kind, EXPERIMENT_BEHIND) &&
		x->steps[0].broken);
}

/* Are there two measured steps, and behind them some helpers, or does its kind
 * ask for none? */
static bool has_behind(const struct experiment *x)
{
	size_t n = 0;

	if (!experiment_kind_is(x->kind, EXPERIMENT_BEHIND))
		return true;
	for (size_t s = 0; s < x->n_steps; s++) {
		n += x->steps[s].count;
		if (x->steps[s].helper != (s >= 2) || x->steps[s].count == 0 ||
		    (x->steps[s].src < 0) != (s >= 2))
			return false;
	}
	return x->n_steps > 2 && x->steps[0].count == 1 &&
	       x->steps[1].count == 1 && n <= EXPERIMENT_MAX_BEHIND;
}

/* An explicit register of any choice? */
static bool is_free_register(const struct form *f, int operand)
{
	const struct operand *o = operand < 0 ? NULL : &f->operands[operand];

	return o && !o->implicit && o->kind == OPERAND_REG &&
	       o->fixed_reg == REG_NONE && o->reg_class != CLASS_NONE;
}

/* Does it have two measured steps through registers, or does its kind ask for
 * none? */
static bool has_writer(const struct experiment *x)
{
	if (!experiment_kind_is(x->kind, EXPERIMENT_WRITER))
		return true;
	if (x->n_steps != 2)
		return false;
	for (size_t i = 0; i < x->n_steps; i++) {
		const struct experiment_step *s = &x->steps[i];

		if (s->helper || s->broken || s->count != 1 ||
		    !is_free_register(s->form, s->src) ||
		    !is_free_register(s->form, s->dst))
			return false;
	}
	return true;
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
	if (!has_writer(&x))
		return err_set(e, ERR_INPUT,
			       "label '%s': two forms are needed, each from a "
			       "register to a register, as in "
			       "ADD@1>0+SUB@1>0",
			       label);
	if (!has_ends(&x) || !marks_fit(&x) || !has_behind(&x))
		return err_set(e, ERR_INPUT,
			       "label '%s': each step of a chain needs its "
			       "operands, as in ADD@1>0",
			       label);
	*ret_experiment = x;
	return ERR_OK;
}
