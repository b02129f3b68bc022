/* Comparing with a reference: its file, the joining, the judging. */
#include <math.h>

#include "host/compare/compare.h"
#include "tests/unit/unit.h"

#define HEADER "form,variant,kind,source,destination,value\n"

struct scratch {
	struct arena a;
	struct err err;
	struct compare_rows rows;
};

static void scratch_end(struct scratch *t)
{
	arena_free(&t->a);
}

EACH_NEW(struct scratch, scratch_end);

static int read_n(struct scratch *t, const char *text, size_t n)
{
	t->err = (struct err){ .code = ERR_OK };
	return compare_read_csv(&t->a, "ref.csv", text, n, &t->rows, &t->err);
}

static const struct compare_row *read_one(struct scratch *t, const char *text)
{
	assert_ok(read_n(t, text, strlen(text)), &t->err);
	assert_int_equal(t->rows.n, 1);
	return t->rows.list;
}

static void refused(struct scratch *t, const char *text, const char *message)
{
	assert_int_equal(read_n(t, text, strlen(text)), ERR_INPUT);
	assert_part(t->err.message, message);
}

/* ---- the file ----------------------------------------------------------- */

TEST(plain_row)
{
	const struct compare_row *r =
		read_one(*state, HEADER "LEA64r,r64+r64*8,latency,*,0,0.999\n");

	assert_string_equal(r->form, "LEA64r/r64,r64x8");
	assert_string_equal(r->kind, "latency");
	assert_string_equal(r->source, "*");
	assert_string_equal(r->destination, "0");
	assert_int_equal(r->n_values, 1);
	assert_true(r->values[0] == 0.999);
	assert_false(r->interval);
	assert_int_equal(r->line, 2);
}

TEST(alternatives)
{
	const struct compare_row *r =
		read_one(*state, HEADER "PADDBrr,,latency,1,0,2;1;1.5e0\n");

	assert_int_equal(r->n_values, 3);
	assert_true(r->values[0] == 2 && r->values[1] == 1 &&
		    r->values[2] == 1.5);
	assert_string_equal(r->form, "PADDBrr");
}

TEST(quotes_crlf_mark_and_column_order)
{
	const struct compare_row *r =
		read_one(*state, "\xef\xbb\xbf\"value\",note,kind,destination,"
				 "source,form,variant\r\n\r\n"
				 "\"1;2\",\"a, \"\"note\"\"\r\nof two lines\","
				 "latency,0,1,F,\"a,b\"");

	assert_int_equal(r->n_values, 2);
	assert_string_equal(r->form, "F/a,b");
	assert_string_equal(r->source, "1");
	assert_int_equal(r->line, 3);
}

TEST(bad_files)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "", "ref.csv:1: the header must have one column form" },
		{ "form,kind,source,destination,value\n", "column variant" },
		{ "form," HEADER, "one column form" },
		{ "F,,throughput,,,1\n", "ref.csv:1: the header" },
		{ HEADER "F,,throughput,,1\n",
		  "ref.csv:2: the header has 6 fields, this line 5" },
		{ HEADER "F,,throughput,,,1,\n", "has 6 fields, this line 7" },
		{ HEADER "\nF,,throughput,,,one\n",
		  "ref.csv:3: a value must be cycles" },
		{ HEADER "F,,throughput,,,\n", "value" },
		{ HEADER "F,,throughput,,,1;\n", "value" },
		{ HEADER "F,,throughput,,,-1\n", "value" },
		{ HEADER "F,,throughput,,,nan\n", "value" },
		{ HEADER "F,,throughput,,,1e999\n", "value" },
		{ HEADER "F,,throughput,,,0x1\n", "value" },
		{ HEADER "F,,throughput,,, 1\n", "value" },
		{ HEADER "F,,throughput,,,1;2;3;4;5;6;7;8;9\n", "at most 8" },
		{ HEADER ",,throughput,,,1\n", "form" },
		{ HEADER "F,,uops,,,1\n", "latency or throughput" },
		{ HEADER "F,,throughput,1,0,1\n", "source and destination" },
		{ HEADER "F,,latency,1,,1\n", "source and destination" },
		{ HEADER "\"F,,throughput,,,1\n", "a closing quote" },
		{ HEADER "\"F\"x,,throughput,,,1\n", "after a quote" },
		/* Lines behind a quoted line end. */
		{ "note," HEADER "\"a\nb\",F,,throughput,,,1\n"
		  "x,F,,speed,,,1\n",
		  "ref.csv:4: expected latency or throughput" },
		{ HEADER "F,,throughput,,,1\nG,,throughput,,,1\n"
			 "F,,throughput,,,2\n",
		  "ref.csv:4: F throughput is in line 2 as well" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refused(*state, rows[i].text, rows[i].message);
}

