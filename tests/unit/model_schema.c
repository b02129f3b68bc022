/* lib/schema/model.schema.json is made from the table of a model's fields: this test
 * makes it and compares.  If they differ, it leaves what the file should be in
 * model.schema.json of the current folder. */
#include "host/base/file.h"
#include "host/model/fields.h"
#include "tests/unit/unit.h"

#define ARRAY_OF(items) "\"type\": \"array\", \"items\": {" items "}"

static const char *const types[] = {
	[FIELD_NAME] = "\"type\": \"string\"",
	[FIELD_FORM] = "\"type\": \"string\"",
	[FIELD_ISA] = "\"type\": \"string\"",
	[FIELD_FORMAT] = "\"const\": \"anechoic model 1\"",
	[FIELD_BOOL] = "\"type\": \"boolean\"",
	[FIELD_NUMBER] = "\"type\": \"number\"",
	[FIELD_COUNT] = "\"type\": \"integer\", \"minimum\": 1, \"maximum\": "
			"1000",
	[FIELD_SPAN] = "\"$ref\": \"#/$defs/span\"",
	[FIELD_SIZE] = "\"type\": \"integer\", \"minimum\": 1",
	[FIELD_CLASS] = "\"type\": \"integer\", \"minimum\": 0",
	[FIELD_OPERAND] = "\"type\": [\"integer\", \"null\"], \"minimum\": 0",
	[FIELD_PORTS] = ARRAY_OF("\"type\": \"string\"") ", \"minItems\": 1",
	[FIELD_RULE] = "\"enum\": [\"together\", \"each\"]",
	[FIELD_MARK] = "\"type\": \"string\"",
	[FIELD_CYCLES] = ARRAY_OF("\"type\": \"number\""),
	[FIELD_RECORD] = "",
	[FIELD_LIST] = "\"type\": \"array\", \"items\": {",
	[FIELD_NAMES] = ARRAY_OF("\"type\": [\"string\", \"null\"]"),
	[FIELD_CLASSES] = ARRAY_OF("\"type\": \"integer\", \"minimum\": 0"),
	[FIELD_NUMBERS] = ARRAY_OF(ARRAY_OF("\"type\": \"number\"")),
	[FIELD_BOOLS] = ARRAY_OF(ARRAY_OF("\"type\": \"boolean\"")),
};

/* What each file has, and no file can be read without. */
static bool is_required(const struct model_field *f)
{
	return f->required || f->late || (f->always && f->kind < FIELD_RECORD);
}

/* The members of an object's schema; keys are indented by `depth`. */
static void add_record(struct buffer *b, const struct model_record *r,
		       int depth)
{
	const struct model_field *f;
	const char *comma = "";
	struct model_field room;

	buffer_printf(b, "\"type\": \"object\", \"additionalProperties\": "
			 "false, \"required\": [");
	for (size_t i = 0; (f = model_field_at(r, i, &room)); i++)
		if (is_required(f)) {
			buffer_printf(b, "%s\"%s\"", comma, f->key);
			comma = ", ";
		}
	buffer_printf(b, "], \"properties\": {");
	comma = "";
	for (size_t i = 0; (f = model_field_at(r, i, &room)); i++) {
		if (!f->key)
			continue;
		buffer_printf(b, "%s\n%*s\"%s\": {%s", comma, depth, "", f->key,
			      types[f->kind]);
		if (f->of)
			add_record(b, f->of, depth + 1);
		buffer_printf(b, f->kind == FIELD_LIST ? "}" : "");
		if (f->kind == FIELD_NUMBER && f->required)
			buffer_printf(b, ", \"minimum\": 0");
		if (f->most > 0)
			buffer_printf(b, ", \"%s\": %u",
				      f->kind < FIELD_LIST ? "maximum"
							   : "maxItems",
				      (unsigned)f->most);
		buffer_printf(b, "}");
		comma = ",";
	}
	buffer_printf(b, "}");
}

TEST(schema_is_of_the_table)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { .code = ERR_OK };
	SCOPED(buffer_free) struct buffer b = { 0 };
	unsigned char *file;
	size_t n;

	buffer_printf(&b,
		      "{\"$schema\": "
		      "\"https://json-schema.org/draft/2020-12/schema\",\n"
		      " \"title\": \"anechoic export --format model: a machine "
		      "model\",\n"
		      " \"$defs\": {\"span\": {\"description\": \"an interval "
		      "in cycles, low before high\",\n"
		      "  \"type\": \"array\", \"items\": {\"type\": "
		      "\"number\", \"minimum\": 0}, \"minItems\": 2, "
		      "\"maxItems\": 2}},\n ");
	add_record(&b, &model_record, 2);
	buffer_printf(&b, "}\n");
	assert_ok(file_read(&a, TEST_SOURCE_DIR "/lib/schema/model.schema.json",
			    1 << 20, &file, &n, &e),
		  &e);
	if (n != b.n || memcmp(file, b.bytes, n) != 0) {
		(void)file_write("model.schema.json", b.bytes, b.n, &e);
		fail_msg(
			"lib/schema/model.schema.json is not as the table says: "
			"see model.schema.json here");
	}
}
