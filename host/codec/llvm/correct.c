/* Values of LLVM's tables that LLVM itself has corrected since the version that
 * is read, or that others have shown to be wrong: facts `corrected` of
 * models/facts (models/facts/README.md).
 *
 *	corrected = FORMS KIND VALUE @SOURCE
 *
 * FORMS are patterns with commas between; KIND is latency, throughput, slots, or
 * ports, whose value is the form that has the right ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/llvm/read.h"
#include "host/isa/facts.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"

enum { WORD = 128 };

struct correction {
	char forms[WORD], kind[WORD], value[WORD];
	const char *source;
};

/* Does one of the patterns match? */
static bool is_named(const struct correction *x, const char *name)
{
	char pattern[WORD];

	for (const char *at = x->forms; *at != '\0';) {
		size_t n = strcspn(at, ",");

		memcpy(pattern, at, n);
		pattern[n] = '\0';
		if (name_matches(pattern, name))
			return true;
		at += n + (at[n] == ',');
	}
	return false;
}

static bool same(double x, double y)
{
	return fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* What the longest latency misses is added to all of them. */
static bool correct_latency(struct arena *a, struct model_form *f, double value)
{
	struct model_latency *list =
		arena_copy(a, f->latencies, f->n_latencies * sizeof(*list));
	double most = 0;

	for (size_t i = 0; i < f->n_latencies; i++)
		most = fmax(most, list[i].cycles.high);
	if (same(most, value))
		return false;
	for (size_t i = 0; i < f->n_latencies; i++) {
		struct model_span *s = &list[i].cycles;

		s->low = fmax(0, s->low + value - most);
		s->high = fmax(0, s->high + value - most);
	}
	f->latencies = list;
	return true;
}

/* The uses grow as the throughput does: more uops where they are whole, else
 * longer ones. */
static bool correct_throughput(struct arena *a, struct model_form *f,
			       double value)
{
	struct model_use *uses =
		arena_copy(a, f->uses, f->n_uses * sizeof(*uses));
	double bound = model_port_bound(uses, f->n_uses, NULL);
	double factor = bound > 0 ? value / bound : 1;

	if (same(f->throughput.high, value))
		return false;

	for (size_t i = 0; i < f->n_uses; i++) {
		double n = uses[i].n_uops * factor;

		if (factor > 1 && fabs(n - round(n)) < 1e-6)
			uses[i].n_uops = round(n);
		else
			uses[i].cycles *= factor;
	}
	f->uses = uses;
	f->throughput = (struct model_span){ true, value, value };
	return true;
}

static bool correct_slots(struct model_form *f, double value)
{
	if (same(f->slots.high, value))
		return false;
	f->slots = (struct model_span){ true, value, value };
	return true;
}

static bool correct_ports(const struct llvm *l, const char *other,
			  struct model_form *f)
{
	const struct model_form *like = model_find(l->m, other);

	if (!like ||
	    (like->n_uses == f->n_uses &&
	     memcmp(like->uses, f->uses, f->n_uses * sizeof(*f->uses)) == 0))
		return false;
	f->uses = like->uses;
	f->n_uses = like->n_uses;
	f->throughput = like->throughput;
	return true;
}

/* False if the table has the value: a newer LLVM may. */
static bool correct_form(struct llvm *l, const struct correction *x,
			 struct model_form *f)
{
	double value = strtod(x->value, NULL);
	bool changed;

	if (strcmp(x->kind, "latency") == 0)
		changed = correct_latency(l->a, f, value);
	else if (strcmp(x->kind, "throughput") == 0)
		changed = correct_throughput(l->a, f, value);
	else if (strcmp(x->kind, "slots") == 0)
		changed = correct_slots(f, value);
	else
		changed = correct_ports(l, x->value, f);
	if (changed)
		f->evidence =
			arena_printf(l->a, MODEL_CORRECTED "%s", x->source);
	return changed;
}

/* The words of a fact; the tests read every one of them. */
static bool read_correction(const struct core_fact *f, struct correction *ret)
{
	ret->source = f->source;
	return sscanf(f->value, "%127s %127s %127s", ret->forms, ret->kind,
		      ret->value) == 3;
}

void llvm_correct(struct llvm *l, struct model_form *forms)
{
	struct known_cores cores = facts_read(l->a);
	const struct known_core *core =
		facts_of_cpu(&cores, l->c->isa->name, l->core.cpu);
	const struct core_fact *fact;
	struct correction x;
	size_t n = 0;

	for (size_t k = 0; core && (fact = facts_get(core, "corrected", k));
	     k++) {
		if (!read_correction(fact, &x))
			continue;
		for (size_t i = 0; i < l->m->n_forms; i++)
			n += is_named(&x, forms[i].name) &&
			     correct_form(l, &x, &forms[i]);
	}
	if (n > 0)
		import_note(l->a, l->m,
			    "%zu values are corrected as LLVM did later, or as "
			    "its reports say (t* in predictions).",
			    n);
}
