/* A model from the claims of a store: kinds from different runs, ports from
 * the newest run alone, and claims that cannot be. */
#include "tests/unit/claims_bench.h"

EACH(set_up, tear_down);

static void measure_add(struct scratch *t, double latency)
{
	const struct word rows[] = {
		{ "ADD", "throughput", "", "", true, .25, .25, "ok", NULL },
		{ "ADD", "latency", "1", "0", true, latency, latency, "ok",
		  NULL },
		{ "ADD", "latency", "2", "0", true, 1, 9, "noisy", NULL },
		{ "2xLD+SD", "mix", "", "", true, 1.5, 1.6, "ok", NULL },
		{ "3xLD+SD", "mix", "", "", true, 9, 19, "unstable", NULL },
		{ "4xADD+2xLD", "mix", "", "", true, 2, 2, "ok", NULL },
		{ "SD+LD", "latency", "", "", true, 5, 5, "ok", NULL },
	};

	(void)values(t, rows, ARRAY_LEN(rows));
}

static const struct word two_ports[] = {
	{ "", "width", "", "", true, 4, 4, "ok", NULL },
	{ "", "port", "x", "", true, 1, 1, "ok", NULL },
	{ "", "port", "d", "pseudo", true, 0, 0, "ok", NULL },
	{ "", "note", "0", "", false, 0, 0, "ok", "Not known." },
	{ "ADD", "ports", "d|x", "", true, 2, 2, "ok", NULL },
	{ "ADD", "uops", "", "", true, 1, 2, "ok", NULL },
	{ "DIV", "ports", "d", "9", true, 1, 1, "ok", NULL },
	{ "SUB", "ports", "", "", true, 0, 0, "ok", NULL },
	{ "XOR", "ports", "x", "", true, 1, 1, "unsure", NULL },
	{ "AND", "ports", "x", "", true, 1, 1, "open", NULL },
};

static int read_model(struct scratch *t, struct catalogue *c, struct model *ret)
{
	return model_from_store(t->s, &t->arena, NULL, c, ret, &t->err);
}

static struct catalogue *load(struct scratch *t)
{
	struct catalogue *c;

	ok(t,
	   catalogue_load(&t->arena, isa_find("riscv64"), NULL, &c, &t->err));
	return c;
}

TEST(kinds_of_different_runs)
{
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	measure_add(t, 3);
	(void)ports(t, two_ports, ARRAY_LEN(two_ports));
	measure_add(t, 2);
	ok(t, read_model(t, c, &m));

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
	assert_int_equal(m.n_forwards, 1);
	assert_string_equal(m.forwards[0].load, "LD");
	/* Only agreeing visits, and only mixes of loads and stores. */
	assert_int_equal(m.n_mixes, 1);
	assert_string_equal(m.mixes[0].load, "LD");
	assert_float_equal(m.mixes[0].n_loads, 2, 0);
	assert_float_equal(m.mixes[0].cycles.low, 1.5, 0);
	catalogue_free(c);
}

/* Names of ports are valid only in their run. */
TEST(ports_of_one_run)
{
	static const struct word later[] = {
		{ "", "port", "y", "", true, 0, 0, "ok", NULL },
		{ "ADD", "ports", "y", "", true, 1, 1, "ok", NULL },
	};
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	(void)ports(t, two_ports, ARRAY_LEN(two_ports));
	(void)ports(t, later, ARRAY_LEN(later));
	ok(t, read_model(t, c, &m));
	assert_int_equal(m.n_ports, 1);
	assert_int_equal(model_find(&m, "ADD")->uses[0].ports, 1);
	assert_null(model_find(&m, "DIV"));
	catalogue_free(c);
}

/* If no visits agree on a value, the rate is that of the port search; without
 * it, the bound of the ports. */
