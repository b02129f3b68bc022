/* Front ends whose slots are unknown: forms of several uops that look like one,
 * uops that a kernel only seems to show, and forms that need no port. */
#include "host/ports/infer.h"
#include "tests/unit/port_bench.h"
#include "tests/unit/unit.h"

/* A core like a Zen 5: integer, vector and load ports, and more of them than
 * the front end is wide. */
enum {
	INTEGER = 0x3f,
	SHIFT = 0x7,
	VECTOR = 0x3c0,
	ADD = 0x140,
	LOAD = 0x3c00,
	N_EACH = 4,
};

static struct bench zen(void)
{
	static const model_ports sets[] = { INTEGER, SHIFT, VECTOR, ADD, LOAD };
	struct bench b = start(8);

	b.t->uneven = true;
	for (size_t s = 0; s < ARRAY_LEN(sets); s++)
		add_all(&b, N_EACH, sets[s]);
	return b;
}

static model_ports ports_of(const struct bench *b, uint32_t form)
{
	model_ports ret = 0;

	for (size_t u = 0; u < b->w.forms[form].n_uses; u++)
		ret |= b->w.forms[form].uses[u].ports;
	return ret;
}

/* Forms of three uops: integer, load, and one on two ports of their own, which
 * limits the rate.  With integer forms or with loads they look like one uop on
 * two of their ports. */
TEST(bridge)
{
	enum { OWN = 0xc000 };
	SCOPED(finish) struct bench b = zen();
	uint32_t bridge = 0;

	for (int i = 0; i < N_EACH; i++) {
		struct truth_form *f;

		bridge = add(&b, INTEGER, 1);
		f = &b.t->forms[bridge];
		f->uses[f->n_uses++] = (struct model_use){ LOAD, 1, 1 };
		f->uses[f->n_uses++] = (struct model_use){ OWN, 1, 1 };
	}
	b.t->n_ports = 16;
	infer(&b);
	assert_true(b.w.uneven);
	assert_int_equal(b.w.forms[bridge].class_id, PORTS_NONE);
	assert_int_equal(ports_of(&b, 0) & ports_of(&b, 4 * N_EACH), 0);
	assert_int_equal(model_ports_count(ports_of(&b, 0)), 6);
	assert_int_equal(model_ports_count(ports_of(&b, 4 * N_EACH)), 4);
}

/* Forms that run six per cycle are a class, unless the renamer may execute
 * them. */
TEST(renamed)
{
	enum { LIMIT = VECTOR | 0xc000 };

	for (int renamed = 0; renamed < 2; renamed++) {
		SCOPED(finish) struct bench b = zen();
		uint32_t first = (uint32_t)b.t->n_forms;
		bool is_class = false;

		for (int i = 0; i < N_EACH; i++)
			b.renamed[add(&b, LIMIT, 1)] = renamed != 0;
		infer(&b);
		for (size_t c = 0; c < b.w.n_classes; c++)
			is_class |= b.w.classes[c].representative >= first;
		assert_int_equal(is_class, renamed == 0);
	}
}

/* ---- excess uops ----------------------------------------------------------- */

static int measure(void *context, enum ports_phase phase,
		   const struct ports_mix *mixes, size_t n,
		   struct ports_value *ret, struct err *e)
{
	const double *cycles = context;

	(void)phase;
	(void)e;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(mixes[i].n, 2);
		assert_int_equal(mixes[i].part[0].count, 2);
		assert_int_equal(mixes[i].part[1].count, 1);
		ret[i] = (struct ports_value){ .has_value = *cycles > 0,
					       .cycles = *cycles };
	}
	return ERR_OK;
}

/* Uops of a load of a vector, which seems to have two, if two of them and one
 * load of a general register take so many cycles. */
static double uops_of_load(double cycles, int32_t filler)
{
	enum { VECTOR_LOAD = 3 };
	struct ports_form forms[] = { { .name = "L" }, { .name = "V" } };
	const struct ports_oracle oracle = { .measure = measure,
					     .context = &cycles };
	const struct ports_request q = { .forms = forms,
					 .n_forms = 2,
					 .oracle = &oracle };
	struct ports_answer w = { .n_ports = 0 };
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct form_state f[2] = { { .class_id = 0 },
				   { .class_id = PORTS_NONE,
				     .held_class = PORTS_NONE,
				     .verdict = PORTS_OK,
				     .alone = { .has_value = true,
						.cycles = 0.5 } } };
	struct infer in = { .a = &a,
			    .q = &q,
			    .w = &w,
			    .e = &e,
			    .f = f,
			    .width = 8,
			    .cap = 8,
			    .filler = filler,
			    .n_classes = 1 };
	double ret = 0;

	infer_add_use(&f[1], VECTOR_LOAD, 1, 1);
	infer_add_use(&f[1], 0xf, 1, 1);
	in.classes[0].form = 0;
	in.classes[0].size = 4;
	in.solution.row[0] = 0xf;
	assert_int_equal(infer_excess(&in), ERR_OK);
	for (size_t u = 0; u < f[1].n_uses; u++)
		ret += f[1].uses[u].n_uops;
	assert_int_equal(f[1].verdict == PORTS_OPEN, ret < 2);
	assert_true(ret == 2 || f[1].uses[0].ports == VECTOR_LOAD);
	return ret;
}

TEST(excess)
{
	assert_true(uops_of_load(1.01, PORTS_NONE) == 1);
	assert_true(uops_of_load(1.25, PORTS_NONE) == 2);
	assert_true(uops_of_load(0, PORTS_NONE) == 2);
	/* Slots are known. */
	assert_true(uops_of_load(1.01, 0) == 2);
}
