/* The store: rows that are written are read back unchanged. */
#include "store_scratch.h"

#include <math.h>

#include "host/store/store_claim.h"
#include "host/store/store_varint.h"

EACH(set_up, tear_down);

TEST_ON(run_comes_back, struct scratch *t)
{
	int64_t id = new_run(t);
	struct run r;

	ok(t, store_run_clock(t->s, id, CLOCK_REF, UINT64_MAX, &t->err));
	reopen(t);
	ok(t, store_run_get(t->s, &t->arena, id, &r, &t->err));
	assert_int_equal(r.clock, CLOCK_REF);
	assert_string_equal(r.date, "2026-01-02T03:04:05Z");
	assert_true(r.ref_hz == UINT64_MAX && r.kernel_cycles == 2000);
	assert_false(r.finished);
}

TEST_ON(run_must_exist, struct scratch *t)
{
	struct run r;

	refused(t, store_run_get(t->s, &t->arena, 9, &r, &t->err), ERR_INPUT,
		"has no run");
}

TEST_ON(resumable_is_newest_unfinished, struct scratch *t)
{
	int64_t first = new_run(t);
	int64_t second = new_run(t);
	int64_t third = new_run(t);
	struct run like, r;

	ok(t, store_run_finish(t->s, third, &t->err));
	ok(t, store_run_get(t->s, &t->arena, first, &like, &t->err));
	ok(t, store_run_resumable(t->s, &t->arena, &like, &r, &t->err));
	assert_int_equal(r.id, second);
	like.forms = "MUL";
	ok(t, store_run_resumable(t->s, &t->arena, &like, &r, &t->err));
	assert_int_equal(r.id, 0);
}

static int collect_env(void *context, const char *key, const char *value,
		       struct err *e)
{
	(void)e;
	(void)strcat(context, key);
	(void)strcat(context, value);
	return 0;
}

/* The last lines of a run are kept; those of others and earlier ones stay. */
TEST_ON(old_text_is_dropped, struct scratch *t)
{
	int64_t first = new_run(t), second = new_run(t), last;
	uint64_t dropped;

	ok(t, store_text_last(t->s, &last, &t->err));
	assert_int_equal(last, 0);
	ok(t, store_text(t->s, first, "12345", 5, &t->err));
	ok(t, store_text_last(t->s, &last, &t->err));
	for (int i = 0; i < 10; i++)
		ok(t, store_text(t->s, i % 2 ? second : first, "1234567890", 10,
				 &t->err));
	ok(t, store_text_trim(t->s, first, last, 25, &dropped, &t->err));
	assert_int_equal(dropped, 30);
	ok(t, store_text_trim(t->s, first, last, 25, &dropped, &t->err));
	assert_int_equal(dropped, 0);
	ok(t, store_text_trim(t->s, second, last, 50, &dropped, &t->err));
	assert_int_equal(dropped, 0);
	ok(t, store_text_trim(t->s, first, 0, 0, &dropped, &t->err));
	assert_int_equal(dropped, 25);
}

/* A database's texts cannot move the cursor of a terminal. */
TEST_ON(escape_sequences_are_not_read, struct scratch *t)
{
	int64_t id = new_run(t);
	char text[64] = "";

	ok(t, store_env(t->s, id, "a\x1b[2J", "b\x7f\tc", &t->err));
	ok(t, store_envs(t->s, id, collect_env, text, &t->err));
	assert_string_equal(text, "a?[2Jb?\tc");
	/* U+009B is Escape [ in one character, or in one byte of Latin-1. */
	text[0] = '\0';
	id = new_run(t);
	ok(t,
	   store_env(t->s, id,
		     "\xc2\x9b"
		     "2J\x9b",
		     "\xc2\xb5s \xe2\x80\x94 \xf0\x9f\x90\x9b\xc2", &t->err));
	ok(t, store_envs(t->s, id, collect_env, text, &t->err));
	assert_string_equal(text,
			    "??2J?\xc2\xb5s \xe2\x80\x94 \xf0\x9f\x90\x9b\xc2");
}

TEST_ON(environment_is_replaced_and_ordered, struct scratch *t)
{
	int64_t run = new_run(t);
	char all[40] = "";

	ok(t, store_env(t->s, run, "b", "1", &t->err));
	ok(t, store_env(t->s, run, "a", "2", &t->err));
	ok(t, store_env(t->s, run, "b", "3", &t->err));
	ok(t, store_envs(t->s, run, collect_env, all, &t->err));
	assert_string_equal(all, "a2b3");
}

