/* Ordinary code: what renamers, decoders and stores do on cores about which it
 * is published, with LLVM's tables; and the same learned from a model. */
#include "host/codec/codec.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* The code as the body of a loop, or as straight code. */
static void predict_code(struct world *w, const char *text, bool straight)
{
	struct loop_choice any = { .marker = MARKER_AUTO };
	struct err e = { 0 };

	assert_ok(world_find(w, text, &any, &e), &e);
	w->list.loops[w->list.chosen].straight = straight;
	assert_ok(world_predict_on(w,
				   model_complete(&w->a, w->c, w->m, w->tables),
				   &usual, &e),
		  &e);
}

static struct world world_of_cpu(const char *cpu)
{
	struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_ok(import_llvm(&w.a, w.c, cpu, &w.m, &e), &e);
	return w;
}

struct code_case {
	const char *cpu, *text;
	double carried, cycles; /* negative: any */
};

static void check_cases(const struct code_case *cases, size_t n, bool straight)
{
	for (size_t i = 0; i < n; i++) {
		SCOPED(world_close)
		struct world w = world_of_cpu(cases[i].cpu);

		predict_code(&w, cases[i].text, straight);
		if (cases[i].carried >= 0)
			assert_cycles(w.p.carried.cycles, cases[i].carried,
				      cases[i].text);
		if (cases[i].cycles >= 0)
			assert_cycles(w.p.cycles, cases[i].cycles,
				      cases[i].text);
	}
}

#define CHECK(cases, straight) check_cases(cases, ARRAY_LEN(cases), straight)

/* ---- stack --------------------------------------------------------------- */

#define POP4 "popq %rbx\npopq %rbp\npopq %r12\npopq %r13\n"

TEST(pushes_and_pops_do_not_wait)
{
	static const struct code_case cases[] = {
		/* Two loads a cycle. */
		{ "skylake", POP4, 0, 2 },
		{ "haswell", POP4, 0, 2 },
		/* An addition, and a uop that brings the register up to date
		 * before it. */
		{ "skylake", "addq $32, %rsp\n" POP4, 2, -1 },
		/* No such uop. */
		{ "znver3", "addq $32, %rsp\n" POP4, 1, -1 },
		/* Nothing is published about it: three cycles each. */
		{ "silvermont", POP4, 12, -1 },
	};

	CHECK(cases, false);
}

/* The value that was pushed is popped: it is forwarded. */
TEST(what_is_pushed_is_popped)
{
	static const struct code_case cases[] = {
		{ "skylake", "pushq %rax\npopq %rax\n", 4, 4 },
		{ "haswell", "pushq %rax\npopq %rax\n", 5, 5 },
		{ "skylake", "pushq %rax\npushq %rcx\npopq %rax\npopq %rcx\n",
		  4, 4 },
	};

	CHECK(cases, false);
}

/* What moves memory to or from the stack has two places. */
TEST(stack_and_memory)
{
	static const struct code_case cases[] = {
		{ "skylake", "pushq (%rdi)\npopq %rax\n", 0, -1 },
		{ "skylake", "pushq %rax\npopq (%rdi)\n", 0, -1 },
		/* The load is waited for: the table has 6 cycles. */
		{ "skylake", "popq %rsp\n", 6, -1 },
	};

	CHECK(cases, false);
}

/* Addresses as far from each other as numbers allow. */
TEST(far_addresses)
{
	static const struct code_case cases[] = {
		{ "skylake",
		  "movabsq $0x1000000000000000, %rcx\n"
		  "movb %dl, (%rax,%rcx,8)\nmovb (%rax), %dl\ndecq %rax\n",
		  1, -1 },
		{ "skylake",
		  "movabsq $0x1000000000000000, %rcx\n"
		  "movl %edx, (%rax,%rcx,8)\nmovq (%rax), %rdx\n",
		  0, -1 },
	};

	CHECK(cases, false);
}

/* An address of a symbol alone has no register, and a symbol is a
 * displacement. */
TEST(symbols_in_addresses)
{
	static const struct code_case cases[] = {
		/* From the dividend, not from memory. */
		{ "skylake", "divl (%rdi)\n", 26, -1 },
		{ "skylake", "divl x(%rip)\n", 26, -1 },
		{ "skylake", "popcntq x(%rip), %rax\n", 3, -1 },
		{ "skylake", "leaq x(%rax,%rbx), %rax\n", 3, -1 },
		{ "skylake", "movq x(%rax), %rax\n", 5, -1 },
	};

	CHECK(cases, false);
}

