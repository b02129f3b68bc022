/* Kernels on an invented core cost exactly what its file states. */
#include "host/experiment/experiment.h"
#include "host/fake/measure.h"
#include "host/gen/gen.h"
#include "tests/unit/fake_world.h"

/* ---- the core --------------------------------------------------------- */

/* A kernel on a core, and the cycles of one body times `per`. */
static const struct truth {
	const char *name, *core, *label;
	unsigned cycles, per;
} truths[] = {
#define DUAL                                     \
	"isa = riscv64\norder = in\nwidth = 2\n" \
	"ports = a b m\n"
	{ "a chain costs its latency",
	  WIDE "form ADD: ports=a, latency=3\n" ALU, "latency:ADD@1>0", 3, 1 },
	{ "sources differ",
	  WIDE "form SUB: ports=a, latency=3, latency[1>0]=1\n" ALU,
	  "latency:SUB@1>0", 1, 1 },
	{ "and the other one too",
	  WIDE "form SUB: ports=a, latency=3, latency[1>0]=1\n" ALU,
	  "latency:SUB@2>0", 3, 1 },
	{ "four ports, four a cycle", WIDE ALU, "throughput:ADD", 1, 4 },
	{ "three ports", WIDE "form SUB: ports=a|b|c\n" ALU, "throughput:SUB",
	  1, 3 },
	{ "the width binds before the ports",
	  "isa = riscv64\nwidth = 2\nports = a b c d\nform .*: ports=a|b|c|d\n",
	  "throughput:SUB", 1, 2 },
	{ "a loop longer than its buffer is decoded again",
	  WIDE "loop_buffer = 4\ndecode = 2\n" ALU, "throughput:ADD", 1, 2 },
	{ "one that fits is not", WIDE "loop_buffer = 1000\ndecode = 2\n" ALU,
	  "throughput:ADD", 1, 4 },
	{ "one pipelined port", WIDE "form MUL: ports=m, latency=5\n" ALU,
	  "throughput:MUL", 1, 1 },
	{ "a unit without a pipeline",
	  WIDE "form DIV: ports=m, latency=20, occupancy=12\n" ALU,
	  "throughput:DIV", 12, 1 },
	{ "a chain through it",
	  WIDE "form DIV: ports=m, latency=20, occupancy=12\n" ALU,
	  "latency:DIV@1>0", 20, 1 },
	{ "two uops on one port", WIDE "form XOR: ports=2*m\n" ALU,
	  "throughput:XOR", 2, 1 },
	{ "a loop's counter costs nothing unless the file knows it",
	  WIDE "form XOR: ports=a|b|c|d\n", "throughput:XOR", 1, 4 },
	{ "uops without a port take width",
	  WIDE "form XOR: ports=a|b|c|d, uops=2\n" ALU, "throughput:XOR", 1,
	  2 },
	{ "an eliminated form takes width only",
	  WIDE "form XOR: eliminated\n" ALU, "throughput:XOR", 1, 4 },
	{ "and has no latency", WIDE "form XOR: eliminated\n" ALU,
	  "latency:XOR@1>0", 1, 4 },
	{ "forwarding shortens a chain",
	  WIDE "forward f>f = -2\n"
	       "form MUL: ports=m, latency=5, class=f\n" ALU,
	  "latency:MUL@1>0", 3, 1 },
	{ "but only within its class",
	  WIDE "forward f>f = -2\n"
	       "form MUL: ports=m, latency=5, class=f\n" ALU,
	  "latency:MUL@1>0+ADD@1>0", 6, 1 },
	{ "forwarding lengthens a chain too",
	  WIDE "forward f>g = 2\nform MUL: ports=m, latency=5, class=f\n"
	       "form ADDI?: ports=a|b, class=g\n",
	  "latency:MUL@1>0+ADD@1>0", 8, 1 },
	{ "a window of one takes one after the other",
	  "isa = riscv64\nwidth = 4\nwindow = 1\nports = a b c d\n"
	  "form MUL: ports=a|b|c|d, latency=20\nform .*: ports=a|b|c|d\n",
	  "throughput:MUL", 20, 1 },
	{ "optimal ports are shared to the full",
	  WIDE "form MUL: ports=a\nform SUB: ports=a|b\n"
	       "form ADDI?: ports=c|d\n",
	  "throughput:MUL+SUB", 1, 1 },
	{ "least-loaded finds one port",
	  WIDE "scheduler = least-loaded\nform SUB: ports=m\n" ALU,
	  "throughput:SUB", 1, 1 },
	{ "least-loaded spreads over equal ports",
	  WIDE "scheduler = least-loaded\nform SUB: ports=a|b\n"
	       "form ADDI?: ports=c|d\n",
	  "throughput:SUB", 1, 2 },
	{ "least-loaded holds a unit without a pipeline",
	  WIDE "scheduler = least-loaded\n"
	       "form DIV: ports=m, latency=9, occupancy=7\n" ALU,
	  "throughput:DIV", 7, 1 },
	{ "least-loaded waits for the last uop of each",
	  WIDE "scheduler = least-loaded\nform SUB: ports=a|b|c|d + m\n" ALU,
	  "throughput:SUB", 1, 1 },
	{ "least-loaded keeps count far ahead",
	  "isa = riscv64\nwidth = 32\nwindow = 1024\nports = a b\n"
	  "scheduler = least-loaded\n"
	  "form DIV: ports=5*a, latency=1000, occupancy=900\n"
	  "form .*: ports=b\n",
	  "throughput:DIV", 904, 1 },
	{ "least-loaded keeps a chain's latency",
	  WIDE "scheduler = least-loaded\nform MUL: ports=m, latency=4\n" ALU,
	  "latency:MUL@2>0", 4, 1 },
	{ "an in-order core of width one",
	  "isa = riscv64\norder = in\nwidth = 1\nports = a\n"
	  "form MUL: ports=a, latency=3\nform .*: ports=a\n",
	  "throughput:MUL", 1, 1 },
	{ "an in-order chain",
	  "isa = riscv64\norder = in\nwidth = 1\nports = a\n"
	  "form MUL: ports=a, latency=3\nform .*: ports=a\n",
	  "latency:MUL@1>0", 3, 1 },
#define SINGLE "isa = riscv64\norder = in\nwidth = 1\nports = a m\n"
	{ "a divider that remembers its last operands",
	  SINGLE "form DIV: ports=m, latency=34, occupancy=34, "
		 "same_operands=2\nform .*: ports=a\n",
	  "throughput:DIVU+DIV", 2, 1 },
	{ "a chain of divisions with another operand each time",
	  SINGLE "form FDIV_D: ports=m, latency=31, occupancy=30, "
		 "same_operands=2\nform .*: ports=a\n",
	  "latency:FDIV_D@1>0", 31, 1 },
	{ "a multiplier of small numbers",
	  SINGLE "form MUL: ports=m, latency=3, wide_latency=6, "
		 "wide_occupancy=4\nform .*: ports=a\n",
	  "latency:MUL@1>0", 3, 1 },
	{ "stores to one place",
	  SINGLE "form SD: ports=m, same_place=3\nform .*: ports=a\n",
	  "latency:SD+LD", 3, 1 },
	{ "a source that is the destination",
	  SINGLE "form C_ADD: ports=m, latency=4, same_register=1\n"
		 "form .*: ports=a\n",
	  "latency:C_ADD@1>0", 5, 1 },
	{ "and one that is another register",
	  SINGLE "form ADD: ports=m, latency=4, same_register=1\n"
		 "form .*: ports=a\n",
	  "latency:ADD@1>0", 4, 1 },
	{ "a call through a link register that is predicted",
	  SINGLE "form JAL/return: ports=m, link=1, unlinked=7\n"
		 "form .*: ports=a\n",
	  "throughput:JAL/return", 1, 1 },
	{ "and through one that is not",
	  SINGLE "form JAL/return: ports=m, link=5, unlinked=7\n"
		 "form .*: ports=a\n",
	  "throughput:JAL/return", 7, 1 },
	{ "more jumps than there are targets",
	  SINGLE "targets = 8\nretarget = 5\nform .*: ports=a\n",
	  "long:JAL/taken", 6, 1 },
	{ "which branches that are not taken do not need",
	  SINGLE "targets = 8\nretarget = 5\nform .*: ports=a\n",
	  "long:BEQ/not-taken", 1, 1 },
	{ "a load of a pointer costs from its base",
	  WIDE "form LD: ports=l, latency=4\n" ALU, "latency:LD@1>0", 4, 1 },
	{ "a load takes what a store before it stored",
	  WIDE "form SD: ports=l+m, latency[0>mem]=2\n"
	       "form LD: ports=l, latency[mem>0]=4\n" ALU,
	  "latency:SD+LD", 6, 1 },
	{ "forwarding shortens that",
	  WIDE "forward st>ld = -3\n"
	       "form SD: ports=l+m, latency[0>mem]=2, class=st\n"
	       "form LD: ports=l, latency[mem>0]=4, class=ld\n" ALU,
	  "latency:SD+LD", 3, 1 },
	{ "a store of an early address and late data",
	  WIDE "form SD: ports=l+m, latency=9, latency[0>mem]=1\n"
	       "form LD: ports=l, latency[mem>0]=1\n" ALU,
	  "latency:SD+LD", 2, 1 },
	{ "memory without a store is ready",
	  WIDE "form LD: ports=a|b, latency=100\n" ALU, "throughput:LD", 1, 2 },
	{ "a store is two uops", WIDE "form SD: ports=2*l+m\n" ALU,
	  "throughput:SD", 2, 1 },
	{ "what reads and writes memory waits for itself",
	  WIDE "form AMOADD_D: ports=l+m, latency[mem>mem]=48\n" ALU,
	  "throughput:AMOADD_D", 6, 1 },
	{ "a short latency is not that of an endless chain",
	  WIDE "form MUL: ports=a, latency=4, latency_short=1, until=32\n" ALU,
	  "latency:MUL@1>0", 4, 1 },
	{ "but that of one which does not wait",
	  WIDE "form MUL: ports=a, latency=4, latency_short=2, until=999\n" ALU,
	  "latency:MUL@1>0", 2, 1 },
	{ "a listed pair has one latency",
	  WIDE
	  "form MUL: ports=a, latency=4, latency[1>0]=3, latency_short=2, until=999\n" ALU,
	  "latency:MUL@1>0", 3, 1 },
	{ "the second state",
	  WIDE "form MUL: ports=a, slow_share=100, slow_occupancy=3\n" ALU,
	  "throughput:MUL", 3, 1 },
	{ "the second state in order",
	  DUAL "form MUL: ports=a, slow_share=100, slow_occupancy=3\n"
	       "form ADDI?: ports=a|b\n",
	  "throughput:MUL", 3, 1 },
	{ "the second state when least-loaded",
	  WIDE "scheduler = least-loaded\n"
	       "form MUL: ports=a, slow_share=100, slow_occupancy=3\n" ALU,
	  "throughput:MUL", 3, 1 },
#define VECTORS                                            \
	"form VADD_VV.e8,m1: ports=a, latency=2\n"         \
	"form VADD_VV.e64,m1: ports=a, latency=7\n"        \
	"form VADD_VV.e64,m1,masked: ports=a, latency=9\n" \
	"form .*: ports=b\n"
	{ "a vector type makes another form", WIDE VECTORS,
	  "latency:VADD_VV/e8,m1@1>0", 2, 1 },
	{ "so does another one", WIDE VECTORS, "latency:VADD_VV/e64,m1@1>0", 7,
	  1 },
	{ "and a mask", WIDE VECTORS, "latency:VADD_VV/e64,m1,masked@1>0", 9,
	  1 },
#define KINDS                                           \
	"form ADDI?: ports=a|b, class=alu\n"            \
	"form MUL: ports=m, class=mul, latency=3\n"     \
	"form DIV: ports=m, pairing=div, occupancy=9\n" \
	"form .*: ports=a|b\n"
	{ "an in-order core starts two at once", DUAL KINDS, "throughput:ADD",
	  1, 2 },
	{ "not if there are rules and none is for them",
	  DUAL "pair alu>mul\n" KINDS, "throughput:ADD", 1, 1 },
	{ "a class may pair with itself", DUAL "pair alu>alu\n" KINDS,
	  "throughput:ADD", 1, 2 },
	{ "two classes pair", DUAL "pair alu>mul\n" KINDS, "throughput:ADD+MUL",
	  1, 1 },
	{ "in the order of the rule", DUAL "pair alu>mul\n" KINDS,
	  "throughput:ADD+MUL+XOR", 2, 1 },
	{ "and no other", DUAL "pair mul>alu\n" KINDS, "throughput:ADD+MUL+XOR",
	  3, 1 },
	{ "pairing names a class of its own", DUAL "pair alu>div\n" KINDS,
	  "throughput:ADD+DIV", 9, 1 },
	{ "one port is not for two", DUAL "pair mul>mul\n" KINDS,
	  "throughput:MUL", 1, 1 },
	{ "the first leaves its port to the second",
	  DUAL "pair alu>sub\nform SUB: ports=a, class=sub\n" KINDS,
	  "throughput:ADD+SUB", 1, 1 },
	{ "two slots fill a cycle",
	  DUAL "pair alu>alu\nform XOR: ports=m, uops=2, class=alu\n" KINDS,
	  "throughput:ADD+XOR", 2, 1 },
	{ "what waits in order holds up the rest", DUAL KINDS,
	  "latency:MUL@1>0+ADD@1>0", 4, 1 },
	{ "a unit without a pipeline holds up the next of its kind only",
	  DUAL KINDS, "throughput:DIV+ADD", 9, 1 },
	{ "a dependency keeps a pair apart", DUAL "pair alu>alu\n" KINDS,
	  "latency:ADD@1>0", 1, 1 },
	{ "several uops of an in-order instruction share its ports",
	  DUAL "form XOR: ports=3*a|b\n" KINDS, "throughput:XOR", 2, 1 },
	{ "floating point registers carry chains",
	  WIDE "form FADD_D: ports=m, latency=4\n" ALU, "latency:FADD_D@2>0", 4,
	  1 },
};

