/* Latencies of operand pairs that a model lacks, derived from its other
 * entries. */
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* Measured models have latencies of pairs, not of whole forms. */
static void know_pairs_alone(struct world *w)
{
	struct model_form *forms =
		arena_copy(&w->a, w->m->forms, w->m->n_forms * sizeof(*forms));

	for (size_t i = 0; i < w->m->n_forms; i++) {
		forms[i].latencies++;
		forms[i].n_latencies--;
		forms[i].throughput = exactly(0.5);
	}
	w->m->forms = forms;
}

static struct world measured(void)
{
	static const struct row rows[] = {
		{ "ADD64rr", "0", 0, { { 1, 0, 1 }, { 2, 0, 1 } }, false },
		{ "INC64r", "0", 0, { { 1, 0, 1 } }, false },
		{ "MOV32rr", "", 0, { { 1, 0, 1 } }, true },
		{ "MOV64mr", "1", 0, { { 0 } }, false },
		{ "MOV64rm", "1", 0, { { 1, 0, 5 }, { 3, 0, 5 } }, false },
		{ "MOV8rm", "1", 0, { { 3, 0, 6 } }, false },
		{ "MOV8rr", "0", 0, { { 1, 0, 1 } }, false },
		{ "VADDPDYrm", "0 1", 0, { { 1, 0, 4 } }, false },
		{ "VMOVUPDYrm", "1", 0, { { 1, 0, 7 } }, false },
		{ "VMOVUPSYrm", "1", 0, { { 1, 0, 7 } }, false },
		{ "XOR8rm", "0 1", 0, { { 1, 0, 1 }, { 4, 0, 6 } }, false },
	};
	struct world w = WORLD_OF("x86_64", "0 1", rows);

	know_pairs_alone(&w);
	w.m->width = exactly(4);
	w.m->reorder_buffer = 200;
	return w;
}

/* The written byte comes from its own operand. The preserved bits of the
 * register come from the same register, which is not an address. */
