/* The table of `anechoic show structures`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/cli/show.h"
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

int show_structures(struct store *s, struct arena *a, bool evidence,
		    struct err *e)
{
	struct view_claims all, rows;
	struct run run;

	if (view_read_claims(s, a, 0, "", &all, e) != ERR_OK)
		return e->code;
	rows = finding_claims(&all, FINDING_KIND);
	if (rows.n == 0)
		return err_set(e, ERR_INPUT,
			       "no structures in this database; 'anechoic "
			       "structures --db FILE' measures them");
	if (store_run_get(s, a, rows.list->run, &run, e) != ERR_OK)
		return e->code;
	printf("structures, run %" PRId64 " on %s %s\n  %s, clock %s, tool "
	       "%s\n\n",
	       run.id, run.board, run.isa, run.date, run_clock(&run), run.tool);
	for (size_t i = 0; i < rows.n; i++)
		print_row(&rows.list[i], evidence);
	if (!evidence)
		printf("  how each was found, or why not: --evidence\n");
	return ERR_OK;
}
