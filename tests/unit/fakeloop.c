/* Any loop of machine code on an invented core. */
#include "host/fake/loop.h"
#include "tests/unit/fake_world.h"

static const struct loop_truth {
	const char *name, *core;
	size_t n;
	uint32_t code[6];
	unsigned cycles, per;
} loops[] = {
#define ADD(d, a, b)    (0x33u | (d) << 7 | (a) << 15 | (b) << 20)
#define SUB(d, a, b)    (0x40000033u | (d) << 7 | (a) << 15 | (b) << 20)
#define LD(d, a, i)     (0x3003u | (d) << 7 | (a) << 15 | (i) << 20)
#define AMOADD(d, v, a) (0x302fu | (d) << 7 | (a) << 15 | (v) << 20)
#define SD(v, a)        (0x3023u | (a) << 15 | (v) << 20)
	{ "independent",
	  WIDE ALU,
	  4,
	  { ADD(5, 6, 7), ADD(8, 6, 7), ADD(9, 6, 7), ADD(10, 6, 7) },
	  1,
	  1 },
	{ "a fraction of a cycle",
	  WIDE "form ADD: ports=a|b|c\n",
	  1,
	  { ADD(5, 6, 7) },
	  1,
	  3 },
	{ "a chain through two",
	  WIDE "form ADD: ports=a, latency=3\n",
	  2,
	  { ADD(5, 6, 7), ADD(6, 5, 7) },
	  6,
	  1 },
	{ "in order, a stall stops what follows",
	  "isa = riscv64\norder = in\nwidth = 2\nports = a b\n"
	  "form LD: ports=a, latency=3\nform ADD: ports=a|b\n",
	  3,
	  { LD(5, 6, 0), ADD(6, 5, 5), ADD(7, 8, 9) },
	  4,
	  1 },
	{ "in order, one register is not written twice in a cycle",
	  "isa = riscv64\norder = in\nwidth = 2\nports = a b\n"
	  "form ADD: ports=a|b\n",
	  2,
	  { ADD(5, 6, 7), ADD(5, 8, 9) },
	  2,
	  1 },
	{ "memory that is never written does not hold up its load",
	  "isa = riscv64\norder = in\nwidth = 1\nports = a\n"
	  "form LD: ports=a, latency=2, latency[mem>0]=7\n",
	  1,
	  { LD(5, 5, 0) },
	  2,
	  1 },
	{ "a zero idiom waits for nothing",
	  WIDE "form SUB: ports=a, latency=3, zero_idiom\n",
	  1,
	  { SUB(5, 5, 5) },
	  1,
	  4 },
	{ "two registers are none",
	  WIDE "form SUB: ports=a, latency=3, zero_idiom\n",
	  1,
	  { SUB(5, 5, 6) },
	  3,
	  1 },
	{ "one source is none",
	  WIDE "form LD: ports=l, latency=3, zero_idiom\n",
	  1,
	  { LD(5, 5, 0) },
	  3,
	  1 },
	{ "each pair has its own latency, though another result is late",
	  WIDE "form AMOADD_D: ports=a, latency=1, latency[mem>0]=9\n",
	  1,
	  { AMOADD(5, 5, 6) },
	  5,
	  1 },
	{ "a result that merges waits for the one before",
	  WIDE "form ADD: ports=a|b, latency=3, merges\n",
	  2,
	  { ADD(5, 6, 7), ADD(8, 6, 7) },
	  3,
	  1 },
	{ "a store and a load elsewhere",
	  WIDE "form .D: ports=a|b, latency=9\n",
	  2,
	  { SD(5, 6), LD(5, 6, 8) },
	  1,
	  1 },
	{ "a store and a load of the same place",
	  WIDE "form .D: ports=a|b, latency=9\n",
	  2,
	  { SD(5, 6), LD(5, 6, 0) },
	  18,
	  1 },
	{ "and behind another register",
	  WIDE "form .D: ports=a|b, latency=9\n",
	  2,
	  { SD(5, 6), LD(5, 7, 0) },
	  1,
	  1 },
};

TEST_ROWS(a_loop_takes, loops, name, const struct loop_truth *t)
{
	const struct fake_code code = {
		.loop = (const void *)t->code,
		.loop_bytes = t->n * sizeof(*t->code),
	};
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	struct fake_loop *l;
	SCOPED(core_free) struct core c;
	double cycles;

	assert_int_equal(parse(&a, t->core, &c, &e), ERR_OK);
	l = fake_loop_new(catalogue_of("riscv64"), &c);
	/* Twice: no state of the first run remains. */
	for (int i = 0; i < 2; i++) {
		assert_ok(fake_loop_cycles(l, &code, &cycles, &e), &e);
		if (cycles * t->per < t->cycles - 1e-9 ||
		    cycles * t->per > t->cycles + 1e-9)
			fail_msg("%g cycles, not %u/%u", cycles, t->cycles,
				 t->per);
	}
	fake_loop_free(l);
}

TEST(what_a_core_lacks_is_no_loop)
{
	const uint32_t words[] = { ADD(5, 6, 7), LD(5, 6, 0) };
	struct fake_code code = {
		.loop = (const void *)words,
		.loop_bytes = sizeof(words),
	};
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	struct fake_loop *l;
	SCOPED(core_free) struct core c;
	double cycles = 7;

	assert_int_equal(parse(&a, WIDE ALU, &c, &e), ERR_OK);
	l = fake_loop_new(catalogue_of("riscv64"), &c);
	assert_int_equal(fake_loop_cycles(l, &code, &cycles, &e), ERR_INPUT);
	assert_part(e.message, "byte 4");
	e = (struct err){ 0 };
	code.loop_bytes = 0;
	assert_int_equal(fake_loop_cycles(l, &code, &cycles, &e), ERR_INPUT);
	assert_true(cycles > 6);
	fake_loop_free(l);
}
