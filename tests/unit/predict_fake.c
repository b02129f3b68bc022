/* A thousand random loops on random invented cores: what is predicted from the
 * core's description is what its own clock says.  The two are written apart;
 * they share the description and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/link/fake_kernel.h"
#include "host/predict/predict.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/pack_maker.h"

enum {
	N_CORES = 50,
	LOOPS_PER_CORE = 20,
	MAX_LENGTH = 30,
	MAX_BODY = 4 * MAX_LENGTH,
	LONG_RUN = 100000,
};

static const char *const names[] = {
	"ADD",     "SUB",     "XOR",     "MUL",      "DIVU",    "SH1ADD",
	"ADDI",    "SLLI",    "FADD_D",  "FMUL_D",   "FMADD_D", "FDIV_D",
	"FSGNJ_D", "FMV_X_D", "FMV_D_X", "FCVT_D_L",
};

struct rng {
	uint64_t state;
};

/* splitmix64 */
static uint32_t draw(struct rng *r, uint32_t n)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)((z ^ z >> 31) % n);
}

/* ---- a core ------------------------------------------------------------ */

static void draw_form(struct rng *r, struct buffer *b, const char *name,
		      uint32_t n_ports)
{
	uint32_t n = 1 + draw(r, 2);

	buffer_printf(b, "form %s: ", name);
	if (draw(r, 12) == 0) {
		buffer_printf(b, "eliminated\n");
		return;
	}
	buffer_printf(b, "ports=");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t set = 1 + draw(r, (1u << n_ports) - 1);
		const char *between = i > 0 ? " + " : "";

		for (uint32_t p = 0; p < n_ports; p++)
			if (set >> p & 1) {
				buffer_printf(b, "%sp%u", between, p);
				between = "|";
			}
	}
	buffer_printf(b, ", latency=%u, occupancy=%u", 1 + draw(r, 6),
		      draw(r, 5) == 0 ? 1 + draw(r, 4) : 1);
	if (draw(r, 3) == 0)
		buffer_printf(b, ", latency[1>0]=%u", 1 + draw(r, 6));
	if (draw(r, 3) == 0)
		buffer_printf(b, ", uops=%u", n + draw(r, 2));
	if (draw(r, 2) == 0)
		buffer_printf(b, ", class=%c", (int)('a' + draw(r, 2)));
	buffer_printf(b, "\n");
}

static void draw_core(struct rng *r, struct arena *a, struct core *ret)
{
	struct buffer b = { 0 };
	struct err e = { 0 };
	/* Its clock tells 16 sets of ports apart in a loop. */
	uint32_t n_ports = 1 + draw(r, 4);

	bool in_order = draw(r, 3) == 0, pairs = in_order && draw(r, 2) == 0;

	buffer_printf(&b, "isa = riscv64\nwidth = %u\nwindow = %u\n%sports =",
		      pairs ? 2 : 1 + draw(r, 8), 8 + draw(r, 200),
		      in_order ? "order = in\n" : "");
	for (uint32_t p = 0; p < n_ports; p++)
		buffer_printf(&b, " p%u", p);
	buffer_printf(&b, "\nforward a>b = 1\nforward a>a = -1\n");
	if (pairs)
		buffer_printf(&b, "pair a>b\npair b>b\n");
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		draw_form(r, &b, names[i], n_ports);
	buffer_add(&b, "", 1);
	if (core_parse(a, "random.core", arena_strdup(a, (char *)b.bytes),
		       b.n - 1, ret, &e) != ERR_OK)
		fail_msg("%s\n%s", e.message, (char *)b.bytes);
	buffer_free(&b);
}

/* ---- the same core as a model ------------------------------------------ */

static struct model_span exactly(double x)
{
	return (struct model_span){ true, x, x };
}

static void copy_form(struct arena *a, const struct core *core,
		      const struct core_form *f, const char *name,
		      struct model_form *ret)
{
	struct model_use *uses =
		ARENA_ARRAY(a, struct model_use, CORE_MAX_UOPS);
	struct model_latency *l =
		ARENA_ARRAY(a, struct model_latency, 1 + f->n_latencies);

