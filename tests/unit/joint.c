/* Chains through a source and the destination at once: their kernels, and their
 * claims. */
#include "host/gen/assign.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/judge_bench.h"

/* ---- as kernels ----------------------------------------------------------*/

static const struct {
	const char *form;
	int src;
	bool joins;
} cases[] = {
	{ "VPADDDZrrk", 3, true },
	{ "VPADDDZrmk", 3, true },
	{ "VPTERNLOGDZ128rri", 2, true },
	{ "VFMADD231PDr", 3, true },
	/* The destination is not read. */
	{ "VPADDDZrrkz", 2, false },
	{ "VPADDDrr", 2, false },
	/* Nothing else is. */
	{ "VPABSDZrrk", 3, false },
	{ "PADDDrr", 2, false },
	{ "SHLD64rri8", 2, false },
	/* Of another class. */
	{ "VCVTPS2PDZrrk", 3, false },
};

static void one_register(const struct catalogue *c, const struct form *f,
			 int src)
{
	char label[PACK_MAX_LABEL];
	struct err e = { .code = ERR_OK };
	struct assigned as;
	struct experiment x;

	(void)snprintf(label, sizeof(label), "joint:%s@%d>0", f->name, src);
	assert_int_equal(experiment_parse(c, label, &x, &e), ERR_OK);
	assert_int_equal(assign_registers(c, &x, 48, &as, &e), ERR_OK);
	for (size_t op = 0; op < as.period; op++) {
		const struct instance *in = &as.instances[op][0];

		assert_int_equal(in->reg[src], in->reg[0]);
		assert_int_equal(in->reg[0], as.instances[0][0].reg[0]);
	}
}

TEST(a_joint_chain_has_one_register)
{
	struct catalogue *c = catalogue_of("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct form *f = catalogue_form(c, cases[i].form);
		int src = cases[i].src;

		assert_non_null(f);
		assert_true(form_joins(c, f, src, 0) == cases[i].joins);
		if (cases[i].joins)
			one_register(c, f, src);
	}
}

/* Some results must share no register with a source. */
TEST(results_that_stand_apart)
{
	struct catalogue *c = catalogue_of("riscv64");
	const struct form *f;

	f = catalogue_form(c, "VRGATHER_VV/e8,m1");
	assert_non_null(f);
	assert_true(f->operands[0].apart);
	f = catalogue_form(c, "VMACC_VV/e8,m1");
	assert_non_null(f);
	assert_false(f->operands[0].apart);
}

/* ---- as claims -----------------------------------------------------------*/

/* A negative number: not a straight line, and at most this many cycles. */
static void add(struct judge_bench *b, const char *label, double cycles)
{
	struct record *r = &b->records[b->n];

	*r = record_of(&b->arena, b->n++, label, cycles);
	if (cycles >= 0)
		return;
	r->estimate.state = VERDICT_NOT_LINEAR;
	r->estimate.has_value = false;
	r->estimate.bound = -cycles;
}

/* The one claim that follows from a chain and its joint twin. */
static void follows(double own, double joint, const char *verdict, double high,
		    const char *label)
{
	struct judge_bench b = { .n = 0 };
	struct judge_sink sink = { .max_width = 8,
				   .each = judge_keep,
				   .context = &b };
	struct err e = { .code = ERR_OK };

	add(&b, "latency:A@3>0", own);
	add(&b, "joint:A@3>0", joint);
	add(&b, "control:A@3>0", 0.25);
	assert_int_equal(judge_records(&b.arena, b.records, b.n, &sink, &e), 0);
	assert_int_equal(b.n_claims, 1);
	assert_string_equal(b.claims[0].kind, "latency");
	assert_string_equal(claim_verdict(&b.claims[0]), verdict);
	assert_string_equal(b.claims[0].label, label);
	assert_true(b.claims[0].high_cycles == high);
	arena_free(&b.arena);
}

TEST(the_shorter_chain_is_the_latency)
{
	follows(3, 2, "ok", 2, "joint:A@3>0");
	follows(2.9, 2, "ok", 2, "joint:A@3>0");
	/* The destination's own chain is the longer one. */
	follows(2, 4, "ok", 2, "latency:A@3>0");
	follows(1.5, 6, "mixture", 1.5, "latency:A@3>0");
	/* A slower chain is not a bound. */
	follows(-7, 6, "not-linear", 7, "latency:A@3>0");
	/* One without a line may be faster. */
	follows(2, -1, "no-control", 2, "latency:A@3>0");
}
