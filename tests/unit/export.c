/* Exports, read back: by a CSV reader, SQLite's JSON and libyaml. */
#include <math.h>
#include <sqlite3.h>
#include <yaml.h>

#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/store/store_claim.h"
#include "host/store/store_run.h"
#include "tests/unit/any_run.h"
#include "tests/unit/unit.h"

struct scratch {
	struct arena arena;
	struct err err;
	struct store *s;
	struct buffer out;
};

static const struct claim samples[] = {
	{ .form = "ADC64rr",
	  .kind = "latency",
	  .source = "2",
	  .destination = "0",
	  .has_value = true,
	  .low_cycles = 1,
	  .high_cycles = 1,
	  .residual = 1.0 / 3,
	  .visits = 3,
	  .verdict = VERDICT_OK },
	{ .form = "ADC64rr",
	  .kind = "latency",
	  .source = "1",
	  .destination = "0",
	  .has_value = true,
	  .low_cycles = 1,
	  .high_cycles = 2.5,
	  .visits = 2,
	  .verdict = VERDICT_THROUGHPUT_BOUND },
	{ .form = "ADC64rr",
	  .kind = "latency",
	  .source = "EFLAGS",
	  .destination = "EFLAGS",
	  .has_value = true,
	  .low_cycles = 7,
	  .high_cycles = 7,
	  .visits = 1,
	  .verdict = VERDICT_NOISY },
	{ .form = "ADC64rr",
	  .kind = "throughput",
	  .has_value = true,
	  .low_cycles = 0.1894736,
	  .high_cycles = 123456789,
	  .visits = 3,
	  .verdict = VERDICT_HELPER },
	{ .form = "IMUL64rri32",
	  .kind = "throughput",
	  .visits = 0,
	  .verdict = VERDICT_FAULT,
	  .verdict_text = "fault:illegal" },
	{ .form = "A@1>0+\"B,C\"",
	  .kind = "latency",
	  .has_value = true,
	  .low_cycles = 5,
	  .high_cycles = 5,
	  .visits = 3,
	  .verdict = VERDICT_OK },
};

static int set_up(void **state)
{
	struct scratch *t = calloc(1, sizeof(*t));
	struct run r = { .board = "a \"board\"\n\xff",
			 .isa = "x86_64",
			 .cpu = "znver5",
			 .clock = CLOCK_REF,
			 .what = "",
			 .forms = "",
			 .tool = "0",
			 .date = "" };

	*state = t;
	if (!t || store_open(":memory:", true, &t->s, &t->err) != ERR_OK ||
	    store_run_new(t->s, &r, &t->err) != ERR_OK ||
	    store_env(t->s, r.id, "firm\tware", "\x01 \xc3\xa9 \xc3(",
		      &t->err) != ERR_OK ||
	    store_claims_begin(t->s, r.id, &t->err) != ERR_OK)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		struct claim c = samples[i];

		c.run = r.id;
		c.source = c.source ? c.source : "";
		c.destination = c.destination ? c.destination : "";
		c.label = "label";
		c.detail = "a detail";
		if (store_claim(t->s, &c, &t->err) != ERR_OK)
			return -1;
	}
	return store_commit(t->s, &t->err);
}

static int tear_down(void **state)
{
	struct scratch *t = *state;

	store_close(t->s);
	buffer_free(&t->out);
	arena_free(&t->arena);
	free(t);
	return 0;
}

EACH(set_up, tear_down);

static const char *exported(struct scratch *t, const char *format)
{
	const struct exporter *x = exporter_find(format);

	assert_non_null(x);
	assert_int_equal(x->write(t->s, &t->out, &t->err), ERR_OK);
	buffer_add(&t->out, "", 1);
	return (const char *)t->out.bytes;
}

static void number(double value, const char *expected)
{
	char text[NUMBER_ROOM];

	number_text(value, text);
	assert_string_equal(text, expected);
}

TEST(numbers)
{
	number(1, "1");
	number(0.25, "0.25");
	number(1.0 / 3, "0.333333");
	number(123456789, "123456789");
	number(NAN, "");
}

/* ---- csv ---------------------------------------------------------------- */

enum { COLUMNS = 16, FIELD = 80 };

