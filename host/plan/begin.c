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

/* `first` instances, and `second` in the next line unless 0. */
static void add_short_loop(enum experiment_kind kind, const struct form *f,
			   uint16_t first, uint16_t second, begin_add *add,
			   void *context)
{
	struct experiment x = experiment_of(kind, f, -1, -1);

	x.steps[0].count = first;
	x.steps[1] = x.steps[0];
	x.steps[1].count = second;
	x.n_steps = second > 0 ? 2 : 1;
	add(context, &x);
}

void begin_short_loops(const struct catalogue *c, begin_add *add, void *context)
{
	/* Chosen: parts of a line from which a core may go on to the next
	 * without losing a cycle, and parts that take several cycles. */
	static const uint16_t parts[] = { 2, 5, 6, 8, 11 };
	/* Chosen: dispatched in a cycle. */
	static const uint16_t few[] = { 2, 4 };
	const struct isa_iteration *i = &c->isa->iteration;
	const struct form *f = catalogue_form(c, i->form);

	if (!f || f->status != FORM_MEASURABLE)
		return;
	for (uint16_t n = 2; n <= i->most; n++)
		add_short_loop(EXPERIMENT_ITERATION, f, n, 0, add, context);
	for (size_t a = 0; a < ARRAY_LEN(parts); a++)
		for (size_t b = 0; b < ARRAY_LEN(parts); b++)
			add_short_loop(EXPERIMENT_ITERATION, f, parts[a],
				       parts[b], add, context);
	for (size_t k = 0; i->crossing && k < ARRAY_LEN(few); k++)
		add_short_loop(EXPERIMENT_CROSSING, f, few[k], 0, add, context);
}

void begin_front_end(const struct catalogue *c, bool loops, begin_add *add,
		     void *context)
{
	begin_width(c, add, context);
	if (loops)
		begin_short_loops(c, add, context);
}
