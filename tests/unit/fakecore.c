/* The invented core: what its file may say, and that kernels on it cost what
 * the file says, to the last digit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/gen/gen.h"
#include "host/link/fake_core.h"
#include "host/link/fake_measure.h"
#include "host/store/experiment.h"

/* ---- the file --------------------------------------------------------- */

static int parse(struct arena *a, const char *text, struct core *ret,
		 struct err *e)
{
	return core_parse(a, "x.core", arena_strdup(a, text), strlen(text), ret,
			  e);
}

static void a_whole_file_is_read(void **state)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct core c;
	const struct core_form *f;

	(void)state;
	if (parse(&a,
		  "# comment\r\n\n isa = riscv64\ncpu=mine\nclock = ref\n"
		  "hz = 2.5e\n",
		  &c, &e) != ERR_INPUT)
		fail_msg("2.5e is no number");
	e = (struct err){ 0 };
	if (parse(&a,
		  "# comment\r\n\n isa = riscv64\ncpu=mine\nclock = ref\n"
		  "hz = 25000000\nghz = 1.5\norder = in\nwidth = 4\n"
		  "window=100\nports = p0 p1 ld st\noverhead = 33\nseed = 9\n"
		  "noise = 0.5\ndrop = 3\nscheduler = least-loaded\n"
		  "forward fma>fma = -2\n"
		  "form (ADD|SUB): ports=p0|p1 + 2*ld|st, uops=5, latency=3, "
		  "latency[2>0]=4, latency[FFLAGS>0]=7, occupancy=2, "
		  "class=fma, zero_idiom\n"
		  "form MV: eliminated\nform BAD: fault=align\n",
		  &c, &e) != ERR_OK)
		fail_msg("%s", e.message);
	assert_string_equal(c.isa, "riscv64");
	assert_string_equal(c.cpu, "mine");
	assert_true(c.ref_clock && c.in_order && c.least_loaded);
	assert_true(c.hz == 25e6 && c.ghz == 1.5 && c.noise == 0.5);
	assert_int_equal(c.width, 4);
	assert_int_equal(c.window, 100);
	assert_int_equal(c.overhead, 33);
	assert_int_equal(c.seed, 9);
	assert_int_equal(c.n_ports, 4);
	assert_int_equal(c.n_forms, 3);
	f = core_find(&c, "SUB");
	assert_non_null(f);
	assert_int_equal(f->n_uops, 5);
	assert_int_equal(f->n_port_uops, 3);
	assert_int_equal(f->ports[0], 3);
	assert_int_equal(f->ports[1], 12);
	assert_int_equal(f->ports[2], 12);
	assert_int_equal(f->latency, 3);
	assert_int_equal(f->n_latencies, 2);
	assert_string_equal(f->latencies[1].src, "FFLAGS");
	assert_int_equal(f->latencies[1].cycles, 7);
	assert_int_equal(f->occupancy, 2);
	assert_true(f->zero_idiom);
	assert_int_equal(c.forward[f->class_id][f->class_id], -2);
	assert_true(core_find(&c, "MV")->eliminated);
	assert_string_equal(core_find(&c, "BAD")->fault, "align");
	assert_null(core_find(&c, "ADDI"));
	core_free(&c);
	arena_free(&a);
}

#define HEAD "isa = riscv64\nwidth = 1\nports = p q\n"

static void the_first_match_wins(void **state)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct core c;

	(void)state;
	assert_int_equal(
		parse(&a, HEAD "form A.*: ports=p\nform AB: ports=q\n", &c, &e),
		ERR_OK);
	assert_int_equal(core_find(&c, "AB")->ports[0], 1);
	core_free(&c);
	arena_free(&a);
}

