/* x86 calls: no more in a line of code than predictors have room for. */
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "tests/unit/planned.h"

/* A quarter of a line of 64 bytes holds one call, more or less. */
enum { LEAST_APART = 11 };

/* Returns the calls of the shortest kernel. */
static size_t check(const struct catalogue *c, const struct kernel_row *k)
{
	size_t n = 0, last = 0;

	for (size_t at = 0; at < k->code_bytes[0];) {
		char text[256];
		size_t bytes =
			instance_text(c, k->code[0] + at, k->code_bytes[0] - at,
				      text, sizeof(text));

		assert_true(bytes > 0);
		if (strncmp(text, "call", 4) == 0) {
			assert_true(n == 0 || at - last >= LEAST_APART);
			last = at;
			n++;
		}
		at += bytes;
	}
	return n;
}

TEST(calls_stand_apart)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = catalogue_of_cpu("x86_64", "x86-64-v3");
	struct plan_request q = { .forms = "^CALL64(r|pcrel32)/return$",
				  .what = PLAN_THROUGHPUT };
	struct gen *g;
	struct err e = { .code = ERR_OK };
	struct experiment *list;
	size_t n, n_calls = 0;

	q.catalogue = c;
	g = gen_of(c);
	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	for (size_t i = 0; i < n; i++) {
		struct kernel_row k;

		assert_int_equal(gen_add(g, &list[i], &e), ERR_OK);
		gen_kernel_row(g, i, &k);
		n_calls += check(c, &k);
	}
	assert_true(n_calls > 8);
	gen_free(g);
}

/* RISC-V links through x1, which every return predictor knows, and leaves the
 * kernel through a register that no predictor takes for a link. */
TEST(riscv_calls_link_through_x1)
{
	enum { JAL = 0x6f, JALR = 0x67, OPCODE = 0x7f, LEAVE = 0x00030067 };
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = catalogue_of("riscv64");
	struct plan_request q = { .forms = "^JALR?/return$",
				  .what = PLAN_THROUGHPUT };
	struct gen *g;
	struct err e = { .code = ERR_OK };
	struct experiment *list;
	size_t n, n_kernels = 0;

	q.catalogue = c;
	g = gen_of(c);
	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	for (size_t i = 0; i < n; i++) {
		struct kernel_row k;
		uint32_t word = 0, n_calls = 0;

		assert_int_equal(gen_add(g, &list[i], &e), ERR_OK);
		if (!strstr(list[i].steps[0].form->name, "/return"))
			continue;
		gen_kernel_row(g, i, &k);
		for (size_t at = 0; at < k.code_bytes[0]; at += sizeof(word)) {
			memcpy(&word, k.code[0] + at, sizeof(word));
			uint32_t opcode = word & OPCODE, rd = word >> 7 & 31;

			n_calls += rd == 1 && (opcode == JAL || opcode == JALR);
			assert_true(rd != 5);
		}
		assert_int_equal(n_calls, k.unroll[0]);
		assert_int_equal(word, LEAVE);
		n_kernels++;
	}
	assert_int_equal(n_kernels, 4);
	gen_free(g);
}
