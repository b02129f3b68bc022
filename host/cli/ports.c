/* anechoic measure --what ports; see ports.h. */
#include "host/cli/ports.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/base/duration.h"
#include "host/base/file.h"
#include "host/cli/progress.h"
#include "host/isa/isa.h"

/* ---- the result ---------------------------------------------------------- */

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
	size_t n[PORTS_LEFT + 1] = { 0 };

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
	if (n[PORTS_LEFT] > 0)
		printf("%zu forms have no ports in the result: random mixes "
		       "with forms on the same\nports are off by over 5 %% on "
		       "average; published tables stand for them\n",
		       n[PORTS_LEFT]);
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
	if (n[PORTS_LEFT] > 0 && w->kept_fit.n > 0)
		printf("%zu of them, after others said which forms are left "
		       "to tables and without these: mean error %.2f %%, "
		       "median %.2f %%\n",
		       w->kept_fit.n, 100 * w->kept_fit.mean,
		       100 * w->kept_fit.median);
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

/* ---- the search ---------------------------------------------------------- */

/* The budget of a search over all forms; with --forms there is no limit. */
static const char *const default_budget = "10m";

struct display {
	const struct campaign_request *q;
	const char *budget; /* --budget */
	struct arena a;
	struct progress progress;
};

static void print_begin(void *context, const struct campaign *c, size_t n_forms,
			size_t n_left)
{
	const struct display *d = context;

	request_warn_limits(c, 1);
	printf("%s %s: ports of %zu forms; %zu more are left out, because "
	       "they depend on themselves\nresults: %s\n",
	       c->board->name, c->isa->name, n_forms, n_left, d->q->db);
	if (!d->q->forms && !d->budget)
		printf("no --forms: all of them, in at most %s (--budget)\n",
		       default_budget);
	(void)fflush(stdout);
}

static void print_no_old_run(void *context)
{
	(void)context;
	request_no_old_run();
}

static void show_part(void *context, const struct campaign *c, const char *what)
{
	struct display *d = context;

	progress_start(&d->progress, stderr,
		       arena_printf(&d->a, "%s: %s", c->board->name, what),
		       "visits");
}

static void show_visits(void *context, size_t n_done, size_t n_total)
{
	struct display *d = context;

	progress_show(&d->progress, n_done, n_total);
}

static void end_part(void *context)
{
	struct display *d = context;

	progress_end(&d->progress);
}

static void print_found(void *context, const struct port_search_result *r)
{
	const struct display *d = context;

	ports_print(r);
	printf("\n%zu kernels measured in %.1f s%s\n", r->n_measured,
	       r->seconds,
	       r->budget_spent ? "; the budget is spent; continue with "
				 "--resume"
			       : "");
	printf("the model:        anechoic model --db %s\n"
	       "evidence of one:  anechoic show --db %s FORM\n",
	       d->q->db, d->q->db);
}

int ports_measure(struct request_args *r, const char *budget, struct err *e)
{
	struct display d = { .q = &r->q, .budget = budget };
	const struct port_search_events events = {
		.begin = print_begin,
		.no_old_run = print_no_old_run,
		.part = show_part,
		.visits = show_visits,
		.part_end = end_part,
		.found = print_found,
		.context = &d,
	};

	if (!budget && !r->q.forms)
		budget = default_budget;
	if (budget_parse(budget, &r->q.budget_seconds, &r->q.budget_kernels,
			 e) == ERR_OK &&
	    request_fill(r, &d.a, e) == ERR_OK) {
		r->q.stop = interrupt_flag();
		(void)port_search_run(&r->q, &events, e);
	}
	arena_free(&d.a);
	return e->code;
}

static void print_repeated(void *context, const struct port_search_result *r)
{
	(void)context;
	printf("\nrun %" PRId64 ": ports on %s\n", r->run->id, r->run->board);
	if (r->n_kept > 0)
		printf("not stored: the search now asks for mixes that this "
		       "run did not "
		       "measure.\nThe stored claims, ports of %zu forms, are "
		       "unchanged; 'anechoic measure --what ports' searches "
		       "again.\n",
		       r->n_kept);
	else
		ports_print(r);
}

int ports_solve(struct store *s, struct err *e)
{
	const struct port_search_events events = { .found = print_repeated };

	return port_search_repeat(s, &events, e);
}

static void print_ended(void *context, const struct port_search_result *r)
{
	const struct campaign_request *q = context;

	ports_print(r);
	printf("\nthe model:  anechoic model --db %s\n", q->db);
}

static void say_nothing(void *context)
{
	(void)context;
}

int ports_next_image(struct campaign_request *q, const char *path,
		     struct buffer *image, struct port_search_next *next,
		     struct err *e)
{
	const struct port_search_events events = {
		.no_old_run = say_nothing,
		.found = print_ended,
		.context = q,
	};

	return port_search_image(q, &events, image, next, e) == ERR_OK &&
			       next->n_kernels > 0
		       ? file_write(path, image->bytes, image->n, e)
		       : e->code;
}
