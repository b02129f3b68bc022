/* Reading loops, dependencies and costs. */
#include "host/predict/print.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;
static const struct loop_choice any;

/* ---- text -------------------------------------------------------------- */

static const struct bad_text {
	const char *name, *text, *says;
} bad_texts[] = {
	{ "no instruction", "# nothing\n", "has no instructions" },
	{ "unknown mnemonic", "\tnop\n\tfrobnicate %rax\n", "loop.s:2:2:" },
	{ "bad operand", "\taddq %rax, %qax\n", "loop.s:1:13:" },
	{ "macro", "\tnop\n  .macro x\n", "loop.s:2:3:" },
	{ "repetition", "\t.rept 1000000000\n\tnop\n\t.endr\n", "loop.s:1:2:" },
	{ "file", "x: .include \"/etc/passwd\"\n", "loop.s:1:4:" },
	{ "open comment", "\tnop\n /* nop\n", "loop.s:2:2:" },
	{ "control byte", "\tnop\n\001\n", "loop.s:2:1:" },
	{ "end without begin", "\tnop\n# OSACA-END\n", "loop.s:2:1:" },
	{ "begin without end", "# LLVM-MCA-BEGIN\n\tnop\n", "loop.s:1:1:" },
	{ "empty region", "\tnop\n# OSACA-BEGIN\n# OSACA-END\n", "loop.s:3:1" },
};

TEST(bad_text_says_where)
{
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(bad_texts); i++) {
		struct err e = { 0 };

		if (world_find(&w, bad_texts[i].text, &any, &e) != ERR_INPUT)
			fail_msg("%s: taken", bad_texts[i].name);
		if (!strstr(e.message, bad_texts[i].says))
			fail_msg("%s: '%s', expected '%s'", bad_texts[i].name,
				 e.message, bad_texts[i].says);
	}
}

/* Directives, strings that look like code, comments of all kinds, two
 * statements in a line, a change of syntax in the middle. */
TEST(compiler_text)
{
	static const char text[] = "\t.file \"a.c\" # .macro\n"
				   "\t.string \"; frobnicate /* \\\" #\"\n"
				   "\t.set x, 5\n"
				   "y = 7\n"
				   "f:\t.cfi_startproc\n"
				   ".L2: addq $1, %rax; decq %rcx # comment\n"
				   "\tjne /* where */ .L2\n"
				   "\t.intel_syntax noprefix\n"
				   "\tmov rax, qword ptr [rsi + 8*rcx + 4]\n"
				   "\tret\n";
	static const char *const forms[] = { "ADD64ri8", "DEC64r", "JCC_1",
					     "MOV64rm", "RET64" };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_ok(world_find(&w, text, &any, &e), &e);
	assert_int_equal(w.program.n, ARRAY_LEN(forms));
	for (size_t i = 0; i < w.program.n; i++)
		assert_string_equal(w.program.insns[i].instance.form->name,
				    forms[i]);
	assert_int_equal(w.program.insns[1].line, 6);
	assert_int_equal(w.list.n, 1);
	assert_int_equal(w.list.loops[0].first, 0);
	assert_int_equal(w.list.loops[0].last, 2);
	assert_string_equal(w.list.loops[0].label, ".L2");
}

TEST(choice_of_loop)
{
	static const char text[] = "f:\n"
				   ".L1:\tnop\n"
				   ".L2:\taddq $1, %rax\n"
				   "\tjne .L2\n"
				   "\tjne .L1\n"
				   "\tret\n"
				   "g:\n"
				   ".L5:\taddq $1, %rax\n"
				   "\taddq $1, %rcx\n"
				   "\tjne .L5\n"
				   "\tmovl $111, %ebx\n"
				   "\t.byte 100, 103, 144\n"
				   "\taddq $1, %rdx\n"
				   "\tmovl $222, %ebx\n"
				   "\t.byte 100,103,144\n"
				   "\tret\n";
	struct loop_choice none = { .marker = MARKER_NONE };
	struct loop_choice f = { .function = "f" };
	struct loop_choice lines = { .from_line = 4, .to_line = 5 };
	struct loop_choice nowhere = { .function = "h" };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_int_equal(world_find(&w, text, &any, &e), ERR_OK);
	assert_int_equal(w.list.n, 1); /* IACA's bytes */
	assert_int_equal(w.program.insns[w.list.loops[0].first].line, 13);
	assert_int_equal(w.list.loops[0].first, w.list.loops[0].last);
	assert_int_equal(world_find(&w, text, &none, &e), ERR_OK);
	assert_int_equal(w.list.n, 2);
	assert_string_equal(w.list.loops[w.list.chosen].label, ".L5");
	assert_int_equal(world_find(&w, text, &f, &e), ERR_OK);
	assert_int_equal(w.list.n, 1);
	assert_string_equal(w.list.loops[0].label, ".L2");
	assert_int_equal(world_find(&w, text, &lines, &e), ERR_OK);
	assert_int_equal(w.list.loops[0].last - w.list.loops[0].first, 1);
	assert_int_equal(world_find(&w, text, &nowhere, &e), ERR_INPUT);
}

