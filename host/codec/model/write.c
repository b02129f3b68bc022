/* Writes the native model file: the whole struct model as JSON.  Unknown values
 * have no key. read.c reads the file; docs/exports.md lists
 * the keys. */
#include <stdio.h>
#include <stdlib.h>

#include "host/base/json.h"
#include "host/codec/codec.h"

struct model_writer {
	struct buffer *out;
	const struct model *m;
	bool first; /* no comma before the next key */
};

/* Append the shortest text that reads back as the same number. */
static void add_number(struct buffer *b, double value)
{
	enum { ROOM = 40, SURE = 15, MOST = 17 };
	char text[ROOM];

	for (int digits = SURE; digits <= MOST; digits++) {
		(void)snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	buffer_printf(b, "%s", text);
}

static void add_key(struct model_writer *w, const char *key)
{
	buffer_printf(w->out, w->first ? "" : ", ");
	w->first = false;
	json_add_string(w->out, key);
	buffer_printf(w->out, ": ");
}

/* Append a key on a new line. */
static void add_line(struct model_writer *w, const char *key)
{
	buffer_printf(w->out, w->first ? "\n  " : ",\n  ");
	w->first = true;
	add_key(w, key);
}

static void add_span(struct model_writer *w, const char *key,
		     const struct model_span *s)
{
	if (!s->has_value)
		return;
	add_key(w, key);
	buffer_printf(w->out, "[");
	add_number(w->out, s->low);
	buffer_printf(w->out, ", ");
	add_number(w->out, s->high);
	buffer_printf(w->out, "]");
}

static void add_flag(struct model_writer *w, const char *key, bool flag)
{
	if (!flag)
		return;
	add_key(w, key);
	buffer_printf(w->out, "true");
}

static void add_class(struct model_writer *w, const char *key, unsigned class)
{
	if (class == 0)
		return;
	add_key(w, key);
	buffer_printf(w->out, "%u", class);
}

static void add_name(struct buffer *b, const char *name)
{
	if (name)
		json_add_string(b, name);
	else
		buffer_printf(b, "null");
}

static void add_names(struct model_writer *w, const char *key,
		      const char *const *names, size_t n)
{
	add_key(w, key);
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < n; i++) {
		buffer_printf(w->out, i > 0 ? ", " : "");
		add_name(w->out, names[i]);
	}
	buffer_printf(w->out, "]");
}

/* ---- the core ----------------------------------------------------------- */

static void add_about(struct model_writer *w)
{
	const struct model_about *about = &w->m->about;
	const struct {
		const char *key, *text;
	} facts[] = {
		{ "core", about->core },   { "system", about->system },
		{ "date", about->date },   { "tool", export_tool(w->m) },
		{ "noise", about->noise }, { "share", about->share },
	};

	add_line(w, "about");
	buffer_printf(w->out, "{ ");
	w->first = true;
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		if (facts[i].text) {
			add_key(w, facts[i].key);
			json_add_string(w->out, facts[i].text);
		}
	buffer_printf(w->out, " }");
}

static void add_lines(struct model_writer *w, const struct model_lines *l)
{
	add_line(w, "lines");
	buffer_printf(w->out, "{ ");
	w->first = true;
	add_key(w, "cycles");
	buffer_printf(w->out, "[");
	for (uint32_t i = 1; i <= l->n; i++) {
		buffer_printf(w->out, i > 1 ? ", " : "");
		add_number(w->out, l->cycles[i]);
	}
	buffer_printf(w->out, "]");
	if (l->rule != MODEL_LINES_UNKNOWN) {
		add_key(w, "rule");
		json_add_string(w->out, model_lines_rules[l->rule]);
	}
	add_class(w, "free", l->free);
	if (l->crossing > 0) {
		add_key(w, "crossing");
		add_number(w->out, l->crossing);
	}
	buffer_printf(w->out, " }");
}

