/* Reads the native model file that `anechoic export --format model` writes; see
 * docs/exports.md.
 *
 * Keys may be in any order.  Forms refer to ports and classes of the core, so
 * they are skipped first and read after the rest.  An unknown key is an error,
 * because its value would be lost. */
#include "host/codec/model/read.h"

#include <math.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/isa/catalogue.h"

static const char format[] = "anechoic model 1";

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

/* A whole number from `low` to `high`. */
int64_t model_read_whole(struct model_reader *r, int64_t low, int64_t high)
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

const char *model_read_name(struct model_reader *r)
{
	const char *text = "";

	(void)json_string(&r->j, &text);
	return text;
}

static const char *read_form_name(struct model_reader *r)
{
	const char *name = model_read_name(r);
	const struct form *f = catalogue_form(r->c, name);

	if (r->j.e->code == ERR_OK && !f)
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s:%zu: %s has no form '%.80s'", r->j.path,
			      r->j.line, r->c->isa->name, name);
	return f ? f->name : "";
}

static void read_member(struct model_reader *r, const struct model_key *k,
			void *at)
{
	enum { MOST = 1000, LAST_CLASS = MODEL_MAX_CLASSES - 1 };

	switch (k->value) {
	case MODEL_NAME:
		*(const char **)at = model_read_name(r);
		break;
	case MODEL_FORM:
		*(const char **)at = read_form_name(r);
		break;
	case MODEL_BOOL:
		(void)json_bool(&r->j, at);
		break;
	case MODEL_NUMBER:
		(void)json_number(&r->j, at);
		break;
	case MODEL_COUNT:
		*(double *)at = (double)model_read_whole(r, 1, MOST);
		break;
	case MODEL_SPAN:
		*(struct model_span *)at = read_span(r);
		break;
	case MODEL_SIZE:
		*(uint32_t *)at = (uint32_t)model_read_whole(
			r, 1, k->most ? k->most : UINT32_MAX);
		break;
	case MODEL_CLASS:
		*(uint8_t *)at = (uint8_t)model_read_whole(r, 0, LAST_CLASS);
		break;
	case MODEL_OPERAND:
		*(int8_t *)at =
			(int8_t)(json_null(&r->j)
					 ? MODEL_ANY
					 : model_read_whole(r, 0,
							    FORM_MAX_OPERANDS -
								    1));
		break;
	}
}

void model_read_object(struct model_reader *r, const struct model_key *keys,
		       size_t n, void *to)
{
	uint32_t seen = 0;
	bool first = true;
	const char *name;

	if (!json_open(&r->j, '{'))
		return;
	while (json_next(&r->j, '{', &first) && json_key(&r->j, &name)) {
		size_t i = 0;

		while (i < n && strcmp(keys[i].name, name) != 0)
			i++;
		if (i == n || (seen >> i & 1) != 0) {
			(void)err_set(r->j.e, ERR_INPUT,
				      "%s:%zu: unknown or repeated key '%.80s'",
				      r->j.path, r->j.line, name);
			return;
		}
		seen |= 1u << i;
		if (keys[i].read)
			keys[i].read(r);
		else
			read_member(r, &keys[i], (char *)to + keys[i].at);
	}
}

/* A list of strings. */
static const char *const *read_names(struct model_reader *r, size_t limit,
				     size_t *ret_n)
{
	struct buffer list = { 0 };
	const char *const *names;
	bool first = true;

	*ret_n = 0;
	if (!json_open(&r->j, '['))
		return NULL;
	while (json_next(&r->j, '[', &first)) {
		const char *name = json_null(&r->j) ? NULL : model_read_name(r);

		buffer_add(&list, &name, sizeof(name));
		if (++*ret_n > limit)
			(void)json_bad(&r->j, "a shorter list");
	}
	names = arena_copy(r->a, list.bytes, list.n);
	buffer_free(&list);
	return names;
}

/* Read n lists of n numbers; each() stores one. */
static void read_table(struct model_reader *r, size_t n,
		       void (*each)(struct model_reader *r, size_t row,
				    size_t column))
{
	bool first_row = true;
	size_t row = 0;

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
			each(r, row, column);
		}
		if (column != n)
			(void)json_bad(&r->j, "a column for each class");
	}
	if (row != n)
		(void)json_bad(&r->j, "a row for each class");
}

/* ---- the core ----------------------------------------------------------- */

