/* Streams that cross cache lines. */
#include "host/predict/print.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* Of three accesses around an aligned one, the outer two of 32 bytes cross a
 * cache line in half of all iterations. */
TEST(straddling)
{
	static const struct row rows[] = {
		{ "ADD64ri8", "a", 1, { { 0 } }, false },
		{ "VADDPDYrm", "f l", 9, { { 0 } }, false },
		{ "VMOVUPDYrm", "l", 6, { { 0 } }, false },
	};
	static const char text[] = "vmovupd -8(%rsi), %ymm0\n"
				   "vaddpd (%rsi), %ymm0, %ymm1\n"
				   "vaddpd 8(%rsi), %ymm0, %ymm1\n"
				   "addq $32, %rsi\n";
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a f l", rows);

	world_predict(&w, text, usual);
	assert_true(w.p.body.ops[0].straddles);
	assert_false(w.p.body.ops[1].straddles);
	assert_true(w.p.body.ops[2].straddles);
	assert_cycles(w.p.pressure.sum[2], 4, "loads");
	world_predict(&w, "vmovupd (%rsi), %ymm0\naddq $32, %rsi\n", usual);
	assert_cycles(w.p.pressure.sum[2], 1, "one load");
}

/* Where the text does not show the alignment, the worst case is given with the
 * best: half of these loads and stores of 32 bytes cross a line. Legacy SSE
 * operands must be aligned, and elements are. */
TEST(any_alignment)
{
	static const struct row rows[] = {
		{ "ADD64ri8", "a", 1, { { 0 } }, false },
		{ "ADDPDrm", "l", 9, { { 0 } }, false },
		{ "MOVSDrm", "l", 6, { { 0 } }, false },
		{ "VMOVUPDYmr", "s", 1, { { 0 } }, false },
		{ "VMOVUPDYrm", "l", 6, { { 0 } }, false },
	};
	static const char text[] = "vmovupd (%rsi), %ymm0\n"
				   "vmovupd %ymm0, (%rdi)\n"
				   "addq $32, %rsi\naddq $32, %rdi\n";
	static const char narrow[] = "addpd (%rsi), %xmm0\n"
				     "movsd (%rdi), %xmm1\n"
				     "addq $16, %rsi\naddq $8, %rdi\n";
	struct predict_options worst = { .any_alignment = true };
	struct buffer b = { 0 };
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "a l s", rows);

	w.m->width = exactly(4);
	world_predict(&w, text, usual);
	assert_cycles(w.p.worst_cycles, 0, "not asked for");
	assert_cycles(w.p.pressure.sum[1], 1, "an aligned load");
	world_predict(&w, text, worst);
	assert_cycles(w.p.pressure.sum[1], 1, "still aligned");
	assert_cycles(w.p.cycles, 2, "counters");
	assert_cycles(w.p.worst_cycles, 2, "counters");
	assert_true(w.p.body.ops[0].may_straddle);
	assert_true(w.p.body.ops[1].may_straddle);
	print_text(&b, &w.p);
	buffer_add(&b, "", 1);
	assert_part((char *)b.bytes, "cross lines: 1 2");
	buffer_free(&b);
	world_predict(&w,
		      "vmovupd (%rsi), %ymm0\nvmovupd (%rdi), %ymm1\n"
		      "addq $32, %rsi\naddq $32, %rdi\n",
		      worst);
	assert_cycles(w.p.cycles, 2, "two loads");
	assert_cycles(w.p.worst_cycles, 3, "and one of two again");
	world_predict(&w, narrow, worst);
	assert_cycles(w.p.worst_cycles, w.p.cycles, "aligned");
}

/* A load across lines that was measured counts with what it takes, here three
 * times as long. */
TEST(measured_crossing)
{
	static struct model_form forms[] = {
		{ .name = "VMOVUPDYrm" },
		{ .name = "VMOVUPDYrm/line" },
	};
	struct predict_options worst = { .any_alignment = true };
	SCOPED(world_close) struct world w = world_open("x86_64");

	forms[0].throughput = exactly(1);
	forms[1].throughput = exactly(3);
	w.m->forms = forms;
	w.m->n_forms = ARRAY_LEN(forms);
	w.m->width = exactly(4);
	world_predict(&w, "vmovupd (%rsi), %ymm0\naddq $32, %rsi\n", worst);
	assert_cycles(w.p.cycles, 1, "aligned");
	assert_cycles(w.p.worst_cycles, 2, "every other load takes 3");
}

/* The bytes of an access are those of its text, also for broadcasts and where
 * the name of the form has other numbers. */
TEST(width_of_access)
{
	static const struct {
		const char *text;
		unsigned bytes;
	} rows[] = {
		{ "vaddpd (%rsi){1to2}, %xmm0, %xmm1\n", 8 },
		{ "vaddps (%rsi){1to16}, %zmm0, %zmm1\n", 4 },
		{ "crc32b (%rsi), %rax\n", 1 },
		{ "crc32w (%rsi), %eax\n", 2 },
		{ "kmovw (%rsi), %k1\n", 2 },
		{ "vpmovsqb %xmm0, (%rsi)\n", 2 },
		{ "cvtsd2ss (%rsi), %xmm0\n", 8 },
		{ "addl %eax, (%rsi)\n", 4 },
		{ "vmovups (%rsi), %zmm0\n", 64 },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	world_ports(&w, "a");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		world_predict(&w, rows[i].text, usual);
		if (w.p.body.ops[0].place.bytes != rows[i].bytes)
			fail_msg("%s: %u bytes", rows[i].text,
				 (unsigned)w.p.body.ops[0].place.bytes);
	}
}
