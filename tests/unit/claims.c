/* A model from the claims of a store: kinds from different runs, ports from
 * the newest run alone, and claims that cannot be. */
#include "tests/unit/any_run.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/claims_bench.h"

EACH(set_up, tear_down);

static void measure_add(struct scratch *t, double latency)
{
	const struct word rows[] = {
		{ "ADD", "throughput", "", "", .25, .25, "ok" },
		{ "ADD", "latency", "1", "0", latency, latency, "ok" },
		{ "ADD", "latency", "2", "0", 1, 9, "noisy" },
		{ "2xLD+SD", "mix", "", "", 1.5, 1.6, "ok" },
		{ "3xLD+SD", "mix", "", "", 9, 19, "unstable" },
		{ "4xADD+2xLD", "mix", "", "", 2, 2, "ok" },
		{ "SD+LD", "latency", "", "", 5, 5, "ok" },
	};

	(void)values(t, rows, ARRAY_LEN(rows));
}

static const struct word two_ports[] = {
	{ "", "width", "", "", 4, 4, "ok" },
	{ "", "port", "x", "", 1, 1, "ok" },
	{ "", "port", "d", "pseudo", 0, 0, "ok" },
	{ "", "note", "0", "Not known.", 1, 0, "ok" },
	{ "ADD", "ports", "d|x", "", 2, 2, "ok" },
	{ "ADD", "uops", "", "", 1, 2, "ok" },
	{ "DIV", "ports", "d", "9", 1, 1, "ok" },
	{ "SUB", "ports", "", "", 0, 0, "ok" },
	{ "XOR", "ports", "x", "", 1, 1, "unsure" },
	{ "AND", "ports", "x", "", 1, 1, "open" },
};

static int read_model(struct scratch *t, struct model *ret)
{
	return model_from_store(t->s, &t->arena, NULL, catalogue_of("riscv64"),
				ret, &t->err);
}

static struct model model_of(struct scratch *t)
{
	struct model m;

	ok(t, read_model(t, &m));
	return m;
}

TEST_ON(kinds_of_different_runs, struct scratch *t)
{
	measure_add(t, 3);
	(void)ports(t, two_ports, ARRAY_LEN(two_ports));
	measure_add(t, 2);

	struct model m = model_of(t);

	const struct model_form *add = model_find(&m, "ADD");

	assert_non_null(add);
	assert_float_equal(m.width.low, 4, 0);
	assert_int_equal(m.n_ports, 2);
	assert_true(m.ports[0].pseudo);
	assert_string_equal(m.ports[1].name, "x");
	assert_string_equal(m.notes[0], "Not known.");
	/* The newest latency; the noisy one is not there. */
	assert_int_equal(add->n_latencies, 1);
	assert_float_equal(model_latency(add, 1, 0).low, 2, 0);
	assert_false(model_latency(add, 2, 0).has_value);
	assert_float_equal(add->throughput.low, .25, 0);
	assert_float_equal(add->slots.high, 2, 0);
	assert_int_equal(add->n_uses, 1);
	assert_int_equal(add->uses[0].ports, 3);
	assert_float_equal(add->uses[0].n_uops, 2, 0);
	assert_float_equal(model_find(&m, "DIV")->uses[0].cycles, 9, 0);
	assert_true(model_find(&m, "SUB")->has_ports);
	assert_int_equal(model_find(&m, "SUB")->n_uses, 0);
	assert_false(model_find(&m, "XOR")->has_ports);
	assert_true(model_find(&m, "AND")->has_ports);
	assert_int_equal(model_find(&m, "AND")->mark.kind, MARK_OPEN);
	assert_int_equal(model_find(&m, "XOR")->mark.kind, MARK_NONE);
	assert_int_equal(m.n_forwards, 1);
	assert_string_equal(m.forwards[0].load, "LD");
	/* Only agreeing visits, and only mixes of loads and stores. */
	assert_int_equal(m.n_mixes, 1);
	assert_string_equal(m.mixes[0].load, "LD");
	assert_float_equal(m.mixes[0].n_loads, 2, 0);
	assert_float_equal(m.mixes[0].cycles.low, 1.5, 0);
}

