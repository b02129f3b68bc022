/* Prints the result of a port search; see ports.h. */
#include "host/cli/ports.h"

#include <stdio.h>

enum { SHOWN = 12 };

static void print_mix(const struct plan_ports_form *forms,
		      const struct ports_mix *mix)
{
	for (size_t i = 0; i < mix->n; i++) {
		printf("%s", i > 0 ? "+" : "    ");
		if (mix->part[i].count > 1)
			printf("%ux", mix->part[i].count);
		printf("%s", forms[mix->part[i].form].form->name);
	}
}

static void print_conflicts(const struct plan_ports_form *forms,
			    const struct ports_answer *w)
{
	if (w->n_conflicts == 0)
		return;
	printf("\nexperiments that the model contradicts (%zu, the first "
	       "%d)\n",
	       w->n_conflicts, SHOWN);
	for (size_t i = 0; i < w->n_conflicts && i < SHOWN; i++) {
		const struct ports_conflict *c = &w->conflicts[i];

		print_mix(forms, &c->mix);
		if (c->expected > 0)
			printf("\n      %.3f cycles measured, %.3f expected\n",
			       c->measured, c->expected);
		else
			printf("\n      %.3f cycles: no matrix of ports has "
			       "it with the others\n",
			       c->measured);
	}
}

static void print_counts(const struct ports_answer *w, size_t n_forms)
{
	size_t n[PORTS_OPEN + 1] = { 0 };

	for (size_t i = 0; i < n_forms; i++)
		n[w->forms[i].verdict]++;
	printf("\n%zu forms: %zu with ports, %zu unsure, %zu misfits, %zu "
	       "that close ports, %zu without a value, %zu unfinished\n",
	       n_forms, n[PORTS_OK] + n[PORTS_OPEN], n[PORTS_UNSURE],
	       n[PORTS_MISFIT], n[PORTS_CLOSES], n[PORTS_NO_VALUE],
	       n[PORTS_UNFINISHED]);
	if (n[PORTS_OPEN] > 0)
		printf("%zu of those with ports are open: other ports are "
		       "possible\n",
		       n[PORTS_OPEN]);
	printf("experiments: %zu alone, %zu for slots, %zu to merge, %zu for "
	       "the matrix (solved in %.2f s), %zu to check it, %zu saturation "
	       "kernels, "
	       "%zu of units, %zu to try forms\n",
	       w->n_experiments[PORTS_SINGLES], w->n_experiments[PORTS_SLOTS],
	       w->n_experiments[PORTS_MERGE], w->n_experiments[PORTS_MATRIX],
	       w->matrix_seconds, w->n_experiments[PORTS_CHECK],
	       w->n_experiments[PORTS_SATURATION],
	       w->n_experiments[PORTS_UNITS], w->n_experiments[PORTS_TRIAL]);
	if (w->fit.n > 0)
		printf("%zu random mixes drawn after that: mean error %.2f %%, "
		       "median %.2f %%, 99 %% below %.1f %%, worst %.1f %%\n",
		       w->fit.n, 100 * w->fit.mean, 100 * w->fit.median,
		       100 * w->fit.p99, 100 * w->fit.worst);
}

void ports_print(const struct port_search_result *r)
{
	struct arena a = { 0 };
	const struct plan_ports_form *forms = r->forms;
	const struct ports_answer *w = r->answer;
	const struct model m = { .n_ports = w->n_ports, .ports = w->ports };

	printf("\nwidth %g, %zu ports", w->width.low, w->n_ports);
	if (w->n_pairs > 0)
		printf("; %zu classes of pairs, see `anechoic model`\n",
		       w->n_pairs);
	else
		printf("; classes of one uop:\n");
	for (size_t i = 0; i < w->n_classes; i++) {
		const struct ports_class *c = &w->classes[i];

		if (c->ports != 0)
			printf("  %-28s %-24s %u forms\n",
			       forms[c->representative].form->name,
			       model_ports_text(&a, &m, c->ports),
			       c->n_members);
	}
	print_conflicts(forms, w);
	print_counts(w, r->n_forms);
	arena_free(&a);
}
