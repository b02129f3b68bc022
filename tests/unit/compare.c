/* Comparing with a reference: its file, the joining, the judging. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/compare/compare.h"
#include "tests/unit/unit.h"

#define HEADER "form,variant,kind,source,destination,value\n"

struct scratch {
	struct arena a;
	struct err err;
	struct compare_rows rows;
};

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct scratch));
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	struct scratch *t = *state;

	arena_free(&t->a);
	free(t);
	return 0;
}

EACH(set_up, tear_down);

static int read_n(struct scratch *t, const char *text, size_t n)
{
	t->err = (struct err){ .code = ERR_OK };
	return compare_read_csv(&t->a, "ref.csv", text, n, &t->rows, &t->err);
}

static const struct compare_row *read_one(struct scratch *t, const char *text)
{
	if (read_n(t, text, strlen(text)) != ERR_OK)
		fail_msg("%s", t->err.message);
	assert_int_equal(t->rows.n, 1);
	return t->rows.list;
}

static void refused(struct scratch *t, const char *text, const char *message)
{
	assert_int_equal(read_n(t, text, strlen(text)), ERR_INPUT);
	if (!strstr(t->err.message, message))
		fail_msg("%s: expected %s", t->err.message, message);
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

TEST(lines_behind_a_quoted_line_end)
{
	refused(*state,
		"note," HEADER "\"a\nb\",F,,throughput,,,1\n"
		"x,F,,speed,,,1\n",
		"ref.csv:4: expected latency or throughput");
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
		{ HEADER "F,,throughput,,,1\nG,,throughput,,,1\n"
			 "F,,throughput,,,2\n",
		  "ref.csv:4: F throughput is in line 2 as well" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refused(*state, rows[i].text, rows[i].message);
}

TEST(nul_bytes_are_refused)
{
	static const char text[] = HEADER "F\0G,,throughput,,,1\n";
	struct scratch *t = *state;

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
TEST(damaged_files)
{
	static const char text[] =
		HEADER "\"A\"\"B\",v,latency,*,0,\"1;2.5e0\"\r\n"
		       "C,,throughput,,,0.25\n";
	static const char bytes[] = "\",;\r\n\0\xff"
				    "9";
	struct scratch *t = *state;

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

static void judged(struct compare_row ours, struct compare_row theirs,
		   enum compare_result expected)
{
	assert_int_equal(compare_judge(&ours, &theirs, 0.05), expected);
}

TEST(values_agree_within_the_tolerance)
{
	judged(values(1.04, 1.04, false), values(1, 1, false), COMPARE_AGREES);
	judged(values(0.96, 0.96, false), values(1, 1, false), COMPARE_AGREES);
	judged(values(1.06, 1.06, false), values(1, 1, false), COMPARE_DIFFERS);
	judged(values(0, 0, false), values(0, 0, false), COMPARE_AGREES);
}

TEST(any_alternative_counts)
{
	judged(values(2, 2, false), values(1, 2, false), COMPARE_AGREES);
	judged(values(1.5, 1.5, false), values(1, 2, false), COMPARE_DIFFERS);
	judged(values(1, 4, false), values(4, 4, false), COMPARE_AGREES);
}

/* An interval around the right value is not a value. */
TEST(interval_is_not_agreement)
{
	judged(values(1, 3, true), values(2, 2, false), COMPARE_INSIDE);
	judged(values(1.96, 2.04, true), values(2, 2, false), COMPARE_AGREES);
	judged(values(1, 3, true), values(1, 3, false), COMPARE_INSIDE);
	judged(values(1, 3, true), values(3.1, 3.1, false), COMPARE_INSIDE);
	judged(values(1, 3, true), values(3.2, 3.2, false), COMPARE_DIFFERS);
	judged(values(1, 3, true), values(0.9, 0.9, false), COMPARE_DIFFERS);
	judged(values(2, 2, false), values(1, 3, true), COMPARE_INSIDE);
	judged(values(4, 4, false), values(1, 3, true), COMPARE_DIFFERS);
	judged(values(1, 3, true), values(2, 5, true), COMPARE_INSIDE);
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
				   .verdict = rows[i].verdict };
		struct compare_row r = compare_claim(&c);

		assert_int_equal(r.n_values, rows[i].n);
		assert_int_equal(r.interval, rows[i].interval);
		if (r.n_values == 1)
			assert_true(r.values[0] == 1);
	}
}

/* ---- joining ------------------------------------------------------------ */

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

struct ours {
	const char *source, *destination;
	double low, high;
	const char *verdict;
	const char *kind; /* NULL: latency */
};