/* Read one record; returns the text after it, NULL at the end. */
static const char *read_record(const char *at, char fields[COLUMNS][FIELD])
{
	size_t column = 0, n = 0;
	bool quoted = false;

	if (*at == '\0')
		return NULL;
	for (;; at++) {
		assert_true(*at != '\0' && n < FIELD - 1 && column < COLUMNS);
		if (*at == '"' && quoted && at[1] == '"') {
			fields[column][n++] = *at++;
		} else if (*at == '"') {
			quoted = !quoted;
		} else if (quoted || (*at != ',' && *at != '\n')) {
			fields[column][n++] = *at;
		} else {
			fields[column++][n] = '\0';
			n = 0;
			if (*at == '\n')
				break;
		}
	}
	assert_int_equal(column, COLUMNS);
	return at + 1;
}

struct reader {
	const char *at;
	size_t n;
};

static void same_number(const char *text, bool known, double value)
{
	if (!known)
		assert_string_equal(text, "");
	else
		assert_true(fabs(strtod(text, NULL) - value) <= 1e-5 * value);
}

static int compare_csv(void *context, const struct claim *c, struct err *e)
{
	struct reader *r = context;
	char f[COLUMNS][FIELD];

	(void)e;
	r->at = read_record(r->at, f);
	assert_non_null(r->at);
	assert_string_equal(f[0], c->isa);
	assert_string_equal(f[1], c->form);
	assert_string_equal(f[2], c->kind);
	assert_string_equal(f[3], c->source);
	assert_string_equal(f[4], c->destination);
	same_number(f[5], c->has_value, c->low_cycles);
	same_number(f[6], c->has_value, c->high_cycles);
	same_number(f[7], c->has_value, c->residual);
	assert_int_equal(strtoul(f[8], NULL, 10), c->visits);
	assert_string_equal(f[9], claim_verdict(c));
	assert_string_equal(f[10], c->board);
	assert_int_equal(strtol(f[11], NULL, 10), c->run);
	assert_string_equal(f[12], "ones");
	assert_true(*f[13] != '\0');
	r->n++;
	return 0;
}

TEST_ON(csv_comes_back, struct scratch *t)
{
	static const char header[] =
		"isa,form,kind,source,destination,low_cycles,high_cycles,"
		"residual,visits,verdict,board,run,values,cpu,core,machine\n";
	struct reader r = { .at = exported(t, "csv") };
	char f[COLUMNS][FIELD];

	assert_int_equal(strncmp(r.at, header, strlen(header)), 0);
	r.at = read_record(r.at, f);
	assert_ok(store_claims(t->s, 0, NULL, compare_csv, &r, &t->err),
		  &t->err);
	assert_int_equal(r.n, ARRAY_LEN(samples));
	assert_true(*r.at == '\0');
}

/* ---- json --------------------------------------------------------------- */

/* Evaluate an expression on the JSON text with SQLite. */
static void json(struct scratch *t, const char *text, const char *expression,
		 const char *expected)
{
	char *sql = arena_printf(&t->arena, "SELECT %s", expression);
	sqlite3 *db;
	sqlite3_stmt *q;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_bind_text(q, 1, text, -1, SQLITE_STATIC),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(q, 0), expected);
	(void)sqlite3_finalize(q);
	(void)sqlite3_close(db);
}

TEST_ON(json_is_valid, struct scratch *t)
{
	const char *text = exported(t, "json");

	json(t, text, "json_valid(?1)", "1");
	json(t, text, "json_array_length(?1, '$.claims')", "6");
	json(t, text, "json_extract(?1, '$.claims[0].form')", "A@1>0+\"B,C\"");
	json(t, text, "json_extract(?1, '$.claims[0].low_cycles')", "5");
	json(t, text, "json_type(?1, '$.claims[5].low_cycles')", "null");
	json(t, text, "json_extract(?1, '$.claims[5].verdict')",
	     "fault:illegal");
}

TEST_ON(json_strings_are_escaped, struct scratch *t)
{
	const char *text = exported(t, "json");

	json(t, text, "json_extract(?1, '$.runs[0].board')",
	     "a \"board\"\n\xef\xbf\xbd");
	json(t, text,
	     "(SELECT value FROM json_each(?1, '$.runs[0].environment'))",
	     "? \xc3\xa9 \xef\xbf\xbd(");
	assert_part(text, "\"firm\\u0009ware\": ");
}

/* ---- winic -------------------------------------------------------------- */

