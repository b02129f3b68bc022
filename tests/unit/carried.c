/* Chains closed by carriers: the registers and values of multiplications and
 * divisions, whose operands have registers of their own. */
#include "host/isa/instance.h"
#include "tests/unit/planned.h"

#define CARRIED "+AND64rr@1>0+LEA64r/r64,r64@3>0"

enum { RAX = 0, RDX = 2 };

GROUP(load_x86, NULL);

static void parse(const struct all *w, const char *label,
		  struct experiment *ret)
{
	struct err e = { .code = ERR_OK };

	assert_int_equal(experiment_parse(w->c, label, ret, &e), ERR_OK);
}

static unsigned index_of(const struct all *w, const struct instance *in,
			 int operand)
{
	return w->c->regs[in->reg[operand]].index;
}

TEST_ON(the_result_comes_back_to_the_source, const struct all *w)
{
	struct assigned a;
	const struct instance *in = a.instances[0];

	assign(w->c, "latency:MUL64r@0>RAX" CARRIED "+~MOV64ri32", 16, &a);
	assert_int_equal(index_of(w, &in[1], 1), RAX);
	assert_int_equal(index_of(w, &in[2], 3), RAX);
	assert_int_equal(index_of(w, &in[2], 0), index_of(w, &in[0], 0));
	/* The multiplier of MUL is renewed after these. */
	assert_int_equal(index_of(w, &in[3], 0), RAX);
	assert_false(a.flagless);
}

TEST_ON(its_control_reads_a_constant, const struct all *w)
{
	struct assigned a;
	const struct instance *in = a.instances[0];

	/* The form, which may have a register of its own: */
	assign(w->c, "control:MUL64r@0>RAX" CARRIED "+~MOV64ri32", 16, &a);
	assert_int_equal(index_of(w, &in[1], 1), RAX);
	assert_int_equal(index_of(w, &in[2], 3), RAX);
	assert_int_not_equal(index_of(w, &in[2], 0), index_of(w, &in[0], 0));
	/* its source is a fixed register, so the last carrier does. */
	assign(w->c, "control:MUL64r@RAX>RDX" CARRIED, 16, &a);
	assert_int_equal(index_of(w, &in[1], 1), RDX);
	assert_int_not_equal(index_of(w, &in[2], 3), index_of(w, &in[1], 0));
	assert_int_equal(index_of(w, &in[2], 0), RAX);
}

/* The carriers overwrite RAX; RDX is read once more. */
TEST_ON(only_what_is_read_again_is_cut, const struct all *w)
{
	struct experiment x;
	uint16_t regs[4];

	parse(w, "latency:MUL64r@RAX>RDX" CARRIED, &x);
	assert_int_equal(experiment_cuts(w->c, &x, regs, 4), 0);
	parse(w, "latency:DIV64r@RAX>RDX" CARRIED "+~MOV64ri32", &x);
	assert_int_equal(experiment_cuts(w->c, &x, regs, 4), 1);
	assert_int_equal(w->c->regs[regs[0]].index, RDX);
	parse(w, "latency:DIV64r@0>RDX" CARRIED "+~MOV64ri32+~MOV64ri32", &x);
	assert_int_equal(experiment_cuts(w->c, &x, regs, 4), 2);
}

/* Every division of a chain has the operands of the first. */
TEST_ON(named_values_come_back, const struct all *w)
{
	static const char label[] =
		"latency:DIV64r/slow@0>RAX" CARRIED "+~MOV64rr+~MOV64rr";
	const uint64_t divisor = UINT64_MAX / 3 + 1;
	SCOPED(gen_end) struct gen *g = gen_of(w->c);
	struct err e = { .code = ERR_OK };
	struct experiment x;
	struct assigned a;
	const struct instance *in = a.instances[0];
	struct kernel_row row;

	parse(w, label, &x);
	assert_int_equal(gen_add(g, &x, &e), ERR_OK);
	gen_kernel_row(g, 0, &row);
	assign(w->c, label, 16, &a);
	assert_true(row.image->gpr[index_of(w, &in[0], 0)] == divisor);
	assert_true(row.image->gpr[index_of(w, &in[1], 2)] == 0);
	assert_true(row.image->gpr[index_of(w, &in[2], 1)] == divisor);
	for (size_t s = 3; s < 5; s++)
		assert_true(row.image->gpr[index_of(w, &in[s], 0)] ==
			    row.image->gpr[index_of(w, &in[s], 1)]);
}

/* Tied steps before the form hand its fixed register on. */
TEST_ON(delays_lead_to_a_fixed_source, const struct all *w)
{
	enum { RBX = 3 };
	struct assigned a;
	const struct instance *in = a.instances[0];

	assign(w->c,
	       "latency:LCMPXCHG8B@EBX>EFLAGS.ZF+CMOV64rr@EFLAGS.ZF>0"
	       "+IMUL64rr@1>0+IMUL64rr@1>0",
	       16, &a);
	for (size_t s = 1; s < 4; s++)
		assert_int_equal(index_of(w, &in[s], 0), RBX);
}

struct skips {
	size_t n;
	const char *why;
};

static void note(void *context, const struct form *form, int src, int dst,
		 const char *why)
{
	struct skips *s = context;

	(void)form;
	if (src == 0 && dst != 0) {
		s->n++;
		s->why = why;
	}
}

static size_t count(const struct experiment *list, size_t n,
		    enum experiment_kind kind, const char *form)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += list[i].kind == kind && list[i].n_steps == 1 &&
			 strcmp(list[i].steps[0].form->name, form) == 0;
	return found;
}

/* Carriers are known by their own chains; high bytes have a reason. */
TEST_ON(carriers_are_planned_with_their_chains, const struct all *w)
{
	struct skips skips = { .n = 0 };
	struct plan_request q = { .catalogue = w->c,
				  .forms = "^I?MUL8r(/high)?$",
				  .what = PLAN_LATENCY | PLAN_THROUGHPUT,
				  .skipped = note,
				  .context = &skips };
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct experiment *list;
	size_t n;

	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	assert_int_equal(count(list, n, EXPERIMENT_LATENCY, "AND64rr"), 1);
	assert_int_equal(count(list, n, EXPERIMENT_CONTROL, "AND64rr"), 1);
	assert_int_equal(count(list, n, EXPERIMENT_LATENCY, "LEA64r/r64,r64"),
			 1);
	assert_int_equal(count(list, n, EXPERIMENT_LATENCY, "PSHUFDri"), 0);
	assert_true(skips.n > 0);
	assert_part(skips.why, "high byte");
}

/* cmpxchg %rcx, %rax would read the chain's register once more. */
TEST_ON(a_result_that_is_read_is_no_own_chain, const struct all *w)
{
	struct plan_request q = { .catalogue = w->c,
				  .forms = "^CMPXCHG64rr$",
				  .what = PLAN_LATENCY };
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct experiment *list;
	size_t n, found = 0;

	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	for (size_t i = 0; i < n; i++) {
		char label[PACK_MAX_LABEL];

		assert_ok(experiment_label(w->c, &list[i], label, &e), &e);
		assert_string_not_equal(label, "latency:CMPXCHG64rr@RAX>0");
		found += strncmp(label, "latency:CMPXCHG64rr@RAX>0+", 26) == 0;
	}
	assert_int_equal(found, 1);
}
