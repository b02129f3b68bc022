/* The values of a form's page as JSON and as CSV. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/base/json.h"
#include "host/codec/number.h"
#include "host/site/inner.h"

static void add_key(struct buffer *b, const char *key, const char *value)
{
	buffer_printf(b, "\"%s\": ", key);
	json_add_string(b, value);
	buffer_printf(b, ", ");
}

static void add_number(struct buffer *b, const char *key, bool known,
		       double value)
{
	char text[NUMBER_ROOM] = "null";

	if (known && isfinite(value))
		number_text(value, text);
	buffer_printf(b, "\"%s\": %s, ", key, text);
}

static void add_claim(struct buffer *b, const struct claim *c)
{
	buffer_printf(b, "{ ");
	add_key(b, "kind", c->kind);
	add_key(b, "source", c->source);
	add_key(b, "destination", c->destination);
	add_number(b, "low_cycles", c->has_value, c->low_cycles);
	add_number(b, "high_cycles", c->has_value, c->high_cycles);
	add_number(b, "residual", true, c->residual);
	add_key(b, "verdict", claim_verdict(c));
	add_key(b, "label", c->label);
	add_key(b, "detail", c->detail);
	buffer_printf(b, "\"visits\": %u, \"run\": %" PRId64 " }", c->visits,
		      c->run);
}

static void add_core(struct buffer *b, const struct site_core *c,
		     const struct site_values *v)
{
	const struct site_row *row = &v->row;

	buffer_printf(b, "{ ");
	add_key(b, "core", c->name);
	add_key(b, "board", c->board);
	add_key(b, "cpu", c->cpu);
	add_key(b, "source", c->source);
	add_number(b, "uops_low", row->uops.has_value, row->uops.low);
	add_number(b, "uops_high", row->uops.has_value, row->uops.high);
	add_key(b, "ports", row->ports);
	buffer_printf(b, "\"values\": [");
	for (size_t i = 0; i < v->claims.n; i++) {
		buffer_printf(b, "%s\n    ", i ? "," : "");
		add_claim(b, &v->claims.list[i]);
	}
	buffer_printf(b, " ] }");
}

void site_form_json(struct buffer *b, const struct site *s,
		    const struct site_form *f)
{
	bool first = true;

	buffer_printf(b, "{ ");
	add_key(b, "form", f->name);
	add_key(b, "isa", f->isa);
	add_key(b, "mnemonic", f->form ? f->form->mnemonic : "");
	add_key(b, "assembly", f->form ? f->form->example : "");
	buffer_printf(b, "\"cores\": [");
	for (size_t i = 0; i < s->n_cores; i++) {
		if (!f->on[i])
			continue;
		buffer_printf(b, "%s\n  ", first ? "" : ",");
		first = false;
		add_core(b, &s->cores[i], f->on[i]);
	}
	buffer_printf(b, "\n] }\n");
}

static void csv_number(struct buffer *b, bool known, double value)
{
	char text[NUMBER_ROOM] = "";

	if (known && isfinite(value))
		number_text(value, text);
	buffer_printf(b, "%s,", text);
}

static void csv_claim(struct buffer *b, const struct site_core *core,
		      const struct claim *c)
{
	const char *const words[] = { core->name, c->isa,    c->form,
				      c->kind,    c->source, c->destination };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		csv_add(b, words[i]);
		buffer_printf(b, ",");
	}
	csv_number(b, c->has_value, c->low_cycles);
	csv_number(b, c->has_value, c->high_cycles);
	csv_number(b, true, c->residual);
	buffer_printf(b, "%u,", c->visits);
	csv_add(b, claim_verdict(c));
	buffer_printf(b, ",");
	csv_add(b, core->board);
	buffer_printf(b, ",%" PRId64 "\n", c->run);
}

void site_form_csv(struct buffer *b, const struct site *s,
		   const struct site_form *f)
{
	buffer_printf(b, "core,isa,form,kind,source,destination,low_cycles,"
			 "high_cycles,residual,visits,verdict,board,run\n");
	for (size_t i = 0; i < s->n_cores; i++)
		for (size_t k = 0; f->on[i] && k < f->on[i]->claims.n; k++)
			csv_claim(b, &s->cores[i], &f->on[i]->claims.list[k]);
}
