/* The table of `anechoic show structures`. */
#include <inttypes.h>
#include <stdio.h>

#include "host/base/print.h"
#include "host/cli/show.h"
#include "host/model/settled.h"
#include "host/store/store_run.h"
#include "host/view/finding.h"

enum { INDENT = 4, WIDTH = 80 };

static void print_row(const struct claim *c, bool evidence)
{
	enum finding_unit unit = finding_unit_of(c->destination);
	char value[FINDING_SPAN];

	finding_text(value, c);
	printf("  %-18s %16s %-8s %s\n", c->source, value,
	       c->has_value ? finding_unit_word(unit) : "", claim_verdict(c));
	if (!evidence)
		return;
	print_wrapped(c->detail, INDENT, WIDTH);
	if (*c->label)
		printf("    from %s\n", c->label);
}

static bool is_finding(const struct claim *c)
{
	return claim_is(c, CLAIM_STRUCTURE);
}

/* Has a row before row i the same run? */
static bool is_shown(const struct view_claims *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_finding(&all->list[k]) &&
		    all->list[k].run == all->list[i].run)
			return true;
	return false;
}

static int print_run(struct store *s, struct arena *a,
		     const struct view_claims *all, int64_t id, bool evidence,
		     struct err *e)
{
	struct run run;

	if (store_run_get(s, a, id, &run, e) != ERR_OK)
		return e->code;
	printf("structures, run %" PRId64 " on %s %s\n  %s, clock %s, tool "
	       "%s\n\n",
	       run.id, run.board, run.isa, run.date, run_clock(&run), run.tool);
	for (size_t i = 0; i < all->n; i++)
		if (is_finding(&all->list[i]) && all->list[i].run == id)
			print_row(&all->list[i], evidence);
	return ERR_OK;
}

int show_structures(struct store *s, struct arena *a, bool evidence,
		    struct err *e)
{
	struct view_claims all;
	size_t n = 0;

	if (view_read_claims(s, a, 0, "", &all, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < all.n; i++) {
		if (!is_finding(&all.list[i]) || is_shown(&all, i))
			continue;
		if (n++ > 0)
			printf("\n");
		if (print_run(s, a, &all, all.list[i].run, evidence, e) !=
		    ERR_OK)
			return e->code;
	}
	if (n == 0)
		return err_set(e, ERR_INPUT,
			       "no structures in this database; 'anechoic "
			       "structures --db FILE' measures them");
	if (!evidence)
		printf("  how each was found, or why not: --evidence\n");
	return ERR_OK;
}