static void add_core(struct model_writer *w)
{
	const struct model *m = w->m;
	const struct {
		const char *key;
		uint32_t size;
	} sizes[] = {
		{ "reorder_buffer", m->reorder_buffer },
		{ "scheduler", m->scheduler },
		{ "load_queue", m->load_queue },
		{ "store_queue", m->store_queue },
		{ "vector_queue", m->vector_queue },
		{ "vector_registers", m->vector_registers },
		{ "refill", m->refill },
	};

	add_line(w, "isa");
	json_add_string(w->out, m->isa);
	add_line(w, "cpu");
	json_add_string(w->out, m->cpu);
	add_line(w, "source");
	json_add_string(w->out, m->source);
	add_about(w);
	buffer_printf(w->out, ",\n  ");
	w->first = true;
	add_flag(w, "in_order", m->in_order);
	add_flag(w, "order_known", m->order_known);
	add_flag(w, "binds_ports", m->binds_ports);
	add_span(w, "width", &m->width);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		add_class(w, sizes[i].key, sizes[i].size);
	if (m->taken_branches > 0) {
		add_key(w, "taken_branches");
		add_number(w->out, m->taken_branches);
	}
	if (m->lines.n > 0 || m->lines.crossing > 0)
		add_lines(w, &m->lines);
	add_key(w, "ports");
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < m->n_ports; i++) {
		buffer_printf(w->out, i > 0 ? ", { " : "{ ");
		w->first = true;
		add_key(w, "name");
		json_add_string(w->out, m->ports[i].name);
		add_flag(w, "pseudo", m->ports[i].pseudo);
		add_flag(w, "no_index", m->ports[i].no_index);
		buffer_printf(w->out, " }");
	}
	buffer_printf(w->out, "]");
	w->first = false;
}

static void add_bypass(struct model_writer *w)
{
	const struct model *m = w->m;

	if (m->n_bypass == 0)
		return;
	add_line(w, "bypass");
	buffer_printf(w->out, "{ ");
	w->first = true;
	add_names(w, "classes", m->bypass_names, m->n_bypass);
	add_key(w, "cycles");
	for (size_t i = 0; i < m->n_bypass; i++) {
		buffer_printf(w->out, i > 0 ? ",\n    [" : "[\n    [");
		for (size_t k = 0; k < m->n_bypass; k++) {
			buffer_printf(w->out, k > 0 ? ", " : "");
			add_number(w->out, m->bypass[i][k]);
		}
		buffer_printf(w->out, "]");
	}
	buffer_printf(w->out, "] }");
}

static void add_pairs(struct model_writer *w)
{
	const struct model *m = w->m;

	if (m->n_pairs == 0)
		return;
	add_line(w, "pairs");
	buffer_printf(w->out, "{ ");
	w->first = true;
	add_names(w, "classes", m->pair_names, m->n_pairs);
	add_key(w, "together");
	for (size_t i = 0; i < m->n_pairs; i++) {
		buffer_printf(w->out, i > 0 ? ",\n    [" : "[\n    [");
		for (size_t k = 0; k < m->n_pairs; k++)
			buffer_printf(w->out, "%s%s", k > 0 ? ", " : "",
				      m->pairs[i][k] ? "true" : "false");
		buffer_printf(w->out, "]");
	}
	buffer_printf(w->out, "] }");
}

static void add_written(struct model_writer *w)
{
	const struct model *m = w->m;

	if (m->n_written == 0)
		return;
	add_line(w, "written");
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < m->n_written; i++) {
		buffer_printf(w->out, i > 0 ? ",\n    { " : "\n    { ");
		w->first = true;
		add_key(w, "form");
		json_add_string(w->out, m->written[i].form);
		add_key(w, "writer");
		json_add_string(w->out, m->written[i].writer);
		add_key(w, "cycles");
		add_number(w->out, m->written[i].cycles);
		buffer_printf(w->out, " }");
	}
	buffer_printf(w->out, "]");
	w->first = false;
}

static void add_forwards(struct model_writer *w)
{
	const struct model *m = w->m;

	add_line(w, "forwards");
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < m->n_forwards; i++) {
		buffer_printf(w->out, i > 0 ? ",\n    { " : "\n    { ");
		w->first = true;
		add_key(w, "store");
		json_add_string(w->out, m->forwards[i].store);
		add_key(w, "load");
		json_add_string(w->out, m->forwards[i].load);
		if (m->forwards[i].then) {
			add_key(w, "then");
			json_add_string(w->out, m->forwards[i].then);
		}
		add_flag(w, "mixed", m->forwards[i].mixed);
		add_span(w, "cycles", &m->forwards[i].cycles);
		buffer_printf(w->out, " }");
	}
	buffer_printf(w->out, "]");
	w->first = false;
}

static void add_count(struct model_writer *w, const char *key, double n)
{
	add_key(w, key);
	add_number(w->out, n);
}

static void add_mixes(struct model_writer *w)
{
	const struct model *m = w->m;

	if (m->n_mixes == 0)
		return;
	add_line(w, "mixes");
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < m->n_mixes; i++) {
		buffer_printf(w->out, i > 0 ? ",\n    { " : "\n    { ");
		w->first = true;
		add_key(w, "load");
		json_add_string(w->out, m->mixes[i].load);
		add_key(w, "store");
		json_add_string(w->out, m->mixes[i].store);
		add_count(w, "loads", m->mixes[i].n_loads);
		add_count(w, "stores", m->mixes[i].n_stores);
		add_span(w, "cycles", &m->mixes[i].cycles);
		buffer_printf(w->out, " }");
	}
	buffer_printf(w->out, "]");
	w->first = false;
}

