/* Import of LLVM's scheduling models: ports, latencies, bypasses. */
#include "host/isa/catalogue.h"
#include "host/isa/mc_sched.h"
#include "host/isa/tables.h"
#include "host/isa/variant.h"
#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

static void assert_latency(const struct world *w, const char *name, int from,
			   int to, double cycles)
{
	struct model_span s = model_latency(known(w->m, name), from, to);

	if (!s.has_value || s.low != cycles || s.high != cycles)
		fail_msg("%s %d>%d: %g..%g, expected %g", name, from, to, s.low,
			 s.high, cycles);
}

static void assert_uses(struct world *w, const char *name, const char *text)
{
	const struct model_form *f = known(w->m, name);
	char all[256] = "";

	for (size_t i = 0; i < f->n_uses; i++) {
		size_t n = strlen(all);

		(void)snprintf(all + n, sizeof(all) - n, "%s%gx%g %s",
			       i > 0 ? ", " : "", f->uses[i].n_uops,
			       f->uses[i].cycles,
			       model_ports_text(&w->a, w->m, f->uses[i].ports));
	}
	assert_string_equal(all, text);
}

TEST(accumulator_is_early)
{
	SCOPED(close_world)
	struct world w = open_world("aarch64", "neoverse-v2");
	const struct model_form *fmadd = known(w.m, "FMADDDrrr");
	const struct model_form *fadd = known(w.m, "FADDDrr");

	assert_latency(&w, "FMADDDrrr", 1, 0, 4);
	assert_latency(&w, "FMADDDrrr", 2, 0, 4);
	assert_latency(&w, "FMADDDrrr", 3, 0, 2);
	assert_latency(&w, "MADDXrrr", 3, 0, 1);
	/* The read advance applies only to results of the same kind. */
	assert_float_equal(model_bypass(w.m, fmadd, fmadd, 3), 0, 0);
	assert_float_equal(model_bypass(w.m, fadd, fmadd, 3), 2, 0);
	assert_float_equal(model_bypass(w.m, fadd, fmadd, 1), 0, 0);
	assert_float_equal(model_bypass(w.m, fmadd, fadd, 1), 0, 0);
}

TEST(loaded_operand_is_late)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "skylake");

	assert_latency(&w, "ADD32rm", 1, 0, 1);
	assert_latency(&w, "ADD32rm", 2, 0, 6);
	assert_latency(&w, "VADDPDYrm", 2, 0, 11);
	assert_latency(&w, "VADDPDYrm", 1, 0, 4);
}

TEST(groups_become_sets)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "skylake");

	/* The published width; LLVM's issue width is 6. */
	assert_float_equal(w.m->width.low, 4, 0);
	assert_uses(&w, "ADD64rr", "1x1 SKLPort0|SKLPort1|SKLPort5|SKLPort6");
	assert_uses(&w, "ADD64rm",
		    "1x1 SKLPort2|SKLPort3, "
		    "1x1 SKLPort0|SKLPort1|SKLPort5|SKLPort6");
	assert_uses(&w, "MULX64rr", "1x1 SKLPort1, 1x1 SKLPort5");
	assert_uses(&w, "VDIVPDYrr", "1x8 SKLFPDivider, 1x1 SKLPort0");
	for (size_t i = 0; i < w.m->n_ports; i++)
		assert_int_equal(w.m->ports[i].pseudo,
				 strstr(w.m->ports[i].name, "Divider") != NULL);
}

/* Loads use all three units, stores two of them. */
TEST(parts_of_a_unit)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "znver4");

	assert_uses(&w, "MOV64rm",
		    "1x1 Zn4AGU0|Zn4AGU1|Zn4AGU2, "
		    "1x1 Zn4LSU.0|Zn4LSU.1|Zn4LSU.2");
	assert_int_equal(
		model_ports_count(known(w.m, "MOV64mr")->uses[1].ports), 2);
}

/* LEA has only variants.  LLVM has no divisions by value. */
TEST(variants)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "skylake");

	assert_latency(&w, "LEA64r/r64,disp8", 1, 0, 1);
	assert_non_null(model_find(w.m, "DIV64r"));
	assert_null(model_find(w.m, "DIV64r/slow"));
}

TEST(idioms)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "znver4");

	assert_true(known(w.m, "XOR32rr")->zero_idiom);
	assert_false(known(w.m, "XOR32rr")->eliminated);
	assert_false(known(w.m, "ADD32rr")->zero_idiom);
	assert_true(known(w.m, "MOV64rr")->eliminated);
	assert_latency(&w, "MOV64rr", 1, 0, 0);
	assert_int_equal(known(w.m, "MOV64rr")->n_uses, 0);
}

/* LLVM's charge of every resource is at most the bound of the model's uses, and
 * equal to it if no union of ports other than LLVM's groups is the
 * bottleneck. */
