/* Sources that another form wrote: kernels, claims, the model, and forms that
 * stand for others. */
#include "host/effect/written.h"
#include "host/gen/kernel.h"
#include "host/isa/isa.h"
#include "host/model/claims.h"
#include "host/model/complete.h"
#include "host/plan/forward.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/claims_bench.h"
#include "tests/unit/judge_bench.h"

/* ---- as kernels ----------------------------------------------------------*/

/* Labels come from logs, too. */
TEST(only_two_steps_through_registers)
{
	static const char *const bad[] = {
		"written:VPADDDrr@2>0",
		"written:VPADDDrr@2>0+VPMULUDQrr",
		"written:VPADDDrr@2>0+~VPMULUDQrr",
		"written:VPADDDrr@2>0+~VPMULUDQrr@2>0",
		"written:~VPADDDrr@2>0+VPMULUDQrr@2>0",
		"written:VPADDDrr@2>0+VPMULUDQrr@2>0+VPADDDrr@2>0",
		"written:VPADDDrr@2>0+2xVPMULUDQrr@2>0",
		"written:VPADDDrr@2>0+!VPMULUDQrr@2>0",
		"written:ANDN64rr@2>0+MUL64r@RAX>RAX",
		"written:MUL64r@RAX>RAX+ANDN64rr@2>0",
		"written:MOV64mr+MOV64rm",
	};
	struct err e = { .code = ERR_OK };
	struct catalogue *c = catalogue_of("x86_64");
	struct experiment x;
	struct assigned as;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err why = { .code = ERR_OK };

		assert_int_equal(experiment_parse(c, bad[i], &x, &why),
				 ERR_INPUT);
		assert_part(why.message, bad[i]);
	}
	assert_ok(experiment_parse(c, "written:VPADDDrr@2>0+VPMULUDQrr@2>0", &x,
				   &e),
		  &e);
	assert_int_equal(assign_registers(c, &x, 48, &as, &e), ERR_OK);
	/* No register of the one form is one of the other. */
	assert_ok(experiment_parse(c, "written:ANDN64rr@2>0+VPADDDrr@2>0", &x,
				   &e),
		  &e);
	assert_int_equal(assign_registers(c, &x, 48, &as, &e), ERR_INPUT);
}

/* Does each op read the result of the writer, from an operand that is no part
 * of the chain, and never write it? */
static bool reads_written(const struct catalogue *c, const struct assigned *as,
			  const struct experiment *x)
{
	const struct reg *written = &c->regs[as->writer.reg[x->steps[1].dst]];

	for (size_t op = 0; op < as->period; op++) {
		const struct instance *in = &as->instances[op][0];
		bool reads = false;

		for (int i = 0; i < in->form->n_explicit; i++) {
			const struct operand *o = &in->form->operands[i];

			if (o->kind != OPERAND_REG ||
			    !reg_overlap(&c->regs[in->reg[i]], written))
				continue;
			if (o->write || i == x->steps[0].src)
				return false;
			reads |= o->read;
		}
		if (!reads)
			return false;
	}
	return true;
}

/* Once in an iteration, and no part of the chain: the chain's other source. */
TEST(a_writer_writes_the_other_source)
{
	for (size_t i = 0; isas[i]; i++) {
		struct experiment list[FORWARD_MAX_FORMS], x;
		struct err e = { .code = ERR_OK };
		struct catalogue *c = catalogue_of(isas[i]->name);
		size_t n, named = 0, n_kernels = 0;

		if (!isas[i]->written)
			continue;
		n = forward_forms(c, isas[i]->written, list, 0);
		while (isas[i]->written[named])
			named++;
		assert_int_equal(n, named);
		for (size_t k = 0; k < n * n; k++) {
			const struct experiment_step *s;
			SCOPED(buffer_free) struct buffer code = { 0 };
			unsigned char writer[KERNEL_MAX_INSTRUCTION];
			struct kernel_ops known = { .n = 0 };
			struct assigned as;
			size_t bytes;

			if (!written_chain(c, &list[k / n], &list[k % n], &x))
				continue;
			n_kernels++;
			s = x.steps;
			assert_ok(assign_registers(c, &x, 48, &as, &e), &e);
			assert_true(as.has_writer && as.n_steps == 1);
			assert_true(reads_written(c, &as, &x));
			assert_ok(kernel_emit(c, &as, 8, &known, &code, &e),
				  &e);
			bytes = instance_encode(c, &as.writer, writer,
						sizeof(writer));
			assert_true(bytes > 0 && code.n > 8 * bytes);
			assert_memory_equal(code.bytes, writer, bytes);
			assert_ptr_equal(as.writer.form, s[1].form);
		}
		assert_true(n_kernels >= 20);
	}
}

