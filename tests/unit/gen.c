/* Plan and generation on the real catalogues: every experiment of every ISA has
 * a label that parses back, every kernel decodes to its end, and chains are
 * dependent. */
#include "host/gen/gen.h"
#include "host/gen/assign.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "tests/unit/planned.h"

/* The sanitizers see a third of the experiments, which has all kinds. */
#ifdef __SANITIZE_ADDRESS__
enum { STEP = 3 };
#else
enum { STEP = 1 };
#endif

TEST(labels_read_back)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(done) struct all w = plan_of(isas[i]->name, NULL);

		for (size_t k = 0; k < w.n; k += STEP) {
			struct err e = { .code = ERR_OK, .message = "" };
			struct experiment back = { .n_steps = 0 };
			char label[PACK_MAX_LABEL], again[PACK_MAX_LABEL];

			assert_ok(experiment_label(w.c, &w.list[k], label, &e),
				  &e);
			assert_ok(experiment_parse(w.c, label, &back, &e), &e);
			assert_ok(experiment_label(w.c, &back, again, &e), &e);
			assert_string_equal(label, again);
		}
	}
}

static void decode_to_end(const struct catalogue *c, const struct kernel_row *k)
{
	for (int i = 0; i < PACK_LENGTHS; i++) {
		size_t at = 0;

		while (at < k->code_bytes[i]) {
			struct instance in;
			size_t n = instance_decode(c, k->code[i] + at,
						   k->code_bytes[i] - at, &in);

			if (n == 0)
				print_error("%s: byte %zu\n", k->label, at);
			assert_true(n > 0);
			at += n;
		}
	}
}

TEST(every_kernel_decodes)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(done) struct all w = plan_of(isas[i]->name, NULL);
		struct gen_profile p = gen_profile(2000);
		struct err e = { .code = ERR_OK, .message = "" };
		SCOPED(buffer_free) struct buffer pack = { 0 };
		size_t refused = 0;

		SCOPED(gen_end) struct gen *g = gen_new(w.c, &p);

		for (size_t k = 0; k < w.n; k += STEP) {
			struct err why = { .code = ERR_OK, .message = "" };

			if (gen_add(g, &w.list[k], &why) != ERR_OK &&
			    refused++ < 10)
				print_message("refused: %s\n", why.message);
		}
		print_message("%s: %zu experiments, %zu without a kernel\n",
			      isas[i]->name, w.n, refused);
		/* A few forms have too few registers; most must succeed. */
		assert_true(refused < w.n / STEP / 20);
		for (size_t k = 0; k < gen_n_kernels(g); k++) {
			struct kernel_row row;

			gen_kernel_row(g, k, &row);
			decode_to_end(w.c, &row);
		}
		assert_int_equal(gen_finish(g, &pack, &e), ERR_OK);
		assert_int_equal(pack_check(pack.bytes, pack.n), PACK_OK);
	}
}

static const struct reg *reg_of(const struct all *w, const struct instance *in,
				int operand)
{
	return &w->c->regs[in->reg[operand]];
}

TEST(untied_source_chains)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^ADD64rr$");
	struct assigned a;

	assign(w.c, "latency:ADD64rr@2>0", 16, &a);
	assert_true(a.period >= 2);
	for (size_t op = 0; op < a.period; op++) {
		size_t next = (op + 1) % a.period;

		assert_int_equal(reg_of(&w, &a.instances[op][0], 0)->index,
				 reg_of(&w, &a.instances[next][0], 2)->index);
		/* The tied operand's own chain must be longer. */
		assert_int_not_equal(
			reg_of(&w, &a.instances[op][0], 0)->index,
			reg_of(&w, &a.instances[next][0], 1)->index);
	}
}

TEST(tied_source_chains_through_one_register)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^ADD64rr$");
	struct assigned a;

	assign(w.c, "latency:ADD64rr@1>0", 16, &a);
	for (size_t op = 0; op < a.period; op++) {
		assert_int_equal(reg_of(&w, &a.instances[op][0], 0)->index,
				 reg_of(&w, &a.instances[0][0], 1)->index);
		/* on some cores add r, r is a different instruction */
		assert_int_not_equal(reg_of(&w, &a.instances[op][0], 2)->index,
				     reg_of(&w, &a.instances[op][0], 1)->index);
	}
}

TEST(control_breaks_the_chain)
{
	SCOPED(done) struct all w = plan_of("riscv64", "^ADD$");
	struct assigned a;

	assign(w.c, "control:ADD@1>0", 16, &a);
	assert_true(a.period >= 4);
	for (size_t op = 0; op < a.period; op++)
		for (size_t other = 0; other < a.period; other++)
			assert_int_not_equal(
				reg_of(&w, &a.instances[op][0], 0)->index,
				reg_of(&w, &a.instances[other][0], 1)->index);
}

