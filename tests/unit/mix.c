/* Kernels of mixes: what stands in them, in which order, and on which
 * registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "host/gen/gen.h"
#include "host/gen/kernel.h"

enum { MOST = 4096 };

struct made {
	struct arena a;
	struct catalogue *c;
	struct experiment x;
	struct gen *g;
	struct kernel_row row;
	/* Instructions of the shortest length, in order. */
	size_t n;
	struct instance in[MOST];
};

static void make(struct made *w, const char *isa, const char *label)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct gen_profile p = gen_profile(2000);
	size_t at = 0;

	memset(w, 0, sizeof(*w));
	assert_int_equal(catalogue_load(&w->a, isa_find(isa), NULL, &w->c, &e),
			 ERR_OK);
	assert_int_equal(experiment_parse(w->c, label, &w->x, &e), ERR_OK);
	w->g = gen_new(w->c, &p);
	assert_int_equal(gen_add(w->g, &w->x, &e), ERR_OK);
	gen_kernel_row(w->g, 0, &w->row);
	while (at < w->row.code_bytes[0] && w->n < MOST) {
		size_t n = instance_decode(w->c, w->row.code[0] + at,
					   w->row.code_bytes[0] - at,
					   &w->in[w->n++]);

		assert_true(n > 0);
		at += n;
	}
}

static void done(struct made *w)
{
	gen_free(w->g);
	catalogue_free(w->c);
	arena_free(&w->a);
}

static bool is(const struct made *w, size_t i, const char *form)
{
	return w->in[i].form && strcmp(w->in[i].form->name, form) == 0;
}

static size_t count(const struct made *w, const char *form)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += is(w, i, form);
	return n;
}

static const struct reg *reg_of(const struct made *w, size_t i, int operand)
{
	return &w->c->regs[w->in[i].reg[operand]];
}

/* Three of one and one of another, never two of the rarer in a row. */
static void forms_are_spread_evenly(void **state)
{
	struct made w;
	size_t n = 0, since = 0, bodies;

	(void)state;
	make(&w, "x86_64", "mix:3xADD64rr+IMUL64rr");
	bodies = w.row.unroll[0];
	assert_int_equal(mix_instances(&w.x), 4);
	assert_int_equal(mix_instructions(&w.x), 4);
	assert_int_equal(count(&w, "ADD64rr"), 3 * bodies);
	assert_int_equal(count(&w, "IMUL64rr"), bodies);
	for (size_t i = 0; i < w.n; i++) {
		if (!is(&w, i, "IMUL64rr")) {
			since++;
			continue;
		}
		if (n++ > 0)
			assert_int_equal(since, 3);
		since = 0;
	}
	done(&w);
}

/* No instance reads what one of the two before it wrote. */
static void none_waits_for_its_neighbours(void **state)
{
	static const char *const labels[][2] = {
		{ "x86_64", "mix:2xADD64rr+IMUL64rr+SHL64ri" },
		{ "x86_64", "mix:5xVPADDDYrr+VMULPSYrr" },
		{ "aarch64", "mix:ADDXrs+MADDXrrr+2xEORXrs" },
		{ "riscv64", "mix:4xADD+MUL" },
	};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(labels); k++) {
		struct made w;
		size_t body;

		make(&w, labels[k][0], labels[k][1]);
		body = mix_instances(&w.x) * w.row.unroll[0];
		for (size_t i = 2; i < body && i < w.n; i++)
			for (size_t back = 1; back <= 2; back++)
				for (int o = 1; o < w.in[i].form->n_explicit;
				     o++)
					if (w.in[i].form->operands[o].kind ==
					    OPERAND_REG)
						assert_false(reg_overlap(
							reg_of(&w, i, o),
							reg_of(&w, i - back,
							       0)));
		done(&w);
	}
}

/* Lengths that differ by a multiple of what front ends take at a time. */
static void lengths_leave_the_same_rest(void **state)
{
	enum { GROUP = 24 };
	struct made w;

	(void)state;
	make(&w, "riscv64", "mix:5xADD+MUL");
	for (int i = 1; i < PACK_LENGTHS; i++)
		assert_int_equal((w.row.unroll[i] - w.row.unroll[i - 1]) *
					 mix_instances(&w.x) % GROUP,
				 0);
	done(&w);
}

/* Right before each instance, and the very register it would wait for. */
static void breakers_stand_before_their_instances(void **state)
{
	struct made w;

	(void)state;
	make(&w, "x86_64", "mix:2xADC64rr+~TEST64rr+ADD64rr+MUL64r+~MOV64ri32");
	assert_int_equal(mix_instances(&w.x), 4);
	assert_int_equal(mix_instructions(&w.x), 7);
	assert_int_equal(count(&w, "ADC64rr"), 2 * w.row.unroll[0]);
	assert_int_equal(count(&w, "TEST64rr"), count(&w, "ADC64rr"));
	assert_int_equal(count(&w, "MOV64ri32"), count(&w, "MUL64r"));
	for (size_t i = 0; i < w.n; i++) {
		if (is(&w, i, "ADC64rr"))
			assert_true(i > 0 && is(&w, i - 1, "TEST64rr"));
		if (!is(&w, i, "MUL64r"))
			continue;
		assert_true(i > 0 && is(&w, i - 1, "MOV64ri32"));
		assert_string_equal(reg_of(&w, i - 1, 0)->name, "RAX");
		assert_int_not_equal(reg_of(&w, i, 0)->index,
				     reg_of(&w, i - 1, 0)->index);
	}
	done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_are_spread_evenly),
		cmocka_unit_test(none_waits_for_its_neighbours),
		cmocka_unit_test(lengths_leave_the_same_rest),
		cmocka_unit_test(breakers_stand_before_their_instances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
