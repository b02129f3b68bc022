/* Load/store contention without ports: the bound derived from measured mixes is
 * at most what an invented core takes. */
#include <math.h>

#include "host/base/file.h"
#include "host/fake/core.h"
#include "host/fake/loop.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

enum { MOST = 8, N_MIXES = 4 };

#define LD(d, i) (0x3003u | (d) << 7 | 10u << 15 | (i) << 20)
#define SD(i)    (0x3023u | 11u << 15 | 6u << 20 | (i) << 7)

static const unsigned mixes[N_MIXES][2] = {
	{ 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }
};

/* Cycles that the core's own clock shows for this many accesses. */
static double truth(const struct catalogue *c, const struct core *core,
		    unsigned n_loads, unsigned n_stores)
{
	struct fake_loop *l = fake_loop_new(c, core);
	struct err e = { 0 };
	uint32_t code[2 * MOST];
	double cycles;
	size_t n = 0;

	for (unsigned i = 0; i < n_loads; i++)
		code[n++] = LD(12 + i, 8 * i);
	for (unsigned i = 0; i < n_stores; i++)
		code[n++] = SD(8 * i);
	assert_ok(fake_loop_cycles(
			  l,
			  &(struct fake_code){ .loop = (const void *)code,
					       .loop_bytes = n * 4 },
			  &cycles, &e),
		  &e);
	fake_loop_free(l);
	return cycles;
}

/* Set the results that a measurement of the core would give. */
static void learn(struct world *w, const struct core *core)
{
	struct model_form *forms = ARENA_ARRAY(&w->a, struct model_form, 2);
	struct model_mix *m = ARENA_ARRAY(&w->a, struct model_mix, N_MIXES);

	forms[0] = (struct model_form){
		.name = "LD", .throughput = exactly(truth(w->c, core, 1, 0))
	};
	forms[1] = (struct model_form){
		.name = "SD", .throughput = exactly(truth(w->c, core, 0, 1))
	};
	for (size_t i = 0; i < N_MIXES; i++)
		m[i] = (struct model_mix){
			"LD", "SD", mixes[i][0], mixes[i][1],
			exactly(truth(w->c, core, mixes[i][0], mixes[i][1]))
		};
	w->m->n_forms = 2;
	w->m->forms = forms;
	w->m->n_mixes = N_MIXES;
	w->m->mixes = m;
	w->m->width = exactly(16);
}

static double predicted(struct world *w, unsigned n_loads, unsigned n_stores)
{
	static const struct predict_options usual;
	struct buffer b = { 0 };

	for (unsigned i = 0; i < n_loads; i++)
		buffer_printf(&b, "ld a%u, %u(s2)\n", i, 8 * i);
	for (unsigned i = 0; i < n_stores; i++)
		buffer_printf(&b, "sd t0, %u(s3)\n", 8 * i);
	buffer_add(&b, "", 1);
	world_predict(w, (char *)b.bytes, usual);
	buffer_free(&b);
	return w->p.cycles;
}

static void open_core(struct world *w, const char *text, struct core *ret)
{
	struct err e = { 0 };
	const char *whole =
		arena_printf(&w->a, "isa = riscv64\nwidth = 16\n%s", text);

	assert_ok(core_parse(&w->a, "x.core", arena_strdup(&w->a, whole),
			     strlen(whole), ret, &e),
		  &e);
	learn(w, ret);
}

static bool is_measured(unsigned l, unsigned s)
{
	for (size_t i = 0; i < N_MIXES; i++)
		if (l * mixes[i][1] == s * mixes[i][0])
			return true;
	return l == 0 || s == 0;
}

TEST(mixes_bound_loops)
{
	static const char *const cores[] = {
		/* Two address ports, and one data port. */
		"ports = a b d\nform LD: ports=a|b\nform SD: ports=a|b + d\n",
		"ports = a b c d\nform LD: ports=a|b|c\n"
		"form SD: ports=c + d\n",
		/* A store keeps a port of the loads busy for longer. */
		"ports = a b\nform LD: ports=a|b\n"
		"form SD: ports=b, occupancy=2\n",
		"ports = a b c\nform LD: ports=a|b\n"
		"form SD: ports=b|c + b|c\n",
		"ports = a\nform LD: ports=a\nform SD: ports=a\n",
	};
	SCOPED(world_close) struct world w = world_open("riscv64");
	unsigned n_more = 0;

	for (size_t k = 0; k < ARRAY_LEN(cores); k++) {
		SCOPED(core_free) struct core core;

		open_core(&w, cores[k], &core);
		for (unsigned l = 0; l < MOST; l++)
			for (unsigned s = l == 0; s < MOST; s++) {
				double want = truth(w.c, &core, l, s);
				double have = predicted(&w, l, s);
				double low = is_measured(l, s) ? 0.99 : 0.85;

				if (have > 1.01 * want || have < low * want)
					fail_msg("core %zu, %u loads, %u "
						 "stores: %g, its clock says "
						 "%g",
						 k, l, s, have, want);
				n_more += strcmp(w.p.why, "bound by loads and "
							  "stores") == 0;
			}
	}
	assert_true(n_more > 100);
}

/* If loads and stores have separate ports, there is no pool, and every
 * prediction is unchanged. */
TEST(no_contention_changes_nothing)
{
	SCOPED(world_close) struct world w = world_open("riscv64");
	SCOPED(core_free) struct core core;

	open_core(&w,
		  "ports = a b s d\nform LD: ports=a|b\nform SD: ports=s + d\n",
		  &core);
	for (unsigned l = 1; l < MOST; l++)
		for (unsigned s = 1; s < MOST; s++) {
			assert_cycles(predicted(&w, l, s), fmax(l / 2.0, s),
				      "apart");
			assert_null(strstr(w.p.why, "loads and stores"));
		}
}

/* Measured contention also counts for forms with ports, where it is larger. */
TEST(contention_beyond_ports)
{
	static const struct row rows[] = {
		{ "LD", "0|1", 3, { { 0 } }, false },
		{ "SD", "2", 1, { { 0 } }, false },
	};
	static const struct model_mix mix = {
		"LD", "SD", 2, 1, { true, 2, 2 }
	};
	SCOPED(world_close) struct world w = WORLD_OF("riscv64", "0 1 2", rows);
	struct model_form *forms;

	forms = arena_copy(&w.a, w.m->forms, 2 * sizeof(*forms));
	forms[0].throughput = exactly(0.5);
	forms[1].throughput = exactly(1);
	w.m->forms = forms;
	assert_cycles(predicted(&w, 4, 2), 2, "ports");
	w.m->mixes = &mix;
	w.m->n_mixes = 1;
	assert_cycles(predicted(&w, 4, 2), 4, "ports and a mix");
	assert_string_equal(w.p.why, "bound by loads and stores");
}