TEST(ports_keep_a_throughput)
{
	static const struct word found[] = {
		{ "", "width", "", "", true, 4, 4, "ok", NULL },
		{ "", "port", "x", "", true, 0, 0, "ok", NULL },
		{ "", "port", "y", "", true, 1, 1, "ok", NULL },
		{ "ADD", "alone", "", "", true, .49, .51, "ok", NULL },
		{ "ADD", "ports", "x|y", "", true, 1, 1, "ok", NULL },
		{ "SUB", "ports", "x|y", "", true, 1, 1, "open", NULL },
		{ "SUB", "uops", "", "", true, 4, 4, "ok", NULL },
		{ "XOR", "ports", "x|y", "", true, 1, 1, "unsure", NULL },
		{ "DIV", "uops", "", "", true, 4, 4, "ok", NULL },
		{ "REM", "uops", "", "", true, 14, 14, "ok", NULL },
	};
	static const struct word noisy[] = {
		{ "DIV", "throughput", "", "", true, 5.6, 6, "helper", NULL },
		{ "REM", "throughput", "", "", true, 5.6, 6, "helper", NULL },
		{ "ADD", "throughput", "", "", true, 3, 5, "unstable", NULL },
	};
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	const struct model_form *add;
	struct model m;

	(void)ports(t, found, ARRAY_LEN(found));
	(void)ports(t, noisy, ARRAY_LEN(noisy));
	ok(t, read_model(t, c, &m));
	add = model_find(&m, "ADD");
	assert_true(add->throughput.has_value);
	assert_float_equal(add->throughput.low, .49, 0);
	assert_float_equal(add->throughput.high, .51, 0);
	assert_non_null(strstr(add->evidence, "search for ports"));
	/* Four slots of four in a cycle. */
	assert_true(model_find(&m, "SUB")->throughput.has_value);
	assert_float_equal(model_find(&m, "SUB")->throughput.low, 1, 0);
	assert_false(model_find(&m, "XOR")->throughput.has_value);
	/* DIV: helpers fit into free slots.  REM: too many slots. */
	assert_float_equal(model_find(&m, "DIV")->throughput.low, 6, 0);
	assert_float_equal(model_find(&m, "REM")->throughput.low, 5.6, 0);
	catalogue_free(c);
}

TEST(pairing)
{
	static const struct word rows[] = {
		{ "", "order", "", "", true, 1, 1, "ok", NULL },
		{ "", "pair", "alu", "mem", true, 1, 1, "ok", NULL },
		{ "", "pair", "mem", "alu", true, 0, 0, "ok", NULL },
		{ "ADD", "pairing", "alu", "", true, 1, 1, "ok", NULL },
		{ "LD", "pairing", "mem", "", true, 2, 2, "ok", NULL },
	};
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	(void)ports(t, rows, ARRAY_LEN(rows));
	ok(t, read_model(t, c, &m));
	assert_true(m.in_order && m.order_known);
	assert_int_equal(m.n_pairs, 3);
	assert_string_equal(m.pair_names[2], "mem");
	assert_int_equal(model_find(&m, "ADD")->pairing, 1);
	assert_true(m.pairs[1][2]);
	assert_false(m.pairs[2][1]);
	catalogue_free(c);
}

static int turns(const struct model *m, const struct model_form *a,
		 const struct model_form *b)
{
	return (int)(model_bypass(m, a, b, 1) + model_bypass(m, b, a, 1));
}

/* Chains of two forms that cost more than each alone: forms with equal results
 * are a class, and a latency cycle through two classes costs the measured
 * sum. */
