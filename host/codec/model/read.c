/* Reads the native model file that `anechoic export --format model` writes, by
 * the table of host/model/fields.h; see docs/exports.md.
 *
 * Keys may be in any order.  Forms refer to ports and classes of the core, so
 * they are skipped first and read after the rest.  An unknown key is an error,
 * because its value would be lost. */
#include <math.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/json.h"
#include "host/base/order.h"
#include "host/base/version.h"
#include "host/codec/codec.h"
#include "host/isa/catalogue.h"
#include "host/model/fields.h"

struct model_reader {
	struct json j;
	struct arena *a;
	const struct catalogue *c;
	struct model *m;
	const struct model_field *late; /* it was skipped; NULL: not seen */
	struct json late_at;            /* the reader at its value */
	bool is_model;
};

static void read_record(struct model_reader *r, const struct model_record *x,
			void *to);

/* ---- values ------------------------------------------------------------- */

static struct model_span read_span(struct model_reader *r)
{
	struct model_span s = { .has_value = true };
	bool first = true;

	if (!json_open(&r->j, '[') || !json_next(&r->j, '[', &first) ||
	    !json_number(&r->j, &s.low) || !json_next(&r->j, '[', &first) ||
	    !json_number(&r->j, &s.high) || json_next(&r->j, '[', &first))
		(void)json_bad(&r->j, "[low, high]");
	return s;
}

/* A whole number from `low` to `high`; `low` on error. */
static int64_t read_whole(struct model_reader *r, int64_t low, int64_t high)
{
	double value = (double)low;

	if (json_number(&r->j, &value) &&
	    (value != floor(value) || value < (double)low ||
	     value > (double)high)) {
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s:%zu: expected a whole number from %lld to "
			      "%lld",
			      r->j.path, r->j.line, (long long)low,
			      (long long)high);
		value = (double)low;
	}
	return (int64_t)value;
}

/* "" on error. */
static const char *read_name(struct model_reader *r)
{
	const char *text = "";

	(void)json_string(&r->j, &text);
	return text;
}

static const char *read_form_name(struct model_reader *r)
{
	const char *name = read_name(r);
	const struct form *f = catalogue_form(r->c, name);

	if (r->j.e->code == ERR_OK && !f)
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s:%zu: %s has no form '%.80s'", r->j.path,
			      r->j.line, r->c->isa->name, name);
	return f ? f->name : "";
}

static void read_format(struct model_reader *r)
{
	const char *format = read_name(r);
	size_t n = strcspn(format, ",");

	if (strcmp(format, anechoic_model_format) != 0) {
		if (strncmp(format, anechoic_model_format, n) == 0)
			(void)err_set(r->j.e, ERR_INPUT,
				      "%s: this model names forms and operands "
				      "as another LLVM does than this program "
				      "was built with",
				      r->j.path);
		else
			(void)json_bad(&r->j, "format \"anechoic model 1\"");
	}
	r->is_model = true;
}

static const char *read_isa(struct model_reader *r)
{
	const char *isa = read_name(r);

	if (r->j.e->code == ERR_OK && strcmp(isa, r->c->isa->name) != 0)
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s:%zu: expected a model of %s, not of '%.80s'",
			      r->j.path, r->j.line, r->c->isa->name, isa);
	return r->c->isa->name;
}

static double read_number(struct model_reader *r, const char *above_zero)
{
	double value = 0;

	if (json_number(&r->j, &value) && above_zero && !(value > 0))
		(void)json_bad(&r->j, above_zero);
	return value;
}

static model_ports read_port(struct model_reader *r)
{
	const char *name = read_name(r);

	for (size_t i = 0; i < r->m->n_ports; i++)
		if (strcmp(r->m->ports[i].name, name) == 0)
			return (model_ports)1 << i;
	if (r->j.e->code == ERR_OK)
		(void)json_bad(&r->j, "a port of the model");
	return 0;
}

static model_ports read_ports(struct model_reader *r)
{
	model_ports ports = 0;
	bool first = true;

	if (!json_open(&r->j, '['))
		return 0;
	while (json_next(&r->j, '[', &first))
		ports |= read_port(r);
	return ports;
}

static enum model_lines_rule read_rule(struct model_reader *r)
{
	const char *name = read_name(r);

	for (int i = MODEL_LINES_TOGETHER; i < MODEL_N_LINES_RULES; i++)
		if (strcmp(name, model_lines_rules[i]) == 0)
			return (enum model_lines_rule)i;
	(void)json_bad(&r->j, "\"together\" or \"each\"");
	return MODEL_LINES_UNKNOWN;
}

static void read_mark(struct model_reader *r, struct model_mark *ret)
{
	if (!mark_parse(read_name(r), ret))
		(void)json_bad(&r->j, "a mark of ports such as \"open\"");
}