static int check_walk(void *context, const struct kernel_result *r,
		      struct err *e)
{
	const struct kernel_row *k = &r->kernel;

	(void)e;
	assert_int_equal(r->index, (*(uint32_t *)context)++);
	assert_true(k->id == 0xf000000000000000u + r->index);
	assert_string_equal(k->label, "latency:ADD@1>0");
	assert_true(k->unroll[2] == 24 && k->ops_per_body == 2 && !k->calib);
	assert_int_equal(k->code_bytes[2], 5);
	assert_memory_equal(k->code[2], code_bytes + 2, 5);
	assert_true(k->image->gpr[7] == 77);
	assert_int_equal(r->n_samples, r->index == 1 ? 0 : 2);
	assert_true(!r->fault == (r->index != 1));
	for (size_t i = 0; i < r->n_samples; i++) {
		assert_int_equal(r->samples[i].visit, i);
		assert_int_equal(r->samples[i].n_iterations, 100 + i);
		assert_memory_equal(r->samples[i].values, three, sizeof(three));
	}
	if (r->fault) {
		assert_string_equal(r->fault->cause, "illegal");
		assert_true(r->fault->address == UINT64_MAX);
	}
	return 0;
}

TEST_ON(kernels_walk, struct scratch *t)
{
	struct fault_row f = { .kernel = 1,
			       .cause = "illegal",
			       .code = 2,
			       .pc = 4,
			       .address = UINT64_MAX };
	int64_t run = new_run(t);
	int64_t other = new_run(t);
	uint32_t index = 0;

	for (uint32_t i = 0; i < 3; i++) {
		add_kernel(t, run, 2 - i);
		add_kernel(t, other, i);
		add_sample(t, other, i, 7);
	}
	for (uint32_t visit = 2; visit-- > 0;) {
		add_sample(t, run, 2, visit);
		add_sample(t, run, 0, visit);
	}
	add_sample(t, run, 0, 1);
	ok(t, store_fault(t->s, run, &f, &t->err));
	reopen(t);
	ok(t, store_kernels(t->s, run, check_walk, &index, &t->err));
	assert_int_equal(index, 3);
	assert_int_equal(ask(t, "SELECT count(*) FROM code"), 3);
	assert_int_equal(ask(t, "SELECT count(*) FROM image"), 1);
}

static int check_bare(void *context, const struct kernel_result *r,
		      struct err *e)
{
	(void)e;
	assert_true(!r->kernel.code[0] && !r->kernel.image);
	return *(int *)context;
}

TEST_ON(code_may_be_unknown_and_come_later, struct scratch *t)
{
	int64_t run = new_run(t);
	struct kernel_row k = { .id = 0xf000000000000000u,
				.label = "x",
				.ops_per_body = 1 };
	uint32_t index = 0;
	int stop = 7;

	ok(t, store_kernel(t->s, run, 0, &k, &t->err));
	assert_int_equal(store_kernels(t->s, run, check_bare, &stop, &t->err),
			 7);
	add_kernel(t, run, 0);
	add_sample(t, run, 0, 0);
	add_sample(t, run, 0, 1);
	ok(t, store_kernels(t->s, run, check_walk, &index, &t->err));
}

TEST_ON(other_code_under_one_id_is_refused, struct scratch *t)
{
	int64_t run = new_run(t);
	struct kernel_row k = some_kernel(5);

	ok(t, store_kernel(t->s, run, 0, &k, &t->err));
	k.code[1] = code_bytes;
	refused(t, store_kernel(t->s, run, 1, &k, &t->err), ERR_INPUT,
		"0000000000000005 is stored with different code");
}

TEST_ON(sample_needs_its_kernel, struct scratch *t)
{
	struct sample m = { .n_rows = 1, .row = 3, .values = three };

	refused(t, store_sample(t->s, new_run(t), &m, &t->err), ERR_INPUT,
		"rows contradict each other");
}

static int check_retired(void *context, const struct kernel_result *r,
			 struct err *e)
{
	(void)context;
	(void)e;
	/* One visit has retired instructions, the other has none. */
	assert_int_equal(r->n_samples, 2);
	assert_memory_equal(r->samples[0].retired, three, sizeof(three));
	assert_null(r->samples[1].retired);
	assert_memory_equal(r->samples[1].values, three, sizeof(three));
	assert_int_equal(r->kernel.instructions, 3);
	return 0;
}

