/* Errors in published results of other tools, a test for each: here those of
 * the contents of a kernel.  peers_forms.c has those of choosing forms and
 * operands, peers.c those of solving and exporting. */
#include "host/isa/branch.h"
#include "host/isa/instance.h"
#include "tests/unit/peers.h"
#include "tests/unit/unit.h"

/* ---- 1 ------------------------------------------------------------------ */

struct written {
	uint64_t vectors;
	size_t n;
	bool read_again;
	const struct form *form;
};

static void note_result(const struct all *w, const struct instance *in,
			void *context)
{
	struct written *t = context;

	if (in->form != t->form)
		return;
	t->vectors |= 1ull << reg_at(w, in, 0)->index;
	t->n++;
}

static void note_sources(const struct all *w, const struct instance *in,
			 void *context)
{
	struct written *t = context;

	for (int i = 1; in->form == t->form && i < in->form->n_explicit; i++)
		if (is_free_register(&in->form->operands[i]) &&
		    t->vectors >> reg_at(w, in, i)->index & 1)
			t->read_again = true;
}

/* "sdot v0, v0, v0" was measured instead of "sdot v0, v1, v2": the throughput
 * of 24 forms was their latency. */
TEST(peer_01_dot_products_keep_their_operands)
{
	SCOPED(done)
	struct all w =
		plan_of("aarch64", "^(S|U|US|SU|BF)DOT.*v[0-9]+i8|^.DOT_ZZ");
	size_t n_forms = 0;

	for (size_t i = 0; i < w.n; i++) {
		struct written t = { .form = w.list[i].steps[0].form };
		char label[PACK_MAX_LABEL];
		struct kernel_row k;
		struct err e = { .code = ERR_OK };

		if (w.list[i].kind != EXPERIMENT_THROUGHPUT)
			continue;
		assert_ok(experiment_label(w.c, &w.list[i], label, &e), &e);

		SCOPED(gen_end) struct gen *g = one_kernel(&w, label, &k);

		walk(&w, &k, note_result, &t);
		walk(&w, &k, note_sources, &t);
		if (t.n != k.unroll[0] || t.read_again)
			fail_msg("%s: %zu of %u, sources written: %d", label,
				 t.n, k.unroll[0], t.read_again);
		n_forms++;
	}
	assert_true(n_forms >= 16);
}

/* ---- 6 ------------------------------------------------------------------ */

struct flags_use {
	const struct form *form; /* of the chain */
	size_t n, others;
};

static void note_flags(const struct all *w, const struct instance *in,
		       void *context)
{
	struct flags_use *t = context;

	for (int i = 0; i < in->form->n_operands; i++) {
		const struct operand *o = &in->form->operands[i];

		if (!o->implicit || !o->write ||
		    w->c->regs[o->fixed_reg].bank != BANK_FLAGS)
			continue;
		if (in->form == t->form)
			t->n++;
		else
			t->others++;
		break;
	}
}

