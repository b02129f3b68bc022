/* Loops and the lines of code they are in. */
#include "host/base/file.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* With the addresses and the model as they are now. */
static void predict_again(struct world *w)
{
	struct err e = { 0 };

	assert_ok(world_predict_on(w, model_complete(&w->a, w->c, w->m, NULL),
				   &usual, &e),
		  &e);
}

/* A loop across the end of a line of code is fetched from two lines. Its
 * position is known only after linking. */
TEST(lines_of_code)
{
	static struct model_form forms[] = {
		{ .name = "JMP_1/taken,line" },
	};
	static const char text[] = "f: decq %rax\njne f\n";
	SCOPED(world_close) struct world w = world_open("x86_64");

	forms[0].throughput = exactly(1);
	w.m->forms = forms;
	w.m->n_forms = 1;
	world_predict(&w, text, usual);
	assert_cycles(w.p.effect_bound, 0, "not linked");
	w.program.placed = true;
	for (uint64_t at = 56; at <= 64; at += 4) {
		w.program.insns[0].address = at;
		w.program.insns[1].address = at + w.program.insns[0].n_code;
		predict_again(&w);
		assert_cycles(w.p.effect_bound, at == 60 ? 2 : 0, "lines");
	}
}

/* The slots of each line of code take what short loops were measured to take.
 * In text the loop begins at a line. */
TEST(slots_of_lines)
{
	/* Additions of 3 bytes, a comparison and a branch that fuse: nine slots
	 * in 30 bytes. */
	static const char text[] = "f: addq %rax, %rbx\naddq %rax, %rcx\n"
				   "addq %rax, %rdx\naddq %rax, %rsi\n"
				   "addq %rax, %rbx\naddq %rax, %rcx\n"
				   "addq %rax, %rdx\naddq %rax, %rsi\n"
				   "cmpq %rdi, %rbx\njne f\n";
	static const struct {
		uint64_t start;
		uint32_t free;
		double each;
	} cases[] = {
		{ 0, 0, 2 },                /* in one line */
		{ 0, 9, 2 },  { 40, 0, 2 }, /* eight, and the comparison */
		{ 40, 8, 1 }, { 52, 3, 2 }, /* four, and five */
		{ 52, 4, 1 },
	};
	enum { BRANCH_AT_LINE = 128 - 9 * 3 };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct model_lines *l = &w.m->lines;

	l->n = 12;
	for (uint32_t i = 1; i <= l->n; i++)
		l->cycles[i] = i > 8 ? 2 : 1;
	l->rule = MODEL_LINES_TOGETHER;
	world_predict(&w, text, usual);
	assert_cycles(w.p.effect_bound, 2, "text");
	w.program.placed = true;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (int k = MODEL_LINES_TOGETHER; k <= MODEL_LINES_EACH; k++) {
			l->rule = (enum model_lines_rule)k;
			l->free = cases[i].free;
			for (size_t n = 0; n < w.program.n; n++)
				w.program.insns[n].address =
					cases[i].start + 3 * n;
			predict_again(&w);
			assert_cycles(w.p.effect_bound,
				      k == MODEL_LINES_EACH ? cases[i].each : 2,
				      "lines");
		}
	for (size_t n = 0; n < w.program.n; n++)
		w.program.insns[n].address = BRANCH_AT_LINE + 3 * n;
	predict_again(&w);
	assert_false(w.p.body.ops[9].fused);
	assert_cycles(w.p.body.ops[9].slots, 1, "a branch in the next line");
}

/* A branch that crosses the end of a line, alone or with the comparison that is
 * fused with it, takes what such loops were measured to take. */
TEST(branch_that_crosses)
{
	/* Three bytes, four, and two. */
	static const char text[] = "f: addq %rax, %rbx\ncmpq $1, %rbx\n"
				   "jne f\n";
	static const struct {
		uint64_t start;
		double cycles;
	} cases[] = {
		{ 55, 0 }, /* ends with the line */
		{ 56, 2 }, /* the branch crosses */
		{ 57, 0 }, /* the branch is in the next line, and not fused */
		{ 58, 2 }, { 60, 2 }, /* the comparison crosses */
		{ 61, 0 },            /* both are in the next line */
		{ 62, 0 },            /* the addition crosses */
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	w.m->lines.crossing = 2;
	world_predict(&w, text, usual);
	assert_cycles(w.p.effect_bound, 0, "text");
	w.program.placed = true;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t at = cases[i].start;

		for (size_t n = 0; n < w.program.n; n++) {
			w.program.insns[n].address = at;
			at += w.program.insns[n].n_code;
		}
		predict_again(&w);
		assert_cycles(w.p.effect_bound, cases[i].cycles, "crossing");
	}
}

