/* The newest claims, and every run with its environment, as one JSON object:
 * { "claims": [...], "runs": [...] }. */
#include <math.h>

#include "host/base/json.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/rows.h"

struct json_writer {
	struct buffer *out;
	struct runs runs;
	bool first; /* no comma before the next item */
};

static void add_separator(struct json_writer *w, const char *first,
			  const char *next)
{
	buffer_printf(w->out, "%s", w->first ? first : next);
	w->first = false;
}

static void add_key(struct json_writer *w, const char *key)
{
	add_separator(w, "", ", ");
	json_add_string(w->out, key);
	buffer_printf(w->out, ": ");
}

/* Begin an object of these cells, the next item of a list. */
static void begin_item(struct json_writer *w, const struct cell *cells,
		       size_t n)
{
	add_separator(w, "\n    { ", ",\n    { ");
	w->first = true;
	for (size_t i = 0; i < n; i++) {
		const struct cell *x = &cells[i];

		add_key(w, x->key);
		if (x->type == CELL_TEXT)
			json_add_string(w->out, x->text);
		else if (x->type == CELL_WHOLE)
			buffer_printf(w->out, "%llu",
				      (unsigned long long)x->whole);
		else if (isfinite(x->number))
			number_add(w->out, x->number);
		else
			buffer_printf(w->out, "null");
	}
}

static int add_claim(void *context, const struct claim *c, struct err *e)
{
	struct json_writer *w = context;
	struct cell cells[CLAIM_CELLS];
	char values[VALUE_WORDS_ROOM];

	(void)e;
	claim_cells(c, &w->runs, values, cells);
	begin_item(w, cells, CLAIM_CELLS);
	buffer_printf(w->out, " }");
	w->first = false;
	return ERR_OK;
}

static int add_fact(void *context, const char *key, const char *value,
		    struct err *e)
{
	struct json_writer *w = context;

	(void)e;
	add_key(w, key);
	json_add_string(w->out, value);
	return ERR_OK;
}

static int add_run(struct json_writer *w, struct store *s,
		   const struct run_of_core *run, struct err *e)
{
	struct cell cells[RUN_CELLS];

	run_cells(run, cells);
	begin_item(w, cells, RUN_CELLS);
	buffer_printf(w->out, ", \"finished\": %s, \"environment\": { ",
		      run->run.finished ? "true" : "false");
	w->first = true;
	if (store_envs(s, run->run.id, add_fact, w, e) != ERR_OK)
		return e->code;
	buffer_printf(w->out, " } }");
	w->first = false;
	return ERR_OK;
}

static int write_json(struct store *s, struct buffer *ret, struct err *e)
{
	struct json_writer w = { .out = ret, .first = true };
	struct arena a = { 0 };

	buffer_printf(ret, "{\n  \"claims\": [");
	if (runs_read(&a, s, &w.runs, e) == ERR_OK &&
	    store_claims(s, 0, NULL, add_claim, &w, e) == ERR_OK) {
		buffer_printf(ret, "\n  ],\n  \"runs\": [");
		w.first = true;
		for (size_t i = 0; i < w.runs.n && e->code == ERR_OK; i++)
			(void)add_run(&w, s, &w.runs.runs[i], e);
		buffer_printf(ret, "\n  ]\n}\n");
	}
	arena_free(&a);
	return e->code;
}

const struct exporter exporter_json = {
	.name = "json",
	.describe = "JSON: values with their evidence, and the "
		    "environment of each run",
	.write = write_json,
};