/* The loop counter broke the chain once in each iteration: 0.53 for 1. */
TEST(peer_06_loop_leaves_flag_chains_alone)
{
	static const struct {
		const char *isa, *form, *label;
	} rows[] = {
		{ "x86_64", "ADC64rr", "latency:ADC64rr@EFLAGS.CF>EFLAGS.CF" },
		{ "x86_64", "SBB32rr", "latency:SBB32rr@EFLAGS.CF>EFLAGS.CF" },
		{ "x86_64", "CMC", "latency:CMC@EFLAGS.CF>EFLAGS.CF" },
		{ "aarch64", "ADCSXr", "latency:ADCSXr@NZCV.C>NZCV.C" },
		{ "aarch64", "CCMPXr", "latency:CCMPXr@NZCV.Z>NZCV.Z" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct all w = { .c = catalogue_of(rows[i].isa) };
		struct flags_use t = { .n = 0 };
		struct kernel_row k;
		struct gen *g;

		t.form = form(w.c, rows[i].form);
		g = one_kernel(&w, rows[i].label, &k);
		walk(&w, &k, note_flags, &t);
		if (t.n != k.unroll[0] || t.others != 0)
			fail_msg("%s: %zu of %u write flags, %zu others",
				 rows[i].label, t.n, k.unroll[0], t.others);
		gen_free(g);
	}
}

/* ---- 7 ------------------------------------------------------------------ */

/* Do two sources of one instance name the same register? */
static bool reads_one_twice(const struct instance *in)
{
	const struct form *f = in->form;

	for (int i = 0; i < f->n_explicit; i++)
		for (int k = i + 1; k < f->n_explicit; k++) {
			const struct operand *x = &f->operands[i];
			const struct operand *y = &f->operands[k];

			if (x->kind == OPERAND_REG && y->kind == OPERAND_REG &&
			    x->read && y->read && x->fixed_reg == REG_NONE &&
			    y->fixed_reg == REG_NONE &&
			    in->reg[i] == in->reg[k])
				return true;
		}
	return false;
}

/* XOR was published as 0.17 and CMOV as 0, because a destination tied to the
 * first source gave both sources the same register, which cores treat as
 * another instruction. */
TEST(peer_07_sources_are_different_registers)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(done) struct all w = plan_of(isas[i]->name, NULL);
		size_t n = 0;

		for (size_t k = 0; k < w.n; k++) {
			struct err e = { .code = ERR_OK };
			const struct form *f = w.list[k].steps[0].form;
			struct assigned a;

			if (touches_memory(f) || strchr(f->name, '/') ||
			    assign_registers(w.c, &w.list[k], 16, &a, &e) != 0)
				continue;
			for (size_t op = 0; op < a.period; op++)
				if (reads_one_twice(&a.instances[op][0]))
					fail_msg("%s: op %zu reads a register "
						 "twice",
						 f->name, op);
			n++;
		}
		assert_true(n > 500);
	}
}

/* ---- 11 ----------------------------------------------------------------- */

struct counted {
	const struct form *form;
	size_t n;
};

static void count_form(const struct all *w, const struct instance *in,
		       void *context)
{
	struct counted *t = context;

	(void)w;
	t->n += in->form && in->form->opcode == t->form->opcode;
}

/* If there were few registers, kernels of one instruction were published as 0.
 * Here registers repeat sooner, but every kernel has its full length. */
TEST(peer_11_short_of_registers_is_not_short_of_code)
{
	static const struct {
		const char *isa, *forms;
	} rows[] = {
		{ "x86_64", "^(MUL64r|CMPXCHG16B|MOV8rr_NOREX|MULX64rr|"
			    "VADDPDZ128rrk|KADDQrr|MMX_PADDBrr)$" },
		{ "aarch64", "^(TBL.*|CASPX|LD4.*|FMLA_ZPmZZ_D)$" },
		{ "riscv64", "^(C_.*|FMADD_D)$" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct all w = plan_of(rows[i].isa, rows[i].forms);
		struct gen_profile p = gen_profile(0);

		for (size_t k = 0; k < w.n; k++) {
			struct counted t = { .form = w.list[k].steps[0].form };
			struct gen *g = gen_new(w.c, &p);
			struct err e = { .code = ERR_OK };
			struct kernel_row row;

			/* Mixes count bodies.  They may be refused with a
			 * reason.  Short loops are short on purpose. */
			if (w.list[k].kind == EXPERIMENT_MIX ||
			    experiment_kind_is(w.list[k].kind,
					       EXPERIMENT_WHOLE)) {
				gen_free(g);
				continue;
			}
			if (gen_add(g, &w.list[k], &e) != ERR_OK) {
				assert_true(*e.message != '\0');
				gen_free(g);
				continue;
			}
			gen_kernel_row(g, 0, &row);
			walk(&w, &row, count_form, &t);
			if ((row.unroll[0] < p.unroll[0] &&
			     !branch_jumps(t.form->name)) ||
			    t.n < row.unroll[0])
				fail_msg("%s: %zu of %u", t.form->name, t.n,
					 row.unroll[0]);
			gen_free(g);
		}
	}
}
