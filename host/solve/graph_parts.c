/* The parts of a latency cycle: their time without it, and the least; see
 * graph.h. */
#include <math.h>
#include <string.h>

#include "host/isa/carrier.h"
#include "host/isa/catalogue.h"
#include "host/solve/graph.h"
#include "host/solve/judging.h"

/* A value leaves one bank and enters another. */
static const double a_cycle = 1;
/* A chain that is longer than its control is so by a cycle. */
static const double half_cycle = 0.5;

size_t graph_split(struct arena *a, const char *form, const char **ret)
{
	char *at = arena_strdup(a, form);
	size_t n = 0;

	while (at && n <= GRAPH_MAX_PARTS) {
		char *plus = strchr(at, '+');

		if (plus)
			*plus++ = '\0';
		if (n < GRAPH_MAX_PARTS)
			ret[n] = at;
		n++;
		at = plus;
	}
	return n;
}

/* Reciprocal throughput of a form in this run, 0 if unknown. */
static double throughput_of(const struct judge *j, const char *form)
{
	const struct record *r = judging_form(j, EXPERIMENT_THROUGHPUT, form);

	r = r ? r : judging_form(j, EXPERIMENT_CONTROL, form);
	return r && !r->fault && r->estimate.has_value ? r->estimate.high : 0;
}

/* The longest chain that the run has of a form alone. */
static double longest_of(const struct judge *j, const char *form)
{
	const struct record *r;
	size_t n = judging_all(j, form, &r);
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].label.kind == EXPERIMENT_LATENCY && !r[i].fault &&
		    r[i].estimate.has_value)
			longest = fmax(longest, r[i].estimate.high);
	return longest;
}

bool graph_is_carried(const struct isa_carrier *k, const struct label *l)
{
	const char *plus = strchr(l->form, '+');

	for (; plus && k && k->bank != BANK_NONE; k++)
		if (strcmp(plus + 1, k->steps) == 0)
			return true;
	return false;
}

/* What the same instructions cost when one of them reads a constant: only
 * the latency cycle is missing. */
static double broken_twin(const struct judge *j, const struct record *r)
{
	const struct record *twin = judging_twin(j, r, EXPERIMENT_CONTROL);

	if (!judging_is_usable(twin))
		return INFINITY;
	return twin->estimate.high * (1 + twin->estimate.uncertainty);
}

bool graph_is_apart(const struct judge *j, const struct record *r)
{
	const struct record *twin = judging_twin(j, r, EXPERIMENT_CONTROL);
	const struct estimate *e = &r->estimate;

	return graph_is_carried(j->sink->carriers, &r->label) &&
	       judging_is_usable(r) && e->bounded && judging_is_usable(twin) &&
	       twin->estimate.bounded &&
	       e->low * (1 - e->uncertainty) > broken_twin(j, r) + half_cycle;
}

double graph_alone(struct arena *a, const struct judge *j,
		   const struct record *r, size_t *ret_parts)
{
	const char *texts[GRAPH_MAX_PARTS];
	size_t n = graph_split(a, r->label.form, texts);
	double sum = 0, decoded = 0, slowest = 0;
	double longest = 0;
	bool known = true;

	*ret_parts = n;
	if (graph_is_carried(j->sink->carriers, &r->label))
		return broken_twin(j, r);
	for (size_t i = 0; i < n && i < GRAPH_MAX_PARTS; i++) {
		char *form = arena_strdup(a, texts[i]);
		double t;

		form[strcspn(form, "@")] = '\0';
		t = throughput_of(j, form);
		known = known && t > 0;
		sum += t;
		decoded += fmax(t, judging_decoded(j, form));
		slowest = fmax(slowest, judging_decoded(j, form));
		longest = fmax(longest, longest_of(j, form));
	}
	if (slowest > 0)
		longest = fmax(longest, judging_decoded_sum(&r->estimate,
							    slowest, decoded));
	if (n > GRAPH_MAX_PARTS)
		return INFINITY;
	/* The sum is a bound from above; independent instances of all of them
	 * in turn, where a run has such, tell what it is. */
	return fmax(fmin(known ? sum : INFINITY, broken_twin(j, r)), longest);
}

/* Does the renamer do the form's work, as chains of it alone show? */
static bool is_renamed(const struct judge *j, const char *form)
{
	const struct record *r;
	size_t n = judging_all(j, form, &r);

	for (size_t i = 0; i < n; i++)
		if (r[i].label.kind == EXPERIMENT_LATENCY &&
		    judging_is_usable(&r[i]) &&
		    judging_is_eliminated(r[i].estimate.high))
			return true;
	return false;
}

double graph_least(struct arena *a, const struct judge *j, const char *parts)
{
	const char *texts[GRAPH_MAX_PARTS];
	size_t n = graph_split(a, parts, texts);
	double least = 0;

	for (size_t i = 0; i < n && i < GRAPH_MAX_PARTS; i++) {
		char *form = arena_strdup(a, texts[i]);

		form[strcspn(form, "@")] = '\0';
		least += is_renamed(j, form) ? 0 : a_cycle;
	}
	return least;
}
