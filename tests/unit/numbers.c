/* Variants by immediate and by decoding: what the catalogue offers, and what
 * the solver concludes. */
#include "host/gen/gen.h"
#include "host/isa/decoding.h"
#include "host/isa/instance.h"
#include "host/isa/variant.h"
#include "host/solve/judge.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/planned.h"
#include "tests/unit/record.h"

static const char *const isa_names[] = { "x86_64", "aarch64", "riscv64" };

/* The usual immediate belongs to no class of numbers; each class has its own
 * immediate. */
TEST(numbers_are_of_their_class)
{
	for (size_t i = 0; i < ARRAY_LEN(isa_names); i++) {
		struct catalogue *c = catalogue_of(isa_names[i]);
		size_t n = 0;

		for (size_t k = 0; k < c->n_forms; k++) {
			const struct form *f = &c->forms[k];
			struct instance x;

			if (form_family(f) != FAMILY_NUMBER)
				continue;
			assert_int_equal(f->status, FORM_MEASURABLE);
			assert_true(form_example(c, f, 0, &x));
			x.form = &c->forms[c->by_opcode[f->opcode]];
			assert_ptr_equal(numbers_form(c, &x), f);
			assert_true(form_example(c, x.form, 0, &x));
			assert_ptr_equal(numbers_form(c, &x), x.form);
			n++;
		}
		assert_true(n > 0);
	}
}

/* Length-changing prefixes are recognised by their bytes.  A prefix that is
 * part of the opcode, or stands before an immediate of one byte, is none. */
TEST(slow_decoding_is_told_by_bytes)
{
	static const struct {
		const char *form;
		bool slow;
	} rows[] = {
		{ "ADD16ri", true },       { "ADD16i16", true },
		{ "TEST16mi", true },      { "IMUL16rmi", true },
		{ "MOV16ri", true },       { "ADD16ri8", false },
		{ "ADD16rr", false },      { "ADD32ri", false },
		{ "ROL16ri", false },      { "PSHUFDri", false },
		{ "SHLD16rri8", false },   { "EXTRQI", false },
		{ "LOCK_ADD16mi", false }, { "VPSHUFDri", false },
	};
	struct catalogue *c = catalogue_of("x86_64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct kernel_row row;
	char name[DECODING_ROOM];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_non_null(catalogue_form(c, rows[i].form));
		assert_true(decoding_long(rows[i].form, name));
		assert_int_equal(catalogue_form(c, name) != NULL, rows[i].slow);
	}
	assert_true(decoding_like(c->isa->decoding, "ADD16i16", name));
	assert_string_equal(name, "ADD32i32");
	assert_false(decoding_like(c->isa->decoding, "ADD8ri", name));
	assert_true(decoding_short("ADD16ri/decoded", name));
	assert_string_equal(name, "ADD16ri");
	assert_false(decoding_short("ADD16ri/fast", name));
	add_label(g, c, "throughput:ADD16ri/decoded", &row);
	assert_true(row.unroll[0] >= DECODING_OPS);
	add_label(g, c, "throughput:ADD16ri", &row);
	assert_true(row.unroll[2] < DECODING_OPS / 8);
}

enum { MAX_RECORDS = 8, MAX_CLAIMS = 16 };

struct judged {
	struct arena a;
	struct record records[MAX_RECORDS];
	size_t n, n_claims;
	struct claim claims[MAX_CLAIMS];
};

static int keep(void *context, struct claim *c, struct err *e)
{
	struct judged *b = context;

	(void)e;
	assert_true(b->n_claims < MAX_CLAIMS);
	b->claims[b->n_claims++] = *c;
	return 0;
}

static void measured(struct judged *b, const char *label, double cycles)
{
	if (cycles > 0)
		b->records[b->n] = record_of(&b->a, b->n, label, cycles);
	b->n += cycles > 0;
}

static void judge(struct judged *b)
{
	struct judge_sink sink = {
		.max_width = 8,
		.decoding = isa_find("x86_64")->decoding,
		.each = keep,
		.context = b,
	};
	struct err e = { .code = ERR_OK };

	assert_ok(judge_records(&b->a, b->records, b->n, &sink, &e), &e);
}

static void expect(const struct judged *b, const char *kind, double low,
		   double high, const char *verdict)
{
	for (size_t i = 0; i < b->n_claims; i++) {
		const struct claim *c = &b->claims[i];

		if (strcmp(c->form, "ADD16ri") != 0 ||
		    strcmp(c->kind, kind) != 0)
			continue;
		assert_string_equal(claim_verdict(c), verdict);
		assert_float_equal(c->low_cycles, low, 1e-9);
		assert_float_equal(c->high_cycles, high, 1e-9);
		return;
	}
	fail_msg("no %s", kind);
}

/* Measured times of a kernel, of its decoded variant, of the form without the
 * prefix (0: not measured), and of its chain; and the expected claim. */
TEST(what_a_decoder_takes_is_a_bound)
{
	static const struct {
		double alone, decoded, like, chain;
		double low;
		const char *verdict;
		double chain_low;
		const char *chain_verdict;
	} rows[] = {
		/* From the cache. */
		{ .25, 3, .25, 1, .25, "ok", 1, "ok" },
		{ .25, .25, .25, 1, .25, "ok", 1, "ok" },
		/* Decoded, both or one of them. */
		{ 3, 3, .25, 3, .125, "decode-bound", 1, "throughput-bound" },
		{ .25, 3, .25, 3, .25, "ok", 1, "throughput-bound" },
		/* Some of the instances are. */
		{ 2.15, 3.34, .25, 1, .125, "decode-bound", 1, "ok" },
		/* A chain that is longer than decoding. */
		{ 3, 3, .25, 4, .125, "decode-bound", 4, "ok" },
		/* As slow without the prefix. */
		{ 1, 1, 1, 3, 1, "ok", 3, "ok" },
		/* Not known. */
		{ 1, 1, 0, 3, .125, "decode-bound", 3, "ok" },
		/* Not a form that is slow to decode. */
		{ 3, 0, 0, 4, 3, "ok", 4, "ok" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct judged b = { .n = 0 };

		measured(&b, "throughput:ADD16ri", rows[i].alone);
		measured(&b, "control:ADD16ri/decoded", rows[i].decoded);
		measured(&b, "control:ADD32ri", rows[i].like);
		measured(&b, "latency:ADD16ri@1>0", rows[i].chain);
		judge(&b);
		expect(&b, "throughput", rows[i].low, rows[i].alone,
		       rows[i].verdict);
		expect(&b, "latency", rows[i].chain_low, rows[i].chain,
		       rows[i].chain_verdict);
		arena_free(&b.a);
	}
}

/* Dependent instances take as long without the prefix, so they are compared
 * with dependent instances. */
TEST(what_waits_is_compared_with_what_waits)
{
	static const struct {
		double like, low;
		const char *verdict;
	} rows[] = {
		{ 1, 1, "ok" },
		{ 0.5, 0.125, "decode-bound" },
		{ 0, 0.125, "decode-bound" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct judged b = { .n = 0 };

		measured(&b, "dependent:ADD16ri", 1);
		measured(&b, "throughput:ADD16ri/decoded", 0.53);
		measured(&b, "throughput:ADD32ri", 0.25);
		measured(&b, "dependent:ADD32ri", rows[i].like);
		judge(&b);
		expect(&b, "dependent", rows[i].low, 1, rows[i].verdict);
		arena_free(&b.a);
	}
}