static const struct bad_core {
	const char *name, *text, *says;
} bad_cores[] = {
	{ "empty file", "", "isa = ..." },
	{ "no width", "isa = x\nports = p\nform A: ports=p\n", "width = ..." },
	{ "no forms", HEAD, "form PATTERN" },
	{ "no ports", "isa = x\nwidth = 1\nform A: ports=p\n", ":3:" },
	{ "unknown key", "colour = red\n", ":1:" },
	{ "key twice", "isa = x\nisa = x\n", ":2:" },
	{ "ports twice", "ports = a\nports = b\n", ":2:" },
	{ "no ports named", "ports =\n", ":1:" },
	{ "too many ports", "ports = a b c d e f g h i j k l m n o p q\n",
	  "at most 16" },
	{ "line without equals", "isa\n", ":1:" },
	{ "isa of two words", "isa = a b\n", ":1:" },
	{ "width 0", "width = 0\n", "from 1 to 32" },
	{ "width too large", "width = 33\n", "from 1 to 32" },
	{ "width not whole", "width = 1.5\n", "whole" },
	{ "width negative", "width = -1\n", "from 1 to 32" },
	{ "width not a number", "width = four\n", "from 1 to 32" },
	{ "window too large", "window = 1025\n", "1024" },
	{ "noise over 100", "noise = 101\n", "from 0 to 100" },
	{ "noise infinite", "noise = inf\n", "from 0 to 100" },
	{ "two points", "noise = 1.2.3\n", "from 0 to 100" },
	{ "only a point", "noise = .\n", "from 0 to 100" },
	{ "hz too small", "hz = 1000\n", "from 1e+06" },
	{ "unknown clock", "clock = wall\n", "ref or core" },
	{ "unknown scheduler", "scheduler = fair\n", "optimal" },
	{ "forward without arrow", "forward a = 1\n", "PRODUCER>CONSUMER" },
	{ "forward without class", "forward >b = 1\n", "classes" },
	{ "forward of no number", "forward a>b = x\n", "cycles" },
	{ "pair without arrow", "pair a b\n", "FIRST>SECOND" },
	{ "pair without class", "pair a>\n", "classes" },
	{ "pair of three", "pair a>b>c\n", "classes" },
	{ "pair with a value", "pair a>b = 1\n", "classes" },
	{ "pair on a wide core",
	  "isa = x\norder = in\nwidth = 3\npair a>b\n"
	  "ports = p\nform A: ports=p\n",
	  ":4: `order = in` and `width = 2`" },
	{ "pair out of order", "pair a>b\n" HEAD "form A: ports=p\n",
	  ":1: `order = in`" },
	{ "pairing without a name", HEAD "form A: ports=p, pairing=\n",
	  "short name" },
	{ "form without colon", HEAD "form A\n", ":4:" },
	{ "form without attributes", HEAD "form A:\n", ":4:" },
	{ "form without pattern", HEAD "form : ports=p\n", "pattern" },
	{ "form with bad pattern", HEAD "form (A: ports=p\n", "regular" },
	{ "pattern with bounds", HEAD "form A{99}: ports=p\n", "{}" },
	{ "pattern with back reference", HEAD "form (A)\\1: ports=p\n",
	  "back references" },
	{ "pattern that doubles too often", HEAD "form A+++++++++: ports=p\n",
	  "8 +" },
	{ "unknown attribute", HEAD "form A: ports=p, size=3\n", "zero_idiom" },
	{ "attribute without value", HEAD "form A: ports\n", "ports: a value" },
	{ "flag with value", HEAD "form A: eliminated=1\n", "no value" },
	{ "unknown port", HEAD "form A: ports=r\n", "`ports` line" },
	{ "too many uops", HEAD "form A: ports=9*p\n", "at most 8" },
	{ "too many uops in sum", HEAD "form A: ports=5*p+4*q\n", "at most 8" },
	{ "fewer uops than ports", HEAD "form A: ports=p+q, uops=1\n",
	  "at least" },
	{ "latency too long", HEAD "form A: ports=p, latency=1001\n", "1000" },
	{ "latency of one operand", HEAD "form A: ports=p, latency[1]=1\n",
	  "latency[2>0]=4" },
	{ "latency of no operand", HEAD "form A: ports=p, latency[>0]=1\n",
	  "two operands" },
	{ "latency without bracket", HEAD "form A: ports=p, latency[1>0=1\n",
	  "latency[2>0]=4" },
	{ "occupancy 0", HEAD "form A: ports=p, occupancy=0\n", "1 to 1000" },
	{ "unknown fault", HEAD "form A: fault=boom\n", "illegal" },
	{ "eliminated with ports", HEAD "form A: eliminated, ports=p\n",
	  "neither" },
};

static void core_is_refused(void **state)
{
	const struct bad_core *bad = *state;
	struct arena a = { 0 };
	struct err e = { 0 };
	struct core c = { .width = 77 };

	assert_int_equal(parse(&a, bad->text, &c, &e), ERR_INPUT);
	assert_non_null(strstr(e.message, "x.core"));
	if (!strstr(e.message, bad->says))
		fail_msg("'%s' does not say '%s'", e.message, bad->says);
	assert_int_equal(c.width, 77);
	arena_free(&a);
}

/* ---- the core --------------------------------------------------------- */

/* One catalogue for all: loading takes most of a second. */
struct world {
	struct arena arena;
	struct catalogue *catalogue;
};

static struct world world;

