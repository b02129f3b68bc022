/* Kernels of own code: what ends a loop, where addresses point, jumps. */
#include "host/campaign/snippet.h"

#include <stdlib.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/predict/calls.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

/* The plan of a text; `e` tells why there is none. */
static struct snippet planned(struct world *w, const char *text,
			      enum snippet_mode mode, struct err *e)
{
	const struct loop_choice any = { .marker = MARKER_AUTO };
	struct snippet ret = { .trip = -1 };
	struct snippet_request q = { .program = &w->program,
				     .name = "test",
				     .mode = mode,
				     .trips_in = -1,
				     .counter = -1,
				     .offset = -1 };

	if (world_find(w, text, &any, e) != ERR_OK)
		return ret;
	q.parser = w->parser;
	q.loop = &w->list.loops[w->list.chosen];
	(void)snippet_plan(&w->a, &q, &ret, e);
	return ret;
}

struct ended {
	const char *isa, *text;
	int trip;           /* GPR, -1: the loop is refused */
	int64_t first_step; /* how its first value grows with a trip */
};

TEST(what_ends_a_loop)
{
	enum { RAX, RCX, RDX, RSI = 6 };
	static const struct ended rows[] = {
		{ "x86_64", "x: dec %rcx\n jne x\n", RCX, 1 },
		{ "x86_64", "x: subl $4, %ecx\n ja x\n", RCX, 4 },
		{ "x86_64", "x: addq $8, %rdx\n cmpq %rsi, %rdx\n jne x\n", RSI,
		  8 },
		{ "x86_64", "x: addq $8, %rdx\n cmpq %rdx, %rsi\n ja x\n", RSI,
		  8 },
		{ "x86_64", "x: incq %rax\n cmpq $100, %rax\n jl x\n", RAX,
		  -1 },
		{ "x86_64", "x: addq $8, %rax\n jne x\n", RAX, -8 },
		{ "x86_64", "x: incl %eax\n testl %eax, %eax\n jne x\n", RAX,
		  -1 },
		{ "x86_64", "x: incl %eax\n testl $7, %eax\n jne x\n", -1, 0 },
		{ "x86_64",
		  "x: lea 1(%r8), %r9\n mov %r9, %r8\n cmp %r9, %rdx\n jne x\n",
		  RDX, 1 },
		{ "x86_64",
		  "x: movq (%rdi,%r9,8), %rcx\n lea (%rdx,%r9), %rax\n add $2, "
		  "%r9\n add $2, %rax\n cmp $1, %rax\n jne x\n",
		  RDX, -2 },
		{ "x86_64", "x: imulq %rax, %rax\n cmpq %rcx, %rax\n jne x\n",
		  -1, 0 },
		{ "x86_64", "x: cmpq (%rdi), %rax\n jne x\n", -1, 0 },
		{ "aarch64", "x: subs x2, x2, #1\n b.ne x\n", 2, 1 },
		{ "aarch64", "x: add x1, x1, #8\n cmp x1, x3\n b.lo x\n", 3,
		  8 },
		{ "aarch64", "x: sub x4, x4, #2\n cbnz x4, x\n", 4, 2 },
		{ "riscv64", "x: addi a0, a0, 8\n bne a0, a1, x\n", 11, 8 },
		{ "riscv64", "x: addiw a2, a2, -1\n bnez a2, x\n", 12, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(world_close) struct world w = world_open(rows[i].isa);
		struct err e = { .code = ERR_OK, .message = "" };
		struct snippet s = planned(&w, rows[i].text, SNIPPET_AUTO, &e);

		if (s.trip != rows[i].trip)
			fail_msg("%s: register %d ends it: %s", rows[i].text,
				 s.trip, e.message);
		if (rows[i].trip < 0)
			continue;
		assert_int_equal(
			s.gen.trip_first[1] - s.gen.trip_first[0],
			rows[i].first_step *
				(int64_t)(s.gen.bodies[1] - s.gen.bodies[0]));
	}
}

/* Every access of every trip is inside the memory. */
TEST(addresses_stay_inside)
{
	static const char *const texts[] = {
		"x: movsd (%rdi,%rax,8), %xmm0\n movsd %xmm0, (%rsi,%rax,8)\n"
		" incq %rax\n cmpq %rdx, %rax\n jne x\n",
		"x: movsd 800(%rdi,%rax), %xmm0\n addq $8, %rax\n jne x\n",
		"x: movsd -64(%rdi), %xmm0\n addq $512, %rdi\n cmpq %rsi, %rdi\n"
		" jne x\n",
		"x: vmovupd (%rdi), %zmm0\n subq $64, %rdi\n decl %ecx\n jne x\n",
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct snippet s = planned(&w, texts[i], SNIPPET_AUTO, &e);
		const struct pack_image *m = &s.gen.image;

		if (e.code != ERR_OK)
			fail_msg("%s: %s", texts[i], e.message);
		assert_true(s.gen.memory_bytes <= PACK_MAX_MEMORY);
		for (int g = 0; g < 32; g++) {
			int64_t at = (int64_t)m->gpr[g] + s.gen.frame.bias[g];

			if (!s.gprs[g].pointer)
				continue;
			assert_true(m->gpr_is_memory >> g & 1);
			assert_true(at + s.gprs[g].low >= 0);
			assert_true(at + s.gprs[g].high <=
				    (int64_t)s.gen.memory_bytes);
		}
	}
}

/* Where the first bytes are that a register's addresses reach. */
static int64_t lowest_at(const struct snippet *s, int gpr)
{
	return (int64_t)s->gen.image.gpr[gpr] + s->gen.frame.bias[gpr] +
	       s->gprs[gpr].low;
}

/* Loads are ahead of stores, whichever way both move, and only as far as the store
 * queue is short; what divides or is an address has memory of its own. */
TEST(loads_run_ahead_of_stores)
{
	enum { RSI = 6, RDI = 7, LOW_BITS = 4096, NEAR = 1024 };
	static const struct {
		const char *text;
		int direction;
		bool shared;
	} rows[] = {
		{ "x: movups (%rsi), %xmm0\n movups %xmm0, (%rdi)\n addq $16, "
		  "%rsi\n addq $16, %rdi\n decl %ecx\n jne x\n",
		  1, true },
		{ "x: movups (%rsi), %xmm0\n movups %xmm0, (%rdi)\n subq $16, "
		  "%rsi\n subq $16, %rdi\n decl %ecx\n jne x\n",
		  -1, true },
		{ "x: movups (%rsi), %xmm0\n divps %xmm0, %xmm0\n movups %xmm0, "
		  "(%rdi)\n addq $16, %rsi\n addq $16, %rdi\n decl %ecx\n "
		  "jne x\n",
		  1, false },
		{ "x: movq (%rsi), %rax\n movq (%rax), %rdx\n movq %rdx, "
		  "(%rdi)\n addq $64, %rsi\n addq $64, %rdi\n decl %ecx\n "
		  "jne x\n",
		  1, false },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct snippet s = planned(&w, rows[i].text, SNIPPET_AUTO, &e);
		int64_t ahead = rows[i].direction *
				(lowest_at(&s, RSI) - lowest_at(&s, RDI));
		int64_t span = s.gprs[RDI].high - s.gprs[RDI].low;

		if (e.code != ERR_OK)
			fail_msg("%s: %s", rows[i].text, e.message);
		assert_int_equal((s.gen.image.gpr[RSI] +
				  (uint64_t)s.gen.frame.bias[RSI]) %
					 64,
				 0);
		ahead = (ahead % LOW_BITS + LOW_BITS) % LOW_BITS;
		if (ahead == 0 || ahead > NEAR)
			fail_msg("%s: %d bytes ahead", rows[i].text,
				 (int)ahead);
		if (rows[i].shared !=
		    (llabs(lowest_at(&s, RSI) - lowest_at(&s, RDI)) < span))
			fail_msg("%s: memory is %s", rows[i].text,
				 rows[i].shared ? "not shared" : "shared");
	}
}

/* A jump over 200 bytes needs the long form; one out of the code goes to its
 * end. */
TEST(jumps_reach)
{
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { .code = ERR_OK, .message = "" };
	struct buffer b = { 0 };
	struct snippet s;

	buffer_printf(&b, "x: je out\n");
	for (int i = 0; i < 40; i++)
		buffer_printf(&b, " movq 8(%%rdi,%%rsi,8), %%rax\n");
	buffer_printf(&b, " decq %%rcx\n jne x\nout: ret\n");
	s = planned(&w, buffer_text(&b), SNIPPET_AUTO, &e);
	buffer_free(&b);
	assert_ok(e.code, &e);
	assert_int_equal(s.n_insns, 43);
	/* 0f 84 and 0f 85 with 32 bits. */
	assert_int_equal(s.gen.code[0], 0x0f);
	assert_int_equal(s.gen.code[1], 0x84);
	assert_int_equal(s.gen.code[2] | s.gen.code[3] << 8, s.gen.n - 6);
	assert_int_equal(s.gen.code[s.gen.n - 5], 0x85);
}

/* Functions are in front, behind a jump; calls and jumps of both reach. */
TEST(functions_are_in_front)
{
	static const struct {
		const char *isa, *text;
		size_t n_called, n_order;
	} rows[] = {
		{ "x86_64",
		  "x: call f\n dec %rcx\n jne x\n ret\nf: nop\n ret\n", 3, 5 },
		/* One function in another; code that is not called. */
		{ "x86_64",
		  "g: nop\n ret\nh: nop\n ret\nf: call g\n call g\n ret\n"
		  "x: call f\n dec %rcx\n jne x\n",
		  6, 10 },
		/* A function that contains the loop: a copy of both. */
		{ "x86_64", "f: nop\nx: call f\n dec %rcx\n jne x\n ret\n", 6,
		  8 },
		{ "aarch64",
		  "x: bl f\n subs x2, x2, #1\n b.ne x\n ret\nf: b g\n nop\n"
		  "g: ret\n",
		  3, 5 },
		{ "riscv64",
		  "x: call f\n addi a0, a0, -1\n bnez a0, x\nf: tail g\n"
		  "g: ret\n",
		  3, 5 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(world_close) struct world w = world_open(rows[i].isa);
		struct err e = { .code = ERR_OK, .message = "" };
		struct snippet s = planned(&w, rows[i].text, SNIPPET_AUTO, &e);
		struct program back = { .c = w.c };
		struct code code = { "code", s.gen.code, s.gen.n };

		assert_ok(e.code, &e);
		assert_int_equal(s.n_insns, 3);
		assert_int_equal(s.n_called, rows[i].n_called);
		assert_int_equal(s.n_order, rows[i].n_order);
		/* Decoded again, all goes where it goes in the text. */
		assert_ok(program_add_bytes(&w.a, &back, &code, 0, DATA_REFUSED,
					    &e),
			  &e);
		program_link(&w.a, &back);
		for (size_t k = 0, at = 0; k < s.n_called + 3; k++, at++) {
			const struct insn *from = snippet_insn(&s, k);

			while (back.insns[at].address != s.offsets[k])
				assert_true(++at < back.n);
			/* A jump may need a longer form. */
			if (!from->jumps)
				assert_string_equal(
					back.insns[at].instance.form->name,
					from->instance.form->name);
			if (from->target >= 0)
				assert_int_equal(
					back.insns[back.insns[at].target]
						.address,
					s.offsets[from->target]);
		}
	}
}

TEST(functions_that_cannot_be_measured)
{
	static const struct {
		const char *text, *words;
	} rows[] = {
		{ "x: call f\n dec %rcx\n jne x\nf: nop\n", "line 4" },
		{ "x: call f\n dec %rcx\n jne x\nf: jmp *%rax\n", "line 4" },
		{ "x: call f\n dec %rcx\n jne x\n", "must stay inside" },
		{ "x: call *%rax\n dec %rcx\n jne x\n", "must stay inside" },
		/* A board has no pages that a return could fault on. */
		{ "x: ret\n dec %rcx\n jne x\n", "without a call" },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { .code = ERR_OK, .message = "" };

		(void)planned(&w, rows[i].text, SNIPPET_AUTO, &e);
		assert_int_equal(e.code, ERR_INPUT);
		if (!strstr(e.message, rows[i].words))
			fail_msg("%s: %s", rows[i].text, e.message);
	}
}

/* The path of an iteration goes through functions, and ends where they do not. */
TEST(paths_follow_calls)
{
	static const struct {
		const char *text;
		uint32_t order[16];
		size_t n;
		int open, again;
		uint32_t to_line; /* of its loop, from 1 on; 0: any */
	} rows[] = {
		{ "x: call f\n dec %rcx\n jne x\n ret\nf: nop\n ret\n",
		  { 0, 4, 5, 1, 2 },
		  5,
		  -1,
		  -1,
		  0 },
		/* Jumps without a condition are taken, others are not. */
		{ "x: call f\n dec %rcx\n jne x\nf: je g\n jmp g\n nop\n"
		  "g: ret\n",
		  { 0, 3, 4, 6, 1, 2 },
		  6,
		  -1,
		  -1,
		  0 },
		/* A loop of a function is there once, and told. */
		{ "x: call f\n dec %rcx\n jne x\nf: nop\n jne f\n ret\n",
		  { 0, 3, 4, 5, 1, 2 },
		  6,
		  -1,
		  4,
		  3 },
		/* So is what cannot be followed, which is left out. */
		{ "x: call f\n call y\n dec %rcx\n jne x\nf: call y\n ret\n",
		  { 0, 4, 5, 1, 2, 3 },
		  6,
		  4,
		  -1,
		  0 },
		{ "x: call y\n dec %rcx\n jne x\n", { 0 }, 0, 0, -1, 0 },
		{ "x: call f\n dec %rcx\n jne x\nf: jmp *%rdx\n",
		  { 0 },
		  0,
		  3,
		  -1,
		  0 },
		{ "x: call f\n dec %rcx\n jne x\nf: call f\n ret\n",
		  { 0 },
		  0,
		  3,
		  -1,
		  0 },
		{ "x: call f\n dec %rcx\n jne x\nf: nop\n",
		  { 0 },
		  0,
		  3,
		  -1,
		  0 },
		{ "x: nop\n dec %rcx\n jne x\n", { 0 }, 0, -1, -1, 0 },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		const struct loop_choice which = { .marker = MARKER_AUTO,
						   .from_line =
							   rows[i].to_line > 0,
						   .to_line = rows[i].to_line };
		struct calls_path path;
		struct executed x;

		assert_ok(world_find(&w, rows[i].text, &which, &e), &e);
		path = calls_path(&w.a, &w.program,
				  &w.list.loops[w.list.chosen]);
		x = path.executed;
		assert_int_equal(path.lost_at, rows[i].open);
		assert_int_equal(path.loops_at, rows[i].again);
		assert_int_equal(x.n, rows[i].n);
		for (size_t k = 0; k < x.n; k++)
			assert_int_equal(x.insns[k], rows[i].order[k]);
	}
}

TEST(straight_code_is_repeated_without_its_branch)
{
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { .code = ERR_OK, .message = "" };
	struct snippet s =
		planned(&w, "x: addq %rbx, %rax\n decq %rcx\n jne x\n",
			SNIPPET_UNROLL, &e);

	assert_ok(e.code, &e);
	assert_false(s.own_loop);
	assert_int_equal(s.n_insns, 2);
	assert_int_equal(s.trip, -1);
}