TEST_ON(retired_instructions_are_kept, struct scratch *t)
{
	static const uint64_t ticks[] = { 7, 8, 9 };
	int64_t run = new_run(t);
	struct kernel_row k = some_kernel(1);
	struct sample m = {
		.n_rows = 1, .row = 3, .values = ticks, .retired = three
	};

	k.instructions = 3;
	ok(t, store_kernel(t->s, run, 0, &k, &t->err));
	ok(t, store_sample(t->s, run, &m, &t->err));
	add_sample(t, run, 0, 1);
	ok(t, store_kernels(t->s, run, check_retired, NULL, &t->err));
}

TEST_ON(sample_shape_is_checked, struct scratch *t)
{
	struct sample m = { .n_rows = 1, .row = 4, .values = three };

	refused(t, store_sample(t->s, new_run(t), &m, &t->err), ERR_INPUT,
		"rows must have 3, 8 or 10 numbers");
}

TEST_ON(progress, struct scratch *t)
{
	struct fault_row f = { .kernel = 1, .cause = "hang" };
	int64_t run = new_run(t);
	uint32_t visits[3];

	for (uint32_t i = 0; i < 4; i++) {
		add_kernel(t, run, i);
		add_sample(t, run, i, 0);
	}
	add_sample(t, run, 2, 1);
	ok(t, store_fault(t->s, run, &f, &t->err));
	ok(t, store_progress(t->s, run, 0, 3, visits, &t->err));
	assert_int_equal(visits[0], 1);
	assert_int_equal(visits[1], UINT32_MAX);
	assert_int_equal(visits[2], 2);
	/* A visit counts only if all earlier visits are stored. */
	add_kernel(t, run, 4);
	add_sample(t, run, 4, 1);
	uint32_t more[5];

	ok(t, store_progress(t->s, run, 0, 5, more, &t->err));
	assert_int_equal(more[3], 1);
	assert_int_equal(more[4], 0);
	add_sample(t, run, 4, 0);
	ok(t, store_progress(t->s, run, 0, 5, more, &t->err));
	assert_int_equal(more[4], 2);
	/* Of a part of the run. */
	more[2] = 7;
	ok(t, store_progress(t->s, run, 1, 2, more, &t->err));
	assert_int_equal(more[0], UINT32_MAX);
	assert_int_equal(more[1], 2);
	assert_int_equal(more[2], 7);
}

TEST(varints)
{
	static const uint64_t in[] = { 0, 127, 128, 1ull << 63, UINT64_MAX };
	static const unsigned char too_long[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02,
	};
	unsigned char bytes[sizeof(in) * 2];
	uint64_t out[5];
	size_t n = varint_encode(in, 5, bytes);

	assert_true(varint_decode(bytes, n, out, 5));
	assert_memory_equal(in, out, sizeof(in));
	assert_false(varint_decode(bytes, n, out, 4));
	assert_false(varint_decode(bytes, n - 1, out, 5));
	assert_false(varint_decode(too_long, sizeof(too_long), out, 1));
}

/* A claim with the fields that tests vary. */
static struct claim some_claim(int64_t run, const char *form, double cycles)
{
	return (struct claim){
		.run = run,
		.form = form,
		.kind = "throughput",
		.source = "",
		.destination = "",
		.has_value = cycles >= 0,
		.low_cycles = cycles,
		.high_cycles = cycles + 1,
		.residual = 0.125,
		.visits = 3,
		.verdict = cycles >= 0 ? VERDICT_OK : VERDICT_MISSING,
		.label = "throughput:ADD",
		.kernel = 9,
		.solver_version = 1,
		.detail = "why",
	};
}

static void claim(struct scratch *t, int64_t run, const char *form,
		  double cycles)
{
	struct claim c = some_claim(run, form, cycles);

	ok(t, store_claims_begin(t->s, run, &t->err));
	ok(t, store_claim(t->s, &c, &t->err));
	ok(t, store_commit(t->s, &t->err));
}

