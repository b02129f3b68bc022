/* anechoic measure --what ports; see ports.h. */
#include "host/cli/ports.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/base/duration.h"
#include "host/cli/progress.h"
#include "host/isa/isa.h"

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
		printf("not stored: the search now asks for mixes that this run did not "
		       "measure.\nThe stored claims, ports of %zu forms, are "
		       "unchanged; 'anechoic measure --what ports' searches again.\n",
		       r->n_kept);
	else
		ports_print(r);
}

int ports_solve(struct store *s, struct err *e)
{
	const struct port_search_events events = { .found = print_repeated };

	return port_search_repeat(s, &events, e);
}
