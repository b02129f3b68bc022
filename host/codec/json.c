/* The newest claims, and every run with its environment, as one JSON object:
 * { "claims": [...], "runs": [...] }. */
#include "host/base/json.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/runs.h"
#include "host/isa/isa.h"
#include "host/isa/value_words.h"
#include "host/store/store_claim.h"

struct json_writer {
	struct buffer *out;
	bool first; /* no comma before the next item */
};

static void json_add_key(struct json_writer *j, const char *key)
{
	if (!j->first)
		buffer_add(j->out, ", ", 2);
	j->first = false;
	json_add_string(j->out, key);
	buffer_add(j->out, ": ", 2);
}

static void json_add_text(struct json_writer *j, const char *key,
			  const char *value)
{
	json_add_key(j, key);
	json_add_string(j->out, value);
}

static void json_add_number(struct json_writer *j, const char *key, bool known,
			    double value)
{
	char text[NUMBER_ROOM] = "null";

	if (known)
		number_text(value, text);
	json_add_key(j, key);
	buffer_printf(j->out, "%s", text);
}

static void json_add_whole(struct json_writer *j, const char *key,
			   uint64_t value)
{
	json_add_key(j, key);
	buffer_printf(j->out, "%llu", (unsigned long long)value);
}

/* Start an object, the next item of a list. */
static struct json_writer json_begin_item(struct json_writer *list)
{
	buffer_printf(list->out, "%s\n    { ", list->first ? "" : ",");
	list->first = false;
	return (struct json_writer){ .out = list->out, .first = true };
}

struct json_claims {
	struct json_writer list;
	struct runs runs;
};

static int json_add_claim(void *context, const struct claim *c, struct err *e)
{
	struct json_claims *w = context;
	struct json_writer j = json_begin_item(&w->list);
	char values[VALUE_WORDS_ROOM];
	const struct run_of_core *run;

	(void)e;
	json_add_text(&j, "isa", c->isa);
	json_add_text(&j, "form", c->form);
	json_add_text(&j, "kind", c->kind);
	json_add_text(&j, "source", c->source);
	json_add_text(&j, "destination", c->destination);
	json_add_number(&j, "low_cycles", c->has_value, c->low_cycles);
	json_add_number(&j, "high_cycles", c->has_value, c->high_cycles);
	json_add_number(&j, "residual", c->has_value || c->residual > 0,
			c->residual);
	json_add_whole(&j, "visits", c->visits);
	json_add_text(&j, "verdict", c->verdict);
	json_add_text(&j, "detail", c->detail);
	json_add_text(&j, "label", c->label);
	json_add_whole(&j, "kernel", c->kernel);
	json_add_whole(&j, "solver_version", (uint64_t)c->solver_version);
	json_add_text(&j, "board", c->board);
	json_add_whole(&j, "run", (uint64_t)c->run);
	value_words(isa_find(c->isa), c->form, values);
	json_add_text(&j, "values", values);
	run = runs_find(&w->runs, c->run);
	json_add_text(&j, "cpu", run->run.cpu);
	json_add_text(&j, "core", run->core.core);
	json_add_text(&j, "machine", run->core.machine);
	buffer_printf(j.out, " }");
	return ERR_OK;
}

static int json_add_fact(void *context, const char *key, const char *value,
			 struct err *e)
{
	(void)e;
	json_add_text(context, key, value);
	return ERR_OK;
}

static int json_add_run(struct json_writer *list, struct store *s,
			const struct run_of_core *run, struct err *e)
{
	const struct run *r = &run->run;
	struct json_writer j = json_begin_item(list);
	struct json_writer facts = { .out = list->out, .first = true };

	json_add_whole(&j, "id", (uint64_t)r->id);
	json_add_text(&j, "board", r->board);
	json_add_text(&j, "isa", r->isa);
	json_add_text(&j, "cpu", r->cpu);
	json_add_text(&j, "core", run->core.core);
	json_add_text(&j, "machine", run->core.machine);
	json_add_text(&j, "clock", r->clock);
	json_add_whole(&j, "ref_hz", r->ref_hz);
	json_add_whole(&j, "kernel_cycles", r->kernel_cycles);
	json_add_text(&j, "what", r->what);
	json_add_text(&j, "forms", r->forms);
	json_add_text(&j, "tool", r->tool);
	json_add_text(&j, "date", r->date);
	json_add_key(&j, "finished");
	buffer_printf(j.out, "%s", r->finished ? "true" : "false");
	json_add_key(&j, "environment");
	buffer_printf(j.out, "{ ");
	if (store_envs(s, r->id, json_add_fact, &facts, e) != ERR_OK)
		return e->code;
	buffer_printf(j.out, " } }");
	return ERR_OK;
}

static int json_add_runs(struct json_writer *list, struct store *s,
			 const struct runs *runs, struct err *e)
{
	for (size_t i = 0; i < runs->n; i++)
		if (json_add_run(list, s, &runs->runs[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

static int write_json(struct store *s, struct buffer *ret, struct err *e)
{
	struct json_claims claims = { .list = { .out = ret, .first = true } };
	struct json_writer runs = { .out = ret, .first = true };
	struct arena a = { 0 };

	buffer_printf(ret, "{\n  \"claims\": [");
	if (runs_read(&a, s, &claims.runs, e) == ERR_OK &&
	    store_claims(s, 0, NULL, json_add_claim, &claims, e) == ERR_OK) {
		buffer_printf(ret, "\n  ],\n  \"runs\": [");
		(void)json_add_runs(&runs, s, &claims.runs, e);
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
