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
