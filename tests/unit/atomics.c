/* Atomic accesses: what the generator makes of a label costs what a loop does
 * that was written by hand, on invented cores. */
#include "host/experiment/experiment.h"
#include "host/fake/core.h"
#include "host/fake/loop.h"
#include "host/fake/measure.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "tests/unit/unit.h"

enum { CODE_ROOM = 512 };

static const char out_of_order[] =
	"isa = riscv64\nwidth = 2\nwindow = 128\nports = a b l s\n"
	"form LR_.*: ports=l, latency=3\n"
	"form SC_.*: ports=s, latency=5\n"
	"form AMOSWAP.*: ports=l + s, latency=6, latency[mem>mem]=20\n"
	"form AMO.*: ports=l + s, latency=7, latency[mem>mem]=9\n"
	"form .*: ports=a|b\n";
static const char in_order[] =
	"isa = riscv64\norder = in\nwidth = 1\nports = a l\n"
	"form LR_.*: ports=l, latency=4\n"
	"form SC_.*: ports=l, latency=6, occupancy=2\n"
	"form AMO.*: ports=l, latency=11, occupancy=9\n"
	"form .*: ports=a\n";

/* Registers of different numbers point to different places. */
static const struct row {
	const char *label, *text;
	unsigned ops; /* in the text */
} rows[] = {
	{ "latency:LR_D@1>0", "lr.d a1, (a0)\nlr.d a0, (a1)\n", 2 },
	{ "latency:LR_W_AQ@1>0+ADD@1>0", "lr.w.aq a0, (a1)\nadd a1, a0, s2\n",
	  1 },
	{ "throughput:LR_W",
	  "lr.w a0, (s1)\nlr.w a1, (s2)\nlr.w a2, (s3)\nlr.w a3, (s4)\n", 4 },
	{ "throughput:SC_D/pair", "lr.d a0, (s1)\nsc.d a1, a2, (s1)\n", 1 },
	{ "dependent:AMOADD_D", "amoadd.d a0, a1, (s1)\n", 1 },
	{ "dependent:AMOSWAP_W_AQ_RL",
	  "amoswap.w.aqrl a0, a1, (s1)\namoswap.w.aqrl a2, a1, (s1)\n", 2 },
	{ "throughput:AMOADD_D",
	  "amoadd.d a0, s0, (s1)\namoadd.d a1, s0, (s2)\n"
	  "amoadd.d a2, s0, (s3)\namoadd.d a3, s0, (s4)\n"
	  "amoadd.d a4, s0, (s5)\namoadd.d a5, s0, (s6)\n"
	  "amoadd.d a6, s0, (s7)\namoadd.d a7, s0, (s8)\n",
	  8 },
	{ "throughput:AMOMAXU_W_AQ",
	  "amomaxu.w.aq a0, s0, (s1)\namomaxu.w.aq a1, s0, (s2)\n"
	  "amomaxu.w.aq a2, s0, (s3)\namomaxu.w.aq a3, s0, (s4)\n"
	  "amomaxu.w.aq a4, s0, (s5)\namomaxu.w.aq a5, s0, (s6)\n"
	  "amomaxu.w.aq a6, s0, (s7)\namomaxu.w.aq a7, s0, (s8)\n",
	  8 },
};

struct world {
	struct arena a;
	struct catalogue *c;
	struct mc_parser *parser;
};

static int open_world(void **state)
{
	static struct world w;
	const struct isa *isa = isa_find("riscv64");
	struct err e = { 0 };

	*state = &w;
	return catalogue_load(&w.a, isa, NULL, &w.c, &e) != ERR_OK ||
	       mc_parser_open(isa->triple, isa->default_cpu, isa->features,
			      &w.parser, &e) != ERR_OK;
}

static int close_world(void **state)
{
	struct world *w = *state;

	mc_parser_close(w->parser);
	arena_free(&w->a);
	return 0;
}

GROUP(open_world, close_world);

struct code {
	unsigned char bytes[CODE_ROOM];
	size_t n;
};

static int append(void *context, const struct mc_statement *s)
{
	struct code *code = context;

	assert_true(s->n_code > 0 && code->n + s->n_code <= CODE_ROOM);
	memcpy(code->bytes + code->n, s->code, s->n_code);
	code->n += s->n_code;
	return 0;
}

/* Cycles of one op of a row written by hand. */
static double by_hand(struct world *w, const struct core *core,
		      const struct row *r)
{
	struct fake_loop *l = fake_loop_new(w->c, core);
	struct code code = { .n = 0 };
	struct err e = { 0 };
	double cycles = 0;

	assert_ok(mc_parse(w->parser,
			   &(struct mc_text){ "row", r->text, strlen(r->text),
					      0 },
			   append, &code, &e),
		  &e);
	if (fake_loop_cycles(l,
			     &(struct fake_code){ .loop = code.bytes,
						  .loop_bytes = code.n },
			     &cycles, &e) != ERR_OK)
		fail_msg("%s: %s", r->label, e.message);
	fake_loop_free(l);
	return cycles / r->ops;
}

/* The same of the kernel that the label stands for, as it is measured. */
static double by_label(struct world *w, const struct core *core,
		       const struct row *r)
{
	struct gen_profile p = gen_profile(100000);
	struct gen *g = gen_new(w->c, &p);
	struct fake_board *b;
	struct fake_sample m;
	struct experiment x;
	struct buffer pack;
	struct err e = { 0 };
	struct kernel_row row;
	double bodies, ticks;

	if (experiment_parse(w->c, r->label, &x, &e) != ERR_OK ||
	    gen_add(g, &x, &e) != ERR_OK || gen_finish(g, &pack, &e) != ERR_OK)
		fail_msg("%s: %s", r->label, e.message);
	b = fake_board_new(w->c, core, pack.bytes);
	fake_board_measure(b, 0, &m);
	if (m.fault)
		fail_msg("%s: %s", r->label, m.fault);
	gen_kernel_row(g, 0, &row);
	bodies = (double)m.n * (row.unroll[2] - row.unroll[0]);
	ticks = (double)(m.values[2] - m.values[0]);
	fake_board_free(b);
	gen_free(g);
	buffer_free(&pack);
	return ticks / bodies / row.ops_per_body;
}

static void compare(struct world *w, const char *text)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	SCOPED(core_free) struct core core;

	assert_ok(core_parse(&a, "x.core", arena_strdup(&a, text), strlen(text),
			     &core, &e),
		  &e);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		double hand = by_hand(w, &core, &rows[i]);
		double label = by_label(w, &core, &rows[i]);

		/* Whole cycles of a run of 10,000. */
		if (label > hand * 1.001 || label < hand * 0.999)
			fail_msg("%s: %g cycles, by hand %g", rows[i].label,
				 label, hand);
	}
}

TEST(kernels_cost_what_hand_written_ones_do)
{
	compare(*state, out_of_order);
}

TEST(so_they_do_in_order)
{
	compare(*state, in_order);
}