/* ---- as claims -----------------------------------------------------------*/

/* One claim, of the chain's form; the mean of instances that differ is its
 * value. */
TEST(a_chain_with_a_written_source)
{
	static const struct {
		double cycles;
		const char *verdict;
	} cases[] = {
		{ 1, "ok" },
		{ 2, "ok" },
		{ 5 / 3.0, "mixture" },
		{ 120, "implausible" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct judge_bench b = { .n = 0 };
		const struct claim *c = NULL;

		(void)judge_add(&b, "latency:A@1>0", 1, 1);
		(void)judge_add(&b, "latency:B@2>0", 3, 3);
		(void)judge_add(&b, "written:A@1>0+B@2>0", cases[i].cycles,
				cases[i].cycles);
		judge_all(&b, 8);
		for (size_t k = 0; k < b.n_claims; k++)
			if (strcmp(b.claims[k].kind, "written") == 0) {
				assert_null(c);
				c = &b.claims[k];
			}
		assert_non_null(c);
		assert_string_equal(c->form, "A");
		assert_string_equal(c->source, "1>0");
		assert_string_equal(c->destination, "B@2>0");
		assert_string_equal(claim_verdict(c), cases[i].verdict);
		assert_int_equal(c->has_value, i < 3);
		arena_free(&b.arena);
	}
}

/* ---- as a model ----------------------------------------------------------*/

/* What is longer than the form's own chain; only of values that are known. */
TEST_WITH(the_excess_is_the_effect, set_up, tear_down)
{
	static const struct word rows[] = {
		{ "FADD_D", "latency", "1", "0", 2, 2, "ok" },
		{ "FMUL_D", "latency", "1", "0", 3.99, 4.01, "ok" },
		{ "FMIN_D", "latency", "1", "0", 1, 2, "throughput-bound" },
		{ "FSUB_D", "latency", "1", "0", 2, 2, "ok" },
		{ "FADD_D", "written", "1>0", "FMUL_D@1>0", 3.66, 3.68,
		  "mixture" },
		{ "FADD_D", "written", "1>0", "FMIN_D@1>0", 1.99, 2.01, "ok" },
		{ "FADD_D", "written", "1>0", "FSUB_D@1>0", 2, 3, "ok" },
		{ "FMUL_D", "written", "1>0", "FADD_D@1>0", 4.99, 5.01, "ok" },
		{ "FMUL_D", "written", "1>0", "FMIN_D@1>0", 3, 3, "ok" },
		{ "FMUL_D", "written", "1>0", "FSUB_D@1>0", 6, 6, "noisy" },
		{ "FMIN_D", "written", "1>0", "FADD_D@1>0", 3, 3, "ok" },
		{ "FSUB_D", "written", "1>0", "FADD_D@1>0", 1e6, 1e6, "ok" },
		{ "FSUB_D", "written", "1>0", "NONE@1>0", 3, 3, "ok" },
		{ "FSUB_D", "written", "1>0", "", 3, 3, "ok" },
		{ "FSUB_D", "written", "9>0", "FMUL_D@1>0", 3, 3, "ok" },
	};
	static const struct written want[] = {
		{ "FADD_D", "FMIN_D", 0 },
		{ "FADD_D", "FMUL_D", 1.67 },
		{ "FMUL_D", "FADD_D", 1 },
	};
	struct scratch *t = *state;
	struct catalogue *c = catalogue_of("riscv64");
	const struct written *got;
	size_t n_got;
	struct model m;

	(void)values(t, rows, ARRAY_LEN(rows));
	ok(t, model_from_store(t->s, &t->arena, NULL, c, &m, &t->err));
	got = model_effect(&m, effect_find("written"), &n_got);
	assert_int_equal(n_got, ARRAY_LEN(want));
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		size_t k = 0;

		while (k < n_got &&
		       (strcmp(got[k].form, want[i].form) != 0 ||
			strcmp(got[k].writer, want[i].writer) != 0))
			k++;
		assert_true(k < n_got);
		assert_float_equal(got[k].cycles, want[i].cycles, 0.001);
	}
}

