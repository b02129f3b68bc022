/* Writes the native model file, the whole struct model as JSON, by the table of
 * host/model/fields.h.  Unknown values have no key; docs/exports.md lists the
 * keys. */
#include <stdio.h>
#include <stdlib.h>

#include "host/base/json.h"
#include "host/base/version.h"
#include "host/codec/codec.h"
#include "host/model/fields.h"

struct model_writer {
	struct buffer *out;
	const struct model *m;
	bool first; /* no comma before the next key */
};

static void add_fields(struct model_writer *w, const struct model_record *r,
		       const void *record);

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

static void add_name(struct buffer *b, const char *name)
{
	if (name)
		json_add_string(b, name);
	else
		buffer_printf(b, "null");
}

static void add_ports(struct model_writer *w, model_ports ports)
{
	const char *comma = "";

	buffer_printf(w->out, "[");
	for (size_t p = 0; p < w->m->n_ports; p++) {
		if ((ports >> p & 1) == 0)
			continue;
		buffer_printf(w->out, "%s", comma);
		json_add_string(w->out, w->m->ports[p].name);
		comma = ", ";
	}
	buffer_printf(w->out, "]");
}

static void add_cycles(struct buffer *b, const struct model_lines *l)
{
	buffer_printf(b, "[");
	for (uint32_t i = 1; i <= l->n; i++) {
		buffer_printf(b, i > 1 ? ", " : "");
		add_number(b, l->cycles[i]);
	}
	buffer_printf(b, "]");
}

/* An object. */
static void add_record(struct model_writer *w, const struct model_record *r,
		       const void *record)
{
	buffer_printf(w->out, "{ ");
	w->first = true;
	add_fields(w, r, record);
	buffer_printf(w->out, " }");
	w->first = false;
}

static void add_list(struct model_writer *w, const struct model_field *f,
		     const void *record)
{
	size_t n;
	const void *list = model_field_list(f, record, &n);

	buffer_printf(w->out, "[");
	for (size_t i = 0; i < n; i++) {
		if (f->lines)
			buffer_printf(w->out, i > 0 ? ",\n    " : "\n    ");
		else
			buffer_printf(w->out, i > 0 ? ", " : "");
		if (f->kind == FIELD_LIST)
			add_record(w, f->of,
				   (const char *)list + i * f->of->image->size);
		else if (f->kind == FIELD_CLASSES)
			buffer_printf(w->out, "%u", ((const uint8_t *)list)[i]);
		else
			add_name(w->out, ((const char *const *)list)[i]);
	}
	buffer_printf(w->out, f->late ? "\n  ]" : "]");
}

static void add_table(struct model_writer *w, const struct model_field *f,
		      const void *record)
{
	size_t n;
	const void *table = model_field_list(f, record, &n);

	for (size_t i = 0; i < n; i++) {
		buffer_printf(w->out, i > 0 ? ",\n    [" : "[\n    [");
		for (size_t k = 0; k < n; k++) {
			size_t at = i * MODEL_MAX_CLASSES + k;

			buffer_printf(w->out, k > 0 ? ", " : "");
			if (f->kind == FIELD_NUMBERS)
				add_number(w->out, ((const double *)table)[at]);
			else
				buffer_printf(w->out, ((const bool *)table)[at]
							      ? "true"
							      : "false");
		}
		buffer_printf(w->out, "]");
	}
	buffer_printf(w->out, "]");
}

static void add_value(struct model_writer *w, const struct model_field *f,
		      const void *record)
{
	const void *value = (const char *)record + f->at;
	const struct model_span *s = value;
	struct buffer *b = w->out;
	char room[MARK_ROOM];

	switch (f->kind) {
	case FIELD_NAME:
	case FIELD_FORM:
	case FIELD_ISA:
		json_add_string(b, *(const char *const *)value);
		break;
	case FIELD_FORMAT:
		json_add_string(b, anechoic_model_format);
		break;
	case FIELD_BOOL:
		buffer_printf(b, "true");
		break;
	case FIELD_NUMBER:
	case FIELD_COUNT:
		add_number(b, *(const double *)value);
		break;
	case FIELD_SPAN:
		buffer_printf(b, "[");
		add_number(b, s->low);
		buffer_printf(b, ", ");
		add_number(b, s->high);
		buffer_printf(b, "]");
		break;
	case FIELD_SIZE:
		buffer_printf(b, "%u", *(const uint32_t *)value);
		break;
	case FIELD_CLASS:
		buffer_printf(b, "%u", *(const uint8_t *)value);
		break;
	case FIELD_OPERAND:
		buffer_printf(b, "%d", *(const int8_t *)value);
		break;
	case FIELD_PORTS:
		add_ports(w, *(const model_ports *)value);
		break;
	case FIELD_RULE:
		json_add_string(b,
				model_lines_rules[*(
					const enum model_lines_rule *)value]);
		break;
	case FIELD_MARK:
		json_add_string(
			b, mark_text(*(const struct model_mark *)value, room));
		break;
	case FIELD_CYCLES:
		add_cycles(b, record);
		break;
	case FIELD_RECORD:
		add_record(w, f->of, value);
		break;
	case FIELD_LIST:
	case FIELD_NAMES:
	case FIELD_CLASSES:
		add_list(w, f, record);
		break;
	case FIELD_NUMBERS:
	case FIELD_BOOLS:
		add_table(w, f, record);
		break;
	case FIELD_EFFECTS:
		break;
	}
}

static void add_fields(struct model_writer *w, const struct model_record *r,
		       const void *record)
{
	const struct model_field *f;
	struct model_field room;

	for (size_t i = 0; (f = model_field_at(r, i, &room)); i++) {
		if (!f->key || (!f->always && !model_field_has(f, record)))
			continue;
		if (f->line)
			buffer_printf(w->out, w->first ? "\n  " : ",\n  ");
		else
			buffer_printf(w->out, w->first ? "" : ", ");
		json_add_string(w->out, f->key);
		buffer_printf(w->out, ": ");
		add_value(w, f, record);
		w->first = f->ends_line;
		if (f->ends_line)
			buffer_printf(w->out, ",\n  ");
	}
}

static int write_model(const struct model *m, const struct catalogue *c,
		       struct buffer *ret, struct err *e)
{
	struct model copy = *m;
	struct model_writer w = { .out = ret, .m = m, .first = true };

	(void)c;
	(void)e;
	copy.about.tool = export_tool(m);
	buffer_printf(ret, "{");
	add_fields(&w, &model_record, &copy);
	buffer_printf(ret, "\n}\n");
	return ERR_OK;
}

static int write_changed(const struct model *m, const struct catalogue *c,
			 const struct export_against *x, struct buffer *ret,
			 struct err *e)
{
	struct arena a = { 0 };
	struct model *changed;

	if (changed_llvm(&a, m, c, x, &changed, e) == ERR_OK)
		(void)write_model(changed, c, ret, e);
	arena_free(&a);
	return e->code;
}

const struct exporter exporter_model = {
	.name = "model",
	.describe = "the whole model as JSON; --model reads it back unchanged",
	.write_model = write_model,
	.write_against = write_changed,
};