/* Names of ports are valid only in their run. */
TEST_ON(ports_of_one_run, struct scratch *t)
{
	static const struct word later[] = {
		{ "", "port", "y", "", 0, 0, "ok" },
		{ "ADD", "ports", "y", "", 1, 1, "ok" },
	};

	(void)ports(t, two_ports, ARRAY_LEN(two_ports));
	(void)ports(t, later, ARRAY_LEN(later));

	struct model m = model_of(t);

	assert_int_equal(m.n_ports, 1);
	assert_int_equal(model_find(&m, "ADD")->uses[0].ports, 1);
	assert_null(model_find(&m, "DIV"));
}

/* If no visits agree on a value, the rate is that of the port search; without
 * it, the bound of the ports. */
TEST_ON(ports_keep_a_throughput, struct scratch *t)
{
	static const struct word found[] = {
		{ "", "width", "", "", 4, 4, "ok" },
		{ "", "port", "x", "", 0, 0, "ok" },
		{ "", "port", "y", "", 1, 1, "ok" },
		{ "ADD", "alone", "", "", .49, .51, "ok" },
		{ "ADD", "ports", "x|y", "", 1, 1, "ok" },
		{ "SUB", "ports", "x|y", "", 1, 1, "open" },
		{ "SUB", "uops", "", "", 4, 4, "ok" },
		{ "XOR", "ports", "x|y", "", 1, 1, "unsure" },
		{ "DIV", "uops", "", "", 4, 4, "ok" },
		{ "REM", "uops", "", "", 14, 14, "ok" },
	};
	static const struct word noisy[] = {
		{ "DIV", "throughput", "", "", 5.6, 6, "helper" },
		{ "REM", "throughput", "", "", 5.6, 6, "helper" },
		{ "ADD", "throughput", "", "", 3, 5, "unstable" },
	};
	const struct model_form *add;

	(void)ports(t, found, ARRAY_LEN(found));
	(void)ports(t, noisy, ARRAY_LEN(noisy));

	struct model m = model_of(t);

	add = model_find(&m, "ADD");
	assert_true(add->throughput.has_value);
	assert_float_equal(add->throughput.low, .49, 0);
	assert_float_equal(add->throughput.high, .51, 0);
	assert_part(add->evidence, "search for ports");
	/* Four slots of four in a cycle. */
	assert_true(model_find(&m, "SUB")->throughput.has_value);
	assert_float_equal(model_find(&m, "SUB")->throughput.low, 1, 0);
	assert_false(model_find(&m, "XOR")->throughput.has_value);
	/* DIV: helpers fit into free slots.  REM: too many slots. */
	assert_float_equal(model_find(&m, "DIV")->throughput.low, 6, 0);
	assert_float_equal(model_find(&m, "REM")->throughput.low, 5.6, 0);
}

TEST_ON(pairing, struct scratch *t)
{
	static const struct word rows[] = {
		{ "", "order", "", "", 1, 1, "ok" },
		{ "", "pair", "alu", "mem", 1, 1, "ok" },
		{ "", "pair", "mem", "alu", 0, 0, "ok" },
		{ "ADD", "pairing", "alu", "", 1, 1, "ok" },
		{ "LD", "pairing", "mem", "", 2, 2, "ok" },
	};

	(void)ports(t, rows, ARRAY_LEN(rows));

	struct model m = model_of(t);

	assert_true(m.in_order && m.order_known);
	assert_int_equal(m.n_pairs, 3);
	assert_string_equal(m.pair_names[2], "mem");
	assert_int_equal(model_find(&m, "ADD")->pairing, 1);
	assert_true(m.pairs[1][2]);
	assert_false(m.pairs[2][1]);
}

static int turns(const struct model *m, const struct model_form *a,
		 const struct model_form *b)
{
	return (int)(model_bypass(m, a, b, 1) + model_bypass(m, b, a, 1));
}

/* Chains of two forms that cost more than each alone: forms with equal results
 * are a class, and a latency cycle through two classes costs the measured
 * sum. */
