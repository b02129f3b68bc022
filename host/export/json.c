/* The newest claims, and every run with its environment, as one JSON object:
 * { "claims": [...], "runs": [...] }. */
#include "host/export/export.h"
#include "host/export/json_text.h"
#include "host/export/number.h"

struct json {
	struct buffer *out;
	bool first; /* no comma before the next item */
};

static void add_key(struct json *j, const char *key)
{
	if (!j->first)
		buffer_add(j->out, ", ", 2);
	j->first = false;
	json_add_string(j->out, key);
	buffer_add(j->out, ": ", 2);
}

static void add_text(struct json *j, const char *key, const char *value)
{
	add_key(j, key);
	json_add_string(j->out, value);
}

static void add_number(struct json *j, const char *key, bool known,
		       double value)
{
	char text[NUMBER_ROOM] = "null";

	if (known)
		number_text(value, text);
	add_key(j, key);
	buffer_printf(j->out, "%s", text);
}

static void add_whole(struct json *j, const char *key, uint64_t value)
{
	add_key(j, key);
	buffer_printf(j->out, "%llu", (unsigned long long)value);
}

/* Start an object as the next item of a list. */
static struct json item(struct json *list)
{
	buffer_printf(list->out, "%s\n    { ", list->first ? "" : ",");
	list->first = false;
	return (struct json){ .out = list->out, .first = true };
}

static int add_claim(void *context, const struct claim *c, struct err *e)
{
	struct json j = item(context);

	(void)e;
	add_text(&j, "isa", c->isa);
	add_text(&j, "form", c->form);
	add_text(&j, "kind", c->kind);
	add_text(&j, "source", c->source);
	add_text(&j, "destination", c->destination);
	add_number(&j, "low_cycles", c->has_value, c->low_cycles);
	add_number(&j, "high_cycles", c->has_value, c->high_cycles);
	add_number(&j, "residual", c->has_value || c->residual > 0,
		   c->residual);
	add_whole(&j, "visits", c->visits);
	add_text(&j, "verdict", c->verdict);
	add_text(&j, "detail", c->detail);
	add_text(&j, "label", c->label);
	add_whole(&j, "kernel", c->kernel);
	add_whole(&j, "solver_version", (uint64_t)c->solver_version);
	add_text(&j, "board", c->board);
	add_whole(&j, "run", (uint64_t)c->run);
	buffer_printf(j.out, " }");
	return ERR_OK;
}

static int add_fact(void *context, const char *key, const char *value,
		    struct err *e)
{
	(void)e;
	add_text(context, key, value);
	return ERR_OK;
}

static int add_run(struct json *list, struct store *s, const struct run *r,
		   struct err *e)
{
	struct json j = item(list);
	struct json facts = { .out = list->out, .first = true };

	add_whole(&j, "id", (uint64_t)r->id);
	add_text(&j, "board", r->board);
	add_text(&j, "isa", r->isa);
	add_text(&j, "cpu", r->cpu);
	add_text(&j, "clock", r->clock);
	add_whole(&j, "ref_hz", r->ref_hz);
	add_whole(&j, "kernel_cycles", r->kernel_cycles);
	add_text(&j, "what", r->what);
	add_text(&j, "forms", r->forms);
	add_text(&j, "tool", r->tool);
	add_text(&j, "date", r->date);
	add_key(&j, "finished");
	buffer_printf(j.out, "%s", r->finished ? "true" : "false");
	add_key(&j, "environment");
	buffer_printf(j.out, "{ ");
	if (store_envs(s, r->id, add_fact, &facts, e) != ERR_OK)
		return e->code;
	buffer_printf(j.out, " } }");
	return ERR_OK;
}

static int add_runs(struct json *list, struct store *s, struct err *e)
{
	struct arena a = { 0 };
	int64_t *ids = NULL;
	size_t n = 0;
	int ret = store_runs(s, &a, &ids, &n, e);

	for (size_t i = 0; i < n && ret == ERR_OK; i++) {
		struct run r;

		ret = store_run_get(s, &a, ids[i], &r, e);
		if (ret == ERR_OK)
			ret = add_run(list, s, &r, e);
	}
	arena_free(&a);
	return ret;
}

static int write_json(struct store *s, struct buffer *ret, struct err *e)
{
	struct json claims = { .out = ret, .first = true };
	struct json runs = { .out = ret, .first = true };

	buffer_printf(ret, "{\n  \"claims\": [");
	if (store_claims(s, 0, NULL, add_claim, &claims, e) != ERR_OK)
		return e->code;
	buffer_printf(ret, "\n  ],\n  \"runs\": [");
	if (add_runs(&runs, s, e) != ERR_OK)
		return e->code;
	buffer_printf(ret, "\n  ]\n}\n");
	return ERR_OK;
}

const struct exporter exporter_json = {
	.name = "json",
	.describe = "values with their evidence, and every run's environment",
	.write = write_json,
};
