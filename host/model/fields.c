/* See fields.h. */
#include "host/model/fields.h"

#include "host/isa/catalogue.h"
#include "host/isa/windows.h"

/* Every structure of a model with its size; see IMAGE_TYPE. */
IMAGE_TYPE(model_type, struct model, 1224);
IMAGE_TYPE(form_type, struct model_form, 184);
IMAGE_TYPE(use_type, struct model_use, 24);
IMAGE_TYPE(latency_type, struct model_latency, 56);
IMAGE_TYPE(port_type, struct model_port, 16);
IMAGE_TYPE(forward_type, struct model_forward, 56);
IMAGE_TYPE(mix_type, struct model_mix, 56);

/* ---- forms --------------------------------------------------------------- */

static const struct model_field use_fields[] = {
	MODEL_FIELD(model_use, ports, "ports", FIELD_PORTS, .always = true),
	MODEL_FIELD(model_use, n_uops, "uops", FIELD_NUMBER, .always = true),
	MODEL_FIELD(model_use, cycles, "cycles", FIELD_NUMBER, .always = true),
};
static const struct model_use blank_use = { .cycles = 1 };
static const struct model_record use_record = MODEL_RECORD(
	use_fields, .image = &use_type, .plain = true, .blank = &blank_use);

static const struct model_field latency_fields[] = {
	MODEL_FIELD(model_latency, source, "from", FIELD_OPERAND),
	MODEL_FIELD(model_latency, destination, "to", FIELD_OPERAND),
	MODEL_FIELD(model_latency, cycles, "cycles", FIELD_SPAN),
	MODEL_FIELD(model_latency, short_chain, "short_chain", FIELD_SPAN),
};
static const struct model_latency blank_latency = { MODEL_ANY, MODEL_ANY,
						    .cycles = { 0 } };
static const struct model_record latency_record =
	MODEL_RECORD(latency_fields, .image = &latency_type, .plain = true,
		     .blank = &blank_latency);

static const struct model_field form_fields[] = {
	MODEL_FIELD(model_form, name, "name", FIELD_FORM, .required = true),
	MODEL_FIELD(model_form, throughput, "throughput", FIELD_SPAN,
		    .claim = "throughput"),
	MODEL_FIELD(model_form, slots, "slots", FIELD_SPAN, .claim = "slots"),
	MODEL_FIELD(model_form, indexed_slots, "indexed_slots", FIELD_SPAN),
	MODEL_FIELD(model_form, room, "room", FIELD_SIZE, .most = 64,
		    .claim = "slots-room"),
	MODEL_FIELD(model_form, before, "before", FIELD_SIZE, .most = 64,
		    .claim = "slots-before"),
	MODEL_LIST(model_form, uses, "uses", FIELD_LIST, &use_record,
		   .has_at = offsetof(struct model_form, has_ports)),
	MODEL_FIELD(model_form, mark, "ports_mark", FIELD_MARK),
	MODEL_LIST(model_form, latencies, "latencies", FIELD_LIST,
		   &latency_record),
	MODEL_FIELD(model_form, eliminated, "eliminated", FIELD_BOOL),
	MODEL_FIELD(model_form, zero_idiom, "zero_idiom", FIELD_BOOL),
	MODEL_FIELD(model_form, first_decoder, "first_decoder", FIELD_BOOL),
	MODEL_FIELD(model_form, bypass, "bypass", FIELD_CLASS),
	MODEL_LIST(model_form, takes, "takes", FIELD_CLASSES,
		   .most = FORM_MAX_OPERANDS,
		   .expected = "a class for each operand"),
	MODEL_FIELD(model_form, pairing, "pairing", FIELD_CLASS),
	MODEL_FIELD(model_form, evidence, "evidence", FIELD_NAME),
	MODEL_FIELD(model_form, values, "values", FIELD_NAME),
};
const struct model_record model_form_record = MODEL_RECORD(
	form_fields, .image = &form_type, .expected = "the name of a form");

/* ---- pairs of forms ------------------------------------------------------ */

static const struct model_field forward_fields[] = {
	MODEL_FIELD(model_forward, store, "store", FIELD_FORM,
		    .required = true),
	MODEL_FIELD(model_forward, load, "load", FIELD_FORM, .required = true),
	MODEL_FIELD(model_forward, then, "then", FIELD_FORM),
	MODEL_FIELD(model_forward, mixed, "mixed", FIELD_BOOL),
	MODEL_FIELD(model_forward, cycles, "cycles", FIELD_SPAN),
};
static const struct model_record forward_record =
	MODEL_RECORD(forward_fields, .image = &forward_type,
		     .expected = "a store and a load");

static const struct model_field mix_fields[] = {
	MODEL_FIELD(model_mix, load, "load", FIELD_FORM, .required = true),
	MODEL_FIELD(model_mix, store, "store", FIELD_FORM, .required = true),
	MODEL_FIELD(model_mix, n_loads, "loads", FIELD_COUNT, .required = true),
	MODEL_FIELD(model_mix, n_stores, "stores", FIELD_COUNT,
		    .required = true),
	MODEL_FIELD(model_mix, cycles, "cycles", FIELD_SPAN, .required = true),
};
static const struct model_record mix_record = MODEL_RECORD(
	mix_fields, .image = &mix_type, .expected = "loads, stores and cycles");