TEST(late_results)
{
	static const struct word rows[] = {
		{ "FADD_D", "latency", "1", "0", true, 2, 2, "ok", NULL },
		{ "FMUL_D", "latency", "1", "0", true, 3, 3, "ok", NULL },
		{ "FSUB_D", "latency", "1", "0", true, 2, 2, "ok", NULL },
		{ "FMIN_D", "latency", "1", "0", true, 1, 1, "ok", NULL },
		{ "FADD_D", "queue", "1", "0", true, 63, 65, "ok", NULL },
		{ "", "load-buffer", "", "", true, 126, 130, "ok", NULL },
		{ "", "reorder-buffer", "", "", false, 0, 0, "noisy", NULL },
		{ "FMUL_D", "queue", "1", "0", true, 90, 91, "noisy", NULL },
		{ "FADD_D", "forward", "1>0", "FMUL_D@1>0", true, 6, 6.02, "ok",
		  NULL },
		{ "FADD_D", "forward", "1>0", "FSUB_D@1>0", true, 4, 4, "ok",
		  NULL },
		{ "FADD_D", "forward", "1>0", "FMIN_D@1>0", true, 4, 4, "ok",
		  NULL },
		{ "FMUL_D", "forward", "1>0", "FADD_D@1>0", true, 6, 6.02, "ok",
		  NULL },
		{ "FMUL_D", "forward", "1>0", "FSUB_D@1>0", true, 6, 6, "ok",
		  NULL },
		{ "FMUL_D", "forward", "1>0", "FMIN_D@1>0", true, 4, 4, "ok",
		  NULL },
		{ "FSUB_D", "forward", "1>0", "FADD_D@1>0", true, 4, 4, "ok",
		  NULL },
		{ "FSUB_D", "forward", "1>0", "FMUL_D@1>0", true, 6, 6, "ok",
		  NULL },
		/* Not a whole number of cycles: it is ignored. */
		{ "FMIN_D", "forward", "1>0", "FADD_D@1>0", true, 4, 4, "ok",
		  NULL },
		{ "FMIN_D", "forward", "1>0", "FMUL_D@1>0", true, 4, 4, "ok",
		  NULL },
		{ "FMIN_D", "forward", "1>0", "FSUB_D@1>0", true, 3.5, 3.5,
		  "ok", NULL },
	};
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	(void)values(t, rows, ARRAY_LEN(rows));
	ok(t, read_model(t, c, &m));

	const struct model_form *add = model_find(&m, "FADD_D");
	const struct model_form *mul = model_find(&m, "FMUL_D");
	const struct model_form *sub = model_find(&m, "FSUB_D");
	const struct model_form *min = model_find(&m, "FMIN_D");

	assert_int_equal(add->bypass, sub->bypass);
	assert_int_equal(mul->bypass, min->bypass);
	assert_int_equal(m.vector_queue, 64);
	assert_int_equal(m.load_queue, 128);
	assert_int_equal(m.reorder_buffer, 0);
	assert_int_equal(turns(&m, add, sub), 0);
	assert_int_equal(turns(&m, mul, min), 0);
	assert_int_equal(turns(&m, add, mul), 1);
	assert_int_equal(turns(&m, sub, min), 1);
	catalogue_free(c);
}

TEST(impossible_claims_are_refused)
{
	static const struct {
		struct word row;
		const char *says;
	} bad[] = {
		{ { "ADD", "ports", "nowhere", "", true, 1, 1, "ok", NULL },
		  "uops on ports of the run" },
		{ { "", "port", "z", "", true, 1e9, 1e9, "ok", NULL },
		  "the name of a port and its place" },
		{ { "", "port", "z", "", true, 3, 3, "ok", NULL },
		  "port 0 has no name" },
		{ { "ADD", "pairing", "a", "", true, MODEL_MAX_CLASSES,
		    MODEL_MAX_CLASSES, "ok", NULL },
		  "the number of a class" },
		{ { "", "width", "", "", true, -1, -1, "ok", NULL },
		  "the width must be above zero" },
	};
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	measure_add(t, 1);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		(void)ports(t, &bad[i].row, 1);
		refused(t, read_model(t, c, &m), ERR_INPUT, bad[i].says);
	}
	catalogue_free(c);
}

/* Claims on all flags in one operand are read for each flag, and reported;
 * operands that no form has are counted. */
TEST(all_flags_at_once)
{
	struct scratch *t = *state;
	struct run run = { .board = "fake",
			   .isa = "x86_64",
			   .cpu = "",
			   .clock = "core",
			   .what = "latency",
			   .forms = "",
			   .tool = "0.1",
			   .date = "" };
	static const char *const pairs[][3] = {
		{ "ADC64rr", "EFLAGS", "0" },
		{ "ADC64rr", "1", "EFLAGS" },
		{ "ADC64rr", "NZCV", "0" },
	};
	struct catalogue *c;
	const struct model_form *f;
	struct model m;
	size_t n_read = 0, n_written = 0;

	ok(t, catalogue_load(&t->arena, isa_find("x86_64"), NULL, &c, &t->err));
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
					   .verdict = "ok",
					   .label = "",
					   .detail = "" };

		ok(t, store_claim(t->s, &old, &t->err));
	}
	ok(t, store_commit(t->s, &t->err));
	ok(t, store_run_finish(t->s, run.id, &t->err));
	ok(t, read_model(t, c, &m));
	f = model_find(&m, "ADC64rr");
	for (size_t i = 0; i < f->n_latencies; i++) {
		n_read += f->latencies[i].destination == 0;
		n_written += f->latencies[i].source == 1;
	}
	assert_int_equal(n_read, 1);    /* the carry */
	assert_int_equal(n_written, 3); /* those that have chains */
	assert_int_equal(m.n_notes, 3);
	assert_non_null(strstr(m.notes[1], "2 latencies are of EFLAGS"));
	assert_non_null(strstr(m.notes[2], "1 latencies name operands"));
	catalogue_free(c);
}

