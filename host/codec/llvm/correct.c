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

/* What the longest latency misses is added to all of them. */
static void correct_latency(struct arena *a, struct model_form *f, double value)
{
	struct model_latency *list =
		arena_copy(a, f->latencies, f->n_latencies * sizeof(*list));
	double most = 0;

	for (size_t i = 0; i < f->n_latencies; i++)
		most = fmax(most, list[i].cycles.high);
	for (size_t i = 0; i < f->n_latencies; i++) {
		struct model_span *s = &list[i].cycles;

		s->low = fmax(0, s->low + value - most);
		s->high = fmax(0, s->high + value - most);
	}
	f->latencies = list;
}

/* The uses grow as the throughput does: more uops where they are whole, else
 * longer ones. */
static void correct_throughput(struct arena *a, struct model_form *f,
			       double value)
{
	struct model_use *uses =
		arena_copy(a, f->uses, f->n_uses * sizeof(*uses));
	double bound = model_port_bound(uses, f->n_uses, NULL);
	double factor = bound > 0 ? value / bound : 1;

	for (size_t i = 0; i < f->n_uses; i++) {
		double n = uses[i].n_uops * factor;

		if (factor > 1 && fabs(n - round(n)) < 1e-6)
			uses[i].n_uops = round(n);
		else
			uses[i].cycles *= factor;
	}
	f->uses = uses;
	f->throughput = (struct model_span){ true, value, value };
}

static void correct_form(struct llvm *l, const struct correction *x,
			 struct model_form *f)
{
	double value = strtod(x->value, NULL);
	const struct model_form *like;

	if (strcmp(x->kind, "latency") == 0) {
		correct_latency(l->a, f, value);
	} else if (strcmp(x->kind, "throughput") == 0) {
		correct_throughput(l->a, f, value);
	} else if (strcmp(x->kind, "slots") == 0) {
		f->slots = (struct model_span){ true, value, value };
	} else {
		like = model_find(l->m, x->value);
		if (!like)
			return;
		f->uses = like->uses;
		f->n_uses = like->n_uses;
		f->throughput = like->throughput;
	}
	f->evidence = arena_printf(l->a, MODEL_CORRECTED "%s", x->source);
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
			if (is_named(&x, forms[i].name)) {
				correct_form(l, &x, &forms[i]);
				n++;
			}
	}
	if (n > 0)
		import_note(l->a, l->m,
			    "%zu values are corrected as LLVM did later, or as "
			    "its reports say (t* in predictions).",
			    n);
}
