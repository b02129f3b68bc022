/* Dependencies, and limits of the queues. */
#include <math.h>

#include "host/base/file.h"
#include "host/effect/written.h"
#include "tests/unit/predict_ideal.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* Entries of the x87 stack are followed while its top moves: a sum in the top
 * and one behind a number that is loaded and popped. */
TEST(stack_of_registers)
{
	static const struct row rows[] = {
		{ "ADD_F64m/x87", "a l", 6, { { 0 } }, false },
		{ "ADD_FPrST0", "a", 7, { { 0 } }, false },
		{ "LD_F64m", "l", 5, { { 0 } }, false },
		{ "MUL_FrST0/x87", "a", 9, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a l", rows);

	w.m->width = exactly(6);
	world_predict(&w, "faddl (%rax)\n", usual);
	assert_cycles(w.p.carried.cycles, 6, "in the top");
	assert_part(w.p.why, "ST0");
	world_predict(&w, "fldl (%rax)\nfaddp\n", usual);
	assert_cycles(w.p.carried.cycles, 7, "behind the top");
	world_predict(&w, "fldl (%rax)\nfmul %st, %st(2)\nfaddp\n", usual);
	assert_cycles(w.p.carried.cycles, 9, "two sums");
}

/* Moves between registers are eliminated; of a register to itself they are
 * where the core was seen to do that. */
TEST(same_register_moves)
{
	static const struct row rows[] = {
		{ "ADD32rr", "a", 1, { { 0 } }, false },
		{ "MOV32rr", "", 0, { { 0 } }, true },
		{ "MOV32rr/same", "a", 1, { { 0 } }, false },
		{ "MOVZX32rr8", "", 0, { { 0 } }, true },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a", rows);
	struct model_form *forms;

	world_predict(&w, "movzbl %al, %eax\naddl %eax, %eax\n", usual);
	assert_cycles(w.p.carried.cycles, 2, "executed");
	world_predict(&w, "movzbl %cl, %eax\naddl %eax, %ecx\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "eliminated");
	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	forms[2] = forms[1];
	forms[2].name = "MOV32rr/same";
	w.m->forms = forms;
	world_predict(&w, "movzbl %al, %eax\naddl %eax, %eax\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "eliminated, too");
}

/* A result is there a cycle later for another kind of unit than for its own.
 * An eliminated move gives it on as it is. */
TEST(bypass_through_moves)
{
	static const struct row rows[] = {
		{ "ADDPDrr", "a", 2, { { 0 } }, false },
		{ "MOVAPDrr", "", 0, { { 0 } }, true },
		{ "MULPDrr", "a", 4, { { 0 } }, false },
	};
	static const uint8_t classes[] = { 1, 2, 2 };
	static const struct {
		const char *text;
		double cycles;
	} cases[] = {
		{ "addpd %xmm0, %xmm1\naddpd %xmm1, %xmm0\n", 4 },
		{ "addpd %xmm0, %xmm1\nmulpd %xmm1, %xmm0\n", 7 },
		{ "addpd %xmm0, %xmm1\nmovapd %xmm1, %xmm0\n", 2 },
		{ "movapd %xmm1, %xmm0\naddpd %xmm0, %xmm1\n", 2 },
		{ "movapd %xmm2, %xmm0\nmovapd %xmm1, %xmm2\n"
		  "addpd %xmm2, %xmm1\n",
		  2 },
		{ "movapd %xmm1, %xmm2\nmovapd %xmm2, %xmm0\n"
		  "mulpd %xmm0, %xmm3\nmovapd %xmm3, %xmm1\n"
		  "addpd %xmm3, %xmm1\n",
		  7 },
	};
	static const char *const names[] = { "", "add", "mul" };
	double(*bypass)[MODEL_MAX_CLASSES];
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a", rows);
	struct model_form *forms;

	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		forms[i].bypass = classes[i];
	bypass = arena_alloc(&w.a, ARRAY_LEN(names), sizeof(*bypass));
	bypass[1][2] = 1;
	w.m->forms = forms;
	w.m->n_bypass = ARRAY_LEN(names);
	w.m->bypass_names = names;
	w.m->bypass = bypass;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		world_predict(&w, cases[i].text, usual);
		assert_cycles(w.p.carried.cycles, cases[i].cycles,
			      cases[i].text);
	}
}

/* All sources of an instruction wait because of what once wrote one of them. */
TEST(sources_of_another_unit)
{
	static const struct row rows[] = {
		{ "MOVDQArr", "", 0, { { 0 } }, true },
		{ "PADDDrr", "a", 1, { { 0 } }, false },
		{ "PADDWrr", "a", 1, { { 0 } }, false },
		{ "PORrr", "c", 1, { { 0 } }, false },
		{ "PSHUFDri", "b", 1, { { 0 } }, false },
	};
	static const struct {
		const char *text;
		double cycles, more;
	} cases[] = {
		{ "paddd %xmm1, %xmm0\n", 2, 1 },
		{ "pshufd $0, %xmm2, %xmm1\npaddd %xmm1, %xmm0\n", 2, 3 },
		{ "paddd %xmm1, %xmm0\npshufd $0, %xmm2, %xmm1\n", 2, 3 },
		{ "pshufd $0, %xmm2, %xmm1\npaddw %xmm1, %xmm0\n", 2, 3 },
		{ "pshufd $0, %xmm2, %xmm1\npor %xmm1, %xmm0\n", 2, 1 },
		{ "pshufd $0, %xmm2, %xmm3\nmovdqa %xmm3, %xmm1\n"
		  "paddd %xmm1, %xmm0\n",
		  2, 3 },
		{ "paddd %xmm1, %xmm0\nmovdqa %xmm3, %xmm1\n"
		  "pshufd $0, %xmm2, %xmm3\n",
		  2, 3 },
		{ "pshufd $0, %xmm2, %xmm1\npor %xmm3, %xmm1\n"
		  "paddd %xmm1, %xmm0\n",
		  2, 1 },
		{ "pshufd $0, %xmm2, %xmm1\npaddd %xmm1, %xmm0\n", 0.5, 1.5 },
		{ "pshufd $0, %xmm2, %xmm1\npaddd %xmm1, %xmm0\n", 2 / 3.0,
		  5 / 3.0 },
		{ "pshufd $0, %xmm2, %xmm1\npaddd %xmm1, %xmm0\n", 0.05, 1 },
	};
	struct written written = { "PADDDrr", "PSHUFDri", 0 };
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a b c", rows);

	w.m->effects[effect_number(effect_find("written"))] =
		(struct model_list){ 1, &written };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		written.cycles = cases[i].cycles;
		world_predict(&w, cases[i].text, usual);
		assert_cycles(w.p.carried.cycles, cases[i].more, cases[i].text);
		assert_float_equal(w.p.simulation.cycles, cases[i].more, 0.02);
	}
}

/* A loop takes a branch in each iteration; a core that takes two in a cycle
 * says so. */
TEST(taken_branch)
{
	static const struct row rows[] = {
		{ "DEC64r", "a", 0, { { 0 } }, true },
		{ "JCC_1", "a", 1, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a", rows);

	w.m->width = exactly(8);
	world_predict(&w, "f: decq %rax\njne f\n", usual);
	assert_cycles(w.p.branch_bound, 1, "one in a cycle");
	w.m->taken_branches = 2;
	world_predict(&w, "f: decq %rax\njne f\n", usual);
	assert_cycles(w.p.branch_bound, 0.5, "two in a cycle");
}

/* Consecutive chains overlap by as many instructions as the queue can hold. */
TEST(queue)
{
	enum { CHAIN = 200 };
	static const struct row rows[] = {
		{ "ADDPDrr", "0|1", 2, { { 0 } }, false },
		{ "MOVAPDrr", "", 0, { { 0 } }, true },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1", rows);
	SCOPED(buffer_free) struct buffer text = { 0 };

	w.m->width = exactly(8);
	buffer_printf(&text, "movapd %%xmm1, %%xmm0\n");
	for (int i = 0; i < CHAIN; i++)
		buffer_printf(&text, "addpd %%xmm2, %%xmm0\n");
	buffer_add(&text, "", 1);
	world_predict(&w, (char *)text.bytes, usual);
	assert_cycles(w.p.cycles, CHAIN / 2.0, "no queue known");
	w.m->vector_queue = 64;
	world_predict(&w, (char *)text.bytes, usual);
	assert_true(w.p.simulated);
	assert_true(fabs(w.p.cycles - 2 * (CHAIN - 64)) < 4);
}

/* Chains of one cycle fill the scheduler: of two, 64 additions wait, or keep their
 * places after the start. */
TEST(queue_of_general_instructions)
{
	enum { CHAIN = 100, QUEUE = 64, RELEASE = 10 };
	static const struct row rows[] = {
		{ "ADD64rr", "0|1|2|3", 1, { { 0 } }, false },
		{ "MOV32ri", "0|1|2|3", 1, { { 0 } }, false },
	};
	SCOPED(world_close)
	struct world w = WORLD_OF("x86_64", "0 1 2 3", rows);
	SCOPED(buffer_free) struct buffer text = { 0 };
	double without;

	w.m->width = exactly(8);
	w.m->reorder_buffer = 512;
	buffer_printf(&text, "movl $1, %%eax\n");
	for (int i = 0; i < CHAIN; i++)
		buffer_printf(&text, "addq %%rbx, %%rax\n");
	buffer_add(&text, "", 1);
	world_predict(&w, (char *)text.bytes, usual);
	without = w.p.cycles;
	w.m->general_queue = QUEUE;
	world_predict(&w, (char *)text.bytes, usual);
	/* T cycles for each: (100 - T) + (100 - 2 T) wait. */
	assert_true(fabs(w.p.cycles - (2 * CHAIN - QUEUE) / 3.0) < 3);
	assert_true(w.p.cycles > without + 5);
	w.m->general_release = RELEASE;
	without = w.p.cycles;
	world_predict(&w, (char *)text.bytes, usual);
	assert_true(w.p.cycles > without + 3);
}

/* Stores of a vector wait in the queue until it is there. */
TEST(queue_of_stores)
{
	enum { CHAIN = 40, STORES = 40 };
	static const struct row rows[] = {
		{ "ADDPDrr", "0|1", 2, { { 0 } }, false },
		{ "MOVAPDrr", "", 0, { { 0 } }, true },
		{ "MOVUPDmr", "2", 1, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1 2", rows);
	SCOPED(buffer_free) struct buffer text = { 0 };

	w.m->width = exactly(8);
	buffer_printf(&text, "movapd %%xmm1, %%xmm0\n");
	for (int i = 0; i < CHAIN; i++)
		buffer_printf(&text, "addpd %%xmm2, %%xmm0\n");
	for (int i = 0; i < STORES; i++)
		buffer_printf(&text, "movupd %%xmm0, %d(%%rsi)\n", 16 * i);
	buffer_add(&text, "", 1);
	w.m->vector_queue = 2 * (CHAIN + STORES);
	world_predict(&w, (char *)text.bytes, usual);
	assert_true(w.p.cycles < CHAIN + STORES / 2.0);
	w.m->vector_queue = STORES;
	world_predict(&w, (char *)text.bytes, usual);
	assert_true(w.p.cycles > 2 * CHAIN);
}

/* Loads retire in order: what follows a long chain waits for its end. */
TEST(loads)
{
	enum { LOADS = 40, CHAIN = 20 };
	static const struct row rows[] = {
		{ "ADDPDrr", "0", 4, { { 0 } }, false },
		{ "MOVAPDrr", "", 0, { { 0 } }, true },
		{ "MOV64rm", "1|2", 4, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1 2", rows);
	SCOPED(buffer_free) struct buffer text = { 0 };
	double free;

	w.m->width = exactly(8);
	w.m->reorder_buffer = 500;
	buffer_printf(&text, "movapd %%xmm1, %%xmm0\n");
	for (int i = 0; i < CHAIN; i++)
		buffer_printf(&text, "addpd %%xmm2, %%xmm0\n");
	for (int i = 0; i < LOADS; i++)
		buffer_printf(&text, "movq %d(%%rsi), %%rax\n", 8 * i);
	buffer_add(&text, "", 1);
	world_predict(&w, (char *)text.bytes, usual);
	free = w.p.cycles;
	/* As many as an iteration has: the next chain waits for the end of this
	 * one. */
	w.m->load_queue = LOADS;
	world_predict(&w, (char *)text.bytes, usual);
	assert_true(free < 30);
	assert_true(w.p.cycles > 38 && w.p.cycles < 48);
	assert_part(w.p.why, "loads wait for room among 40");
	w.m->load_queue = LOADS / 2;
	world_predict(&w, (char *)text.bytes, usual);
	assert_true(w.p.cycles > 4 * CHAIN - 2);
}

/* A base that is written back does not wait for the data of its store. Running
 * sums are as fast as their additions, no matter how large the window is that
 * fills up behind them. */
TEST(write_back_is_not_delayed)
{
	static const struct row rows[] = {
		{ "FADDDrr", "0", 2, { { 0 } }, false },
		{ "LDRDui", "1|2", 6, { { 0 } }, false },
		{ "STRDpost", "1|2", 1, { { 0 } }, false },
	};
	static const char text[] = "ldr d1, [x0]\n"
				   "fadd d0, d0, d1\n"
				   "str d0, [x0], 8\n";
	SCOPED(world_close) struct world w = WORLD_OF("aarch64", "0 1 2", rows);

	w.m->width = exactly(8);
	w.m->reorder_buffer = 100;
	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 2, "carried");
	assert_cycles(w.p.simulation.cycles, 2, "simulated");
	assert_cycles(ideal_cycles(&w.a, &w.p), 2, "with the best sharing");
}

/* A load starts when its address is ready, however late the sum is. Chains of
 * sums with memory operands take no longer than sums of registers, even if the
 * code before each is shorter than a load. */
TEST(loads_start_early)
{
	static const struct row rows[] = {
		{ "ADDSDrm_Int", "0 1|2", 10, { { 1, 0, 4 } }, false },
		{ "MULSDrr_Int", "0", 4, { { 0 } }, false },
	};
	static const char text[] = "addsd (%rdi), %xmm0\n"
				   "mulsd %xmm1, %xmm0\n";
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0 1 2", rows);

	w.m->width = exactly(4);
	w.m->reorder_buffer = 100;
	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 8, "carried");
	assert_cycles(w.p.simulation.cycles, 8, "simulated");
	assert_cycles(ideal_cycles(&w.a, &w.p), 8, "with the best sharing");
}

/* Excessive queue sizes in a model do not allocate excessive memory. */
TEST(excessive_sizes)
{
	static const struct row rows[] = {
		{ "ADD64rr", "0", 1, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "0", rows);

	w.m->width = exactly(4);
	w.m->reorder_buffer = UINT32_MAX;
	w.m->load_queue = UINT32_MAX;
	w.m->vector_registers = UINT32_MAX;
	world_predict(&w, "addq %rax, %rbx\naddq %rax, %rcx\n", usual);
	assert_cycles(w.p.simulation.cycles, 2, "oldest first");
	assert_cycles(ideal_cycles(&w.a, &w.p), 2, "ports in time");
}