/* ---- the core ------------------------------------------------------------ */

static const struct model_field about_fields[] = {
	MODEL_FIELD(model_about, core, "core", FIELD_NAME, .tells = true),
	MODEL_FIELD(model_about, system, "system", FIELD_NAME, .tells = true),
	MODEL_FIELD(model_about, date, "date", FIELD_NAME, .tells = true),
	MODEL_FIELD(model_about, tool, "tool", FIELD_NAME, .tells = true),
	MODEL_FIELD(model_about, noise, "noise", FIELD_NAME, .tells = true),
	MODEL_FIELD(model_about, share, "share", FIELD_NAME, .tells = true),
};
static const struct model_record about_record =
	MODEL_RECORD(about_fields, .image = NULL);

static const struct model_field lines_fields[] = {
	MODEL_FIELD(model_lines, cycles, "cycles", FIELD_CYCLES, .tells = true,
		    .always = true),
	MODEL_FIELD(model_lines, rule, "rule", FIELD_RULE),
	MODEL_FIELD(model_lines, free, "free", FIELD_SIZE),
	MODEL_FIELD(model_lines, crossing, "crossing", FIELD_NUMBER,
		    .tells = true),
};
static const struct model_record lines_record =
	MODEL_RECORD(lines_fields, .image = NULL);

static const struct model_field port_fields[] = {
	MODEL_FIELD(model_port, name, "name", FIELD_NAME, .required = true),
	MODEL_FIELD(model_port, pseudo, "pseudo", FIELD_BOOL),
	MODEL_FIELD(model_port, no_index, "no_index", FIELD_BOOL),
};
static const struct model_record port_record = MODEL_RECORD(
	port_fields, .image = &port_type, .expected = "the name of a port");

/* Names of classes, and a table with a row and a column for each. */
#define CLASSES(number, names, table, key_of_table, kind_of_table) \
	{                                                          \
		{ .n_at = offsetof(struct model, number),          \
		  .at = offsetof(struct model, names),             \
		  .key = "classes",                                \
		  .kind = FIELD_NAMES,                             \
		  .tells = true,                                   \
		  .most = MODEL_MAX_CLASSES,                       \
		  .expected = "a shorter list" },                  \
			{ .n_at = offsetof(struct model, number),  \
			  .at = offsetof(struct model, table),     \
			  .key = (key_of_table),                   \
			  .kind = (kind_of_table),                 \
			  .required = true },                      \
	}
static const struct model_field bypass_fields[] =
	CLASSES(n_bypass, bypass_names, bypass, "cycles", FIELD_NUMBERS);
static const struct model_field pairs_fields[] =
	CLASSES(n_pairs, pair_names, pairs, "together", FIELD_BOOLS);
static const struct model_record bypass_record = MODEL_RECORD(
	bypass_fields, .image = NULL, .expected = "classes before cycles");
static const struct model_record pairs_record = MODEL_RECORD(
	pairs_fields, .image = NULL, .expected = "classes before together");