/* The value of a path of keys and list places below a node, as text. */
static const char *at(yaml_document_t *d, yaml_node_t *node, const char *path)
{
	char word[40];
	int used;

	while (sscanf(path, "%39[^/]%n", word, &used) == 1) {
		yaml_node_t *next = NULL;

		path += used + (path[used] == '/');
		if (node->type == YAML_SEQUENCE_NODE) {
			yaml_node_item_t *item =
				node->data.sequence.items.start + atoi(word);

			if (item < node->data.sequence.items.top)
				next = yaml_document_get_node(d, *item);
		} else if (node->type == YAML_MAPPING_NODE) {
			yaml_node_pair_t *p = node->data.mapping.pairs.start;

			for (; p < node->data.mapping.pairs.top; p++) {
				yaml_node_t *key =
					yaml_document_get_node(d, p->key);

				if (strcmp((char *)key->data.scalar.value,
					   word) == 0)
					next = yaml_document_get_node(d,
								      p->value);
			}
		}
		if (!next)
			return "(none)";
		node = next;
	}
	return node->type == YAML_SCALAR_NODE ? (char *)node->data.scalar.value
					      : "(node)";
}

TEST_ON(winic_comes_back, struct scratch *t)
{
	static const struct {
		const char *path, *value;
	} rows[] = {
		{ "0/llvmName", "ADC64rr" },
		{ "0/name", "adcq" },
		{ "0/operands/0/class", "register" },
		{ "0/operands/0/name", "GR64" },
		{ "0/operands/0/read", "true" },
		{ "0/operands/0/write", "true" },
		{ "0/operands/1/read", "true" },
		{ "0/operands/1/write", "false" },
		{ "0/operands/2", "(none)" },
		{ "0/latency", "2.5" },
		{ "0/operandLatencies/0/sourceOperand", "0" },
		{ "0/operandLatencies/0/targetOperand", "0" },
		{ "0/operandLatencies/0/latencyMin", "1" },
		{ "0/operandLatencies/0/latencyMax", "2.5" },
		{ "0/operandLatencies/1/sourceOperand", "1" },
		{ "0/operandLatencies/1/targetOperand", "0" },
		{ "0/operandLatencies/1/latencyMin", "1" },
		{ "0/operandLatencies/1/latencyMax", "1" },
		{ "0/operandLatencies/2/sourceOperand", "EFLAGS" },
		{ "0/operandLatencies/2/targetOperand", "EFLAGS" },
		{ "0/operandLatencies/2/latencyMin", "null" },
		{ "0/operandLatencies/3", "(none)" },
		{ "0/throughput", "null" },
		{ "0/throughputMin", "0.189474" },
		{ "0/throughputMax", "123456789" },
		{ "1/llvmName", "IMUL64rri32" },
		{ "1/operands/2/class", "immediate" },
		{ "1/operands/0/read", "false" },
		{ "1/latency", "null" },
		{ "1/operandLatencies/0", "(none)" },
		{ "1/throughput", "null" },
		{ "2", "(none)" },
	};
	const char *text = exported(t, "winic");
	yaml_parser_t parser;
	yaml_document_t d;

	assert_int_equal(yaml_parser_initialize(&parser), 1);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text,
				     strlen(text));
	assert_int_equal(yaml_parser_load(&parser, &d), 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *value =
			at(&d, yaml_document_get_root_node(&d), rows[i].path);

		if (strcmp(value, rows[i].value) != 0)
			print_error("%s\n", rows[i].path);
		assert_string_equal(value, rows[i].value);
	}
	yaml_document_delete(&d);
	yaml_parser_delete(&parser);
}

TEST_ON(winic_of_several_cores, struct scratch *t)
{
	struct run r = any_run("riscv64", CLOCK_CORE);
	struct claim c = { .form = "ADD",
			   .kind = "throughput",
			   .source = "",
			   .destination = "",
			   .has_value = true,
			   .low_cycles = 1,
			   .high_cycles = 1,
			   .verdict = VERDICT_OK,
			   .label = "",
			   .detail = "" };
	const struct exporter *x = exporter_find("winic");
	SCOPED(buffer_free) struct buffer b = { 0 };

	assert_int_equal(store_run_new(t->s, &r, &t->err), ERR_OK);
	c.run = r.id;
	assert_int_equal(store_claim(t->s, &c, &t->err), ERR_OK);
	assert_int_equal(x->write(t->s, &b, &t->err), ERR_INPUT);
	assert_part(t->err.message, "values of 2 cores");
}

TEST_ON(empty_store, struct scratch *t)
{
	assert_int_equal(store_claims_begin(t->s, 1, &t->err), ERR_OK);
	assert_int_equal(store_commit(t->s, &t->err), ERR_OK);
	assert_part(exported(t, "winic"), "[]");
	t->out.n = 0;
	json(t, exported(t, "json"), "json_array_length(?1, '$.claims')", "0");
}

TEST(unknown_format)
{
	assert_null(exporter_find("html"));
}