static int print_claim(void *context, const struct claim *c, struct err *e)
{
	char *at = context;

	(void)e;
	assert_string_equal(c->board, "fake");
	assert_string_equal(c->isa, "riscv64");
	assert_string_equal(c->label, "throughput:ADD");
	assert_string_equal(c->detail, "why");
	assert_true(c->kernel == 9 && c->visits == 3 && c->residual == 0.125);
	(void)sprintf(at + strlen(at), "%s/%lld/%g/%g/%s ", c->form,
		      (long long)c->run, c->has_value ? c->low_cycles : -1,
		      c->has_value ? c->high_cycles : -1, claim_verdict(c));
	return 0;
}

TEST_ON(claims_come_back, struct scratch *t)
{
	int64_t run = new_run(t);
	char all[200] = "";

	claim(t, run, "OLD", 5);
	claim(t, run, "MUL", -1);
	reopen(t);
	ok(t, store_claims(t->s, run, NULL, print_claim, all, &t->err));
	assert_string_equal(all, "MUL/1/-1/-1/missing ");
}

/* Solving again replaces values of all kinds. */
TEST_ON(values_of_any_kind_are_replaced, struct scratch *t)
{
	int64_t run = new_run(t);
	struct claim c = some_claim(run, "ADC", 1);
	char all[200] = "";

	c.kind = "dependent";
	for (int i = 0; i < 2; i++) {
		ok(t, store_claims_begin(t->s, run, &t->err));
		ok(t, store_claim(t->s, &c, &t->err));
		ok(t, store_commit(t->s, &t->err));
	}
	ok(t, store_claims(t->s, run, NULL, print_claim, all, &t->err));
	assert_string_equal(all, "ADC/1/1/2/ok ");
}

/* Port claims and values of a run are replaced separately. */
TEST_ON(values_and_ports_keep_each_other, struct scratch *t)
{
	int64_t run = new_run(t);
	struct claim c = some_claim(run, "ADC", 4);
	char all[200] = "";

	c.kind = "uops";
	ok(t, store_port_claims_begin(t->s, run, &t->err));
	ok(t, store_claim(t->s, &c, &t->err));
	ok(t, store_commit(t->s, &t->err));
	claim(t, run, "ADC", 1);
	ok(t, store_claims(t->s, run, NULL, print_claim, all, &t->err));
	assert_string_equal(all, "ADC/1/1/2/ok ");
	ok(t, store_port_claims(t->s, run, NULL, print_claim, all, &t->err));
	assert_string_equal(all, "ADC/1/1/2/ok ADC/1/4/5/ok ");
}

TEST_ON(latest_claim_is_of_newest_finished_run, struct scratch *t)
{
	int64_t runs[] = { new_run(t), new_run(t), new_run(t) };
	char all[200] = "";

	claim(t, runs[0], "ADD", 1);
	claim(t, runs[1], "ADD", 2);
	claim(t, runs[2], "ADD", 3);
	ok(t, store_run_finish(t->s, runs[0], &t->err));
	ok(t, store_run_finish(t->s, runs[1], &t->err));
	ok(t, store_claims(t->s, 0, NULL, print_claim, all, &t->err));
	assert_string_equal(all, "ADD/2/2/3/ok ");
	assert_int_equal(ask(t, "SELECT low_cycles FROM latest_throughput"), 2);
	assert_int_equal(ask(t, "SELECT count(*) FROM latest_latency"), 0);
	assert_int_equal(ask(t, "SELECT sum(ok) FROM overview"), 3);
}

TEST_ON(claims_of_one_form, struct scratch *t)
{
	int64_t first = new_run(t), second = new_run(t);
	char all[200] = "";

	claim(t, first, "ADD", 1);
	claim(t, second, "MUL", 3);
	ok(t, store_claims(t->s, 0, "ADD", print_claim, all, &t->err));
	assert_string_equal(all, "ADD/1/1/2/ok ");
}

TEST_ON(failed_solving_keeps_old_claims, struct scratch *t)
{
	int64_t run = new_run(t);
	struct claim c = some_claim(run, "MUL", NAN);
	char all[200] = "";

	claim(t, run, "ADD", 1);
	ok(t, store_claims_begin(t->s, run, &t->err));
	c.has_value = true;
	refused(t, store_claim(t->s, &c, &t->err), ERR_FAILED,
		"not a finite number");
	store_rollback(t->s);
	ok(t, store_claims(t->s, run, NULL, print_claim, all, &t->err));
	assert_string_equal(all, "ADD/1/1/2/ok ");
}