static int load_catalogue(void **state)
{
	struct err e = { 0 };

	(void)state;
	return catalogue_load(&world.arena, isa_find("riscv64"), NULL,
			      &world.catalogue, &e);
}

static int free_catalogue(void **state)
{
	(void)state;
	catalogue_free(world.catalogue);
	arena_free(&world.arena);
	return 0;
}

/* A kernel on a core, and the cycles of one body times `per`. */
static const struct truth {
	const char *name, *core, *label;
	unsigned cycles, per;
} truths[] = {
#define WIDE                                       \
	"isa = riscv64\nwidth = 4\nwindow = 256\n" \
	"ports = a b c d m l\n"
#define ALU "form ADDI?: ports=a|b|c|d\n"
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
#define DUAL                                     \
	"isa = riscv64\norder = in\nwidth = 2\n" \
	"ports = a b m\n"
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
	struct gen *g = gen_new(world.catalogue, &p);

	if (experiment_parse(world.catalogue, label, &x, &e) != ERR_OK ||
	    gen_add(g, &x, &e) != ERR_OK || gen_finish(g, &pack, &e) != ERR_OK)
		fail_msg("%s", e.message);
	gen_free(g);
	return pack.bytes;
}

static void measure(const char *core, const char *label,
		    struct fake_sample *ret, struct pack_kernel *ret_kernel)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct core c;
	void *pack = make_pack(label);
	struct fake_board *b;

	if (parse(&a, core, &c, &e) != ERR_OK)
		fail_msg("%s", e.message);
	b = fake_board_new(world.catalogue, &c, pack);
	assert_null(fake_board_calibrate(b));
	fake_board_measure(b, 0, ret);
	*ret_kernel = pack_kernels(pack)[0];
	fake_board_free(b);
	core_free(&c);
	arena_free(&a);
	free(pack);
}

static void a_kernel_costs_what_the_file_says(void **state)
{
	const struct truth *t = *state;
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

static void long_loops_are_extrapolated_exactly(void **state)
{
	const uint32_t cycles[] = { 10, 13, 15, 18, 20 };
	const struct fake_timing t = {
		.n_known = 5,
		.n_period = 2,
		.period_cycles = 5,
		.cycles = cycles,
		.bound_ports = 1,
	};

	(void)state;
	assert_int_equal(fake_cycles(&t, 0), 0);
	assert_int_equal(fake_cycles(&t, 1), 10);
	assert_int_equal(fake_cycles(&t, 5), 20);
	assert_int_equal(fake_cycles(&t, 6), 23);
	assert_int_equal(fake_cycles(&t, 7), 25);
	assert_int_equal(fake_cycles(&t, 1000005), 20 + 2500000);
}

static void a_form_without_a_line_is_illegal(void **state)
{
	struct pack_kernel k;
	struct fake_sample m;

	(void)state;
	measure(WIDE "form ADDI: ports=a\n", "throughput:MUL", &m, &k);
	assert_string_equal(m.fault, "illegal");
}

static void a_faulting_form_faults_where_it_stands(void **state)
{
	struct pack_kernel k;
	struct fake_sample m;

	(void)state;
	measure(WIDE "form MUL: fault=access\nform .*: ports=a\n",
		"throughput:ADD+MUL", &m, &k);
	assert_string_equal(m.fault, "access");
	assert_int_equal(m.fault_pc, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_file_is_read),
		cmocka_unit_test(the_first_match_wins),
		cmocka_unit_test(long_loops_are_extrapolated_exactly),
	};
	const struct CMUnitTest faults[] = {
		cmocka_unit_test(a_form_without_a_line_is_illegal),
		cmocka_unit_test(a_faulting_form_faults_where_it_stands),
	};
	struct CMUnitTest bad[ARRAY_LEN(bad_cores)];
	struct CMUnitTest rows[ARRAY_LEN(truths)];

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		bad[i] = (struct CMUnitTest){
			.name = bad_cores[i].name,
			.test_func = core_is_refused,
			.initial_state = (void *)(uintptr_t)&bad_cores[i],
		};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		rows[i] = (struct CMUnitTest){
			.name = truths[i].name,
			.test_func = a_kernel_costs_what_the_file_says,
			.initial_state = (void *)(uintptr_t)&truths[i],
		};
	return cmocka_run_group_tests_name("file", tests, NULL, NULL) +
	       cmocka_run_group_tests_name("bad files", bad, NULL, NULL) +
	       cmocka_run_group_tests_name("core", rows, load_catalogue,
					   free_catalogue) +
	       cmocka_run_group_tests_name("faults", faults, load_catalogue,
					   free_catalogue);
}