TEST(kept_bits_of_a_source)
{
	SCOPED(world_close) struct world w = measured();

	world_predict(&w, "xorb (%rcx), %dl\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "xor of 8 bits");
	assert_int_equal(w.p.body.ops[0].n_reads, 2);
}

/* Preserved bits of a register meet a load's data with the latency of the
 * register form. */
TEST(kept_bits_with_a_load)
{
	SCOPED(world_close) struct world w = measured();

	world_predict(&w, "movb (%rcx,%rax), %dl\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "load of 8 bits");
	assert_int_equal(w.p.body.ops[0].origin[COST_LATENCY].origin,
			 ORIGIN_PARTS);
	assert_cycles(w.p.critical.cycles, 6, "from its address");
}

/* What takes long to make a result does not make its merging with the preserved
 * bits slow. */
TEST(kept_bits_without_a_source)
{
	static const struct row row = { "RDRAND16r", "0", 9, { { 0 } }, false };
	SCOPED(world_close) struct world w = world_of("x86_64", "0 1", &row, 1);

	world_predict(&w, "rdrandw %dx\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "merging");
	assert_cycles(w.p.critical.cycles, 9, "a random number");
}

/* A form without a measured latency from the address loads like a plain
 * load. */
TEST(address_of_a_sum)
{
	SCOPED(world_close) struct world w = measured();

	world_predict(&w, "vaddpd (%rcx), %ymm1, %ymm1\n", usual);
	assert_cycles(w.p.carried.cycles, 4, "the sum");
	assert_cycles(w.p.critical.cycles, 11, "a load and the sum");
}

/* A counter in memory: it is forwarded, and then incremented. */
TEST(counter_in_memory)
{
	static const struct model_forward forward = {
		"MOV64mr", "MOV64rm", { true, 5, 5 }, NULL, false
	};
	static const struct row rows[] = {
		{ "INC64m", "0 1", 0, { { 0 } }, false },
		{ "INC64r", "0", 0, { { 1, 0, 1 } }, false },
		{ "MOV64mr", "1", 0, { { 0 } }, false },
		{ "MOV64rm", "1", 0, { { 1, 0, 5 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1", rows);

	know_pairs_alone(&w);
	w.m->forwards = &forward;
	w.m->n_forwards = 1;
	world_predict(&w, "incq (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 6, "counted");
}

/* A counter of 8 bytes is forwarded like stores of 8 bytes, not like those of
 * 2. */
TEST(forwarding_of_the_same_width)
{
	static const struct model_forward forwards[] = {
		{ "MOV16mr", "MOV16rm", { true, 2, 2 }, NULL, false },
		{ "MOV64mr", "MOV64rm", { true, 0.5, 0.5 }, NULL, false },
	};
	static const struct row rows[] = {
		{ "ADD64mr", "0 1", 0, { { 5, 6, 1 } }, false },
		{ "ADD64rr", "0", 0, { { 1, 0, 1 } }, false },
		{ "MOV16mr", "1", 0, { { 0 } }, false },
		{ "MOV16rm", "1", 0, { { 1, 0, 5 } }, false },
		{ "MOV64mr", "1", 0, { { 0 } }, false },
		{ "MOV64rm", "1", 0, { { 1, 0, 5 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1", rows);

	know_pairs_alone(&w);
	w.m->forwards = forwards;
	w.m->n_forwards = ARRAY_LEN(forwards);
	world_predict(&w, "addq %rax, (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "renamed and added");
}

static int flag_of(const struct world *w, const char *name, int at)
{
	const struct form *f = form(w->c, name);

	for (int i = 0; i < f->n_operands; i++)
		if (f->operands[i].flag && f->operands[i].read && at-- == 0)
			return i;
	fail_msg("%s reads too few flags", name);
	return -1;
}

/* A condition whose flags were not measured takes as long as one of the same
 * throughput: those of two uops have half the rate. */
TEST(conditions_of_two_flags)
{
	SCOPED(world_close) struct world w = world_open("x86_64");
	const struct row rows[] = {
		{ "CMOV64rr",
		  "",
		  0,
		  { { 1, 0, 1 }, { flag_of(&w, "CMOV64rr", 0), 0, 1 } },
		  false },
		{ "CMOV64rr/be",
		  "",
		  0,
		  { { 1, 0, 1 }, { flag_of(&w, "CMOV64rr/be", 0), 0, 2 } },
		  false },
		{ "CMOV64rr/l", "", 0, { { 1, 0, 1 } }, false },
		{ "CMOV64rr/s", "", 0, { { 1, 0, 1 } }, false },
		{ "CMP64rr", "", 1, { { 0 } }, false },
	};
	struct model_form *forms;

	world_ports(&w, "0");
	world_forms(&w, rows, ARRAY_LEN(rows));
	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < w.m->n_forms; i++) {
		bool two = strcmp(forms[i].name, "CMOV64rr/be") == 0 ||
			   strcmp(forms[i].name, "CMOV64rr/l") == 0;

		forms[i].has_ports = false;
		forms[i].throughput = exactly(two ? 0.44 : 0.2);
		if (strncmp(forms[i].name, "CMOV", 4) == 0) {
			forms[i].latencies++;
			forms[i].n_latencies--;
		}
	}
	w.m->forms = forms;
	world_predict(&w, "cmpq %rcx, %r8\ncmovlq %r9, %rcx\n", usual);
	assert_cycles(w.p.carried.cycles, 3, "of two flags");
	world_predict(&w, "cmpq %rcx, %r8\ncmovsq %r9, %rcx\n", usual);
	assert_cycles(w.p.carried.cycles, 2, "of one flag");
}

/* A branch costs what its fastest variant was measured to, and shares a unit
 * with the sums through the comparison that it is fused with. */
TEST(branches_of_variants)
{
	static const struct row rows[] = {
		{ "ADD64rr", "", 1, { { 0 } }, false },
		{ "CMP64rr", "", 1, { { 0 } }, false },
		{ "JCC_1/not-taken", "", 0, { { 0 } }, false },
		{ "JCC_1/taken", "", 0, { { 0 } }, false },
	};
	static const double rates[] = { 0.5, 0.5, 0.25, 2 };
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "", rows);
	struct model_form *forms;

	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < w.m->n_forms; i++) {
		forms[i].has_ports = false;
		forms[i].throughput = exactly(rates[i]);
	}
	w.m->forms = forms;
	w.m->taken_branches = 4;
	world_predict(&w,
		      ".L:\naddq %rax, %rbx\naddq %rax, %rcx\ncmpq %rdi, %rsi\n"
		      "jne .L\n",
		      usual);
	assert_true(w.p.body.ops[3].fused);
	assert_cycles(w.p.body.ops[3].form->throughput.high, 0.25, "branch");
	assert_int_equal(w.p.body.ops[3].origin[COST_THROUGHPUT].origin,
			 ORIGIN_MODEL);
	assert_true(w.p.body.ops[2].n_uses > 0);
}

/* For a form without a rate, a form of the same width is the fallback, not the
 * next name: a division of 32 bytes takes twice as long as one of 16. */
TEST(rates_of_the_same_width)
{
	static const struct model_latency latency[] = {
		{ MODEL_ANY, MODEL_ANY, { true, 13, 13 }, { 0 } },
	};
	static struct model_form forms[] = {
		{ .name = "VDIVPDYrr", .n_latencies = 1, .latencies = latency },
		{ .name = "VDIVPDZ128rm",
		  .n_latencies = 1,
		  .latencies = latency },
		{ .name = "VDIVPDZ256rr" },
		{ .name = "VDIVPDrr", .n_latencies = 1, .latencies = latency },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	forms[1].throughput = exactly(4);
	forms[2].throughput = exactly(8);
	forms[3].throughput = exactly(4);
	world_ports(&w, "a b");
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	world_predict(&w, "vdivpd %ymm0, %ymm1, %ymm2\n", usual);
	assert_cycles(w.p.cycles, 8, "predicted");
	assert_int_equal(w.p.body.ops[0].origin[COST_THROUGHPUT].origin,
			 ORIGIN_CLASS);
	assert_string_equal(w.p.body.ops[0].origin[COST_THROUGHPUT].like,
			    "VDIVPDZ256rr");
}

/* A loop, and the cycles of its loop-carried dependency. */
struct carried {
	const char *text;
	double cycles;
};

/* Predict each loop, and close the world. */
static void assert_carried(struct world *w, const struct carried *cases,
			   size_t n)
{
	w->m->width = exactly(4);
	for (size_t i = 0; i < n; i++) {
		world_predict(w, cases[i].text, usual);
		assert_cycles(w->p.carried.cycles, cases[i].cycles,
			      cases[i].text);
	}
	world_close(w);
}

/* An immediate decides which class of numbers counts; what the model lacks is
 * the form without one. */
TEST(class_of_a_number)
{
	static const struct row rows[] = {
		{ "ADD64ri8", "0", 3, { { 0 } }, false },
		{ "ADD64ri8/one", "", 0, { { 0 } }, true },
		{ "SUB64ri8", "0", 3, { { 0 } }, false },
	};
	static const struct carried cases[] = {
		{ "addq $1, %rax\n", 0 },
		{ "addq $2, %rax\n", 3 },
		{ "subq $1, %rax\n", 3 },
	};
	struct world w = WORLD_OF("x86_64", "0 1", rows);

	assert_carried(&w, cases, ARRAY_LEN(cases));
}

/* A result in a source's register is a variant; a model without it has the
 * form. */
TEST(result_in_a_source)
{
	static const struct row rows[] = {
		{ "FADD_D", "0", 4, { { 0 } }, false },
		{ "FADD_D/same-register", "0", 5, { { 0 } }, false },
		{ "FMUL_D", "0", 4, { { 0 } }, false },
		{ "FMADD_D/same-factor", "0", 6, { { 0 } }, false },
		{ "FMADD_D/same-register", "0", 7, { { 0 } }, false },
	};
	static const struct carried cases[] = {
		{ "fmadd.d fa0, fa0, fa1, fa2\n", 6 },
		{ "fmadd.d fa0, fa1, fa2, fa0\n", 7 },
		{ "fadd.d fa0, fa1, fa0\n", 5 },
		{ "fadd.d fa0, fa2, fa1\nfadd.d fa2, fa0, fa1\n", 8 },
		{ "fmul.d fa0, fa0, fa1\n", 4 },
	};
	struct world w = WORLD_OF("riscv64", "0", rows);

	assert_carried(&w, cases, ARRAY_LEN(cases));
}

/* A load represents all: what a scaled index adds to it is added to others.
 * Nothing is added for a scale that was not measured, or not to a cycle. */
TEST(scaled_indices)
{
	static const struct row rows[] = {
		{ "MOV64rm", "0", 0, { { 1, 0, 4 }, { 3, 0, 4 } }, false },
		{ "MOV64rm/x2", "0", 0, { { 1, 0, 4 }, { 3, 0, 4 } }, false },
		{ "MOV64rm/x8", "0", 0, { { 1, 0, 5 }, { 3, 0, 5 } }, false },
		{ "MOVZX32rm16", "0", 0, { { 1, 0, 6 }, { 3, 0, 6 } }, false },
	};
	static const struct carried cases[] = {
		{ "movq (%rcx,%rax), %rax\n", 4 },
		{ "movq (%rcx,%rax,2), %rax\n", 4 },
		{ "movq (%rcx,%rax,4), %rax\n", 4 },
		{ "movq (%rcx,%rax,8), %rax\n", 5 },
		{ "movq (%rax,%rcx,8), %rax\n", 5 },
		{ "movq (%rax), %rax\n", 4 },
		{ "movzwl (%rcx,%rax,8), %eax\n", 7 },
	};
	struct world w = WORLD_OF("x86_64", "0", rows);

	assert_carried(&w, cases, ARRAY_LEN(cases));
}

/* All parts of an address take the same time: what is known of one part narrows
 * the interval of another, unless it contradicts it. */
TEST(interval_of_an_address)
{
	static const struct row row = { "MOV64rm", "0", 0, { { 0 } }, false };
	struct model_latency list[] = {
		{ 1, 0, { true, 1, 8 }, { 0 } },
		{ 3, 0, { true, 5, 7 }, { 0 } },
	};
	SCOPED(world_close) struct world w = world_of("x86_64", "0", &row, 1);
	struct model_form f;

	f = w.m->forms[0];
	f.latencies = list;
	f.n_latencies = ARRAY_LEN(list);
	w.m->forms = &f;
	world_predict(&w, "movq (%rax), %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 6, "from the base");
	list[1].cycles = exactly(9);
	world_predict(&w, "movq (%rax), %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 4.5, "an index that contradicts");
}

/* A table whose slots do not fit into the measured throughput describes another
 * implementation: its latency does not count either. */
TEST(table_with_too_many_slots)
{
	static const struct row row = { "BSWAP64r", "0", 17, { { 0 } }, false };
	SCOPED(world_close) struct world w = world_of("x86_64", "0", &row, 1);
	struct model_form published, measured;
	struct model tables;

	w.m->width = exactly(6);
	published = measured = w.m->forms[0];
	measured.n_latencies = 0;
	measured.throughput = exactly(1);
	tables = *w.m;
	tables.forms = &published;
	w.m->forms = &measured;
	w.tables = &tables;
	published.slots = exactly(6);
	world_predict(&w, "bswapq %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 17, "slots for a cycle");
	published.slots = exactly(15);
	world_predict(&w, "bswapq %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "15 slots where 6 fit");
}

/* A form of which only a flag is known has the latency that its class has to a
 * register, not that of the tables. */
TEST(class_of_a_form_with_a_flag)
{
	static const struct row rows[] = {
		{ "AND32ri8", "0", 2, { { 0 } }, false },
		{ "AND32rr", "0", 2, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct model_form forms[2];
	struct model_latency flag[] = { { 1, 3, { true, 1.66, 2.01 }, { 0 } } };
	struct model_latency both[] = { { 1, 0, exactly(1), { 0 } },
					{ 1, 3, { true, 1.65, 2.01 }, { 0 } } };
	struct model tables;
	const struct form *f = catalogue_form(w.c, "AND32ri8");

	for (int i = 0; i < f->n_operands; i++)
		if (f->operands[i].flag)
			flag[0].destination = (int8_t)i;
	f = catalogue_form(w.c, "AND32rr");
	for (int i = 0; i < f->n_operands; i++)
		if (f->operands[i].flag)
			both[1].destination = (int8_t)i;
	world_ports(&w, "0");
	world_forms(&w, rows, ARRAY_LEN(rows));
	tables = *w.m;
	memcpy(forms, w.m->forms, sizeof(forms));
	forms[0].latencies = flag;
	forms[0].n_latencies = ARRAY_LEN(flag);
	forms[1].latencies = both;
	forms[1].n_latencies = ARRAY_LEN(both);
	w.m->forms = forms;
	w.tables = &tables;
	world_predict(&w, "andl $7, %eax\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "to the register");
}
