/* Queries on a model, and its validation. */
#include "host/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/catalogue.h"

const char *const model_lines_rules[MODEL_N_LINES_RULES] = {
	[MODEL_LINES_TOGETHER] = "together",
	[MODEL_LINES_EACH] = "each",
};

static int model_by_name(const void *name, const void *form)
{
	return strcmp(name, ((const struct model_form *)form)->name);
}

const struct model_form *model_find(const struct model *m, const char *name)
{
	return m->n_forms > 0 ? bsearch(name, m->forms, m->n_forms,
					sizeof(*m->forms), model_by_name)
			      : NULL;
}

bool model_is_corrected(const struct model_form *f)
{
	return f->evidence && strncmp(f->evidence, MODEL_CORRECTED,
				      strlen(MODEL_CORRECTED)) == 0;
}

/* Specificity of an entry for this pair: both operands, the source alone, the
 * result alone, any; 0 when it does not apply. */
static int model_fitness(const struct model_latency *l, int source,
			 int destination)
{
	int points = 1;

	if (l->source != MODEL_ANY && l->source != source)
		return 0;
	if (l->destination != MODEL_ANY && l->destination != destination)
		return 0;
	points += l->source == source ? 2 : 0;
	points += l->destination == destination ? 1 : 0;
	return points;
}

struct model_span model_latency(const struct model_form *f, int source,
				int destination)
{
	struct model_span best = { 0 };
	int best_fitness = 0;

	for (size_t i = 0; i < f->n_latencies; i++) {
		int points =
			model_fitness(&f->latencies[i], source, destination);

		if (points > best_fitness) {
			best_fitness = points;
			best = f->latencies[i].cycles;
		}
	}
	return best;
}

double model_cycles(struct model_span s)
{
	double x = (s.low + s.high) / 2, whole = round(x);

	return fabs(x - whole) < 0.1 ? whole : x;
}

double model_bypass(const struct model *m, const struct model_form *producer,
		    const struct model_form *consumer, int source)
{
	uint8_t takes = consumer->bypass;

	if (source >= 0 && (size_t)source < consumer->n_takes &&
	    consumer->takes[source] != 0)
		takes = consumer->takes[source];
	return m->n_bypass > 0 ? m->bypass[producer->bypass][takes] : 0;
}

char *model_ports_text(struct arena *a, const struct model *m,
		       model_ports ports)
{
	struct buffer b = { 0 };
	char *text;

	for (size_t i = 0; i < m->n_ports; i++)
		if ((ports >> i & 1) != 0)
			buffer_printf(&b, "%s%s", b.n > 0 ? "|" : "",
				      m->ports[i].name);
	buffer_add(&b, "", 1);
	text = arena_strdup(a, (const char *)b.bytes);
	buffer_free(&b);
	return text;
}

/* What is wrong with a span, for a message; NULL: nothing. */
static const char *span_fault(const struct model_span *s)
{
	if (!s->has_value)
		return NULL;
	if (!isfinite(s->low) || !isfinite(s->high) || s->low < 0)
		return "is negative or not finite";
	if (s->low > s->high)
		return "has low above high";
	return s->high > MODEL_MOST ? "is above 1e9" : NULL;
}

static const char *fault_of_two(const struct model_span *x,
				const struct model_span *y)
{
	const char *fault = span_fault(x);

	return fault ? fault : span_fault(y);
}

static int check_uses(const struct model *m, const struct model_form *f,
		      struct err *e)
{
	model_ports known = m->n_ports == MODEL_MAX_PORTS
				    ? ~(model_ports)0
				    : ((model_ports)1 << m->n_ports) - 1;

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];

		if (u->ports == 0 || (u->ports & ~known) != 0)
			return err_set(
				e, ERR_INPUT,
				"%s: form %s: a uop has ports that the model "
				"lacks",
				m->source, f->name);
		if (!(u->n_uops > 0 && u->cycles > 0 && isfinite(u->n_uops) &&
		      isfinite(u->cycles)))
			return err_set(
				e, ERR_INPUT,
				"%s: form %s: uops and cycles must be above "
				"zero",
				m->source, f->name);
	}
	return ERR_OK;
}

static int check_latencies(const struct model *m, const struct model_form *f,
			   const struct catalogue *c, struct err *e)
{
	const struct form *form = catalogue_form(c, f->name);

	if (form == NULL)
		return err_set(e, ERR_INPUT, "%s: form %s: %s has no such form",
			       m->source, f->name, m->isa);
	for (size_t i = 0; i < f->n_latencies; i++) {
		const struct model_latency *l = &f->latencies[i];
		const char *fault;

		if (l->source < MODEL_ANY || l->source >= form->n_operands ||
		    l->destination < MODEL_ANY ||
		    l->destination >= form->n_operands)
			return err_set(
				e, ERR_INPUT,
				"%s: form %s: a latency must be between two of "
				"its %u operands",
				m->source, f->name, form->n_operands);
		fault = fault_of_two(&l->cycles, &l->short_chain);
		if (fault)
			return err_set(e, ERR_INPUT,
				       "%s: form %s: a latency %s", m->source,
				       f->name, fault);
	}
	return ERR_OK;
}

static bool model_is_class(uint8_t class, size_t n)
{
	return class == 0 || (class < n && class < MODEL_MAX_CLASSES);
}

static bool classes_are_known(const struct model *m, const struct model_form *f)
{
	for (size_t i = 0; i < f->n_takes; i++)
		if (!model_is_class(f->takes[i], m->n_bypass))
			return false;
	return model_is_class(f->bypass, m->n_bypass) &&
	       model_is_class(f->pairing, m->n_pairs);
}

static int model_check_form(const struct model *m, const struct model_form *f,
			    const struct catalogue *c, struct err *e)
{
	const char *fault = fault_of_two(&f->throughput, &f->slots);

	if (fault)
		return err_set(e, ERR_INPUT, "%s: form %s: an interval %s",
			       m->source, f->name, fault);
	if (!classes_are_known(m, f))
		return err_set(e, ERR_INPUT,
			       "%s: form %s: the model lacks its class",
			       m->source, f->name);
	if (check_uses(m, f, e) != ERR_OK)
		return e->code;
	return check_latencies(m, f, c, e);
}

int model_check(const struct model *m, const struct catalogue *c, struct err *e)
{
	if (m->n_ports > MODEL_MAX_PORTS || m->n_bypass > MODEL_MAX_CLASSES ||
	    m->n_pairs > MODEL_MAX_CLASSES)
		return err_set(e, ERR_INPUT,
			       "%s has more than %d ports or %d classes",
			       m->source, MODEL_MAX_PORTS, MODEL_MAX_CLASSES);
	if (span_fault(&m->width) || (m->width.has_value && m->width.low <= 0))
		return err_set(e, ERR_INPUT, "%s: the width must be above zero",
			       m->source);
	for (size_t i = 0; i < m->n_forms; i++) {
		if (i > 0 &&
		    strcmp(m->forms[i - 1].name, m->forms[i].name) >= 0)
			return err_set(
				e, ERR_INPUT,
				"%s: form %s: names must be sorted and occur "
				"once",
				m->source, m->forms[i].name);
		if (model_check_form(m, &m->forms[i], c, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}
