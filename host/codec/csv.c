/* The newest claims as comma-separated values (RFC 4180, but lines end with a
 * single newline).  An empty field is an unknown value; the verdict gives the
 * reason. */
#include "host/base/csv.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/rows.h"

struct csv_writer {
	struct buffer *out;
	struct runs runs;
};

/* Append a line of cells, or of their keys. */
static void add_line(struct buffer *b, const struct cell *cells, bool keys)
{
	for (size_t i = 0; i < CLAIM_CELLS; i++) {
		const struct cell *x = &cells[i];

		if (!x->brief)
			continue;
		buffer_printf(b, i > 0 ? "," : "");
		if (keys)
			buffer_printf(b, "%s", x->key);
		else if (x->type == CELL_WHOLE)
			buffer_printf(b, "%llu", (unsigned long long)x->whole);
		else if (x->type == CELL_TEXT)
			csv_add(b, x->text);
		else
			number_add(b, x->number);
	}
	buffer_printf(b, "\n");
}

static int add_claim(void *context, const struct claim *c, struct err *e)
{
	struct csv_writer *w = context;
	struct cell cells[CLAIM_CELLS];
	char values[VALUE_WORDS_ROOM];

	(void)e;
	claim_cells(c, &w->runs, values, cells);
	add_line(w->out, cells, false);
	return ERR_OK;
}

static int write_csv(struct store *s, struct buffer *ret, struct err *e)
{
	static const struct claim none = { .isa = "", .form = "" };
	struct csv_writer w = { .out = ret };
	struct cell cells[CLAIM_CELLS];
	char values[VALUE_WORDS_ROOM];
	struct arena a = { 0 };

	claim_cells(&none, &w.runs, values, cells);
	add_line(ret, cells, true);
	if (runs_read(&a, s, &w.runs, e) == ERR_OK)
		(void)store_claims(s, 0, NULL, add_claim, &w, e);
	arena_free(&a);
	return e->code;
}

const struct exporter exporter_csv = {
	.name = "csv",
	.describe = "CSV: a line for each value, with bounds, "
		    "residual, verdict, run and operand values",
	.write = write_csv,
};