/* ---- for other forms -----------------------------------------------------*/

static double effect(struct completion *k, const struct catalogue *c,
		     const char *reader, const char *writer)
{
	return written_cycles(k, completed_form(k, catalogue_form(c, reader)),
			      completed_form(k, catalogue_form(c, writer)));
}

static void give(struct model *m, const struct written *list, size_t n)
{
	m->effects[effect_number(effect_find("written"))] =
		(struct model_list){ n, list };
}

/* A gap takes the value of a writer that is equal elsewhere; a form is not
 * slower with its own results; the same mnemonic of the same width is the same
 * form, also with a load, and plain loads are none. */
TEST(forms_stand_for_others)
{
	static const struct written list[] = {
		{ "VPADDDrr", "VPMULUDQrr", 2 },
		{ "VPANDrr", "VPMULUDQrr", 2 },
		{ "VPMINSDrr", "VPMULUDQrr", 3 },
		{ "VPADDDrr", "VPMULLDrr", 2 },
		{ "VPANDrr", "VPMULLDrr", 2 },
		{ "VPADDDrr", "VADDPDrr", 1 },
		{ "VPANDrr", "VADDPDrr", 1 },
		{ "VPMULUDQrr", "VPADDDrr", 0 },
	};
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "x86_64", NULL);
	struct model m = { .isa = "x86_64",
			   .cpu = "invented",
			   .source = "measured" };
	struct completion *k;

	give(&m, list, ARRAY_LEN(list));
	k = model_complete(&a, c, &m, NULL);
	assert_true(effect(k, c, "VPADDDrr", "VPMULUDQrr") == 2);
	assert_true(effect(k, c, "VPMINSDrr", "VPMULLDrr") == 3);
	assert_true(effect(k, c, "VPMINSDrr", "VADDPDrr") == 0);
	assert_true(effect(k, c, "VPADDDrr", "VPADDDrr") == 0);
	assert_true(effect(k, c, "VPADDDrm", "VPMULUDQrm") == 2);
	assert_true(effect(k, c, "VPADDDYrr", "VPMULUDQrr") == 0);
	assert_true(effect(k, c, "VPADDDrr", "VMOVDQArm") == 0);
}

/* No more than there is room for, from a file for example. */
TEST(too_many_forms_are_left_out)
{
	enum { MANY = 100 };
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "x86_64", NULL);
	struct written *list = ARENA_ARRAY(&a, struct written, MANY);
	struct model m = { .isa = "x86_64",
			   .cpu = "invented",
			   .source = "measured" };
	struct completion *k;

	for (size_t i = 0; i < MANY; i++)
		list[i] = (struct written){ c->forms[2 * i].name,
					    c->forms[2 * i + 1].name, 1 };
	give(&m, list, MANY);
	k = model_complete(&a, c, &m, NULL);
	for (size_t i = 0; i < 2 * MANY; i++)
		assert_non_null(completed_form(k, &c->forms[i]));
}
