/* OSACA's machine models with sets of ports: the busiest set of a block is the
 * exact port bound, without any sharing. */
#include <math.h>

#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

static const struct model_port ports[] = {
	{ .name = "p0" },  { .name = "p1" },
	{ .name = "p10" }, { .name = "p11", .no_index = true },
	{ .name = "p12" }, { .name = "div", .pseudo = true },
};

/* Does the export of a model with these forms, which can be read, have all
 * these texts? */
static void assert_written(const char *isa, const struct model_form *forms,
			   size_t n, const char *const *texts)
{
	const struct model m = { .isa = isa,
				 .cpu = "c",
				 .source = "s",
				 .n_ports = ARRAY_LEN(ports),
				 .ports = ports,
				 .n_forms = n,
				 .forms = forms };
	SCOPED(close_world) struct world w = open_world(isa, NULL);
	const char *text = written(&w, "osaca-sets", &m);

	(void)read_text(&w, "osaca", text);
	for (; *texts; texts++)
		assert_part(text, *texts);
}

TEST(sets_of_ports)
{
	/* p0 p1; p1 p10; p0; p12; the divider */
	static const struct model_use div[] = { { 3, 1, 1 }, { 32, 1, 9 } },
				      mul[] = { { 6, 2, 1 } },
				      rem[] = { { 1, 1, 1 }, { 16, 1, 1 } };
	static const struct model_form forms[] = {
		{ .name = "DIV", .has_ports = true, .n_uses = 2, .uses = div },
		{ .name = "MUL", .has_ports = true, .n_uses = 1, .uses = mul },
		{ .name = "REM", .has_ports = true, .n_uses = 2, .uses = rem },
	};
	static const char *const texts[] = {
		/* Of p0 and p10, which share nothing, no union can be the
		 * bound. */
		"ports: ['0', '12', 'div', '0+1', "
		"'1+10', '0+1+10']\n",
		" [[9, ['div']], [0.5, ['0+1']], "
		"[0.333333, ['0+1+10']]]\n",
		" [[1, ['1+10']], [0.666667, ['0+1+10']]]\n",
		" [[1, ['0']], [1, ['12']], "
		"[0.5, ['0+1']], "
		"[0.333333, ['0+1+10']]]\n",
		NULL,
	};

	assert_written("riscv64", forms, ARRAY_LEN(forms), texts);
}

TEST(stores_without_index)
{
	/* p10 and p11 compute addresses, p11 without an index. */
	static const struct model_use store[] = { { 12, 1, 1 } };
	static const struct model_form forms[] = {
		{ .name = "MOV64mr",
		  .has_ports = true,
		  .n_uses = 1,
		  .uses = store },
	};
	static const char *const texts[] = {
		"ports: ['10', '10+11']\n",
		"index: ~, offset: '*', scale: '*', "
		"port_pressure: [[0.5, ['10+11']]]}\n",
		"index: gpr, offset: '*', scale: '*', "
		"port_pressure: [[1, ['10']], "
		"[0.5, ['10+11']]]}\n",
		NULL,
	};

	assert_written("x86_64", forms, ARRAY_LEN(forms), texts);
}

TEST(too_many_sets)
{
	enum { N = 12, PAIRS = N - 1 };
	struct model_port line[N];
	struct model_use uses[PAIRS];
	char names[N][8];
	const struct model_form form = {
		.name = "DIV", .has_ports = true, .n_uses = PAIRS, .uses = uses
	};
	const struct model m = { .isa = "riscv64",
				 .cpu = "c",
				 .source = "s",
				 .n_ports = N,
				 .ports = line,
				 .n_forms = 1,
				 .forms = &form };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };

	for (size_t i = 0; i < N; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "p%zu", i);
		line[i] = (struct model_port){ .name = names[i] };
	}
	/* Pairs of neighbours: their unions are 66 intervals. */
	for (size_t i = 0; i < PAIRS; i++)
		uses[i] = (struct model_use){ (model_ports)3 << i, 1, 1 };
	assert_int_equal(
		exporter_find("osaca-sets")->write_model(&m, w.c, &b, &e),
		ERR_INPUT);
	assert_part(e.message, "more than 64");
}

/* The bound of forms[at..at + n) together. */
static double block_bound(const struct model *m, const char *const *names,
			  size_t n)
{
	struct model_use uses[256];
	size_t n_uses = 0;

	for (size_t i = 0; i < n; i++) {
		const struct model_form *f = model_find(m, names[i]);

		for (size_t k = 0; f && k < f->n_uses; k++) {
			assert_true(n_uses < ARRAY_LEN(uses));
			uses[n_uses++] = f->uses[k];
		}
	}
	return model_port_bound(uses, n_uses, NULL);
}

static void assert_same_bounds(const struct model *x, const struct model *y)
{
	enum { BLOCKS = 500, MOST = 8 };
	uint32_t seed = 1;

	assert_int_equal(x->n_forms, y->n_forms);
	for (int i = 0; i < BLOCKS; i++) {
		const char *names[MOST];
		size_t n = 1 + (size_t)i % MOST;
		double bx, by;

		for (size_t k = 0; k < n; k++) {
			seed = seed * 1664525 + 1013904223;
			names[k] = x->forms[(seed >> 8) % x->n_forms].name;
		}
		bx = block_bound(x, names, n);
		by = block_bound(y, names, n);
		/* Six digits are written. */
		if (fabs(bx - by) > 1e-4 * bx)
			fail_msg("%s and %zu more: %g and %g", names[0], n - 1,
				 bx, by);
	}
}

TEST(same_bounds)
{
	static const char *const cpus[][2] = {
		{ "aarch64", "neoverse-v2" },
		{ "riscv64", "sifive-p670" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		SCOPED(close_world)
		struct world w = open_world(cpus[i][0], cpus[i][1]);
		const char *p = written(&w, "osaca", w.m);
		const char *s = written(&w, "osaca-sets", w.m);

		assert_same_bounds(read_text(&w, "osaca", p),
				   read_text(&w, "osaca", s));
	}
}