/* ---- dependencies ------------------------------------------------------ */

static struct world x86(void)
{
	static const struct row rows[] = {
		{ "ADC64rr", "a", 1, { { 0 } }, false },
		{ "ADD64rm", "a l", 6, { { 1, 0, 1 } }, false },
		{ "ADD64ri8", "a", 1, { { 0 } }, false },
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "IMUL64rr", "a", 3, { { 0 } }, false },
		{ "INC64r", "a", 1, { { 0 } }, false },
		{ "MOV64mr", "s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
		{ "MOV64rr", "", 0, { { 0 } }, true },
		{ "MOV8ri", "a", 1, { { 0 } }, false },
		{ "XOR32rr", "a", 1, { { 0 } }, false },
	};
	struct world w = WORLD_OF("x86_64", "a l s", rows);

	return w;
}

static const struct dependency {
	const char *name, *text;
	double carried;
} dependencies[] = {
	{ "own result", "imulq %rax, %rax\n", 3 },
	{ "two in a cycle", "imulq %rax, %rcx\naddq %rcx, %rax\n", 4 },
	{ "half of a register", "imulq %rax, %rcx\naddl %ecx, %eax\n", 4 },
	{ "over two iterations",
	  "imulq %rax, %rcx\nmovq %rdx, %rax\n"
	  "movq %rcx, %rdx\n",
	  3 },
	{ "zero idiom", "xorl %eax, %eax\nimulq %rcx, %rax\n", 0 },
	{ "no zero idiom", "xorl %ecx, %eax\n", 1 },
	{ "a byte keeps the rest", "movb $1, %al\nimulq %rax, %rax\n", 4 },
	{ "carry and a counter", "adcq %rcx, %rdx\nincq %rax\n", 1 },
	{ "flags that a product leaves alone",
	  "imulq $3, %rcx, %rsi\ncmoveq %rdx, %rcx\n", 1 },
	{ "a condition of a flag that is written",
	  "btq %rcx, %rdx\ncmovaeq %rsi, %rcx\n", 2 },
	{ "a condition of another flag", "btq %rcx, %rdx\ncmovsq %rsi, %rcx\n",
	  1 },
	{ "a move is free",
	  "movq %rax, %rcx\nimulq %rcx, %rcx\n"
	  "movq %rcx, %rax\n",
	  3 },
	{ "pointers", "movq (%rax), %rax\n", 5 },
	{ "through memory",
	  "addq (%rsi), %rax\nmovq %rax, (%rsi)\n"
	  "movq (%rsi), %rax\n",
	  6 },
	{ "another place",
	  "movq 8(%rsi), %rax\naddq $1, %rax\n"
	  "movq %rax, (%rsi)\n",
	  0 },
	{ "one element later",
	  "movq (%rsi), %rax\naddq $1, %rax\n"
	  "movq %rax, 8(%rsi)\naddq $8, %rsi\n",
	  6 },
	{ "two elements later",
	  "movq (%rsi), %rax\naddq $1, %rax\n"
	  "movq %rax, 16(%rsi)\naddq $8, %rsi\n",
	  3 },
	{ "an element before",
	  "movq 8(%rsi), %rax\naddq $1, %rax\n"
	  "movq %rax, (%rsi)\naddq $8, %rsi\n",
	  1 },
	{ "by an index",
	  "movq (%rsi,%rcx,8), %rax\naddq $1, %rax\n"
	  "movq %rax, 8(%rsi,%rcx,8)\nincq %rcx\n",
	  6 },
	{ "an index that starts at zero",
	  "xorl %ecx, %ecx\nmovq (%rsi,%rcx,8), %rax\naddq $1, %rax\n"
	  "movq %rax, (%rsi,%rcx,8)\n",
	  6 },
	{ "a base that is loaded",
	  "movq (%rdi), %rsi\nmovq %rdx, (%rsi)\naddq (%rsi), %rdx\n", 6 },
	{ "another base that is loaded",
	  "movq (%rdi), %rsi\nmovq %rdx, (%rsi)\nmovq 8(%rdi), %rsi\n"
	  "addq (%rsi), %rdx\n",
	  1 },
	{ "an index that loses its low half",
	  "xorw %cx, %cx\nmovq (%rsi,%rcx,8), %rax\naddq $1, %rax\n"
	  "movq %rax, (%rsi,%rcx,8)\n",
	  1 },
	{ "another base",
	  "movq (%rsi), %rax\naddq $1, %rax\n"
	  "movq %rax, 8(%rdi)\naddq $8, %rsi\n"
	  "addq $8, %rdi\n",
	  1 },
};