/* The pair of the row "F,,latency,SOURCE,DESTINATION,3" with these. */
static struct compare_pair joined(struct scratch *t, const struct ours *list,
				  size_t n, const char *source,
				  const char *destination)
{
	struct compare_rows mine = {
		ARENA_ARRAY(&t->a, struct compare_row, n + 1), n
	};
	struct compare_row row = { .form = "F",
				   .kind = "latency",
				   .source = source,
				   .destination = destination,
				   .values = { 3 },
				   .n_values = 1,
				   .verdict = "" };
	struct compare_rows theirs = { arena_copy(&t->a, &row, sizeof(row)),
				       1 };
	struct compare_classes k = { .same = same, .absent = absent };

	for (size_t i = 0; i < n; i++) {
		struct claim c = { .form = "F",
				   .kind = list[i].kind ? list[i].kind
							: "latency",
				   .source = list[i].source,
				   .destination = list[i].destination,
				   .has_value = true,
				   .low_cycles = list[i].low,
				   .high_cycles = list[i].high,
				   .verdict = list[i].verdict };

		mine.list[i] = compare_claim(&c);
	}
	compare_sort(&mine);
	return *compare_join(&t->a, &mine, &theirs, &k, 0.05);
}

TEST(star_is_the_largest_of_the_class)
{
	static const struct ours list[] = {
		{ "1", "0", 2, 2, "ok", NULL },
		{ "2", "0", 3, 3, "ok", NULL },
		{ "EFLAGS", "EFLAGS", 9, 9, "ok", NULL },
		{ "2", "EFLAGS", 8, 8, "ok", NULL },
	};
	struct compare_pair p = joined(*state, list, ARRAY_LEN(list), "*", "*");

	assert_int_equal(p.result, COMPARE_AGREES);
	assert_true(p.ours.values[0] == 3);
}

TEST(named_pair_is_just_that)
{
	static const struct ours list[] = {
		{ "1", "0", 2, 2, "ok", NULL },
		{ "2", "0", 3, 3, "ok", NULL },
	};
	struct compare_pair p = joined(*state, list, ARRAY_LEN(list), "1", "0");

	assert_int_equal(p.result, COMPARE_DIFFERS);
	p = joined(*state, list, ARRAY_LEN(list), "2", "0");
	assert_int_equal(p.result, COMPARE_AGREES);
	p = joined(*state, list, ARRAY_LEN(list), "0", "0");
	assert_int_equal(p.result, COMPARE_MISSING);
	assert_string_equal(p.missing, "no such pair");
}

/* A row for all flags, EFLAGS, applies to each. */
TEST(all_flags_stand_for_each)
{
	static const struct ours list[] = {
		{ "EFLAGS.CF", "0", 1, 1, "ok", NULL },
		{ "EFLAGS.ZF", "0", 2, 2, "ok", NULL },
	};
	static const struct ours whole[] = { { "NZCV", "0", 2, 2, "ok", 0 } };

	assert_true(joined(*state, list, 2, "EFLAGS", "0").ours.values[0] == 2);
	assert_true(joined(*state, whole, 1, "NZCV.Z", "0").ours.n_values == 1);
	assert_int_equal(joined(*state, list, 2, "EFLAGS.Z", "0").result,
			 COMPARE_MISSING);
}

/* Endless and short chains are both correct; a slower one is neither. */
TEST(short_chain_is_a_value_too)
{
	static const struct ours list[] = {
		{ "1", "0", 2, 2, "ok", NULL },
		{ "1", "0", 3, 3, "ok", "latency-short" },
		{ "1", "0", 3, 3, "ok", "forward" },
	};
	struct compare_pair p = joined(*state, list, 2, "*", "*");

	assert_int_equal(p.result, COMPARE_AGREES);
	assert_string_equal(p.ours.kind, "latency-short");
	p = joined(*state, list, 1, "*", "*");
	assert_int_equal(p.result, COMPARE_DIFFERS);
}

TEST(largest_of_intervals_is_an_interval)
{
	static const struct ours open[] = {
		{ "1", "0", 2, 2, "ok", NULL },
		{ "2", "0", 1, 4, "throughput-bound", NULL },
	};
	static const struct ours closed[] = {
		{ "1", "0", 3, 3, "ok", NULL },
		{ "2", "0", 1, 2, "throughput-bound", NULL },
	};
	struct compare_pair p = joined(*state, open, ARRAY_LEN(open), "*", "*");

	assert_int_equal(p.result, COMPARE_INSIDE);
	assert_true(p.ours.values[0] == 2 && p.ours.values[1] == 4);
	p = joined(*state, closed, ARRAY_LEN(closed), "*", "*");
	assert_int_equal(p.result, COMPARE_AGREES);
}

TEST(missing_says_why)
{
	static const struct ours noisy[] = { { "1", "0", 3, 3, "noisy",
					       NULL } };
	static const struct ours some[] = { { "1", "0", 3, 3, "noisy", NULL },
					    { "2", "0", 3, 3, "ok", NULL } };
	struct compare_pair p = joined(*state, noisy, 1, "*", "*");

	assert_int_equal(p.result, COMPARE_MISSING);
	assert_string_equal(p.missing, "noisy");
	p = joined(*state, noisy, 0, "*", "*");
	assert_int_equal(p.result, COMPARE_MISSING);
	assert_string_equal(p.missing, "away");
	p = joined(*state, some, 2, "*", "*");
	assert_int_equal(p.result, COMPARE_AGREES);
	assert_non_null(strstr(p.ours.detail, "1 of 2 pairs without a value"));
}

TEST(remark_explains)
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
	struct scratch *t = *state;

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