TEST_ON(late_results, struct scratch *t)
{
	static const struct word rows[] = {
		{ "FADD_D", "latency", "1", "0", 2, 2, "ok" },
		{ "FMUL_D", "latency", "1", "0", 3, 3, "ok" },
		{ "FSUB_D", "latency", "1", "0", 2, 2, "ok" },
		{ "FMIN_D", "latency", "1", "0", 1, 1, "ok" },
		{ "FADD_D", "queue", "1", "0", 63, 65, "ok" },
		{ "", "load-buffer", "", "", 126, 130, "ok" },
		{ "", "general-queue", "", "", 85, 94, "ok" },
		{ "", "general-release", "", "", 12.6, 12.6, "ok" },
		{ "", "reorder-buffer", "", "", 1, 0, "noisy" },
		{ "FMUL_D", "queue", "1", "0", 90, 91, "noisy" },
		{ "FADD_D", "forward", "1>0", "FMUL_D@1>0", 6, 6.02, "ok" },
		{ "FADD_D", "forward", "1>0", "FSUB_D@1>0", 4, 4, "ok" },
		{ "FADD_D", "forward", "1>0", "FMIN_D@1>0", 4, 4, "ok" },
		{ "FMUL_D", "forward", "1>0", "FADD_D@1>0", 6, 6.02, "ok" },
		{ "FMUL_D", "forward", "1>0", "FSUB_D@1>0", 6, 6, "ok" },
		{ "FMUL_D", "forward", "1>0", "FMIN_D@1>0", 4, 4, "ok" },
		{ "FSUB_D", "forward", "1>0", "FADD_D@1>0", 4, 4, "ok" },
		{ "FSUB_D", "forward", "1>0", "FMUL_D@1>0", 6, 6, "ok" },
		/* Not a whole number of cycles: it is ignored. */
		{ "FMIN_D", "forward", "1>0", "FADD_D@1>0", 4, 4, "ok" },
		{ "FMIN_D", "forward", "1>0", "FMUL_D@1>0", 4, 4, "ok" },
		{ "FMIN_D", "forward", "1>0", "FSUB_D@1>0", 3.5, 3.5, "ok" },
	};

	(void)values(t, rows, ARRAY_LEN(rows));

	struct model m = model_of(t);

	const struct model_form *add = model_find(&m, "FADD_D");
	const struct model_form *mul = model_find(&m, "FMUL_D");
	const struct model_form *sub = model_find(&m, "FSUB_D");
	const struct model_form *min = model_find(&m, "FMIN_D");

	assert_int_equal(add->bypass, sub->bypass);
	assert_int_equal(mul->bypass, min->bypass);
	assert_int_equal(m.vector_queue, 64);
	assert_int_equal(m.load_queue, 128);
	assert_int_equal(m.general_queue, 90);
	assert_int_equal(m.general_release, 13);
	assert_int_equal(m.reorder_buffer, 0);
	assert_int_equal(turns(&m, add, sub), 0);
	assert_int_equal(turns(&m, mul, min), 0);
	assert_int_equal(turns(&m, add, mul), 1);
	assert_int_equal(turns(&m, sub, min), 1);
}

TEST_ON(impossible_claims_are_refused, struct scratch *t)
{
	static const struct {
		struct word row;
		const char *says;
	} bad[] = {
		{ { "ADD", "ports", "nowhere", "", 1, 1, "ok" },
		  "uops on ports of the run" },
		{ { "", "port", "z", "", 1e9, 1e9, "ok" },
		  "the name of a port and its place" },
		{ { "", "port", "z", "", 3, 3, "ok" }, "port 0 has no name" },
		{ { "ADD", "pairing", "a", "", MODEL_MAX_CLASSES,
		    MODEL_MAX_CLASSES, "ok" },
		  "the number of a class" },
		{ { "", "width", "", "", -1, -1, "ok" },
		  "the width must be above zero" },
	};
	struct model m;

	measure_add(t, 1);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		(void)ports(t, &bad[i].row, 1);
		refused(t, read_model(t, &m), ERR_INPUT, bad[i].says);
	}
}

