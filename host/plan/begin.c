/* See begin.h. */
#include "host/plan/begin.h"

#include "host/isa/isa.h"
#include "host/plan/pairs.h"

static bool is_chain(const struct catalogue *c, const struct form *f, int src,
		     int dst)
{
	const struct operand *s = &f->operands[src], *d = &f->operands[dst];
	struct pair pair;

	return s->kind == OPERAND_REG && s->read && !s->implicit &&
	       d->kind == OPERAND_REG && d->write && !d->unchained &&
	       pair_check(c, f, src, dst, &pair) == PAIR_OK;
}

/* The first source that forms a chain with a result. */
static int add_chain(const struct catalogue *c, const char *name,
		     begin_add *add, void *context, struct err *e)
{
	const struct form *f = catalogue_form(c, name);
	struct experiment x;

	for (int src = 0; f && src < f->n_operands; src++)
		for (int dst = 0; dst < f->n_operands; dst++) {
			if (!is_chain(c, f, src, dst))
				continue;
			x = experiment_of(EXPERIMENT_CALIBRATE, f, src, dst);
			add(context, &x);
			return ERR_OK;
		}
	return err_set(e, ERR_FAILED,
		       "%s has no measurable calibration form %s", c->isa->name,
		       name);
}

/* An experiment of independent instances of one form. */
static void add_alone(const struct form *f, enum experiment_kind kind,
		      begin_add *add, void *context)
{
	struct experiment x = experiment_of(kind, f, -1, -1);

	add(context, &x);
}

/* Plan the probe if the catalogue has its form. */
static void add_wake(const struct catalogue *c, const char *name,
		     begin_add *add, void *context)
{
	const struct form *f = name ? catalogue_form(c, name) : NULL;

	if (f && f->status == FORM_MEASURABLE)
		add_alone(f, EXPERIMENT_WAKE, add, context);
}

int begin_calibration(const struct catalogue *c, begin_add *add, void *context,
		      struct err *e)
{
	const struct isa_calibration *k = &c->isa->calibration;
	const struct form *probe = catalogue_form(c, k->probe);

	if (add_chain(c, k->chain_a, add, context, e) != ERR_OK ||
	    add_chain(c, k->chain_b, add, context, e) != ERR_OK)
		return e->code;
	if (!probe)
		return err_set(e, ERR_FAILED,
			       "%s has no measurable calibration form %s",
			       c->isa->name, k->probe);
	add_alone(probe, EXPERIMENT_PROBE, add, context);
	for (size_t i = 0; i < ARRAY_LEN(k->wake); i++)
		add_wake(c, k->wake[i], add, context);
	add_wake(c, k->loads, add, context);
	return ERR_OK;
}

static bool is_measurable(const struct experiment *x)
{
	for (size_t s = 0; s < x->n_steps; s++)
		if (x->steps[s].form->status != FORM_MEASURABLE)
			return false;
	return true;
}

void begin_width(const struct catalogue *c, begin_add *add, void *context)
{
	for (const char *const *l = c->isa->widest; *l; l++) {
		struct err unknown = { .code = ERR_OK };
		struct experiment x;

		if (experiment_parse(c, *l, &x, &unknown) == ERR_OK &&
		    is_measurable(&x))
			add(context, &x);
	}
}
