/* A model with what its layers say of its forms; see complete.h. */
#include "host/base/file.h"
#include "host/isa/catalogue.h"
#include "host/model/complete_read.h"

/* Where the values of all forms come from, and forms without any. */
struct tally {
	size_t ports[ORIGIN_N], no_ports;
	size_t latencies[ORIGIN_N];
};

static const char *name_of(const struct completion *k, enum model_origin from)
{
	switch (from) {
	case ORIGIN_CLASS:
		return "its class";
	case ORIGIN_PARTS:
		return "its parts";
	default:
		return k->tables ? k->tables->source : "tables";
	}
}

static struct model_mark mark_of(enum model_origin from)
{
	return (struct model_mark){ .kind = from == ORIGIN_MODEL ? MARK_MEASURED
					    : from == ORIGIN_TABLES
						    ? MARK_PUBLISHED
						    : MARK_DERIVED };
}

static const char *say(struct arena *a, const char *words, const char *what,
		       const char *from)
{
	return arena_printf(a, "%s%s%s from %s", words ? words : "",
			    words ? "; " : "", what, from);
}

static void fill_ports(struct arena *a, const struct completion *k,
		       const struct completed_form *f, struct tally *n,
		       struct model_form *x)
{
	enum model_origin from = f->origin[COST_PORTS].origin;

	/* What is renamed away needs none. */
	if (x->eliminated || f->costs.eliminated) {
		if (!x->has_ports)
			x->mark = mark_of(x->eliminated ? ORIGIN_MODEL
							: ORIGIN_CLASS);
		x->has_ports = true;
		x->n_uses = 0;
		n->ports[ORIGIN_MODEL]++;
		return;
	}
	if (!f->costs.has_ports || from > ORIGIN_TABLES) {
		n->ports[ORIGIN_MODEL] += x->has_ports;
		n->no_ports += !x->has_ports;
		return;
	}
	n->ports[from]++;
	x->has_ports = true;
	x->n_uses = f->costs.n_uses;
	x->uses = f->costs.uses;
	if (from == ORIGIN_MODEL)
		return;
	x->mark = mark_of(from);
	x->evidence = say(a, x->evidence, "ports", name_of(k, from));
}

static void fill_latencies(struct arena *a, const struct completion *k,
			   const struct completed_form *f, struct tally *n,
			   struct model_form *x)
{
	struct model_latency *list =
		ARENA_ARRAY(a, struct model_latency, x->n_latencies + 1);
	enum model_origin most = ORIGIN_MODEL;

	for (size_t i = 0; i < x->n_latencies; i++) {
		enum model_origin from = ORIGIN_MODEL;
		double cycles;

		list[i] = x->latencies[i];
		if (!list[i].cycles.has_value || is_exact(&list[i].cycles))
			continue;
		cycles = completed_latency(f, list[i].source,
					   list[i].destination, &from);
		n->latencies[from]++;
		if (from > ORIGIN_TABLES)
			continue;
		list[i].cycles = (struct model_span){ true, cycles, cycles };
		most = from > most ? from : most;
	}
	x->latencies = list;
	if (most != ORIGIN_MODEL)
		x->evidence =
			say(a, x->evidence, "where in an interval a latency is",
			    name_of(k, most));
}

static const char *words_of(struct arena *a, const struct completion *k,
			    const struct tally *n)
{
	const char *tables = name_of(k, ORIGIN_TABLES);

	return arena_printf(
		a,
		"ports: %zu forms from the model, %zu from their class, %zu "
		"from their parts, %zu from %s, %zu without. Latencies that "
		"were intervals: %zu set from the model, class or parts, %zu "
		"from %s, %zu still intervals",
		n->ports[ORIGIN_MODEL], n->ports[ORIGIN_CLASS],
		n->ports[ORIGIN_PARTS], n->ports[ORIGIN_TABLES], tables,
		n->no_ports,
		n->latencies[ORIGIN_MODEL] + n->latencies[ORIGIN_CLASS] +
			n->latencies[ORIGIN_PARTS],
		n->latencies[ORIGIN_TABLES], tables,
		n->latencies[ORIGIN_BETWEEN]);
}

const struct model *completed_fill(struct arena *a, struct completion *k)
{
	const struct model *m = k->given;
	struct model *filled = ARENA_NEW(a, struct model);
	struct model_form *forms =
		ARENA_ARRAY(a, struct model_form, m->n_forms + 1);
	struct tally n = { .no_ports = 0 };

	*filled = *m;
	filled->forms = forms;
	for (size_t i = 0; i < m->n_forms; i++) {
		const struct form *form =
			catalogue_form(k->c, m->forms[i].name);
		const struct completed_form *f;

		forms[i] = m->forms[i];
		if (!form)
			continue;
		f = completed_form(k, form);
		fill_ports(a, k, f, &n, &forms[i]);
		fill_latencies(a, k, f, &n, &forms[i]);
	}
	filled->ports = completed_model(k)->ports;
	filled->n_ports = completed_model(k)->n_ports;
	filled->completed = words_of(a, k, &n);
	return filled;
}
