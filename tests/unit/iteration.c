/* Kernels of short loops, in one line of code and in two. */
#include "host/effect/effect.h"
#include "host/gen/gen.h"
#include "host/gen/kernel.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

struct built {
	const struct catalogue *c;
	struct gen *g;
	struct experiment list[128];
	size_t n;
};

static void build(void *context, const struct experiment *x)
{
	struct built *b = context;
	struct err e = { .code = ERR_OK };

	assert_true(b->n < ARRAY_LEN(b->list));
	b->list[b->n++] = *x;
	assert_int_equal(gen_add(b->g, x, &e), ERR_OK);
}

/* Where the no-operations of the body begin in the code of the shortest length,
 * and where the loop ends. */
static size_t find_body(const struct built *b, const struct kernel_row *k,
			size_t n, size_t *ret)
{
	size_t all[512], n_all = 0, at = 0, end = 0, behind = 0;

	while (at < k->code_bytes[0]) {
		struct instance in;
		size_t size = instance_decode(b->c, k->code[0] + at,
					      k->code_bytes[0] - at, &in);
		bool is_body =
			in.form &&
			strcmp(in.form->name, b->c->isa->iteration.form) == 0;

		assert_true(size > 0 && n_all < ARRAY_LEN(all));
		if (is_body)
			all[n_all++] = at;
		behind = is_body ? 0 : behind + 1;
		at += size;
		if (behind <= b->c->isa->iteration.behind)
			end = at;
	}
	/* The return is left. */
	assert_int_equal(behind, b->c->isa->iteration.behind + 1);
	assert_true(n_all >= n);
	memcpy(ret, all + n_all - n, n * sizeof(*ret));
	return end;
}

static void check(const struct built *b, size_t i)
{
	const struct experiment *x = &b->list[i];
	size_t first = x->steps[0].count;
	size_t n = first + (x->n_steps > 1 ? x->steps[1].count : 0);
	struct kernel_row k;
	size_t body[64], end, top;

	gen_kernel_row(b->g, i, &k);
	end = find_body(b, &k, n, body);
	top = body[0] - ISA_COUNT_BYTES;
	assert_int_equal(k.unroll[0], 1);
	assert_int_equal(k.instructions, n);
	if (x->kind == EXPERIMENT_CROSSING) {
		/* The line ends behind the first byte of the branch. */
		size_t branch = body[n - 1] + body[1] - body[0];

		assert_int_equal((branch + 1) % KERNEL_LINE, 0);
		assert_true(end > branch + 1);
	} else if (x->n_steps == 1) {
		assert_int_equal(top % KERNEL_LINE, 0);
		assert_int_equal((end - 1) / KERNEL_LINE, top / KERNEL_LINE);
	} else {
		assert_int_equal(body[first] % KERNEL_LINE, 0);
		assert_int_equal(top / KERNEL_LINE + 1,
				 body[first] / KERNEL_LINE);
		assert_int_equal((end - 1) / KERNEL_LINE,
				 body[first] / KERNEL_LINE);
	}
}

TEST(lines_of_all_loops)
{
	for (size_t i = 0; isas[i]; i++) {
		struct gen_profile p = gen_profile(2000);
		struct built b = { .n = 0 };
		struct catalogue *c = catalogue_of(isas[i]->name);

		b.c = c;
		b.g = gen_new(c, &p);
		effect_find("lines")->plan(&(struct effect_plan){
			.catalogue = c,
			.throughputs = true,
			.add = build,
			.context = &b,
		});
		assert_true(b.n >= 25 + 12);
		for (size_t k = 0; k < b.n; k++)
			check(&b, k);
		gen_free(b.g);
	}
}
