/* The inference on invented cores, without kernels:
 *
 *	solver FIRST COUNT NOISE% OUTLIERS% KIND [verbose]
 *
 * KIND is one of kinds.c.  Prints what was found of the cores FIRST ..
 * FIRST + COUNT - 1, and fails when it is worse than the limits of the kind.
 * With `verbose` also the classes, and what was found of each form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ports/kinds.h"

struct found {
	const struct truth *t;
	const struct ports_answer *w;
};

static double expect(void *context, const struct ports_mix *mix)
{
	const struct found *f = context;
	double cycles;

	return ports_expect(f->w, mix, &cycles) ? cycles : 0;
}

static bool ports(void *context, uint32_t form, model_ports *ret)
{
	const struct found *f = context;
	const struct ports_answer_form *a = &f->w->forms[form];

	if (a->n_uses != 1 || a->uses[0].n_uops * a->uses[0].cycles != 1)
		return false;
	*ret = a->uses[0].ports;
	return true;
}

enum { N_VERDICTS = PORTS_LEFT + 1 };

struct totals {
	size_t n_unions, n_right, n_cores, n_worst_experiments, n_failed,
		n_members, n_claimed, n_wrong, n_forms;
	size_t n_kernels, by_verdict[N_VERDICTS];
	double error, worst_mean, seconds[4096];
};

static const char *const verdicts[N_VERDICTS] = {
	[PORTS_OK] = "ok",         [PORTS_NO_VALUE] = "no value",
	[PORTS_UNSURE] = "unsure", [PORTS_UNFINISHED] = "unfinished",
	[PORTS_MISFIT] = "misfit", [PORTS_CLOSES] = "closes",
	[PORTS_OPEN] = "open",     [PORTS_LEFT] = "left",
};

static void print_uses(const struct model_use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf(" %gx%llx*%g", uses[i].n_uops,
		       (unsigned long long)uses[i].ports, uses[i].cycles);
}

static void print_forms(const struct truth *t, const struct ports_answer *w,
			const bool *wrong)
{
	for (size_t i = 0; i < t->n_forms; i++) {
		const struct ports_answer_form *f = &w->forms[i];

		printf("%c %-8s true:", wrong[i] ? '!' : ' ', t->forms[i].name);
		print_uses(t->forms[i].uses, t->forms[i].n_uses);
		printf("  found (%s, slots %g):", verdicts[f->verdict],
		       f->slots.low);
		print_uses(f->uses, f->n_uses);
		printf("  t %.3f %s\n", f->throughput.low,
		       f->how ? f->how : "");
	}
}

static void print_mix(const struct truth *t, const struct ports_mix *mix)
{
	for (size_t k = 0; k < mix->n; k++)
		printf(" %ux%s", mix->part[k].count,
		       t->forms[mix->part[k].form].name);
}

/* The classes with their ports, and the mixes that contradict them. */
static void print_classes(const struct truth *t, const struct ports_answer *w)
{
	for (size_t c = 0; c < w->n_classes; c++)
		printf("  class %zu: %s, ports %llx, %u members\n", c,
		       t->forms[w->classes[c].representative].name,
		       (unsigned long long)w->classes[c].ports,
		       w->classes[c].n_members);
	for (size_t i = 0; i < w->n_conflicts; i++) {
		printf("  conflict:");
		print_mix(t, &w->conflicts[i].mix);
		printf(": %.3f cycles, expected %.3f\n",
		       w->conflicts[i].measured, w->conflicts[i].expected);
	}
	for (size_t i = 0; i < w->n_notes; i++)
		printf("  note: %s\n", w->notes[i]);
}

/* The forms that disable ports are found, and no others. */
static bool blockers_are_found(const struct truth *t,
			       const struct ports_answer *w)
{
	bool right = true;

	for (size_t i = 0; i < t->n_forms; i++) {
		bool found = w->forms[i].verdict == PORTS_CLOSES;

		if (found == (t->forms[i].blocks != 0))
			continue;
		right = false;
		printf("  %s %s\n", t->forms[i].name,
		       found ? "blocks no ports" : "blocks ports");
	}
	return right;
}