TEST_ON(nul_bytes_are_refused, struct scratch *t)
{
	static const char text[] = HEADER "F\0G,,throughput,,,1\n";

	assert_int_equal(read_n(t, text, sizeof(text) - 1), ERR_INPUT);
}

TEST(more_fields_than_room)
{
	char text[400];

	memset(text, ',', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	refused(*state, text, "at most 64 fields");
}

/* A file that is cut anywhere, or has any byte changed, is read or refused. */
TEST_ON(damaged_files, struct scratch *t)
{
	static const char text[] =
		HEADER "\"A\"\"B\",v,latency,*,0,\"1;2.5e0\"\r\n"
		       "C,,throughput,,,0.25\n";
	static const char bytes[] = "\",;\r\n\0\xff"
				    "9";

	for (size_t n = 0; n < sizeof(text); n++) {
		char *copy = malloc(sizeof(text));

		assert_non_null(copy);
		for (size_t k = 0; k < sizeof(bytes); k++) {
			memcpy(copy, text, sizeof(text));
			copy[n] = bytes[k];
			(void)read_n(t, copy, sizeof(text) - 1);
		}
		memcpy(copy, text, n);
		copy[n] = '\0';
		(void)read_n(t, copy, n);
		assert_true(t->err.code == ERR_OK || t->err.code == ERR_INPUT);
		free(copy);
	}
}

/* ---- judging ------------------------------------------------------------ */

static struct compare_row values(double a, double b, bool interval)
{
	return (struct compare_row){
		.values = { a, b },
		.n_values = a == b ? 1 : 2,
		.interval = interval,
	};
}

/* Values from a to b: one if they are equal, else alternatives or an
 * interval. */
struct judged {
	double a, b;
	bool interval;
};

static const struct judgement {
	const char *name;
	struct judged ours, theirs;
	enum compare_result expected;
} judgements[] = {
	/* Values agree within the tolerance. */
	{ "above", { 1.04, 1.04, 0 }, { 1, 1, 0 }, COMPARE_AGREES },
	{ "below", { 0.96, 0.96, 0 }, { 1, 1, 0 }, COMPARE_AGREES },
	{ "too far", { 1.06, 1.06, 0 }, { 1, 1, 0 }, COMPARE_DIFFERS },
	{ "zero", { 0, 0, 0 }, { 0, 0, 0 }, COMPARE_AGREES },
	/* Any alternative counts. */
	{ "their second", { 2, 2, 0 }, { 1, 2, 0 }, COMPARE_AGREES },
	{ "neither", { 1.5, 1.5, 0 }, { 1, 2, 0 }, COMPARE_DIFFERS },
	{ "our second", { 1, 4, 0 }, { 4, 4, 0 }, COMPARE_AGREES },
	/* An interval around the right value is not a value. */
	{ "around", { 1, 3, 1 }, { 2, 2, 0 }, COMPARE_INSIDE },
	{ "narrow", { 1.96, 2.04, 1 }, { 2, 2, 0 }, COMPARE_AGREES },
	{ "both ends", { 1, 3, 1 }, { 1, 3, 0 }, COMPARE_INSIDE },
	{ "near its end", { 1, 3, 1 }, { 3.1, 3.1, 0 }, COMPARE_INSIDE },
	{ "above its end", { 1, 3, 1 }, { 3.2, 3.2, 0 }, COMPARE_DIFFERS },
	{ "below its begin", { 1, 3, 1 }, { 0.9, 0.9, 0 }, COMPARE_DIFFERS },
	{ "in theirs", { 2, 2, 0 }, { 1, 3, 1 }, COMPARE_INSIDE },
	{ "above theirs", { 4, 4, 0 }, { 1, 3, 1 }, COMPARE_DIFFERS },
	{ "they overlap", { 1, 3, 1 }, { 2, 5, 1 }, COMPARE_INSIDE },
};

TEST_ROWS(values_are_judged, judgements, name, const struct judgement *j)
{
	const struct judged *a = &j->ours, *b = &j->theirs;
	struct compare_row ours = values(a->a, a->b, a->interval);
	struct compare_row theirs = values(b->a, b->b, b->interval);

	assert_int_equal(compare_judge(&ours, &theirs, 0.05), j->expected);
}

TEST(claims_with_a_value_an_interval_or_none)
{
	static const struct {
		const char *verdict;
		double low, high;
		size_t n;
		bool interval;
	} rows[] = {
		{ "ok", 0.995, 1.005, 1, false },
		{ "ok", 1, 2, 2, true },
		{ "helper", 1, 1.005, 2, true },
		{ "helper", 1, 1, 1, false },
		{ "two-states", 1, 1.005, 2, false },
		{ "noisy", 1, 1, 0, false },
		{ "unstable", 1, 2, 0, false },
		{ "no-control", 1, 1, 0, false },
		{ "a new one", 1, 1, 0, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct claim c = { .form = "F",
				   .kind = "throughput",
				   .source = "",
				   .destination = "",
				   .has_value = true,
				   .low_cycles = rows[i].low,
				   .high_cycles = rows[i].high,
				   .verdict = verdict_of(rows[i].verdict),
				   .verdict_text = rows[i].verdict };
		struct compare_row r = compare_claim(&c);

		assert_int_equal(r.n_values, rows[i].n);
		assert_int_equal(r.interval, rows[i].interval);
		if (r.n_values == 1)
			assert_true(r.values[0] == 1);
	}
}

/* Operands 0 to 4 are of one class, others of none. */
static bool same(const void *context, const char *form, const char *source,
		 const char *destination)
{
	(void)context;
	(void)form;
	return *source >= '0' && *source <= '4' && *destination >= '0' &&
	       *destination <= '4';
}

static const char *absent(const void *context, const char *form)
{
	(void)context;
	(void)form;
	return "away";
}

/* Claims of F from a text: "SOURCE>DESTINATION LOW HIGH VERDICT KIND, ...". */
static struct compare_rows claims_of(struct scratch *t, const char *text)
{
	struct compare_rows ret = { ARENA_ARRAY(&t->a, struct compare_row, 8),
				    0 };
	char *copy = arena_strdup(&t->a, text), *rest;

	for (char *one = strtok_r(copy, ",", &rest); one;
	     one = strtok_r(NULL, ",", &rest)) {
		char *word = arena_alloc(&t->a, 4, 32);
		struct claim c = { .form = "F",
				   .source = word,
				   .destination = word + 32,
				   .verdict_text = word + 64,
				   .kind = word + 96,
				   .has_value = true };

		assert_int_equal(sscanf(one, " %31[^>]>%31s %lf %lf %31s %31s",
					word, word + 32, &c.low_cycles,
					&c.high_cycles, word + 64, word + 96),
				 6);
		c.verdict = verdict_of(c.verdict_text);
		ret.list[ret.n++] = compare_claim(&c);
	}
	compare_sort(&ret);
	return ret;
}

#define ONE_AND_TWO "1>0 2 2 ok latency, 2>0 3 3 ok latency"
#define FLAGS       "EFLAGS.CF>0 1 1 ok latency, EFLAGS.ZF>0 2 2 ok latency"

/* A latency of three cycles of SOURCE>DESTINATION, and our claims. */
static const struct join {
	const char *name, *ours, *source, *destination;
	enum compare_result result;
	const char *says; /* a part of what the pair says, or "" */
} joins[] = {
	{ "a star is the largest of the class",
	  ONE_AND_TWO ", EFLAGS>EFLAGS 9 9 ok latency"
		      ", 2>EFLAGS 8 8 ok latency",
	  "*", "*", COMPARE_AGREES, "latency 3 0" },
	{ "a named pair is just that", ONE_AND_TWO, "1", "0", COMPARE_DIFFERS,
	  "" },
	{ "another pair", ONE_AND_TWO, "2", "0", COMPARE_AGREES, "" },
	{ "no pair", ONE_AND_TWO, "0", "0", COMPARE_MISSING, "no such pair" },
	/* A row for all flags, EFLAGS, applies to each. */
	{ "all flags", FLAGS, "EFLAGS", "0", COMPARE_DIFFERS, "latency 2 0" },
	{ "one of all flags", "NZCV>0 2 2 ok latency", "NZCV.Z", "0",
	  COMPARE_DIFFERS, "latency 2 0" },
	{ "no such flag", FLAGS, "EFLAGS.Z", "0", COMPARE_MISSING, "" },
	/* Endless and short chains are both correct; a slower one is
	 * neither. */
	{ "a short chain", "1>0 2 2 ok latency, 1>0 3 3 ok latency-short", "*",
	  "*", COMPARE_AGREES, "latency-short 3 0" },
	{ "an endless chain", "1>0 2 2 ok latency", "*", "*", COMPARE_DIFFERS,
	  "latency 2 0" },
	{ "the largest of intervals is an interval",
	  "1>0 2 2 ok latency, 2>0 1 4 throughput-bound latency", "*", "*",
	  COMPARE_INSIDE, "latency 2 4" },
	{ "the value is the largest",
	  "1>0 3 3 ok latency, 2>0 1 2 throughput-bound latency", "*", "*",
	  COMPARE_AGREES, "latency 3 0" },
	{ "a verdict says why", "1>0 3 3 noisy latency", "*", "*",
	  COMPARE_MISSING, "noisy" },
	{ "no form", "", "*", "*", COMPARE_MISSING, "away" },
	{ "some without a value", "1>0 3 3 noisy latency, 2>0 3 3 ok latency",
	  "*", "*", COMPARE_AGREES, "1 of 2 pairs without a value" },
};

TEST_ROWS(claims_are_joined, joins, name, const struct join *j)
{
	SCOPED(scratch_end) struct scratch t = { .rows = { 0 } };
	struct compare_rows ours = claims_of(&t, j->ours);
	struct compare_row row = { .form = "F",
				   .kind = "latency",
				   .source = j->source,
				   .destination = j->destination,
				   .values = { 3 },
				   .n_values = 1,
				   .verdict = "" };
	struct compare_rows theirs = { &row, 1 };
	struct compare_classes k = { .same = same, .absent = absent };
	struct compare_pair p = *compare_join(&t.a, &ours, &theirs, &k, 0.05);
	const char *says = p.missing;

	assert_int_equal(p.result, j->result);
	if (p.result != COMPARE_MISSING)
		says = arena_printf(&t.a, "%s %g %g %s", p.ours.kind,
				    p.ours.values[0],
				    p.ours.n_values > 1 ? p.ours.values[1] : 0,
				    p.ours.detail ? p.ours.detail : "");
	assert_part(says, j->says);
}

TEST_ON(remark_explains, struct scratch *t)
{
	static const struct {
		double ours, other, value;
		const char *remark;
	} rows[] = {
		{ 2, 1, 4, "ours is 50.0 % below" },
		{ 3, 1, 2, "ours is 50.0 % above" },
		{ 2, 1, 1, "ours is 100.0 % above; theirs is our throughput" },
		{ 1, 1, 4, "ours is 75.0 % below; ours equals our throughput" },
		{ 3.5, 1, 5,
		  "ours is 30.0 % below; a mixture, no whole number" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct compare_row list[] = {
			values(rows[i].ours, rows[i].ours, false),
			values(rows[i].other, rows[i].other, false)
		};
		struct compare_row theirs =
			values(rows[i].value, rows[i].value, false);
		struct compare_rows ours = { list, ARRAY_LEN(list) };

		list[0].form = list[1].form = theirs.form = "F";
		list[0].kind = theirs.kind = "latency";
		list[1].kind = "throughput";
		list[0].source = theirs.source = "1";
		list[0].destination = theirs.destination = "0";
		list[1].source = list[1].destination = "";

		struct compare_pair p = { .theirs = &theirs, .ours = list[0] };

		assert_string_equal(compare_remark(&t->a, &ours, &p, 0.05),
				    rows[i].remark);
	}
}

/* Structures of two databases, of no form: a bound is not compared, and is counted
 * with its verdict. */
TEST(structures_are_a_kind)
{
	SCOPED(scratch_end) struct scratch t = { .rows = { 0 } };
	struct compare_rows ours =
		claims_of(&t, "l1.size>bytes 48 48 ok structure, "
			      "window>count 300 310 ok structure, "
			      "queue.loads>count 70 70 at-least structure");
	struct compare_rows theirs =
		claims_of(&t, "l1.size>bytes 48 48 ok structure, "
			      "window>count 400 410 ok structure, "
			      "queue.loads>count 71 72 ok structure");
	struct compare_classes k = { .same = same, .absent = absent };
	struct compare_counts n;

	for (size_t i = 0; i < 3; i++)
		ours.list[i].form = theirs.list[i].form = "";
	n = compare_count(compare_join(&t.a, &ours, &theirs, &k, 0.05),
			  theirs.n);
	assert_int_equal(n.n[COMPARE_STRUCTURE][COMPARE_AGREES], 1);
	assert_int_equal(n.n[COMPARE_STRUCTURE][COMPARE_DIFFERS], 1);
	assert_int_equal(n.n[COMPARE_STRUCTURE][COMPARE_MISSING], 1);
	assert_int_equal(compare_n_compared(&n, COMPARE_N_KINDS), 2);
}