TEST(nothing_known)
{
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	refused(t, read_model(t, c, &m), ERR_INPUT, "the database has no run");
	(void)new_run(t);
	refused(t, read_model(t, c, &m), ERR_INPUT,
		"has no values of riscv64 forms");
	catalogue_free(c);
}

/* The closed list of the method, word by word: a model has decided on each,
 * and takes none that has no value. */
TEST(every_verdict_is_decided)
{
	FILE *f = fopen(TEST_SOURCE_DIR "/docs/method.md", "r");
	char line[1024];
	bool inside = false, known;
	int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char word[40], value[40];

		inside |= strncmp(line, "| verdict | value |", 19) == 0;
		if (!inside ||
		    sscanf(line, "| %39[a-zA-Z:-] | %39[a-z]", word, value) !=
			    2 ||
		    strcmp(word, "verdict") == 0)
			continue;
		n++;

		bool taken = model_takes_verdict(word, &known);

		if (!known)
			fail_msg("%s is not decided", word);
		if (strcmp(value, "none") == 0 || strcmp(value, "seen") == 0)
			assert_false(taken);
		if (strcmp(value, "interval") == 0)
			assert_true(taken);
	}
	(void)fclose(f);
	assert_true(n > 20);
	assert_false(model_takes_verdict("fine", &known));
	assert_false(known);
	assert_true(model_takes_verdict("mixture", &known));
}

/* Short loops become the model's lines.  Numbers of slots that no kernel has are
 * ignored, also those whose sum is small in 32 bits. */
TEST(short_loops)
{
	static const struct word rows[] = {
		{ "ADD", "throughput", "", "", true, .25, .25, "ok", NULL },
		{ "", "issue-width", "", "", true, 5.9, 6, "ok", NULL },
		{ "", "iteration", "", "", true, .5, .5, "ok", NULL },
		{ "", "iteration", "8", "", true, 1.3, 1.4, "ok", NULL },
		{ "", "iteration", "9", "", true, 2, 2, "ok", NULL },
		{ "", "iteration", "12", "", true, 2, 2, "ok", NULL },
		{ "", "iteration", "3", "6", true, 2, 2, "ok", NULL },
		{ "", "iteration", "6", "6", true, 2, 2, "ok", NULL },
		{ "", "iteration", "9", "7", true, 2.6, 2.7, "ok", NULL },
		{ "", "iteration", "4294967295", "6", true, .1, .1, "ok",
		  NULL },
		{ "", "iteration", "25", "", true, .1, .1, "ok", NULL },
		{ "", "crossing", "4", "", true, 2.1, 2.3, "ok", NULL },
		{ "", "crossing", "6", "", true, 1.9, 2.1, "ok", NULL },
	};
	struct scratch *t = *state;
	struct catalogue *c = load(t);
	struct model m;

	(void)values(t, rows, ARRAY_LEN(rows));
	ok(t, read_model(t, c, &m));
	assert_float_equal(m.taken_branches, 2, 0);
	assert_int_equal(m.lines.rule, MODEL_LINES_TOGETHER);
	assert_int_equal(m.lines.n, 16);
	assert_float_equal(m.lines.cycles[1], 1.35, 1e-9);
	assert_float_equal(m.lines.cycles[8], 1.35, 1e-9);
	assert_float_equal(m.lines.cycles[9], 2, 0);
	assert_float_equal(m.lines.cycles[16], 2.65, 1e-9);
	assert_float_equal(m.lines.crossing, 2, 1e-9);
	catalogue_free(c);
}