/* Is a form unfinished although each mix that it needs has a value? */
static bool has_unfinished(const struct truth *t, const struct ports_answer *w)
{
	for (size_t i = 0; i < t->n_forms; i++)
		if (w->forms[i].verdict == PORTS_UNFINISHED &&
		    !t->forms[i].unstable) {
			printf("  %s is unfinished\n", t->forms[i].name);
			return true;
		}
	return false;
}

/* Forms of more than one uop that are taken for members of a class. */
static size_t n_false_members(const struct truth *t,
			      const struct ports_answer *w)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_forms; i++)
		n += strncmp(t->forms[i].name, "both", 4) == 0 &&
		     w->forms[i].class_id != PORTS_NONE;
	return n;
}

static bool is_pseudo(const struct ports_answer *w, model_ports ports)
{
	for (size_t p = 0; p < w->n_ports; p++)
		if (ports >> p & 1 && w->ports[p].pseudo)
			return true;
	return false;
}

/* Does a form with two states have a unit?  Only its time alone suggests
 * one. */
static bool has_false_unit(const struct truth *t, const struct ports_answer *w)
{
	for (size_t i = 0; i < t->n_forms; i++)
		for (size_t k = 0; k < w->forms[i].n_uses; k++)
			if (t->forms[i].slowed == TWO_STATES &&
			    is_pseudo(w, w->forms[i].uses[k].ports)) {
				printf("  %s has a unit\n", t->forms[i].name);
				return true;
			}
	return false;
}

/* Forms with ports; what is fused has no cost of its own. */
static size_t list_claimed(struct arena *a, const struct truth *t,
			   const struct ports_answer *w, uint32_t **ret)
{
	size_t n = 0;

	*ret = ARENA_ARRAY(a, uint32_t, t->n_forms + 1);
	for (uint32_t i = 0; i < t->n_forms; i++)
		if (w->forms[i].verdict == PORTS_OK && !t->forms[i].fused)
			(*ret)[n++] = i;
	return n;
}

static void set_throughput(const struct truth_form *f, struct ports_form *ret)
{
	static const double resolution = 0.01;

	if (f->throughput > 0)
		ret->throughput =
			(struct model_span){ true,
					     f->throughput * (1 - resolution),
					     f->throughput * (1 + resolution) };
}

static struct ports_form *make_forms(struct arena *a, const struct truth *t,
				     const struct kind *kind)
{
	struct ports_form *forms =
		ARENA_ARRAY(a, struct ports_form, t->n_forms);

	for (size_t i = 0; i < t->n_forms; i++) {
		forms[i].name = t->forms[i].name;
		forms[i].rank = (uint16_t)(2 * t->forms[i].side +
					   (t->forms[i].n_uses > 0));
		forms[i].side = truth_side_of(t, i);
		forms[i].memory = t->forms[i].memory;
		forms[i].stores = t->forms[i].stores;
		set_throughput(&t->forms[i], &forms[i]);
	}
	if (kind->batches || kind->published)
		truth_set_batches(t, forms);
	if (kind->published)
		truth_publish(t, forms);
	return forms;
}

/* Does a form use ports with no uops?  No model has that. */
static bool has_empty_use(const struct truth *t, const struct ports_answer *w)
{
	for (size_t i = 0; i < t->n_forms; i++)
		for (size_t k = 0; k < w->forms[i].n_uses; k++) {
			const struct model_use *u = &w->forms[i].uses[k];

			if (u->n_uops > 0 && u->cycles > 0 && u->ports != 0)
				continue;
			printf("%s uses ports with no uops\n",
			       t->forms[i].name);
			return true;
		}
	return false;
}