	*ret = (struct model_form){
		.name = name,
		.slots = exactly(f->n_uops),
		.has_ports = true,
		.n_uses = f->n_port_uops,
		.uses = uses,
		.n_latencies = 1 + f->n_latencies,
		.latencies = l,
		.eliminated = f->eliminated,
		.bypass = f->class_id,
		.pairing = core->has_pairs ? f->pairing_id : 0,
	};
	for (uint32_t u = 0; u < f->n_port_uops; u++)
		uses[u] = (struct model_use){
			.ports = f->ports[u],
			.n_uops = 1,
			.cycles = u == 0 ? f->occupancy : 1,
		};
	l[0] = (struct model_latency){
		MODEL_ANY, MODEL_ANY, exactly(f->latency), { 0 }
	};
	for (size_t i = 0; i < f->n_latencies; i++)
		l[1 + i] = (struct model_latency){
			(int8_t)atoi(f->latencies[i].src),
			(int8_t)atoi(f->latencies[i].dst),
			exactly(f->latencies[i].cycles),
			{ 0 }
		};
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void copy_core(struct arena *a, const struct core *core,
		      const struct catalogue *c, struct model *ret)
{
	const char *sorted[ARRAY_LEN(names)];
	struct model_form *forms =
		ARENA_ARRAY(a, struct model_form, ARRAY_LEN(names));
	struct model_port *ports =
		ARENA_ARRAY(a, struct model_port, core->n_ports);
	double(*bypass)[MODEL_MAX_CLASSES] =
		arena_alloc(a, core->n_classes, sizeof(*bypass));
	bool(*pairs)[MODEL_MAX_CLASSES] =
		arena_alloc(a, core->n_classes, sizeof(*pairs));
	const char **classes = ARENA_ARRAY(a, const char *, core->n_classes);
	struct err e = { 0 };

	memcpy(sorted, names, sizeof(names));
	qsort(sorted, ARRAY_LEN(names), sizeof(*sorted), by_name);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		copy_form(a, core, core_find(core, sorted[i]), sorted[i],
			  &forms[i]);
	for (size_t p = 0; p < core->n_ports; p++)
		ports[p].name = core->ports[p];
	for (size_t i = 0; i < core->n_classes; i++) {
		classes[i] = core->classes[i];
		for (size_t k = 0; k < core->n_classes; k++)
			bypass[i][k] = core->forward[i][k];
		memcpy(pairs[i], core->pair[i],
		       core->n_classes * sizeof(**pairs));
	}
	*ret = (struct model){
		.isa = "riscv64",
		.cpu = "random",
		.source = "random.core",
		.width = exactly(core->width),
		.reorder_buffer = core->window,
		.n_ports = core->n_ports,
		.ports = ports,
		.n_forms = ARRAY_LEN(names),
		.forms = forms,
		.n_bypass = core->n_classes,
		.bypass_names = classes,
		.bypass = bypass,
		.in_order = core->in_order,
		.n_pairs = core->has_pairs ? core->n_classes : 0,
		.pair_names = classes,
		.pairs = pairs,
	};
	if (model_check(ret, c, &e) != ERR_OK)
		fail_msg("%s", e.message);
}

/* ---- a loop ------------------------------------------------------------ */

static size_t draw_loop(struct rng *r, const struct catalogue *c,
			unsigned char *code)
{
	uint32_t length = 2 + draw(r, MAX_LENGTH - 1);
	size_t n = 0;

	for (uint32_t i = 0; i < length; i++) {
		const struct form *f =
			form(c, names[draw(r, (uint32_t)ARRAY_LEN(names))]);
		struct instance x = { .form = f };

		for (unsigned k = 0; k < f->n_explicit; k++) {
			const struct operand *o = &f->operands[k];
			const struct reg_class *class;

			x.imm[k] = o->imm;
			if (o->kind != OPERAND_REG ||
			    o->reg_class == CLASS_NONE)
				continue;
			class = &c->classes[o->reg_class];
			/* Few registers: much to wait for. */
			x.reg[k] = class->regs[draw(r, 10)];
			if (o->tied_to >= 0)
				x.reg[k] = x.reg[o->tied_to];
		}
		n += instance_encode(c, &x, code + n, MAX_BODY - n);
	}
	return n;
}

static double fake_clock(struct arena *a, const struct catalogue *c,
			 const struct core *core, const unsigned char *code,
			 size_t n)
{
	struct pack_maker_kernel kernel = { .label = "x",
					    .body = code,
					    .n_body = n };
	struct pack_maker maker = { .isa = PACK_ISA_RISCV64,
				    .n = 1,
				    .kernels = &kernel };
	void *pack = pack_maker_make(&maker);
	struct fake_decoder *d = fake_decoder_new(c, core, pack);
	struct fake_simulator *s = fake_simulator_new(core);
	struct fake_kernel k;
	struct fake_timing t;
	double cycles;

	fake_decode(d, 0, &k);
	if (k.fault)
		fail_msg("fault: %s", k.fault);
	fake_simulate(s, a, &k, 0, false, &t);
	cycles = (double)(fake_cycles(&t, 2 * LONG_RUN) -
			  fake_cycles(&t, LONG_RUN)) /
		 LONG_RUN;
	fake_simulator_free(s);
	fake_decoder_free(d);
	free(pack);
	return cycles;
}

static double predicted(struct arena *a, const struct catalogue *c,
			const struct model *m, const unsigned char *code,
			size_t n)
{
	struct predict_options how = { .policy = SIM_IDEAL_PORTS };
	struct program p = { .c = c };
	struct loop loop = { .label = "" };
	struct prediction x;
	struct err e = { 0 };

	if (program_add_bytes(a, &p, "loop", code, n, 0, DATA_REFUSED, &e) !=
	    ERR_OK)
		fail_msg("%s", e.message);
	loop.last = p.n - 1;
	if (predict(a, &p, &loop, m, &how, &x, &e) != ERR_OK)
		fail_msg("%s", e.message);
	return x.cycles;
}

static void test_random_loops(void **state)
{
	struct arena all = { 0 };
	struct catalogue *c = load(&all, "riscv64", NULL);
	struct rng r = { 1 };
	unsigned n_bad = 0;

	(void)state;
	for (int i = 0; i < N_CORES; i++) {
		struct arena a = { 0 };
		struct core core;
		struct model m;

		draw_core(&r, &a, &core);
		copy_core(&a, &core, c, &m);
		for (int k = 0; k < LOOPS_PER_CORE; k++) {
			unsigned char code[MAX_BODY];
			size_t n = draw_loop(&r, c, code);
			double want = fake_clock(&a, c, &core, code, n);
			double have = predicted(&a, c, &m, code, n);

			if (fabs(have - want) <= 0.01 * want)
				continue;
			n_bad++;
			print_error("core %d loop %d: %g cycles, its clock "
				    "says %g\n",
				    i, k, have, want);
		}
		core_free(&core);
		arena_free(&a);
	}
	catalogue_free(c);
	arena_free(&all);
	assert_int_equal(n_bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
