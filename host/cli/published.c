/* See published.h. */
#include "host/cli/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/types.h"
#include "host/base/print.h"
#include "host/isa/identity.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/mc_sched.h"
#include "host/store/store_core.h"
#include "host/view/claims.h"

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

/* ---- LLVM's tables ------------------------------------------------------- */

enum {
	/* Of fewer, a share says little: its standard error is above 0.07. */
	LEAST = 50,
	PLACEHOLDER = 100, /* of LLVM's tables, for what was not measured */
};

/* Whole numbers of cycles within this agree. */
static const double near = 0.05;
/* Seen on a Zen 5: 46 % for its own table, 10 to 12 % for those of Haswell,
 * Skylake, Zen 2 and Sapphire Rapids. */
static const double few = 0.25;

static bool is_plain(const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind != OPERAND_REG)
			return false;
	return f->access == 0 && !f->variant;
}

/* The exact latency of a plain form from its slowest register to its first
 * result; 0: not known. */
static double plain_latency(const struct form *f,
			    const struct view_claims *part)
{
	double most = 0;

	for (size_t i = 0; f && is_plain(f) && i < part->n; i++) {
		const struct claim *c = &part->list[i];

		if (claim_is(c, "latency") && c->has_value &&
		    c->verdict == VERDICT_OK &&
		    strcmp(c->destination, "0") == 0 &&
		    c->high_cycles <= c->low_cycles * (1 + near))
			most = fmax(most, claim_middle(c));
	}
	return most;
}

/* LLVM's latency of the form; 0: it has none. */
static double table_latency(const struct mc_sched *s, const struct form *f)
{
	const struct mc_inst i = { .opcode = f->opcode };
	unsigned class, writer;
	int cycles;

	if (mc_sched_varies(s, f->opcode))
		return 0;
	class = mc_sched_find(s, &i);
	cycles = class ? mc_sched_latency(s, class, 0, &writer) : 0;
	return cycles > 0 && cycles != PLACEHOLDER ? cycles : 0;
}

/* How many latencies a table has, and how many of these it has right. */
struct table_fit {
	size_t n, n_right;
};

static struct table_fit fit_to(const struct mc_sched *s,
			       const struct catalogue *c,
			       struct view_claims rest)
{
	struct table_fit fit = { .n = 0 };
	struct view_claims part;

	while ((part = view_next(&rest, view_same_form)).n > 0) {
		const struct form *f = catalogue_form(c, part.list->form);
		double measured = plain_latency(f, &part);
		double cycles = measured > 0 ? table_latency(s, f) : 0;

		fit.n += cycles > 0;
		fit.n_right +=
			cycles > 0 && fabs(cycles - measured) <= near * cycles;
	}
	return fit;
}

static void print_fit(const struct table_fit *f, const char *llvm)
{
	double share = (double)f->n_right / (double)f->n;

	if (f->n < LEAST)
		return;
	printf("  latencies: %.0f %% of %zu are as in LLVM's table of %s\n",
	       100 * share, f->n, llvm);
	if (share < few)
		printf("  warning: with so few this is hardly a %s; is --cpu "
		       "right, or 'cpu' of\n  the board, or is the table "
		       "wrong?\n",
		       llvm);
}

/* Print the share of forms without memory access whose exact latency is that of
 * LLVM's table for the core, and a warning if few are: the name of the core is
 * wrong, or the table is.  Nothing of a core without a table. */
static int print_tables(struct store *s, struct arena *a, int64_t run,
			const struct catalogue *c, const char *llvm,
			struct err *e)
{
	struct err why = { .code = ERR_OK };
	struct view_claims all;
	struct table_fit fit;
	struct mc_sched *table;

	if (view_read_claims(s, a, run, NULL, &all, e) != ERR_OK ||
	    mc_sched_open(c->isa->triple, llvm, &table, &why) != ERR_OK)
		return e->code;
	fit = fit_to(table, c, all);
	mc_sched_close(table);
	print_fit(&fit, llvm);
	return ERR_OK;
}

/* ---- the core ------------------------------------------------------------ */

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
	return p->catalogue ? print_tables(s, a, run, p->catalogue, c->llvm, e)
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