static void count_forms(const struct truth *t, const struct ports_answer *w,
			struct totals *n)
{
	n->n_forms += t->n_forms;
	n->n_kernels += t->n_measured;
	for (size_t i = 0; i < t->n_forms; i++)
		n->by_verdict[w->forms[i].verdict]++;
	/* Mixes that are slower for a while look like those with blockers. */
	n->n_failed += !t->has_state && !blockers_are_found(t, w);
	n->n_members += n_false_members(t, w);
	n->n_failed += !t->spent && !t->is_shared && has_unfinished(t, w);
	n->n_failed += has_false_unit(t, w);
	n->n_failed += has_empty_use(t, w);
}

static void count_score(const struct truth_score *s,
			const struct ports_answer *w, struct totals *n)
{
	n->n_unions += s->n_unions;
	n->n_right += s->n_right;
	n->error += s->mean;
	if (s->mean > n->worst_mean)
		n->worst_mean = s->mean;
	if (w->n_experiments[PORTS_MATRIX] > n->n_worst_experiments)
		n->n_worst_experiments = w->n_experiments[PORTS_MATRIX];
	n->seconds[n->n_cores++] = w->matrix_seconds;
}

/* Compare an answer with the truth. */
static void compare(struct arena *a, struct truth *t,
		    const struct ports_answer *w, uint64_t seed, bool verbose,
		    struct totals *n)
{
	struct found f = { t, w };
	struct truth_score s;
	bool *wrong = ARENA_ARRAY(a, bool, t->n_forms);
	size_t n_wrong, n_claimed;
	uint32_t *claimed;

	truth_compare(t, 3000, expect, ports, &f, &s);
	n_claimed = list_claimed(a, t, w, &claimed);
	n_wrong = truth_wrong(t, expect, &f, claimed, n_claimed, wrong);
	n->n_claimed += n_claimed;
	n->n_wrong += n_wrong;
	(void)fflush(stdout);
	printf("%llu: width %u (%.3g) ports %u (%zu) forms %zu classes %zu, "
	       "%zu matrix experiments, %.2f s; unions %zu/%zu, error %.4f "
	       "p99 %.3f worst %.3f unknown %zu, claims %zu, wrong %zu%s\n",
	       (unsigned long long)seed, t->width, w->width.low, t->n_ports,
	       w->n_ports, t->n_forms, w->n_classes,
	       w->n_experiments[PORTS_MATRIX], w->matrix_seconds, s.n_right,
	       s.n_unions, s.mean, s.p99, s.worst, s.n_unknown, n_claimed,
	       n_wrong, w->all_matrices ? "" : " (others not excluded)");
	if (verbose) {
		print_classes(t, w);
		print_forms(t, w, wrong);
	}
	count_score(&s, w, n);
}

static void one(struct truth *t, uint64_t seed, const struct kind *kind,
		bool verbose, struct totals *n)
{
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };
	struct ports_oracle oracle = { .measure = truth_measure,
				       .may_mix = truth_may_mix,
				       .context = t };
	struct ports_request q = { .forms = make_forms(&a, t, kind),
				   .n_forms = t->n_forms,
				   .oracle = &oracle,
				   .n_checks = 200,
				   .n_fit = 200,
				   .seed = seed };
	struct ports_answer w;

	if (ports_infer(&a, &q, &w, &e) != ERR_OK) {
		printf("%llu: %s\n", (unsigned long long)seed, e.message);
		n->n_failed++;
	} else {
		count_forms(t, &w, n);
		compare(&a, t, &w, seed, verbose, n);
	}
	arena_free(&a);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double ratio(size_t x, size_t y)
{
	return y > 0 ? (double)x / (double)y : 0;
}

/* The share of all forms with these verdicts, in percent. */
static double percent(const struct totals *n, enum ports_verdict x,
		      enum ports_verdict y)
{
	size_t both = n->by_verdict[x] + (y != x ? n->by_verdict[y] : 0);

