/* x87 forms, and that kernels leave the top of the stack in place. */
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"
#include "tests/unit/planned.h"

GROUP(load_x86, NULL);

static const struct name_rule rules[] = {
	{ NAMES("fld*cw*"), 0 },
	{ NAMES("fld*", "fild*", "fbld*", "fptan*", "fsincos*", "fxtract*"),
	  1 },
	{ NAMES("fcompp*", "fucompp*"), -2 },
	{ NAMES("fcomp*", "fucomp*", "ficomp*", "fstp*", "fistp*", "fisttp*",
		"fbstp*", "faddp*", "fmulp*", "fsubp*", "fsubrp*", "fdivp*",
		"fdivrp*", "fpatan*", "fyl2x*"),
	  -1 },
};

/* How an instruction moves the top of the stack, from its mnemonic. */
static int moves(const char *text)
{
	return name_rule(rules, ARRAY_LEN(rules), text, 0);
}

static void the_stack_stays(const struct catalogue *c,
			    const struct kernel_row *k)
{
	int sum = 0;
	size_t at = 0;

	while (at < k->code_bytes[0]) {
		char text[256];
		size_t n =
			instance_text(c, k->code[0] + at, k->code_bytes[0] - at,
				      text, sizeof(text));

		assert_true(n > 0);
		sum += moves(text);
		at += n;
	}
	if (sum != 0)
		print_error("%s\n", k->label);
	assert_int_equal(sum, 0);
}

TEST_ON(no_kernel_moves_the_stack, const struct all *w)
{
	struct plan_request q = { .catalogue = w->c,
				  .forms = "/x87",
				  .what = PLAN_LATENCY | PLAN_THROUGHPUT,
				  .families = UINT64_C(1) << FAMILY_X87 };
	SCOPED(gen_end) struct gen *g = gen_of(w->c);
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct experiment *list;
	size_t n;

	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	assert_true(n > 125);
	for (size_t i = 0; i < n; i++) {
		struct kernel_row row;

		assert_int_equal(gen_add(g, &list[i], &e), ERR_OK);
		gen_kernel_row(g, i, &row);
		the_stack_stays(w->c, &row);
	}
}

static bool planned(const struct all *w, const struct experiment *list,
		    size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++) {
		struct err e = { .code = ERR_OK };
		char have[PACK_MAX_LABEL];

		assert_ok(experiment_label(w->c, &list[i], have, &e), &e);
		if (strcmp(have, label) == 0)
			return true;
	}
	return false;
}

/* A number that is pushed breaks the dependency through the top of the stack
 * only. */
TEST_ON(the_top_is_cut_by_a_new_one, const struct all *w)
{
	struct plan_request q = { .catalogue = w->c,
				  .forms = "/x87",
				  .what = PLAN_LATENCY | PLAN_THROUGHPUT,
				  .families = UINT64_C(1) << FAMILY_X87 };
	SCOPED(gen_end) struct gen *g = gen_of(w->c);
	static const char cut[] = "throughput:ABS_F/x87+~LD_F1/x87,fstp";
	static const unsigned char body[] = {
		0xd9, 0xe1, 0xdd, 0xd8, 0xd9, 0xe8
	};
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct experiment *list, x;
	struct kernel_row row;
	size_t n;

	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	assert_true(planned(w, list, n, cut));
	assert_true(planned(w, list, n, "dependent:ABS_F/x87"));
	assert_false(planned(w, list, n,
			     "throughput:FPATAN/x87,fld1+~LD_F1/x87,fstp"));
	assert_true(planned(w, list, n, "dependent:FPATAN/x87,fld1"));
	assert_int_equal(experiment_parse(w->c, cut, &x, &e), ERR_OK);
	assert_int_equal(gen_add(g, &x, &e), ERR_OK);
	gen_kernel_row(g, 0, &row);
	/* fabs; fstp st(0); fld1 */
	assert_memory_equal(row.code[0], body, sizeof(body));
	assert_int_equal(row.instructions, 3);
}

/* All forms except those that load, save or rename the whole stack. */
TEST_ON(most_forms_are_measurable, const struct all *w)
{
	size_t n_opcodes = 0, n_forms = 0;

	for (size_t i = 0; i < w->c->n_forms; i++) {
		const struct form *f = &w->c->forms[i];

		n_opcodes += f->status == FORM_X87;
		n_forms += form_family(f) == FAMILY_X87 &&
			   f->status == FORM_MEASURABLE;
	}
	assert_int_equal(n_opcodes, 136);
	assert_int_equal(n_forms, 125);
}

TEST(they_are_measured_unasked)
{
	assert_true(families_default() & UINT64_C(1) << FAMILY_X87);
}

static const struct operand *top_of(const struct all *w, const char *name)
{
	const struct form *f = catalogue_form(w->c, name);

	assert_non_null(f);
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (strcmp(w->c->regs[f->operands[i].fixed_reg].name, "ST0") ==
		    0)
			return &f->operands[i];
	fail_msg("%s: no top", name);
	return NULL;
}

TEST_ON(the_top_is_an_operand, const struct all *w)
{
	const struct operand *o = top_of(w, "ADD_FST0r/x87");

	assert_true(o->read && o->write);
	o = top_of(w, "ADD_FrST0/x87");
	assert_true(o->read && !o->write);
	o = top_of(w, "LD_F64m/x87,fstp");
	assert_true(!o->read && o->write);
}