/* The pair at the end of a loop takes a slot of each line that it is in. */
TEST(pair_that_crosses)
{
	/* Two additions of three bytes, and a pair of three and two. */
	static const char text[] = "f: addq %rax, %rbx\naddq %rax, %rcx\n"
				   "decq %rdx\njne f\n";
	static const struct {
		uint64_t start;
		double cycles;
	} cases[] = {
		{ 53, 1 },            /* ends with the line */
		{ 54, 2 },            /* the branch crosses */
		{ 56, 2 }, { 57, 2 }, /* its comparison crosses */
		{ 58, 1 },            /* both in the next line */
	};
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct model_lines *l = &w.m->lines;

	/* Three slots take a cycle, and one in another line one more. */
	l->n = 12;
	for (uint32_t i = 1; i <= l->n; i++)
		l->cycles[i] = i > 3 ? 2 : 1;
	l->rule = MODEL_LINES_TOGETHER;
	world_predict(&w, text, usual);
	assert_cycles(w.p.effect_bound, 1, "text");
	w.program.placed = true;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t at = cases[i].start;

		for (size_t n = 0; n < w.program.n; n++) {
			w.program.insns[n].address = at;
			at += w.program.insns[n].n_code;
		}
		predict_again(&w);
		assert_cycles(w.p.effect_bound, cases[i].cycles, "lines");
	}
}

/* Taken branches that were counted bound the loop.  A gap between instructions
 * is none: a report leaves instructions out. */
TEST(taken_branches)
{
	static const char text[] = "f: decq %rax\njne f\ndecq %rbx\njne f\n";
	SCOPED(world_close) struct world w = world_open("x86_64");

	world_predict(&w, text, usual);
	w.program.placed = true;
	for (size_t n = 0; n < w.program.n; n++)
		w.program.insns[n].address = 20 * n;
	for (uint32_t taken = 0; taken <= 2; taken++)
		for (int rate = 0; rate <= 2; rate += 2) {
			w.list.loops[w.list.chosen] =
				(struct loop){ .last = 3,
					       .label = "",
					       .closed = true,
					       .n_taken = taken };
			w.m->taken_branches = rate;
			predict_again(&w);
			assert_cycles(w.p.branch_bound,
				      (taken > 1 ? 2.0 : 1.0) /
					      (rate > 0 ? rate : 1),
				      "taken branches");
		}
}

/* What a jump skips is not executed.  Several taken branches take as long each as
 * in code of jumps alone, and a turn of the front end at least. */
TEST(jumps_inside)
{
	static const char text[] = "f: jmp 1f\nimulq %rdx, %rdx\n"
				   "1: addq %rax, %rbx\njmp 2f\n"
				   "imulq %rdx, %rdx\n2: decq %rcx\njne f\n";
	static const char inner[] = "f: jmp 1f\n2: addq %rax, %rbx\n"
				    "1: decq %rcx\njne 2b\njne f\n";
	static struct model_form forms[] = {
		{ .name = "JMP_1/taken" },
		{ .name = "JMP_1/taken,16" },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	w.m->forms = forms;
	world_predict(&w, text, usual);
	assert_int_equal(w.p.body.n, 5);
	assert_cycles(w.p.branch_bound, 3, "three, a cycle each");
	forms[0].throughput = exactly(0.6);
	forms[1].throughput = exactly(0.5);
	w.m->n_forms = ARRAY_LEN(forms);
	predict_again(&w);
	assert_cycles(w.p.branch_bound, 1.5, "half a cycle each");
	forms[1].throughput = exactly(0.2);
	predict_again(&w);
	assert_cycles(w.p.branch_bound, 1, "a turn");
	/* A loop inside is no path. */
	w.m->n_forms = 0;
	world_predict(&w, inner, usual);
	assert_cycles(w.p.branch_bound, 1, "as it stands");
}