/* Make the pack of one experiment; free() its bytes. */
static void *make_pack(const char *label)
{
	struct err e = { 0 };
	struct experiment x;
	struct buffer pack;
	struct gen_profile p = gen_profile(20000);
	struct gen *g = gen_new(catalogue_of("riscv64"), &p);

	if (experiment_parse(catalogue_of("riscv64"), label, &x, &e) !=
		    ERR_OK ||
	    gen_add(g, &x, &e) != ERR_OK || gen_finish(g, &pack, &e) != ERR_OK)
		fail_msg("%s", e.message);
	gen_free(g);
	return pack.bytes;
}

static void measure(const char *core, const char *label,
		    struct fake_sample *ret, struct pack_kernel *ret_kernel)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	SCOPED(core_free) struct core c;
	void *pack = make_pack(label);
	struct fake_board *b;

	assert_ok(parse(&a, core, &c, &e), &e);
	b = fake_board_new(catalogue_of("riscv64"), &c, pack);
	assert_null(fake_board_calibrate(b));
	fake_board_measure(b, 0, ret);
	*ret_kernel = pack_kernels(pack)[0];
	fake_board_free(b);
	held_free(pack);
}

TEST_ROWS(a_kernel_costs_what_the_file_says, truths, name,
	  const struct truth *t)
{
	struct pack_kernel k;
	struct fake_sample m;

	measure(t->core, t->label, &m, &k);
	assert_null(m.fault);
	assert_int_equal(m.row, 3);
	/* Slope between any two lengths; n * unroll is a multiple of `per`
	 * or the counter rounds up by less than a cycle. */
	for (int i = 1; i < PACK_LENGTHS; i++) {
		double bodies = (double)m.n * (k.unroll[i] - k.unroll[i - 1]);
		double ticks = (double)(m.values[i] - m.values[i - 1]);
		double error = ticks - bodies * t->cycles / t->per;

		if (error > 1 || error < -1)
			fail_msg("%g cycles, not %u/%u: off by %g in %g bodies",
				 ticks / bodies, t->cycles, t->per, error,
				 bodies);
	}
}