static void check_charges(const struct world *w, const struct tables *t,
			  struct mc_sched *s, const struct form *f,
			  size_t *n_equal, size_t *n_more)
{
	const struct model_form *m = model_find(w->m, f->name);
	struct mc_inst bare = { .opcode = f->opcode };
	struct mc_sched_class k;
	const char *name;
	double most = 0;

	if (!m || m->eliminated || model_is_corrected(m) ||
	    mc_sched_varies(s, f->opcode))
		return;
	(void)tables_find(t, f, &name, &bare.opcode);
	assert_true(mc_sched_get_class(s, mc_sched_find(s, &bare), &k));
	most = k.n_uops / w->m->width.low;
	for (size_t i = 0; i < k.n_uses; i++) {
		struct mc_resource r;
		double cycles;

		mc_sched_get_resource(s, k.uses[i].resource, &r);
		cycles = (double)k.uses[i].cycles / r.n_units;
		most = cycles > most ? cycles : most;
	}
	if (m->throughput.low < most - 1e-9)
		fail_msg("%s %s: %g, LLVM %g", w->m->cpu, f->name,
			 m->throughput.low, most);
	(*(m->throughput.low < most + 1e-9 ? n_equal : n_more))++;
}

TEST(nothing_is_lost)
{
	static const char *const cpus[][2] = {
		{ "x86_64", "skylake" },          { "x86_64", "znver4" },
		{ "x86_64", "sapphirerapids" },   { "x86_64", "btver2" },
		{ "x86_64", "haswell" },          { "aarch64", "neoverse-v2" },
		{ "aarch64", "thunderx2t99" },    { "aarch64", "a64fx" },
		{ "aarch64", "cortex-a57" },      { "riscv64", "sifive-p670" },
		{ "riscv64", "sifive-7-series" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		SCOPED(close_world)
		struct world w = open_world(cpus[i][0], cpus[i][1]);
		const struct tables *t = tables_new(&w.a, w.c);
		size_t n_equal = 0, n_more = 0;
		struct mc_sched *s;
		struct err e = { 0 };

		assert_ok(mc_sched_open(w.c->isa->triple, cpus[i][1], &s, &e),
			  &e);
		for (size_t k = 0; k < w.c->n_forms; k++)
			check_charges(&w, t, s, &w.c->forms[k], &n_equal,
				      &n_more);
		assert_true(n_equal > 100);
		assert_true(n_more * 20 < n_equal);
		mc_sched_close(s);
	}
}

/* Costs of a vector type are those of its grouping and width. */
TEST(vector_types)
{
	SCOPED(close_world)
	struct world w = open_world("riscv64", "sifive-p670");
	size_t n = 0, n_known = 0;

	assert_float_equal(known(w.m, "VADD_VV/e32,m1")->throughput.low, 0.5,
			   0);
	assert_float_equal(known(w.m, "VADD_VV/e32,m8,masked")->throughput.low,
			   4, 0);
	assert_string_equal(known(w.m, "VFADD_VF/e64,m1")->evidence,
			    "as PseudoVFADD_VFPR64_M1_E64");
	assert_string_equal(known(w.m, "VLUXEI32_V/e16,m1")->evidence,
			    "as PseudoVLUXEI32_V_M2_M1");
	assert_string_equal(known(w.m, "VRGATHEREI16_VV/e32,m2")->evidence,
			    "as PseudoVRGATHEREI16_VV_M2_E32_M1");
	assert_string_equal(known(w.m, "VCPOP_M/e8,m1")->evidence,
			    "as PseudoVCPOP_M_B8");
	/* LLVM's tables do not depend on values. */
	assert_null(model_find(w.m, "VDIV_VV/e32,m1,fast"));
	for (size_t i = 0; i < w.c->n_forms; i++) {
		const struct form *f = &w.c->forms[i];

		if (!f->variant || !f->variant->vector_type ||
		    form_family(f) != FAMILY_VECTOR)
			continue;
		n++;
		n_known += model_find(w.m, f->name) != NULL;
	}
	assert_true(n > 10000 && n_known * 100 > n * 99);
}

TEST(in_order)
{
	SCOPED(close_world)
	struct world w = open_world("aarch64", "cortex-a55");

	assert_true(w.m->in_order);
	assert_int_equal(w.m->reorder_buffer, 0);
}

static bool has_note(const struct world *w, const char *text)
{
	for (size_t i = 0; i < w->m->n_notes; i++)
		if (strcmp(w->m->notes[i], text) == 0)
			return true;
	return false;
}

/* A placeholder of 100 cycles is not a value. */
TEST(placeholders_are_absent)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "znver4");

	assert_null(model_find(w.m, "CPUID"));
	assert_true(has_note(&w, "LLVM has the same tables for znver5."));
}

TEST(what_llvm_lacks)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "riscv64", NULL);
	struct err e = { 0 };
	struct model *m;

	assert_int_equal(import_llvm(&a, c, "spacemit-x60", &m, &e), ERR_INPUT);
	assert_string_equal(
		e.message,
		"CPU 'spacemit-x60': LLVM has no scheduling model of it; it "
		"has some of rocket, sifive-7-series, sifive-p450, "
		"sifive-p670, syntacore-scr1-base, syntacore-scr3-rv32, "
		"syntacore-scr3-rv64, xiangshan-nanhu");
	e = (struct err){ 0 };
	assert_int_equal(import_llvm(&a, c, "none-such", &m, &e), ERR_INPUT);
	catalogue_free(c);
}
