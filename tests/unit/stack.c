/* x86 forms that move the stack pointer: every kernel restores it. */
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/plan/plan.h"
#include "tests/unit/planned.h"

static const struct name_rule rules[] = {
	{ NAMES("pushfq*", "pushq*", "enter*"), -8 },
	{ NAMES("pushfw*", "pushw*"), -2 },
	{ NAMES("popfq*", "popq*", "leave*"), 8 },
	{ NAMES("popw*"), 2 },
};

/* Bytes by which an instruction moves the stack pointer, from its text.  For
 * LEAVE: the offset of the frame pointer set before it, and its pop. */
static long moves(const char *text)
{
	if (strncmp(text, "leaq", 4) == 0 && strstr(text, "(%rsp), %r"))
		return strtol(text + 4, NULL, 10);
	return name_rule(rules, ARRAY_LEN(rules), text, 0);
}

TEST(no_kernel_moves_the_stack)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = catalogue_of_cpu("x86_64", "x86-64-v3");
	struct plan_request q = { .forms = "/(lea|pushf|push)$",
				  .what = PLAN_LATENCY | PLAN_THROUGHPUT };
	struct gen *g;
	struct err e = { .code = ERR_OK };
	struct experiment *list;
	size_t n, n_moves = 0;

	q.catalogue = c;
	g = gen_of(c);
	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	assert_true(n > 20);
	for (size_t i = 0; i < n; i++) {
		struct kernel_row k;
		long sum = 0;

		assert_int_equal(gen_add(g, &list[i], &e), ERR_OK);
		gen_kernel_row(g, i, &k);
		for (size_t at = 0; at < k.code_bytes[0];) {
			char text[256];
			size_t bytes = instance_text(c, k.code[0] + at,
						     k.code_bytes[0] - at, text,
						     sizeof(text));

			assert_true(bytes > 0);
			at += bytes;
			sum += moves(text);
			n_moves += moves(text) != 0;
		}
		if (sum != 0)
			print_error("%s: %ld\n", k.label, sum);
		assert_int_equal(sum, 0);
	}
	assert_true(n_moves > n);
	gen_free(g);
}