static void read_cycles(struct model_reader *r, struct model_lines *l)
{
	bool first = true;

	l->n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		if (l->n == MODEL_MAX_LINE) {
			(void)json_bad(&r->j, "at most 24 numbers of cycles");
			return;
		}
		l->cycles[++l->n] = read_number(r, "cycles above zero");
	}
}

/* ---- lists --------------------------------------------------------------- */

/* Read the items of a list one by one; each has `size` bytes. */
static void read_items(struct model_reader *r, const struct model_field *f,
		       size_t size, struct buffer *ret)
{
	static const char zeros[sizeof(struct model_form)];
	const void *blank = f->of && f->of->blank ? f->of->blank : zeros;
	bool first = true;

	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		void *item;

		if (f->most > 0 && ret->n / size == f->most)
			(void)json_bad(&r->j, f->expected);
		buffer_add(ret, blank, size);
		item = ret->bytes + ret->n - size;
		if (f->kind == FIELD_LIST)
			read_record(r, f->of, item);
		else if (f->kind == FIELD_CLASSES)
			*(uint8_t *)item = (uint8_t)read_whole(
				r, 0, MODEL_MAX_CLASSES - 1);
		else
			*(const char **)item =
				json_null(&r->j) ? NULL : read_name(r);
	}
}

static size_t item_size(const struct model_field *f)
{
	return f->kind == FIELD_LIST      ? f->of->image->size
	       : f->kind == FIELD_CLASSES ? sizeof(uint8_t)
					  : sizeof(const char *);
}

static void read_list(struct model_reader *r, const struct model_field *f,
		      void *record)
{
	struct buffer list = { 0 };
	char *to = record;

	if (f->has_at > 0)
		*(bool *)(to + f->has_at) = true;
	read_items(r, f, item_size(f), &list);
	if (f->late && r->j.e->code == ERR_OK)
		order_sort(list.bytes, list.n / item_size(f), item_size(f),
			   order_by_name);
	*(void **)(void *)(to + f->at) = buffer_take_list(
		r->a, &list, item_size(f), (size_t *)(void *)(to + f->n_at));
}

static void read_cell(struct model_reader *r, const struct model_field *f,
		      void *table, size_t row, size_t column)
{
	size_t at = row * MODEL_MAX_CLASSES + column;

	if (f->kind == FIELD_NUMBERS)
		(void)json_number(&r->j, (double *)table + at);
	else
		(void)json_bool(&r->j, (bool *)table + at);
}

/* n rows of n cells, for classes that were named before. */
static void read_table(struct model_reader *r, const struct model_field *f,
		       void *record)
{
	size_t cell = f->kind == FIELD_NUMBERS ? sizeof(double) : sizeof(bool);
	void *table =
		arena_alloc(r->a, MODEL_MAX_CLASSES, MODEL_MAX_CLASSES * cell);
	bool first_row = true;
	size_t row = 0, n;

	(void)model_field_list(f, record, &n);
	*(void **)(void *)((char *)record + f->at) = table;
	if (!json_open(&r->j, '['))
		return;
	for (; json_next(&r->j, '[', &first_row); row++) {
		bool first = true;
		size_t column = 0;

		if (!json_open(&r->j, '['))
			return;
		for (; json_next(&r->j, '[', &first); column++) {
			if (row >= n || column >= n) {
				(void)json_bad(&r->j, "a row and a column for "
						      "each class");
				return;
			}
			read_cell(r, f, table, row, column);
		}
		if (column != n)
			(void)json_bad(&r->j, "a column for each class");
	}
	if (row != n)
		(void)json_bad(&r->j, "a row for each class");
}

/* ---- records ------------------------------------------------------------- */

static void read_field(struct model_reader *r, const struct model_field *f,
		       void *record)
{
	enum { MOST_COUNT = 1000 };
	void *to = (char *)record + f->at;

	switch (f->kind) {
	case FIELD_NAME:
		*(const char **)to = read_name(r);
		break;
	case FIELD_FORM:
		*(const char **)to = read_form_name(r);
		break;
	case FIELD_ISA:
		*(const char **)to = read_isa(r);
		break;
	case FIELD_FORMAT:
		read_format(r);
		break;
	case FIELD_BOOL:
		(void)json_bool(&r->j, to);
		break;
	case FIELD_NUMBER:
		*(double *)to = read_number(r, f->expected);
		break;
	case FIELD_COUNT:
		*(double *)to = (double)read_whole(r, 1, MOST_COUNT);
		break;
	case FIELD_SPAN:
		*(struct model_span *)to = read_span(r);
		break;
	case FIELD_SIZE:
		*(uint32_t *)to = (uint32_t)read_whole(
			r, 1, f->most ? f->most : UINT32_MAX);
		break;
	case FIELD_CLASS:
		*(uint8_t *)to =
			(uint8_t)read_whole(r, 0, MODEL_MAX_CLASSES - 1);
		break;
	case FIELD_OPERAND:
		if (!json_null(&r->j))
			*(int8_t *)to =
				(int8_t)read_whole(r, 0, FORM_MAX_OPERANDS - 1);
		break;
	case FIELD_PORTS:
		*(model_ports *)to = read_ports(r);
		break;
	case FIELD_RULE:
		*(enum model_lines_rule *)to = read_rule(r);
		break;
	case FIELD_MARK:
		read_mark(r, to);
		break;
	case FIELD_CYCLES:
		read_cycles(r, record);
		break;
	case FIELD_RECORD:
		read_record(r, f->of, to);
		break;
	case FIELD_LIST:
	case FIELD_NAMES:
	case FIELD_CLASSES:
		read_list(r, f, record);
		break;
	case FIELD_NUMBERS:
	case FIELD_BOOLS:
		read_table(r, f, record);
		break;
	case FIELD_EFFECTS:
		break;
	}
}