TEST(dependencies)
{
	SCOPED(world_close) struct world w = x86();

	for (size_t i = 0; i < ARRAY_LEN(dependencies); i++) {
		world_predict(&w, dependencies[i].text, usual);
		assert_cycles(w.p.carried.cycles, dependencies[i].carried,
			      dependencies[i].name);
	}
}

TEST(unknown_forms_are_named)
{
	SCOPED(buffer_free) struct buffer b = { 0 };
	SCOPED(world_close) struct world w = x86();

	world_predict(&w, "popcntq %rax, %rcx\naddq %rcx, %rax\n", usual);
	assert_non_null(w.p.body.ops[0].assumed);
	assert_null(w.p.body.ops[1].assumed);
	print_text(&b, &w.p);
	buffer_add(&b, "", 1);
	assert_part((char *)b.bytes, "POPCNT64rr");
}

/* The shares reach the bound: no port has more, and no cycles of a uop are
 * lost. */
TEST(shares_reach_the_bound)
{
	static const struct row rows[] = {
		{ "ADD64rr", "0|1|2", 1, { { 0 } }, false },
		{ "IMUL64rr", "1", 3, { { 0 } }, false },
		{ "SHL64rCL", "0|2", 1, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1 2", rows);
	double sum = 0, most = 0;

	world_predict(&w,
		      "imulq %rax, %rcx\nimulq %rax, %rdx\nshlq %cl, %rsi\n"
		      "addq %rax, %rdi\naddq %rax, %r8\naddq %rax, %r9\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 2, "bound");
	for (size_t k = 0; k < 3; k++) {
		sum += w.p.pressure.sum[k];
		most = w.p.pressure.sum[k] > most ? w.p.pressure.sum[k] : most;
	}
	assert_cycles(sum, 6, "cycles on all ports");
	assert_cycles(most, 2, "cycles on the busiest");
}

/* With a window of one, each instruction waits for the one before to retire. A
 * large window lets iterations overlap. */
TEST(window)
{
	static const char text[] = "movq (%rsi), %rax\nimulq %rax, %rax\n"
				   "imulq %rax, %rax\nimulq %rax, %rax\n";
	SCOPED(world_close) struct world w = x86();

	w.m->width = exactly(4);
	w.m->reorder_buffer = 1;
	world_predict(&w, text, usual);
	assert_true(w.p.simulated);
	assert_true(w.p.cycles > 12);
	w.m->reorder_buffer = 400;
	world_predict(&w, text, usual);
	assert_true(w.p.cycles < 3.2);
}

/* Forms without ports share pools: loads one, each class one. */
TEST(pools)
{
	static struct model_form forms[] = {
		{ .name = "ADDPDrm" },  { .name = "ADDPDrr" },
		{ .name = "MOVUPDrm" }, { .name = "MOVUPSrm" },
		{ .name = "NOOPLr" },   { .name = "XOR32rr/same" },
	};
	static const double rates[] = { 0.5, 0.5, 0.4, 0.4, 0.25, 0.125 };
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		forms[i].throughput = exactly(rates[i]);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms) - 1;
	world_predict(&w,
		      "movupd (%rsi), %xmm0\nmovupd (%rdi), %xmm1\n"
		      "addpd (%rdx), %xmm2\naddpd %xmm1, %xmm3\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 1.2, "three loads");
	assert_string_equal(w.p.why, "bound by ports loads");
	assert_cycles(w.p.width_bound, 1, "width by no-operations");
	world_predict(&w,
		      "addpd %xmm0, %xmm2\naddpd %xmm1, %xmm3\n"
		      "addpd (%rsi), %xmm4\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 1.5, "three additions");
	/* Registers may have limited it: the rate lies between all possible
	 * rates of a core and the true one. */
	forms[ARRAY_LEN(forms) - 1].throughput.low = 0.083;
	w.m->n_forms = ARRAY_LEN(forms);
	world_predict(&w, "addpd %xmm0, %xmm2\naddpd %xmm1, %xmm3\n", usual);
	assert_cycles(w.p.width_bound, 0.25, "width by idioms");
}

/* A load of 8 bytes into one kind of register is not a model for a load of 8
 * bytes into another kind. */
TEST(pools_by_register)
{
	static struct model_form forms[] = {
		{ .name = "ADDSDrm_Int" },
		{ .name = "MOV64rm" },
		{ .name = "MOVSDrm" },
	};
	static const double rates[] = { 0.5, 0.25, 0.5 };
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		forms[i].throughput = exactly(rates[i]);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	world_predict(&w,
		      "movsd (%rsi), %xmm0\naddsd (%rdi), %xmm0\n"
		      "addsd (%rdx), %xmm0\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 1.5, "three loads");
}

/* A load that extends what it loads takes more than a plain one, although its
 * operands are those of a move. */
TEST(loads_that_do_more)
{
	static struct model_form forms[] = {
		{ .name = "VMOVDQUYrm" },
		{ .name = "VMOVDQUrm" },
		{ .name = "VPMOVSXDQYrm" },
	};
	static const double rates[] = { 0.33, 0.33, 1 };
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		forms[i].throughput = exactly(rates[i]);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	world_predict(&w,
		      "vpmovsxdq (%rsi), %ymm0\nvpmovsxdq (%rdi), %ymm1\n"
		      "vmovdqu (%rdx), %xmm2\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 2, "two that extend");
}

/* A model with contradictory entries. */
TEST(inconsistent_ports)
{
	static const struct model_use uses[] = {
		{ .ports = 1, .n_uops = 1, .cycles = 100 },
	};
	static struct model_form forms[] = {
		{ .name = "ADDPDrr",
		  .has_ports = true,
		  .n_uses = 1,
		  .uses = uses },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	forms[0].throughput = exactly(0.5);
	world_ports(&w, "p");
	w.m->forms = forms;
	w.m->n_forms = 1;
	world_predict(&w, "addpd %xmm0, %xmm2\naddpd %xmm1, %xmm3\n", usual);
	assert_cycles(w.p.pressure.bound, 1, "what was seen");
	assert_part(w.p.body.ops[0].assumed, "contradict");
}

/* Models with the maximum number of ports, of which a loop needs few. */
TEST(pools_with_ports)
{
	static const struct model_use add[] = {
		{ .ports = 3, .n_uops = 1, .cycles = 1 },
	};
	static struct model_form forms[] = {
		{ .name = "ADDPDrm" },
		{ .name = "ADDPDrr",
		  .has_ports = true,
		  .n_uses = 1,
		  .uses = add },
		{ .name = "DIVPDrr",
		  .has_ports = true,
		  .n_uses = 1,
		  .uses = add },
		{ .name = "MOVUPDrm" },
	};
	static const double rates[] = { 0.5, 0.5, 4, 0.5 };
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		forms[i].throughput = exactly(rates[i]);
	world_ports(&w, "a b c d e f g h i j k l m n o p q r s t u v w x y z "
			"aa ab ac ad ae af ag ah ai aj ak al am an ao ap aq "
			"ar as at au av aw ax ay az ba bb bc bd be bf bg bh "
			"bi bj bk bl");
	assert_int_equal(w.m->n_ports, MODEL_MAX_PORTS);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	world_predict(&w, "movupd (%rsi), %xmm0\nmovupd (%rdi), %xmm1\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 1, "loads without ports");
	world_predict(&w, "divpd %xmm0, %xmm2\n", usual);
	assert_cycles(w.p.pressure.bound, 4, "ports that say too little");
	/* It uses the ports of the register form. */
	world_predict(&w,
		      "addpd (%rsi), %xmm0\naddpd (%rsi), %xmm1\n"
		      "addpd %xmm2, %xmm3\ndivpd %xmm4, %xmm5\n",
		      usual);
	assert_cycles(w.p.pressure.sum[0] + w.p.pressure.sum[1], 4,
		      "borrowed ports");
}

/* A form whose own speed is an interval stores no faster than a plain store of
 * as many bytes. */
TEST(store_of_unknown_speed)
{
	static struct model_form forms[] = {
		{ .name = "ADD64mi8" },
		{ .name = "MOV64mr" },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	forms[0].throughput = (struct model_span){ true, 0.125, 0.55 };
	forms[1].throughput = exactly(0.5);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	world_predict(&w,
		      "addq $1, (%rdi)\naddq $1, 64(%rdi)\n"
		      "addq $1, 128(%rdi)\n",
		      usual);
	assert_cycles(w.p.pressure.bound, 1.5, "stores");
}