TEST(flags_chain_keeps_the_loop_off_flags)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^ADC64rr$");
	struct assigned a;

	assign(w.c, "latency:ADC64rr@EFLAGS>EFLAGS", 16, &a);
	assert_true(a.flagless);
	for (size_t op = 0; op < a.period; op++)
		for (int i = 0; i < 3; i++)
			assert_int_not_equal(
				reg_of(&w, &a.instances[op][0], i)->index,
				w.c->isa->counter_flagless);
	assign(w.c, "latency:ADC64rr@1>0+~TEST64rr", 16, &a);
	assert_false(a.flagless);
	assert_int_equal(a.n_steps, 2);
}

/* A count in the register that the loop counts in: flags that are read before
 * the loop's end need no other counter, flags that pass its end do. */
TEST(a_count_leaves_the_usual_loop)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^(SHL|RCL)64rCL$");
	struct err e = { .code = ERR_OK };
	struct experiment x;
	struct assigned a;

	assign(w.c, "latency:SHL64rCL@1>EFLAGS.CF+CMOV64rr/b@EFLAGS.CF>0", 16,
	       &a);
	assert_false(a.flagless);
	assert_ok(experiment_parse(w.c, "latency:RCL64rCL@EFLAGS.CF>EFLAGS.CF",
				   &x, &e),
		  &e);
	assert_int_equal(assign_registers(w.c, &x, 16, &a, &e), ERR_INPUT);
}

/* xadd: the source of the chain is tied to a result that is not its end. */
TEST(source_tied_to_another_result_chains)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^XADD64rr$");
	struct assigned a;

	assign(w.c, "latency:XADD64rr@2>1", 16, &a);
	for (size_t op = 0; op < a.period; op++) {
		const struct instance *in = a.instances[op];
		const struct instance *next = a.instances[(op + 1) % a.period];

		assert_int_equal(in->reg[0], in->reg[2]);
		assert_int_equal(in->reg[1], in->reg[3]);
		assert_int_equal(reg_of(&w, in, 1)->index,
				 reg_of(&w, next, 2)->index);
		assert_int_not_equal(reg_of(&w, in, 0)->index,
				     reg_of(&w, next, 3)->index);
	}
}

/* Ops since a register of operand `i` was an operand's result, walking on from
 * the end of the period to its start. */
static size_t distance(const struct all *w, const struct assigned *a, size_t op,
		       int i)
{
	const struct reg *r = reg_of(w, &a->instances[op][0], i);

	for (size_t back = 1; back <= a->period; back++) {
		size_t before = (op + a->period - back) % a->period;
		const struct instance *in = &a->instances[before][0];
		int root = in->form->operands[i].tied_to;

		if (reg_overlap(reg_of(w, in, root), r))
			return back;
	}
	return a->period;
}

/* Results that are read again are read after as many ops as the kernel has
 * chains, at any place in the period. */
TEST(chains_are_as_long_as_said)
{
	SCOPED(done)
	struct all w = plan_of("x86_64", "^(ADD|IMUL|VFMADD231P|LXADD|PADD)");

	for (size_t k = 0; k < w.n; k += STEP) {
		const struct form *f = w.list[k].steps[0].form;
		struct err e = { .code = ERR_OK, .message = "" };
		struct assigned a;

		if (w.list[k].kind != EXPERIMENT_THROUGHPUT ||
		    assign_registers(w.c, &w.list[k], 48, &a, &e) != ERR_OK)
			continue;
		for (size_t op = 0; a.chains > 0 && op < a.period; op++)
			for (int i = 0; i < f->n_explicit; i++)
				if (f->operands[i].tied_to >= 0 &&
				    f->operands[i].kind == OPERAND_REG)
					assert_true(distance(&w, &a, op, i) >=
						    a.chains);
	}
}

TEST(bad_labels_are_refused)
{
	static const char *const bad[] = {
		"",
		"latency",
		"latency:",
		"latency:NOSUCH@1>0",
		"latency:ADD@9>0",
		"latency:ADD@0>1",
		"latency:ADD@1",
		"speed:ADD",
		"throughput:0xADD",
		"throughput:9999xADD",
		"throughput:ADD+",
		"throughput:ADD+ADD+ADD+ADD+ADD+ADD+ADD+ADD+ADD+ADD+ADD+"
		"ADD+ADD",
	};
	SCOPED(done) struct all w = plan_of("riscv64", "^ADD$");

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct experiment x;

		if (experiment_parse(w.c, bad[i], &x, &e) != ERR_INPUT)
			print_error("accepted: '%s'\n", bad[i]);
		assert_int_equal(e.code, ERR_INPUT);
	}
}
