/* The newest claims as comma-separated values (RFC 4180, but lines end with a
 * single newline).  An empty field is an unknown value; the verdict gives the
 * reason. */
#include <string.h>

#include "host/base/csv.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/runs.h"
#include "host/isa/isa.h"
#include "host/isa/value_words.h"
#include "host/store/store_claim.h"

static void csv_add_number(struct buffer *b, bool known, double value)
{
	char text[NUMBER_ROOM] = "";

	if (known)
		number_text(value, text);
	buffer_printf(b, ",%s", text);
}

struct csv_writer {
	struct buffer *out;
	struct runs runs;
};

static int csv_add_claim(void *context, const struct claim *c, struct err *e)
{
	const char *const words[] = { c->isa, c->form, c->kind, c->source,
				      c->destination };
	struct csv_writer *w = context;
	struct buffer *b = w->out;
	char values[VALUE_WORDS_ROOM];
	const struct run_of_core *run;

	(void)e;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (i > 0)
			buffer_add(b, ",", 1);
		csv_add(b, words[i]);
	}
	csv_add_number(b, c->has_value, c->low_cycles);
	csv_add_number(b, c->has_value, c->high_cycles);
	csv_add_number(b, c->has_value || c->residual > 0, c->residual);
	buffer_printf(b, ",%u,", c->visits);
	csv_add(b, c->verdict);
	buffer_add(b, ",", 1);
	csv_add(b, c->board);
	buffer_printf(b, ",%lld,", (long long)c->run);
	value_words(isa_find(c->isa), c->form, values);
	csv_add(b, values);
	buffer_add(b, ",", 1);
	run = runs_find(&w->runs, c->run);
	csv_add(b, run->run.cpu);
	buffer_add(b, ",", 1);
	csv_add(b, run->core.core);
	buffer_add(b, ",", 1);
	csv_add(b, run->core.machine);
	buffer_add(b, "\n", 1);
	return ERR_OK;
}

static int write_csv(struct store *s, struct buffer *ret, struct err *e)
{
	static const char header[] =
		"isa,form,kind,source,destination,low_cycles,high_cycles,"
		"residual,visits,verdict,board,run,values,cpu,"
		"core,machine\n";

	struct csv_writer w = { .out = ret };
	struct arena a = { 0 };

	buffer_add(ret, header, sizeof(header) - 1);
	if (runs_read(&a, s, &w.runs, e) == ERR_OK)
		(void)store_claims(s, 0, NULL, csv_add_claim, &w, e);
	arena_free(&a);
	return e->code;
}

const struct exporter exporter_csv = {
	.name = "csv",
	.describe = "CSV: a line for each value, with bounds, "
		    "residual, verdict, run and operand values",
	.write = write_csv,
};