/* ---- forms -------------------------------------------------------------- */

static void add_uses(struct model_writer *w, const struct model_form *f)
{
	if (!f->has_ports)
		return;
	add_key(w, "uses");
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];
		bool first = true;

		buffer_printf(w->out,
			      i > 0 ? ", { \"ports\": [" : "{ \"ports\": [");
		for (size_t p = 0; p < w->m->n_ports; p++) {
			if ((u->ports >> p & 1) == 0)
				continue;
			buffer_printf(w->out, first ? "" : ", ");
			json_add_string(w->out, w->m->ports[p].name);
			first = false;
		}
		buffer_printf(w->out, "], \"uops\": ");
		add_number(w->out, u->n_uops);
		buffer_printf(w->out, ", \"cycles\": ");
		add_number(w->out, u->cycles);
		buffer_printf(w->out, " }");
	}
	buffer_printf(w->out, "]");
}

static void add_operand(struct model_writer *w, const char *key, int operand)
{
	if (operand == MODEL_ANY)
		return;
	add_key(w, key);
	buffer_printf(w->out, "%d", operand);
}

static void add_latencies(struct model_writer *w, const struct model_form *f)
{
	if (f->n_latencies == 0)
		return;
	add_key(w, "latencies");
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < f->n_latencies; i++) {
		const struct model_latency *l = &f->latencies[i];

		buffer_printf(w->out, i > 0 ? ", { " : "{ ");
		w->first = true;
		add_operand(w, "from", l->source);
		add_operand(w, "to", l->destination);
		add_span(w, "cycles", &l->cycles);
		add_span(w, "short_chain", &l->short_chain);
		buffer_printf(w->out, " }");
	}
	buffer_printf(w->out, "]");
	w->first = false;
}

static void add_takes(struct model_writer *w, const struct model_form *f)
{
	if (f->n_takes == 0)
		return;
	add_key(w, "takes");
	for (size_t i = 0; i < f->n_takes; i++)
		buffer_printf(w->out, "%s%u", i > 0 ? ", " : "[", f->takes[i]);
	buffer_printf(w->out, "]");
}

static void add_form(struct model_writer *w, const struct model_form *f)
{
	buffer_printf(w->out, "    { ");
	w->first = true;
	add_key(w, "name");
	json_add_string(w->out, f->name);
	add_span(w, "throughput", &f->throughput);
	add_span(w, "slots", &f->slots);
	if (f->room > 0) {
		add_key(w, "room");
		buffer_printf(w->out, "%u", (unsigned)f->room);
	}
	if (f->before > 0) {
		add_key(w, "before");
		buffer_printf(w->out, "%u", (unsigned)f->before);
	}
	add_uses(w, f);
	add_latencies(w, f);
	add_flag(w, "eliminated", f->eliminated);
	add_flag(w, "zero_idiom", f->zero_idiom);
	add_class(w, "bypass", f->bypass);
	add_takes(w, f);
	add_class(w, "pairing", f->pairing);
	if (f->evidence) {
		add_key(w, "evidence");
		json_add_string(w->out, f->evidence);
	}
	if (f->values) {
		add_key(w, "values");
		json_add_string(w->out, f->values);
	}
	buffer_printf(w->out, " }");
}

static int write_model(const struct model *m, const struct catalogue *c,
		       struct buffer *ret, struct err *e)
{
	struct model_writer w = { .out = ret, .m = m, .first = true };

	(void)c;
	(void)e;
	buffer_printf(ret, "{");
	add_line(&w, "format");
	json_add_string(ret, "anechoic model 1");
	add_core(&w);
	add_bypass(&w);
	add_pairs(&w);
	add_written(&w);
	add_forwards(&w);
	add_mixes(&w);
	w.first = false;
	add_line(&w, "notes");
	w.first = true;
	buffer_printf(ret, "[");
	for (size_t i = 0; i < m->n_notes; i++) {
		buffer_printf(ret, i > 0 ? ",\n    " : "\n    ");
		json_add_string(ret, m->notes[i]);
	}
	buffer_printf(ret, "],\n  \"forms\": [\n");
	for (size_t i = 0; i < m->n_forms; i++) {
		buffer_printf(ret, i > 0 ? ",\n" : "");
		add_form(&w, &m->forms[i]);
	}
	buffer_printf(ret, "\n  ]\n}\n");
	return ERR_OK;
}

const struct exporter exporter_model = {
	.name = "model",
	.describe = "the whole model as JSON; --model reads it back unchanged",
	.write_model = write_model,
};
