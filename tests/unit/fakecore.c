/* The file of an invented core: accepted and refused contents. */
#include "host/fake/core.h"
#include "tests/unit/unit.h"

static int parse(struct arena *a, const char *text, struct core *ret,
		 struct err *e)
{
	return core_parse(a, "x.core", arena_strdup(a, text), strlen(text), ret,
			  e);
}

TEST(a_whole_file_is_read)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	SCOPED(core_free) struct core c;
	const struct core_form *f;

	if (parse(&a,
		  "# comment\r\n\n isa = riscv64\ncpu=mine\nclock = ref\n"
		  "hz = 2.5e\n",
		  &c, &e) != ERR_INPUT)
		fail_msg("2.5e is no number");
	e = (struct err){ 0 };
	assert_ok(
		parse(&a,
		      "# comment\r\n\n isa = riscv64\ncpu=mine\nclock = ref\n"
		      "hz = 25000000\nghz = 1.5\norder = in\nwidth = 4\n"
		      "window=100\nports = p0 p1 ld st\noverhead = 33\nseed = 9\n"
		      "noise = 0.5\ndrop = 3\nscheduler = least-loaded\n"
		      "forward fma>fma = -2\n"
		      "form (ADD|SUB): ports=p0|p1 + 2*ld|st, uops=5, latency=3, "
		      "latency[2>0]=4, latency[FFLAGS>0]=7, occupancy=2, "
		      "class=fma, zero_idiom\n"
		      "form MV: eliminated\nform BAD: fault=align\n",
		      &c, &e),
		&e);
	assert_string_equal(c.isa, "riscv64");
	assert_string_equal(c.cpu, "mine");
	assert_true(c.clock == CLOCK_REF && c.in_order && c.least_loaded);
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
}

#define HEAD "isa = riscv64\nwidth = 1\nports = p q\n"

TEST(the_first_match_wins)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	SCOPED(core_free) struct core c;

	assert_ok(
		parse(&a, HEAD "form A.*: ports=p\nform AB: ports=q\n", &c, &e),
		&e);
	assert_int_equal(core_find(&c, "AB")->ports[0], 1);
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
	  ":4: pairs need `order = in` and `width = 2`" },
	{ "pair out of order", "pair a>b\n" HEAD "form A: ports=p\n",
	  ":1: pairs need `order = in`" },
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
	{ "unknown attribute", HEAD "form A: ports=p, size=3\n",
	  "examples/cores/README.md" },
	{ "short latency without its end",
	  HEAD "form A: ports=p, latency_short=1\n", "until" },
	{ "an end without short latency", HEAD "form A: ports=p, until=1\n",
	  "until" },
	{ "short latency too long",
	  HEAD "form A: ports=p, latency_short=1001, until=1\n", "1000" },
	{ "end of no number",
	  HEAD "form A: ports=p, latency_short=1, until=x\n",
	  "until: expected a whole" },
	{ "a share of nothing", HEAD "form A: ports=p, slow_share=10\n",
	  "slow_occupancy" },
	{ "a share over 100",
	  HEAD "form A: ports=p, slow_share=101, slow_occupancy=2\n",
	  "percent" },
	{ "slow but not held",
	  HEAD "form A: ports=p, slow_share=1, slow_occupancy=0\n",
	  "1 to 1000" },
	{ "attribute without value", HEAD "form A: ports\n",
	  "ports: expected a value" },
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
	{ "a layout of 0", HEAD "form A: ports=p, same_line=0\n", "1 to 1000" },
	{ "a layout of nothing", HEAD "form A: ports=p, dense\n", "1 to 1000" },
	{ "occupancy 0", HEAD "form A: ports=p, occupancy=0\n", "1 to 1000" },
	{ "unknown fault", HEAD "form A: fault=boom\n", "illegal" },
	{ "eliminated with ports", HEAD "form A: eliminated, ports=p\n",
	  "neither" },
};

TEST_ROWS(core_is_refused, bad_cores, name, const struct bad_core *bad)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	struct core c = { .width = 77 };

	assert_int_equal(parse(&a, bad->text, &c, &e), ERR_INPUT);
	assert_part(e.message, "x.core");
	assert_part(e.message, bad->says);
	assert_int_equal(c.width, 77);
}
