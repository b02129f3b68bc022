/* Chains closed by carriers: the registers and values of multiplications and
 * divisions, whose operands have registers of their own. */
#include <string.h>

#include "host/gen/assign.h"
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "tests/unit/unit.h"

#define CARRIED "+AND64rr@1>0+LEA64r/r64,r64@3>0"

enum { RAX = 0, RDX = 2 };

struct world {
	struct arena a;
	struct catalogue *c;
};

static int load(void **state)
{
	static struct world w;
	struct err e = { .code = ERR_OK };

	*state = &w;
	return catalogue_load(&w.a, isa_find("x86_64"), NULL, &w.c, &e);
}

static int unload(void **state)
{
	struct world *w = *state;

	catalogue_free(w->c);
	arena_free(&w->a);
	return 0;
}

GROUP(load, unload);

static void parse(const struct world *w, const char *label,
		  struct experiment *ret)
{
	struct err e = { .code = ERR_OK };

	assert_int_equal(experiment_parse(w->c, label, ret, &e), ERR_OK);
}

static void assign(const struct world *w, const char *label,
		   struct assigned *ret)
{
	struct err e = { .code = ERR_OK };
	struct experiment x;

	parse(w, label, &x);
	assert_int_equal(assign_registers(w->c, &x, 16, ret, &e), ERR_OK);
}

static unsigned index_of(const struct world *w, const struct instance *in,
			 int operand)
{
	return w->c->regs[in->reg[operand]].index;
}

TEST(the_result_comes_back_to_the_source)
{
	const struct world *w = *state;
	struct assigned a;
	const struct instance *in = a.instances[0];

	assign(w, "latency:MUL64r@0>RAX" CARRIED "+~MOV64ri32", &a);
	assert_int_equal(index_of(w, &in[1], 1), RAX);
	assert_int_equal(index_of(w, &in[2], 3), RAX);
	assert_int_equal(index_of(w, &in[2], 0), index_of(w, &in[0], 0));
	/* The multiplier of MUL is renewed after these. */
	assert_int_equal(index_of(w, &in[3], 0), RAX);
	assert_false(a.flagless);
}

TEST(its_control_reads_a_constant)
{
	const struct world *w = *state;
	struct assigned a;
	const struct instance *in = a.instances[0];

	/* The form, which may have a register of its own: */
	assign(w, "control:MUL64r@0>RAX" CARRIED "+~MOV64ri32", &a);
	assert_int_equal(index_of(w, &in[1], 1), RAX);
	assert_int_equal(index_of(w, &in[2], 3), RAX);
	assert_int_not_equal(index_of(w, &in[2], 0), index_of(w, &in[0], 0));
	/* its source is a fixed register, so the last carrier does. */
	assign(w, "control:MUL64r@RAX>RDX" CARRIED, &a);
	assert_int_equal(index_of(w, &in[1], 1), RDX);
	assert_int_not_equal(index_of(w, &in[2], 3), index_of(w, &in[1], 0));
	assert_int_equal(index_of(w, &in[2], 0), RAX);
}

/* The carriers overwrite RAX; RDX is read once more. */
TEST(only_what_is_read_again_is_cut)
{
	const struct world *w = *state;
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
TEST(named_values_come_back)
{
	static const char label[] =
		"latency:DIV64r/slow@0>RAX" CARRIED "+~MOV64rr+~MOV64rr";
	const struct world *w = *state;
	const uint64_t divisor = UINT64_MAX / 3 + 1;
	struct gen_profile p = gen_profile(0);
	struct gen *g = gen_new(w->c, &p);
	struct err e = { .code = ERR_OK };
	struct experiment x;
	struct assigned a;
	const struct instance *in = a.instances[0];
	struct kernel_row row;

	parse(w, label, &x);
	assert_int_equal(gen_add(g, &x, &e), ERR_OK);
	gen_kernel_row(g, 0, &row);
	assign(w, label, &a);
	assert_true(row.image->gpr[index_of(w, &in[0], 0)] == divisor);
	assert_true(row.image->gpr[index_of(w, &in[1], 2)] == 0);
	assert_true(row.image->gpr[index_of(w, &in[2], 1)] == divisor);
	for (size_t s = 3; s < 5; s++)
		assert_true(row.image->gpr[index_of(w, &in[s], 0)] ==
			    row.image->gpr[index_of(w, &in[s], 1)]);
	gen_free(g);
}

/* Tied steps before the form hand its fixed register on. */
TEST(delays_lead_to_a_fixed_source)
{
	enum { RBX = 3 };
	const struct world *w = *state;
	struct assigned a;
	const struct instance *in = a.instances[0];

	assign(w,
	       "latency:LCMPXCHG8B@EBX>EFLAGS.ZF+CMOV64rr@EFLAGS.ZF>0"
	       "+IMUL64rr@1>0+IMUL64rr@1>0",
	       &a);
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
TEST(carriers_are_planned_with_their_chains)
{
	const struct world *w = *state;
	struct skips skips = { .n = 0 };
	struct plan_request q = { .catalogue = w->c,
				  .forms = "^I?MUL8r(/high)?$",
				  .what = PLAN_LATENCY | PLAN_THROUGHPUT,
				  .skipped = note,
				  .context = &skips };
	struct err e = { .code = ERR_OK };
	struct arena a = { 0 };
	struct experiment *list;
	size_t n;

	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	assert_int_equal(count(list, n, EXPERIMENT_LATENCY, "AND64rr"), 1);
	assert_int_equal(count(list, n, EXPERIMENT_CONTROL, "AND64rr"), 1);
	assert_int_equal(count(list, n, EXPERIMENT_LATENCY, "LEA64r/r64,r64"),
			 1);
	assert_int_equal(count(list, n, EXPERIMENT_LATENCY, "PSHUFDri"), 0);
	assert_true(skips.n > 0);
	assert_non_null(strstr(skips.why, "high byte"));
	arena_free(&a);
}

/* cmpxchg %rcx, %rax would read the chain's register once more. */
TEST(a_result_that_is_read_is_no_own_chain)
{
	const struct world *w = *state;
	struct plan_request q = { .catalogue = w->c,
				  .forms = "^CMPXCHG64rr$",
				  .what = PLAN_LATENCY };
	struct err e = { .code = ERR_OK };
	struct arena a = { 0 };
	struct experiment *list;
	size_t n, found = 0;

	assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
	for (size_t i = 0; i < n; i++) {
		char label[PACK_MAX_LABEL];

		assert_int_equal(experiment_label(w->c, &list[i], label, &e),
				 ERR_OK);
		assert_string_not_equal(label, "latency:CMPXCHG64rr@RAX>0");
		found += strncmp(label, "latency:CMPXCHG64rr@RAX>0+", 26) == 0;
	}
	assert_int_equal(found, 1);
	arena_free(&a);
}