static void read_format(struct model_reader *r)
{
	if (strcmp(model_read_name(r), format) != 0)
		(void)json_bad(&r->j, "format \"anechoic model 1\"");
	r->is_model = true;
}

static void read_isa(struct model_reader *r)
{
	const char *isa = model_read_name(r);

	if (r->j.e->code == ERR_OK && strcmp(isa, r->c->isa->name) != 0)
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s:%zu: expected a model of %s, not of '%.80s'",
			      r->j.path, r->j.line, r->c->isa->name, isa);
	r->m->isa = r->c->isa->name;
}

static void read_taken_branches(struct model_reader *r)
{
	if (json_number(&r->j, &r->m->taken_branches) &&
	    !(r->m->taken_branches > 0))
		(void)json_bad(&r->j,
			       "a number of branches per cycle above zero");
}

static void read_line_cycles(struct model_reader *r)
{
	struct model_lines *l = &r->m->lines;
	bool first = true;

	l->n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		if (l->n == MODEL_MAX_LINE) {
			(void)json_bad(&r->j, "at most 24 numbers of cycles");
			return;
		}
		l->n++;
		if (json_number(&r->j, &l->cycles[l->n]) &&
		    !(l->cycles[l->n] > 0))
			(void)json_bad(&r->j, "cycles above zero");
	}
}

static void read_line_rule(struct model_reader *r)
{
	const char *name = model_read_name(r);

	for (int i = MODEL_LINES_TOGETHER; i < MODEL_N_LINES_RULES; i++)
		if (strcmp(name, model_lines_rules[i]) == 0) {
			r->m->lines.rule = (enum model_lines_rule)i;
			return;
		}
	(void)json_bad(&r->j, "\"together\" or \"each\"");
}

static void read_lines(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ .name = "cycles", .read = read_line_cycles },
		{ .name = "rule", .read = read_line_rule },
		MODEL_MEMBER("free", MODEL_SIZE, model_lines, free),
		MODEL_MEMBER("crossing", MODEL_NUMBER, model_lines, crossing),
	};

	model_read_object(r, keys, ARRAY_LEN(keys), &r->m->lines);
}

static void read_ports(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("name", MODEL_NAME, model_port, name),
		MODEL_MEMBER("pseudo", MODEL_BOOL, model_port, pseudo),
		MODEL_MEMBER("no_index", MODEL_BOOL, model_port, no_index),
	};
	bool first = true;

	r->list.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_port port = { .name = NULL };

		if (++r->m->n_ports > MODEL_MAX_PORTS)
			(void)json_bad(&r->j, "at most 64 ports");
		model_read_object(r, keys, ARRAY_LEN(keys), &port);
		if (r->j.e->code == ERR_OK && !port.name)
			(void)json_bad(&r->j, "the name of a port");
		buffer_add(&r->list, &port, sizeof(port));
	}
	r->m->ports = arena_copy(r->a, r->list.bytes, r->list.n);
}

static void read_bypass_classes(struct model_reader *r)
{
	r->m->bypass_names = read_names(r, MODEL_MAX_CLASSES, &r->m->n_bypass);
}

static void read_bypass_cell(struct model_reader *r, size_t row, size_t column)
{
	(void)json_number(&r->j, &r->m->bypass[row][column]);
}

static void read_bypass_cycles(struct model_reader *r)
{
	r->m->bypass =
		arena_alloc(r->a, MODEL_MAX_CLASSES, sizeof(*r->m->bypass));
	read_table(r, r->m->n_bypass, read_bypass_cell);
}

static void read_bypass(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ .name = "classes", .read = read_bypass_classes },
		{ .name = "cycles", .read = read_bypass_cycles },
	};

	model_read_object(r, keys, ARRAY_LEN(keys), r->m);
	if (r->m->n_bypass > 0 && !r->m->bypass)
		(void)json_bad(&r->j, "classes before cycles");
}

static void read_pair_classes(struct model_reader *r)
{
	r->m->pair_names = read_names(r, MODEL_MAX_CLASSES, &r->m->n_pairs);
}

static void read_pair_cell(struct model_reader *r, size_t row, size_t column)
{
	(void)json_bool(&r->j, &r->m->pairs[row][column]);
}

static void read_pair_table(struct model_reader *r)
{
	r->m->pairs =
		arena_alloc(r->a, MODEL_MAX_CLASSES, sizeof(*r->m->pairs));
	read_table(r, r->m->n_pairs, read_pair_cell);
}

