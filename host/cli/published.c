/* See published.h. */
#include "host/cli/published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/types.h"
#include "host/base/print.h"
#include "host/cli/published_tables.h"
#include "host/isa/identity.h"
#include "host/store/store_core.h"

enum { WIDTH = 80 };

/* Keys in words. */
static const struct {
	const char *key, *word;
} words[] = {
	{ "width", "width" },
	{ "reorder_buffer", "reorder buffer" },
};

/* "Zen 3 (Milan, Vermeer, Cezanne)" */
static const char *name_of(struct arena *a, const struct known_core *c)
{
	return *c->names ? arena_printf(a, "%s (%s)", c->name, c->names)
			 : c->name;
}

/* The value is "6" or "6-8". */
static void warn_of_width(const struct core_fact *f, double low, double high)
{
	/* The solver takes a width for whole within 4.5 % (judge_width.c). */
	const double margin = 0.05;
	char *end;
	double least = strtod(f->value, &end);
	double most = *end == '-' ? strtod(end + 1, NULL) : least;

	if (high > 0 &&
	    (low > most * (1 + margin) || high < least * (1 - margin)))
		printf("  warning: the measured width is %.4g, the published "
		       "one %s\n",
		       high, f->value);
}

static void print_facts(struct arena *a, const struct known_core *c,
			const struct published *p)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const struct core_fact *f = facts_get(c, words[i].key, 0);

		if (!f)
			continue;
		print_wrapped(arena_printf(a, "%s %s: %s", words[i].word,
					   f->value, f->source),
			      2, WIDTH);
		if (i == 0)
			warn_of_width(f, p->low, p->high);
	}
}

static int print_core(struct arena *a, const char *core, struct store *s,
		      int64_t run, const struct published *p, struct err *e)
{
	struct known_cores f = facts_read(a);
	const struct known_core *by_numbers = facts_of_run(a, &f, core);
	const struct known_core *c = NULL;

	/* "NAME,+feature" */
	if (p->cpu)
		c = facts_of_cpu(&f, p->isa,
				 arena_printf(a, "%.*s",
					      (int)strcspn(p->cpu, ","),
					      p->cpu));

	if (!c)
		c = by_numbers;
	if (!c)
		return ERR_OK;
	printf("\npublished about %s, %s in LLVM\n", name_of(a, c), c->llvm);
	if (by_numbers && facts_contradict(a, &f, core, c->llvm))
		printf("  its numbers are those of %s\n", by_numbers->name);
	print_facts(a, c, p);
	return p->catalogue ? published_tables(s, run, p->catalogue, c->llvm, e)
			    : ERR_OK;
}

int published_print(struct store *s, int64_t run, const struct published *p,
		    struct err *e)
{
	struct arena a = { 0 };
	struct core_id core;

	if (store_run_core(s, &a, run, &core, e) == ERR_OK)
		(void)print_core(&a, core.core, s, run, p, e);
	arena_free(&a);
	return e->code;
}