	return 100 * ratio(both, n->n_forms);
}

static void print_verdicts(const struct totals *n)
{
	printf("%zu forms, %zu with ports, %zu of them wrong (%.2f %%)\n",
	       n->n_forms, n->n_claimed, n->n_wrong,
	       100 * ratio(n->n_wrong, n->n_claimed));
	printf("exact %.2f %%, ok %.2f %%, open %.2f %%, unsure or misfit %.2f %%, "
	       "unfinished %.2f %%, without a value %.2f %%",
	       100 * ratio(n->n_claimed - n->n_wrong, n->n_forms),
	       percent(n, PORTS_OK, PORTS_OK),
	       percent(n, PORTS_OPEN, PORTS_OPEN),
	       percent(n, PORTS_UNSURE, PORTS_MISFIT),
	       percent(n, PORTS_UNFINISHED, PORTS_UNFINISHED),
	       percent(n, PORTS_NO_VALUE, PORTS_NO_VALUE));
	if (n->by_verdict[PORTS_LEFT] > 0)
		printf(", left to tables %.2f %%",
		       percent(n, PORTS_LEFT, PORTS_LEFT));
	if (n->by_verdict[PORTS_CLOSES] > 0)
		printf(", port blockers %.2f %%",
		       percent(n, PORTS_CLOSES, PORTS_CLOSES));
	printf("; %.1f kernels for each form\n",
	       ratio(n->n_kernels, n->n_forms));
	if (n->n_members > 0)
		printf("%zu forms of more than one uop are in classes\n",
		       n->n_members);
}

static int summary(struct totals *n, const struct kind *kind)
{
	double right = n->n_unions > 0 ? ratio(n->n_right, n->n_unions) : 1;
	double error;

	if (n->n_cores == 0)
		return 1;
	error = n->error / (double)n->n_cores;
	qsort(n->seconds, n->n_cores, sizeof(*n->seconds), by_size);
	printf("%zu cores (%zu failed): unions below the width %.3f %% right, "
	       "prediction error %.3f %% (worst core %.3f %%), matrix solved "
	       "in %.2f s (median; worst %.2f s), at most %zu experiments for "
	       "it\n",
	       n->n_cores, n->n_failed, 100 * right, 100 * error,
	       100 * n->worst_mean, n->seconds[n->n_cores / 2],
	       n->seconds[n->n_cores - 1], n->n_worst_experiments);
	print_verdicts(n);
	return n->n_failed > 0 || right < kind->least_right ||
	       error > kind->most_error ||
	       ratio(n->n_wrong, n->n_claimed) > kind->most_wrong ||
	       ratio(n->by_verdict[PORTS_OPEN], n->n_forms) > kind->most_open;
}

int main(int argc, char **argv)
{
	struct totals n = { 0 };
	const struct kind *kind;
	struct truth *t;
	uint64_t first, count;
	double noise, outliers;
	int ret;

	if (argc < 6)
		return 2;
	kind = kinds_find(argv[5]);
	if (!kind)
		return 2;
	first = strtoull(argv[1], NULL, 10);
	count = strtoull(argv[2], NULL, 10);
	noise = strtod(argv[3], NULL) / 100;
	outliers = strtod(argv[4], NULL) / 100;
	t = xrealloc(NULL, 1, sizeof(*t));
	for (uint64_t seed = first; seed < first + count; seed++) {
		truth_make(t, seed);
		if (kind->change && !kind->change(t))
			continue;
		t->noise = noise;
		t->outliers = outliers;
		t->greedy = kind->greedy;
		t->uneven = kind->uneven;
		t->spent = kind->spent;
		one(t, seed, kind, argc > 6, &n);
	}
	/* A disturbed core is measured like one with a greedy scheduler. */
	if (outliers > 0 && strcmp(kind->name, "optimal") == 0)
		kind = kinds_find("greedy");
	ret = summary(&n, kind);
	free(t);
	return ret;
}