static void read_pairs(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ .name = "classes", .read = read_pair_classes },
		{ .name = "together", .read = read_pair_table },
	};

	model_read_object(r, keys, ARRAY_LEN(keys), r->m);
	if (r->m->n_pairs > 0 && !r->m->pairs)
		(void)json_bad(&r->j, "classes before together");
}

static void read_notes(struct model_reader *r)
{
	r->m->notes = read_names(r, SIZE_MAX, &r->m->n_notes);
}

/* ---- the whole ----------------------------------------------------------- */

static void pass_forms(struct model_reader *r)
{
	r->forms = r->j;
	(void)json_skip(&r->j);
}

static void read_about(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("core", MODEL_NAME, model_about, core),
		MODEL_MEMBER("system", MODEL_NAME, model_about, system),
		MODEL_MEMBER("date", MODEL_NAME, model_about, date),
		MODEL_MEMBER("tool", MODEL_NAME, model_about, tool),
		MODEL_MEMBER("noise", MODEL_NAME, model_about, noise),
		MODEL_MEMBER("share", MODEL_NAME, model_about, share),
	};

	model_read_object(r, keys, ARRAY_LEN(keys), &r->m->about);
}

static void read_core(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ .name = "format", .read = read_format },
		{ .name = "isa", .read = read_isa },
		MODEL_MEMBER("cpu", MODEL_NAME, model, cpu),
		MODEL_MEMBER("source", MODEL_NAME, model, source),
		{ .name = "about", .read = read_about },
		MODEL_MEMBER("width", MODEL_SPAN, model, width),
		MODEL_MEMBER("reorder_buffer", MODEL_SIZE, model,
			     reorder_buffer),
		MODEL_MEMBER("scheduler", MODEL_SIZE, model, scheduler),
		MODEL_MEMBER("load_queue", MODEL_SIZE, model, load_queue),
		MODEL_MEMBER("store_queue", MODEL_SIZE, model, store_queue),
		MODEL_MEMBER("vector_queue", MODEL_SIZE, model, vector_queue),
		MODEL_MEMBER("vector_registers", MODEL_SIZE, model,
			     vector_registers),
		{ .name = "refill",
		  .value = MODEL_SIZE,
		  .at = offsetof(struct model, refill),
		  .most = 1000 },
		{ .name = "taken_branches", .read = read_taken_branches },
		{ .name = "lines", .read = read_lines },
		MODEL_MEMBER("in_order", MODEL_BOOL, model, in_order),
		MODEL_MEMBER("order_known", MODEL_BOOL, model, order_known),
		MODEL_MEMBER("binds_ports", MODEL_BOOL, model, binds_ports),
		{ .name = "ports", .read = read_ports },
		{ .name = "bypass", .read = read_bypass },
		{ .name = "pairs", .read = read_pairs },
		{ .name = "written", .read = model_read_written },
		{ .name = "forwards", .read = model_read_forwards },
		{ .name = "mixes", .read = model_read_mixes },
		{ .name = "notes", .read = read_notes },
		{ .name = "forms", .read = pass_forms },
	};

	model_read_object(r, keys, ARRAY_LEN(keys), r->m);
	(void)json_end(&r->j);
	if (r->j.e->code != ERR_OK)
		return;
	if (!r->is_model || !r->m->isa || !r->m->cpu || !r->m->source ||
	    !r->forms.at)
		(void)err_set(r->j.e, ERR_INPUT,
			      "%s: format, isa, cpu, source or forms is "
			      "missing",
			      r->j.path);
}

static int read_model(struct arena *a, const struct catalogue *c,
		      const char *path, const char *text, size_t n,
		      struct model **ret, struct err *e)
{
	struct model_reader r = {
		.j = { .a = a,
		       .path = path,
		       .at = text,
		       .end = text + n,
		       .line = 1,
		       .e = e },
		.a = a,
		.c = c,
		.m = ARENA_NEW(a, struct model),
	};

	read_core(&r);
	if (e->code == ERR_OK)
		model_read_forms(&r);
	buffer_free(&r.list);
	buffer_free(&r.uses);
	buffer_free(&r.latencies);
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
static int model_json_find_isa(struct arena *a, const char *path,
			       const char *text, size_t n, const char **ret,
			       struct err *e)
{
	struct json j = { .a = a,
			  .path = path,
			  .at = text,
			  .end = text + n,
			  .line = 1,
			  .e = e };
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
	.isa = model_json_find_isa,
	.read = read_model,
};
