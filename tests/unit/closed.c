/* Latency cycles from a base to any result and back through an address. */
#include "host/isa/instance.h"
#include "host/isa/variant.h"
#include "tests/unit/memory_plan.h"

#define CLOSED "+AND64rr@1>0+LEA64r/r64,r64@1>0"
#define TO_VEX "+VMOVPQIto64rr@1>0"
#define TO_CF  "+CMOV64rr/b@EFLAGS.CF>0"

static unsigned index_of(const struct all *w, const struct instance *in,
			 int operand)
{
	return w->c->regs[in->reg[operand]].index;
}

/* For any result of the load, the base follows: a zero of the result, plus the
 * base. */
TEST(a_closed_cycle_makes_its_address_anew)
{
	static const char label[] = "latency:VADDPDrm@2>0" TO_VEX CLOSED;
	SCOPED(done) struct all w = plan_of("x86_64", "^VADDPDrm$");
	struct gen_profile p = gen_profile(2000);
	struct err e = { .code = ERR_OK, .message = "" };
	struct experiment x;
	struct kernel_row row;
	struct assigned a;

	assign(w.c, label, 16, &a);
	assert_false(a.memory.all_zero);
	assert_false(a.memory.self);
	for (size_t op = 0; op < a.period; op++) {
		const struct instance *in = a.instances[op];
		const struct instance *next = a.instances[(op + 1) % a.period];

		assert_int_equal(index_of(&w, &in[0], 0),
				 index_of(&w, &in[1], 1));
		assert_int_equal(index_of(&w, &in[1], 0),
				 index_of(&w, &in[2], 1));
		assert_int_equal(index_of(&w, &in[2], 0),
				 index_of(&w, &in[3], 1));
		assert_int_equal(index_of(&w, &in[3], 0),
				 index_of(&w, &next[0], 2));
	}

	SCOPED(gen_end) struct gen *g = gen_new(w.c, &p);
	const struct instance *in = a.instances[0];
	unsigned zero = index_of(&w, &in[2], 2);
	unsigned base = index_of(&w, &in[3], 3);

	assert_int_equal(experiment_parse(w.c, label, &x, &e), ERR_OK);
	assert_int_equal(gen_add(g, &x, &e), ERR_OK);
	gen_kernel_row(g, 0, &row);
	assert_true(row.image->gpr[zero] == 0);
	assert_false(row.image->gpr_is_memory >> zero & 1);
	assert_true(row.image->gpr_is_memory >> base & 1);
	assert_true(row.image->gpr_is_memory >> index_of(&w, &in[0], 2) & 1);
	/* It computes with the same numbers as in other kernels. */
	assert_int_equal(row.image->memory[7], 0x3f);
}

/* The links of several steps have a name in the class of each: a link that
 * cannot be LEA's base is not used in its address. */
TEST(every_planned_cycle_has_all_its_registers)
{
	SCOPED(done) struct all w = plan_of("x86_64", NULL);
	size_t n = 0;

	for (size_t i = 0; i < w.n; i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct assigned a;

		if (!experiment_is_closed(w.c, &w.list[i]))
			continue;
		assert_ok(assign_registers(w.c, &w.list[i], 16, &a, &e), &e);
		for (size_t op = 0; op < a.period; op++)
			for (size_t s = 0; s < 3; s++) {
				const struct experiment_step *st =
					&w.list[i].steps[s];
				const struct operand *o =
					&st->form->operands[st->src];

				assert_true(o->implicit ||
					    a.instances[op][s].reg[st->src] !=
						    REG_NONE);
			}
		n++;
	}
	assert_true(n > 5000);
}

/* A chain of a form of wide vectors and a move of legacy SSE took 390 cycles
 * for changes of the upper halves' state, which were claimed to be the
 * form's. */
TEST(no_planned_chain_holds_forms_that_clash)
{
	SCOPED(done) struct all w = plan_of("x86_64", NULL);
	size_t n = 0;

	for (size_t i = 0; i < w.n; i++)
		for (size_t s = 1; s < w.list[i].n_steps; s++, n++)
			for (size_t t = 0; t < s; t++) {
				const struct form *x = w.list[i].steps[t].form;
				const struct form *y = w.list[i].steps[s].form;
				const char *why = w.c->isa->clash(w.c, x, y);

				if (why)
					fail_msg("%s, %s: %s", x->name, y->name,
						 why);
			}
	assert_true(n > 5000);
}

/* No instance loads what the previous one stored. */
TEST(a_closed_cycle_goes_from_place_to_place)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^(ADD64mr|ADD64rm)$");
	struct assigned a;

	assign(w.c, "latency:ADD64mr@0>EFLAGS.CF" TO_CF CLOSED, 16, &a);
	/* Its flags are written and read within an instance. */
	assert_false(a.flagless);
	assert_true(a.period >= 16);
	assert_int_equal(a.instances[15][0].imm[3], 15 * 8);
	assign(w.c, "latency:ADD64rm@2>0" CLOSED, 16, &a);
	assert_int_equal(a.instances[a.period - 1][0].imm[5], 0);
}

/* The share of forms that load, have a register or a flag as result and get a
 * chain from their base to one, which the default plan must reach. */
TEST(nearly_every_load_has_a_chain_from_its_base)
{
	SCOPED(done) struct all w = plan_of("x86_64", NULL);
	size_t n = 0, chained = 0;
	bool *has;

	has = ARENA_ARRAY(&w.a, bool, w.c->n_forms);
	for (size_t i = 0; i < w.n; i++) {
		const struct experiment_step *s = &w.list[i].steps[0];

		if (w.list[i].kind == EXPERIMENT_LATENCY && s->src >= 0 &&
		    s->form->operands[s->src].role == ROLE_BASE)
			has[s->form - w.c->forms] = true;
	}
	for (size_t i = 0; i < w.c->n_forms; i++) {
		const struct form *f = &w.c->forms[i];
		bool result = false;

		for (int k = 0; k < f->n_operands; k++)
			result |= f->operands[k].kind == OPERAND_REG &&
				  f->operands[k].write &&
				  !f->operands[k].constant;
		if (f->status != FORM_MEASURABLE || !result ||
		    !(f->access & ACCESS_LOAD) ||
		    !form_chosen(f, families_default()) ||
		    form_part(f, ROLE_BASE) < 0)
			continue;
		n++;
		chained += has[i];
	}
	assert_true(n > 5000);
	assert_true(chained * 100 >= n * 99);
}