TEST(long_loops_are_extrapolated_exactly)
{
	const uint32_t cycles[] = { 10, 13, 15, 18, 20 };
	const struct fake_timing t = {
		.n_known = 5,
		.n_period = 2,
		.period_cycles = 5,
		.cycles = cycles,
		.bound_ports = 1,
	};

	assert_int_equal(fake_cycles(&t, 0), 0);
	assert_int_equal(fake_cycles(&t, 1), 10);
	assert_int_equal(fake_cycles(&t, 5), 20);
	assert_int_equal(fake_cycles(&t, 6), 23);
	assert_int_equal(fake_cycles(&t, 7), 25);
	assert_int_equal(fake_cycles(&t, 1000005), 20 + 2500000);
}

TEST(a_form_without_a_line_is_illegal)
{
	struct pack_kernel k;
	struct fake_sample m;

	measure(WIDE "form ADDI: ports=a\n", "throughput:MUL", &m, &k);
	assert_string_equal(m.fault, "illegal");
}

TEST(a_faulting_form_faults_where_it_stands)
{
	struct pack_kernel k;
	struct fake_sample m;

	measure(WIDE "form MUL: fault=access\nform .*: ports=a\n",
		"throughput:ADD+MUL", &m, &k);
	assert_string_equal(m.fault, "access");
	assert_int_equal(m.fault_pc, 4);
}