static const struct model_field model_fields[] = {
	{ .key = "format", .kind = FIELD_FORMAT, .line = true, .always = true },
	MODEL_FIELD(model, isa, "isa", FIELD_ISA, .line = true, .always = true),
	MODEL_FIELD(model, cpu, "cpu", FIELD_NAME, .line = true,
		    .always = true),
	MODEL_FIELD(model, source, "source", FIELD_NAME, .line = true,
		    .always = true),
	MODEL_FIELD(model, about, "about", FIELD_RECORD, &about_record,
		    .line = true, .ends_line = true),
	MODEL_FIELD(model, in_order, "in_order", FIELD_BOOL),
	MODEL_FIELD(model, order_known, "order_known", FIELD_BOOL),
	MODEL_FIELD(model, binds_ports, "binds_ports", FIELD_BOOL),
	MODEL_FIELD(model, width, "width", FIELD_SPAN),
	MODEL_FIELD(model, reorder_buffer, "reorder_buffer", FIELD_SIZE,
		    .claim = ISA_REORDER_BUFFER),
	MODEL_FIELD(model, scheduler, "scheduler", FIELD_SIZE),
	MODEL_FIELD(model, load_queue, "load_queue", FIELD_SIZE,
		    .claim = ISA_LOAD_BUFFER),
	MODEL_FIELD(model, store_queue, "store_queue", FIELD_SIZE),
	MODEL_FIELD(model, general_queue, "general_queue", FIELD_SIZE,
		    .claim = ISA_GENERAL_QUEUE),
	MODEL_FIELD(model, general_release, "general_release", FIELD_SIZE,
		    .most = MODEL_MOST_RELEASE, .claim = ISA_GENERAL_RELEASE),
	MODEL_FIELD(model, vector_queue, "vector_queue", FIELD_SIZE),
	MODEL_FIELD(model, vector_registers, "vector_registers", FIELD_SIZE,
		    .claim = ISA_VECTOR_REGISTERS),
	MODEL_FIELD(model, refill, "refill", FIELD_SIZE, .most = 1000),
	MODEL_FIELD(model, taken_branches, "taken_branches", FIELD_NUMBER,
		    .expected = "a number of branches per cycle above zero"),
	MODEL_FIELD(model, lines, "lines", FIELD_RECORD, &lines_record,
		    .line = true),
	MODEL_LIST(model, ports, "ports", FIELD_LIST, &port_record,
		   .most = MODEL_MAX_PORTS, .expected = "at most 64 ports",
		   .always = true),
	{ .key = "bypass",
	  .kind = FIELD_RECORD,
	  .of = &bypass_record,
	  .line = true },
	{ .key = "pairs",
	  .kind = FIELD_RECORD,
	  .of = &pairs_record,
	  .line = true },
	{ .kind = FIELD_EFFECTS },
	MODEL_LIST(model, forwards, "forwards", FIELD_LIST, &forward_record,
		   .line = true, .lines = true, .always = true),
	MODEL_LIST(model, mixes, "mixes", FIELD_LIST, &mix_record, .line = true,
		   .lines = true),
	MODEL_LIST(model, notes, "notes", FIELD_NAMES, .line = true,
		   .lines = true, .always = true),
	MODEL_LIST(model, forms, "forms", FIELD_LIST, &model_form_record,
		   .line = true, .lines = true, .always = true, .late = true),
	MODEL_FIELD(model, completed, NULL, FIELD_NAME),
	MODEL_FIELD(model, skipped, NULL, FIELD_NAME),
};
const struct model_record model_record =
	MODEL_RECORD(model_fields, .image = &model_type, .has_effects = true);

/* The field of the i-th list of an effect. */
static bool effect_field(size_t i, struct model_field *ret)
{
	const size_t size = sizeof(struct model_list);

	for (size_t k = 0; effects[k]; k++) {
		const struct effect_list *l = effects[k]->list;
		size_t at = offsetof(struct model, effects) + k * size;

		if (!l || i-- > 0)
			continue;
		*ret = (struct model_field){
			.n_at = at + offsetof(struct model_list, n),
			.at = at + offsetof(struct model_list, list),
			.key = l->key,
			.kind = FIELD_LIST,
			.of = l->record,
			.line = true,
			.lines = true,
		};
		return true;
	}
	return false;
}

const struct model_field *model_field_at(const struct model_record *r, size_t i,
					 struct model_field *room)
{
	size_t at = 0, n = 0;

	while (r->has_effects && r->fields[at].kind != FIELD_EFFECTS)
		at++;
	if (!r->has_effects || i < at)
		return i < r->n ? &r->fields[i] : NULL;
	if (effect_field(i - at, room))
		return room;
	while (effect_field(n, room))
		n++;
	i = i - n + 1;
	return i < r->n ? &r->fields[i] : NULL;
}

/* ---- values -------------------------------------------------------------- */

/* Has one of the members that tell a value? */
static bool record_tells(const struct model_record *r, const void *record)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->fields[i].tells &&
		    model_field_has(&r->fields[i], record))
			return true;
	return false;
}

static bool number_has(const struct model_field *f, double value)
{
	return f->required ? value >= 0 && value <= f->most : value > 0;
}

bool model_field_has(const struct model_field *f, const void *record)
{
	const void *value = (const char *)record + f->at;
	const void *list;
	size_t n;

	switch (f->kind) {
	case FIELD_NAME:
	case FIELD_FORM:
	case FIELD_ISA:
		return *(const char *const *)value != NULL;
	case FIELD_FORMAT:
		return true;
	case FIELD_BOOL:
		return *(const bool *)value;
	case FIELD_NUMBER:
		return number_has(f, *(const double *)value);
	case FIELD_COUNT:
		return *(const double *)value >= 1;
	case FIELD_SPAN:
		return ((const struct model_span *)value)->has_value;
	case FIELD_SIZE:
		return *(const uint32_t *)value > 0;
	case FIELD_CLASS:
		return *(const uint8_t *)value > 0;
	case FIELD_OPERAND:
		return *(const int8_t *)value != MODEL_ANY;
	case FIELD_PORTS:
		return *(const model_ports *)value != 0;
	case FIELD_RULE:
		return *(const enum model_lines_rule *)value !=
		       MODEL_LINES_UNKNOWN;
	case FIELD_MARK:
		return ((const struct model_mark *)value)->kind != MARK_NONE;
	case FIELD_CYCLES:
		return ((const struct model_lines *)record)->n > 0;
	case FIELD_RECORD:
		return record_tells(f->of, value);
	case FIELD_EFFECTS:
		return false;
	default:
		list = model_field_list(f, record, &n);
		if (f->has_at > 0)
			return *((const bool *)record + f->has_at);
		return f->required ? n == 0 || list : n > 0;
	}
}