/* The field with this key, as model_field_at(), and its number; NULL: none. */
static const struct model_field *field_of(const struct model_record *x,
					  const char *key,
					  struct model_field *room, size_t *ret)
{
	const struct model_field *f;
	size_t i = 0;

	while ((f = model_field_at(x, i, room)) &&
	       !(f->key && strcmp(f->key, key) == 0))
		i++;
	*ret = i;
	return f;
}

/* Known keys only, each at most once, in any order. */
static void read_record(struct model_reader *r, const struct model_record *x,
			void *to)
{
	uint64_t seen = 0;
	bool first = true;
	const char *key;

	if (!json_open(&r->j, '{'))
		return;
	while (json_next(&r->j, '{', &first) && json_key(&r->j, &key)) {
		struct model_field room;
		size_t number;
		const struct model_field *f = field_of(x, key, &room, &number);
		uint64_t bit = (uint64_t)1 << number % 64;

		if (!f || (seen & bit) != 0) {
			(void)err_set(r->j.e, ERR_INPUT,
				      "%s:%zu: unknown or repeated key '%.80s'",
				      r->j.path, r->j.line, key);
			return;
		}
		seen |= bit;
		if (f->late) {
			r->late = f;
			r->late_at = r->j;
			(void)json_skip(&r->j);
		} else {
			read_field(r, f, to);
		}
	}
	for (size_t i = 0; i < x->n && r->j.e->code == ERR_OK; i++)
		if (x->fields[i].required &&
		    !model_field_has(&x->fields[i], to))
			(void)json_bad(&r->j, x->expected);
}

static void read_core(struct model_reader *r)
{
	read_record(r, &model_record, r->m);
	(void)json_end(&r->j);
	if (r->j.e->code != ERR_OK)
		return;
	if (!r->is_model || !r->m->isa || !r->m->cpu || !r->m->source ||
	    !r->late)
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s: format, isa, cpu, source or forms is "
			      "missing",
			      r->j.path);
}

static struct json json_of(struct arena *a, const struct import_text *t,
			   struct err *e)
{
	return (struct json){ .a = a,
			      .path = t->path,
			      .at = t->text,
			      .end = t->text + t->n,
			      .line = 1,
			      .e = e };
}

static int read_model(struct arena *a, const struct catalogue *c,
		      const struct import_text *t, struct model **ret,
		      struct err *e)
{
	struct model_reader r = { .j = json_of(a, t, e),
				  .a = a,
				  .c = c,
				  .m = ARENA_NEW(a, struct model) };

	read_core(&r);
	if (e->code == ERR_OK) {
		r.j = r.late_at;
		read_list(&r, r.late, r.m);
	}
	if (e->code == ERR_OK && model_check(r.m, c, e) == ERR_OK)
		*ret = r.m;
	return e->code;
}

static bool is_model(const char *text, size_t n)
{
	size_t at = 0;

	while (at < n && text[at] != '\0' && strchr(" \t\r\n", text[at]))
		at++;
	return at < n && text[at] == '{';
}

/* Find the value of "isa" in the outermost object. */
static int find_isa_of_model(struct arena *a, const struct import_text *t,
			     const char **ret, struct err *e)
{
	struct json j = json_of(a, t, e);
	bool first = true;
	const char *key;

	if (!json_open(&j, '{'))
		return e->code;
	while (json_next(&j, '{', &first) && json_key(&j, &key)) {
		if (strcmp(key, "isa") == 0) {
			(void)json_string(&j, ret);
			break;
		}
		(void)json_skip(&j);
	}
	return e->code;
}

const struct importer importer_model = {
	.name = "model",
	.describe = "the JSON that `anechoic export --format model` writes",
	.is = is_model,
	.isa = find_isa_of_model,
	.read = read_model,
};