/* Claims on all flags in one operand are read for each flag, and reported;
 * operands that no form has are counted. */
TEST_ON(all_flags_at_once, struct scratch *t)
{
	struct run run = any_run("x86_64", CLOCK_CORE);
	static const char *const pairs[][3] = {
		{ "ADC64rr", "EFLAGS", "0" },
		{ "ADC64rr", "1", "EFLAGS" },
		{ "ADC64rr", "NZCV", "0" },
	};
	const struct model_form *f;
	struct model m;
	size_t n_read = 0, n_written = 0;

	ok(t, store_run_new(t->s, &run, &t->err));
	ok(t, store_claims_begin(t->s, run.id, &t->err));
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		const struct claim old = { .run = run.id,
					   .isa = "x86_64",
					   .board = "fake",
					   .form = pairs[i][0],
					   .kind = "latency",
					   .source = pairs[i][1],
					   .destination = pairs[i][2],
					   .has_value = true,
					   .low_cycles = 1,
					   .high_cycles = 1,
					   .verdict = VERDICT_OK,
					   .label = "",
					   .detail = "" };

		ok(t, store_claim(t->s, &old, &t->err));
	}
	ok(t, store_commit(t->s, &t->err));
	ok(t, store_run_finish(t->s, run.id, &t->err));
	ok(t, model_from_store(t->s, &t->arena, NULL, catalogue_of("x86_64"),
			       &m, &t->err));
	f = model_find(&m, "ADC64rr");
	for (size_t i = 0; i < f->n_latencies; i++) {
		n_read += f->latencies[i].destination == 0;
		n_written += f->latencies[i].source == 1;
	}
	assert_int_equal(n_read, 1);    /* the carry */
	assert_int_equal(n_written, 3); /* those that have chains */
	assert_int_equal(m.n_notes, 3);
	assert_part(m.notes[1], "2 latencies are of EFLAGS");
	assert_part(m.notes[2], "1 latencies name operands");
}

TEST_ON(nothing_known, struct scratch *t)
{
	struct model m;

	refused(t, read_model(t, &m), ERR_INPUT, "the database has no run");
	(void)new_run(t);
	refused(t, read_model(t, &m), ERR_INPUT,
		"has no values of riscv64 forms");
}

/* Short loops become the model's lines.  Numbers of slots that no kernel has
 * are ignored, also those whose sum is small in 32 bits. */
TEST_ON(short_loops, struct scratch *t)
{
	static const struct word rows[] = {
		{ "ADD", "throughput", "", "", .25, .25, "ok" },
		{ "", "issue-width", "", "", 5.9, 6, "ok" },
		{ "", "iteration", "", "", .5, .5, "ok" },
		{ "", "iteration", "8", "", 1.3, 1.4, "ok" },
		{ "", "iteration", "9", "", 2, 2, "ok" },
		{ "", "iteration", "12", "", 2, 2, "ok" },
		{ "", "iteration", "3", "6", 2, 2, "ok" },
		{ "", "iteration", "6", "6", 2, 2, "ok" },
		{ "", "iteration", "9", "7", 2.6, 2.7, "ok" },
		{ "", "iteration", "4294967295", "6", .1, .1, "ok" },
		{ "", "iteration", "25", "", .1, .1, "ok" },
		{ "", "crossing", "4", "", 2.1, 2.3, "ok" },
		{ "", "crossing", "6", "", 1.9, 2.1, "ok" },
	};

	(void)values(t, rows, ARRAY_LEN(rows));

	struct model m = model_of(t);

	assert_float_equal(m.taken_branches, 2, 0);
	assert_int_equal(m.lines.rule, MODEL_LINES_TOGETHER);
	assert_int_equal(m.lines.n, 16);
	assert_float_equal(m.lines.cycles[1], 1.35, 1e-9);
	assert_float_equal(m.lines.cycles[8], 1.35, 1e-9);
	assert_float_equal(m.lines.cycles[9], 2, 0);
	assert_float_equal(m.lines.cycles[16], 2.65, 1e-9);
	assert_float_equal(m.lines.crossing, 2, 1e-9);
}