/* Form number i has another throughput. */
static void set_throughput(struct world *w, size_t i, double cycles)
{
	struct model_form *forms =
		ARENA_ARRAY(&w->a, struct model_form, w->m->n_forms);

	memcpy(forms, w->m->forms, w->m->n_forms * sizeof(*forms));
	forms[i].throughput = exactly(cycles);
	w->m->forms = forms;
}

static struct world measured_stack(double pop_alone)
{
	struct row rows[] = {
		{ "ADD64ri8", "0", 1, { { 0 } }, false },
		{ "POP64r", "1", 5, { { 0 } }, false },
		{ "POP64r/alone", "1", 5, { { 0 } }, false },
	};
	struct world w = WORLD_OF("x86_64", "0 1", rows);

	set_throughput(&w, 2, pop_alone);
	w.m->width = exactly(4);
	return w;
}

TEST(a_measured_model_knows_the_stack)
{
	static const struct {
		const char *cpu;
		double alone, carried;
	} cases[] = {
		{ "published", 0.5, 0 },
		{ "published", 5, 5 },
		{ "skylake", 0.5, 0 },
		/* What was measured counts more than what is published. */
		{ "skylake", 5, 5 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		SCOPED(world_close)
		struct world w = measured_stack(cases[i].alone);

		w.m->cpu = cases[i].cpu;
		predict_code(&w, "popq %rbx\n", false);
		assert_cycles(w.p.carried.cycles, cases[i].carried,
			      cases[i].cpu);
	}
}

/* A call with its return in the loop costs what both were measured to cost; one whose
 * function is elsewhere costs what it costs alone. */
TEST(a_call_is_predicted_with_its_return)
{
	static const struct row rows[] = {
		{ "ADD64ri8", "0", 1, { { 0 } }, false },
		{ "POP64r", "1", 5, { { 0 } }, false },
		{ "CALL64pcrel32/alone", "0*3", 1, { { 0 } }, false },
		{ "CALL64pcrel32/return", "0*7", 1, { { 0 } }, false },
		{ "RET64", "1", 1, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1", rows);

	w.m->cpu = "skylake";
	w.m->width = exactly(4);
	predict_code(&w, "call f\n addq $1, %rax\n", false);
	assert_cycles(w.p.throughput, 4, "alone");
	predict_code(&w, "call f\n addq $1, %rax\n retq\n", false);
	assert_cycles(w.p.throughput, 8, "with its return");
}

/* A core that renames the stack: what is popped was measured with its push. */
TEST(a_measured_model_knows_stack_slots)
{
	static const struct row rows[] = {
		{ "ADD64ri8", "0", 1, { { 0 } }, false },
		{ "POP64r", "1", 5, { { 0 } }, false },
		{ "POP64r/push", "1", 0.5, { { 0 } }, false },
		{ "PUSH64r", "1", 5, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1", rows);

	w.m->cpu = "znver5";
	w.m->width = exactly(4);
	predict_code(&w, "pushq %rax\npopq %rax\n", false);
	assert_cycles(w.p.carried.cycles, 0, "renamed");
	predict_code(&w, "pushq %rax\naddq $1, %rax\npopq %rcx\n", false);
	assert_cycles(w.p.carried.cycles, 1, "the addition");
}

/* ---- straight code ------------------------------------------------------- */

TEST(straight_code_is_decoded)
{
	static const struct code_case straight[] = {
		/* Published with "uiCA": 3.44 measured. */
		{ "skylake", "addw $0x1234, %ax\ndecq %r15\n", -1, 3.4375 },
		/* Sixteen bytes a cycle. */
		{ "haswell", "movq 0x748(%rsp), %rdi\n", -1, 0.5 },
		{ "haswell", "movabsq $0x123456789abc, %rax\n", -1, 0.625 },
		/* The prefix changes no length. */
		{ "skylake", "addw %cx, %ax\n", 1, 1 },
		{ "skylake", "nopw (%rax)\n", -1, 0.25 },
		/* Of four decoders the first alone makes several uops. */
		{ "haswell", "xchgq %rax, %rcx\nxchgq %rdx, %rsi\n", -1, 2 },
		/* Nothing is published about its decoders. */
		{ "znver3", "addw $0x1234, %cx\n", 1, 1 },
	};
	static const struct code_case loop[] = {
		{ "skylake", "addw $0x1234, %ax\ndecq %r15\n", 1, 1 },
	};

	CHECK(straight, true);
	CHECK(loop, false);
}

/* ---- slots --------------------------------------------------------------- */

static void assert_slots(const char *cpu, const char *text, double slots)
{
	SCOPED(world_close) struct world w = world_of_cpu(cpu);

	predict_code(&w, text, false);
	assert_cycles(w.p.body.ops[0].slots, slots, text);
}

TEST(accesses_are_fused)
{
	static const struct {
		const char *text;
		double ivybridge, skylake;
	} cases[] = {
		{ "addq (%rcx), %rax\n", 1, 1 },
		{ "addq (%rcx,%rdx), %rax\n", 2, 1 },
		{ "cmpq (%rcx,%rdx), %rax\n", 2, 2 },
		{ "movq (%rcx,%rdx), %rax\n", 1, 1 },
		{ "movq %rax, (%rcx,%rdx)\n", 2, 1 },
		{ "addq %rax, (%rcx)\n", 2, 2 },
		{ "vaddps (%rcx,%rdx), %xmm1, %xmm2\n", 2, 2 },
		{ "pushq %rax\n", 1, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_slots("ivybridge", cases[i].text, cases[i].ivybridge);
		assert_slots("skylake", cases[i].text, cases[i].skylake);
	}
}

/* ---- dependencies -------------------------------------------------------- */

TEST(renamers_end_and_add_dependencies)
{
	static const struct code_case cases[] = {
		{ "ivybridge",
		  "movq %rax, %rbx\naddq $1, %rbx\n"
		  "movq %rbx, %rax\n",
		  1, -1 },
		{ "sandybridge",
		  "movq %rax, %rbx\naddq $1, %rbx\n"
		  "movq %rbx, %rax\n",
		  3, -1 },
		/* From a register to itself it is executed. */
		{ "skylake", "movl %eax, %eax\n", 1, 1 },
		{ "skylake", "movzbl %al, %ecx\nmovzbl %cl, %eax\n", 0, -1 },
		{ "skylake", "movzbl %ah, %ecx\nmovl %ecx, %eax\n", 1, -1 },
		{ "icelake-server", "movq %rax, %rbx\nmovq %rbx, %rax\n", 2,
		  -1 },
		{ "skylake", "popcntq %rcx, %rax\n", 3, 3 },
		{ "icelake-server", "popcntq %rcx, %rax\n", 0, 1 },
		{ "znver4", "bsrq %rcx, %rax\n", 1, -1 },
		{ "znver4", "lzcntq %rcx, %rax\n", 0, -1 },
		{ "haswell", "tzcntq %rcx, %rax\n", 3, 3 },
		{ "skylake", "tzcntq %rcx, %rax\n", 0, 1 },
		{ "skylake", "bsfq %rcx, %rax\n", 3, 3 },
		/* 33 /r */
		{ "skylake", ".byte 0x33, 0xc0\nsete %al\n", 0, -1 },
		/* Three parts on one port; a base of rbp has a displacement. */
		{ "skylake", "leaq 8(%rax,%rcx), %rax\n", 3, 3 },
		{ "skylake", "leaq (%rax,%rcx), %rax\n", 1, 1 },
		{ "haswell", "leaq (%rbp,%rcx), %rbp\n", 3, 3 },
		{ "haswell", "leaq 8(%rax), %rax\n", 1, 1 },
		/* The flags first, then both registers. */
		{ "haswell", "testq %r15, %r15\ncmovneq %r15, %rcx\n", 1, -1 },
		{ "skylake", "testq %r15, %r15\ncmovneq %r15, %rcx\n", 1, -1 },
		/* The byte is merged. */
		{ "skylake", "movb (%rcx), %al\n", 1, 1 },
	};

	CHECK(cases, false);
}

TEST(loaded_pointers_are_early)
{
	static const struct code_case cases[] = {
		{ "skylake", "movq (%rax), %rax\n", 4, 4 },
		{ "skylake", "movq 2047(%rax), %rax\n", 4, 4 },
		{ "skylake", "movq 2048(%rax), %rax\n", 5, 5 },
		{ "skylake", "movq -8(%rax), %rax\n", 5, 5 },
		{ "skylake", "movq (%rax,%rcx), %rax\n", 5, 5 },
		{ "skylake", "movq (%rax), %rax\naddq $8, %rax\n", 6, 6 },
	};

	CHECK(cases, false);
}

/* ---- memory -------------------------------------------------------------- */

TEST(stores_reach_loads)
{
	static const struct code_case cases[] = {
		{ "skylake", "incq (%rdi)\n", 5, 5 },
		{ "haswell", "incq (%rdi)\n", 6, 6 },
		{ "ivybridge", "addq %rax, 8(%rdi)\n", 6, 6 },
		/* A part of what is loaded was stored. */
		{ "skylake", "movb %al, 2(%rsp)\nmovq (%rsp), %r8\n", -1, 15 },
		{ "haswell",
		  "movl %eax, (%rsp)\nmovl %ecx, 4(%rsp)\n"
		  "movq (%rsp), %r8\n",
		  -1, 15 },
		/* All of it was. */
		{ "skylake", "movq %rax, (%rsp)\nmovb 2(%rsp), %r8b\n", -1, 1 },
		/* The store is older than the load that waits. */
		{ "skylake",
		  "movb %al, 2(%rsp)\nmovb %al, 18(%rsp)\n"
		  "movq (%rsp), %r8\nmovq 16(%rsp), %r9\n",
		  -1, 15 },
		/* The second pair follows the first. */
		{ "skylake",
		  "movb %al, 2(%rsp)\nmovq (%rsp), %r8\n"
		  "movb %al, 18(%rsp)\nmovq 16(%rsp), %r9\n",
		  -1, 30 },
	};

	CHECK(cases, false);
}

/* ---- slow instructions ----------------------------------------------------- */

TEST(divisions_and_locks)
{
	static const struct code_case cases[] = {
		{ "skylake", "xorl %edx, %edx\ndivl %ecx\n", 26, 26 },
		{ "skylake", "xorl %edx, %edx\nmovl %esi, %eax\ndivl %ecx\n", 0,
		  6 },
		{ "haswell", "xorl %edx, %edx\ndivq %rcx\n", 35, 35 },
		{ "skylake", "lock addq $1, (%rdi)\n", -1, 18 },
		{ "ivybridge", "lock xaddl %edx, (%rax)\nxchgl %ecx, (%rsi)\n",
		  -1, 44 },
	};

	CHECK(cases, false);
}

/* A model without ports has the rate of each; the tables know that they use one
 * unit. */
TEST(divisions_and_roots_share_a_unit)
{
	static struct model_form forms[] = {
		{ .name = "VDIVSSrr_Int" },
		{ .name = "VMULSSrr_Int" },
		{ .name = "VSQRTSSr_Int" },
	};
	static const struct code_case cases[] = {
		{ NULL, "vdivss %xmm0, %xmm1, %xmm2\n", 0, 2 },
		{ NULL,
		  "vdivss %xmm0, %xmm1, %xmm2\nvsqrtss %xmm0, %xmm3, %xmm4\n",
		  0, 6 },
		{ NULL,
		  "vmulss %xmm0, %xmm1, %xmm2\nvsqrtss %xmm0, %xmm3, %xmm4\n",
		  0, 4 },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	forms[0].throughput = exactly(2);
	forms[1].throughput = exactly(0.5);
	forms[2].throughput = exactly(4);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	assert_ok(import_llvm(&w.a, w.c, "znver4", &w.tables, &e), &e);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		predict_code(&w, cases[i].text, false);
		assert_cycles(w.p.cycles, cases[i].cycles, cases[i].text);
	}
}

/* ---- values of other forms -------------------------------------------------- */

/* A locked form says nothing of the same without the prefix, nor that of it. */
TEST(locked_forms_stand_for_no_others)
{
	static const struct {
		const char *known, *text;
		bool same;
	} cases[] = {
		{ "INC32m", "incl (%rdi)\n", true },
		{ "LOCK_INC32m", "incl (%rdi)\n", false },
		{ "INC32m", "lock incl (%rdi)\n", false },
		{ "LOCK_ADD32mr", "lock addl %eax, (%rdi)\n", true },
		{ "XADD32rm", "lock xaddl %eax, (%rdi)\n", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct row row = {
			cases[i].known, "0", 18, { { 0 } }, false
		};
		SCOPED(world_close)
		struct world w = world_of("x86_64", "0", &row, 1);
		const struct op *o;

		set_throughput(&w, 0, 18);
		predict_code(&w, cases[i].text, false);
		o = &w.p.body.ops[0];
		assert_int_equal(o->origin[COST_THROUGHPUT].origin <=
					 ORIGIN_CLASS,
				 cases[i].same);
		assert_int_equal(o->origin[COST_LATENCY].origin <= ORIGIN_CLASS,
				 cases[i].same);
	}
}
