/* Short chains and alternating chains: their kernels, and their claims. */
#include <math.h>

#include "host/base/file.h"
#include "host/effect/bypass.h"
#include "host/effect/effect.h"
#include "host/gen/kernel.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/plan/forward.h"
#include "host/plan/plan.h"
#include "host/solve/judge.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/record.h"
#include "tests/unit/unit.h"

enum { MAX = 8 };

/* ---- as kernels ----------------------------------------------------------*/

/* Every name of every ISA's list is a form, and their chains can be made. */
TEST(every_form_of_the_lists_chains)
{
	for (size_t i = 0; isas[i]; i++) {
		struct experiment list[FORWARD_MAX_FORMS], x;
		struct err e = { .code = ERR_OK };
		struct catalogue *c = catalogue_of(isas[i]->name);
		size_t n, named = 0, n_pairs = 0;

		n = forward_forms(c, isas[i]->forwarding, list, 0);
		while (isas[i]->forwarding[named])
			named++;
		assert_int_equal(n, named);
		for (size_t k = 0; k < n; k++)
			for (size_t m = k + 1; m < n; m++) {
				struct assigned as;

				if (!forward_pair(c, &list[k], &list[m], &x))
					continue;
				n_pairs++;
				assert_ok(assign_registers(c, &x, 48, &as, &e),
					  &e);
			}
		assert_true(n_pairs >= 9);
	}
}

struct streams {
	const struct catalogue *c;
	size_t n;
};

static bool any(const void *choice, const struct form *f)
{
	(void)choice;
	return f != NULL;
}

static void assign_stream(void *context, const struct experiment *x)
{
	struct streams *w = context;
	struct err e = { .code = ERR_OK };
	struct assigned as;

	assert_int_equal(x->steps[0].form->access, ACCESS_LOAD);
	assert_int_equal(x->steps[1].form->access, ACCESS_STORE);
	assert_ok(assign_registers(w->c, x, 48, &as, &e), &e);
	w->n++;
}

/* Every name of every ISA's list of streams is a form, and loads mix with
 * stores. */
TEST(every_stream_is_a_kernel)
{
	enum { OF_A_PAIR = 4 };

	for (size_t i = 0; isas[i]; i++) {
		struct catalogue *c = catalogue_of(isas[i]->name);
		struct streams w = { .c = c };
		const struct effect_plan p = { .catalogue = c,
					       .throughputs = true,
					       .is_chosen = any,
					       .add = assign_stream,
					       .context = &w };
		size_t n = 0;

		effect_find("contention")->plan(&p);
		while (c->isa->memory->streams[n].load)
			n++;
		assert_true(n >= 2);
		assert_int_equal(w.n, n * OF_A_PAIR);
	}
}

/* Forms that are not on the list alternate with two of the list. */
TEST(other_forms_take_turns)
{
	struct experiment list[FORWARD_MAX_FORMS], of[FORWARD_MAX_FORMS];
	struct experiment x, turns;
	size_t n, n_of, n_turns = 0;
	struct err e = { .code = ERR_OK };
	struct catalogue *c = catalogue_of("x86_64");
	struct assigned as;

	n = forward_forms(c, c->isa->forwarding, list, 0);
	n_of = bypass_references(c, of);
	assert_int_equal(n_of, 12); /* two of each width and type */
	assert_string_equal(of[0].steps[0].form->name, "VADDPDrr");
	assert_string_equal(of[1].steps[0].form->name, "VMULPDrr");
	assert_string_equal(of[6].steps[0].form->name, "VADDPSrr");
	assert_false(bypass_other(c, catalogue_form(c, "PADDDrr"), list, n,
				  &x)); /* of integers */
	assert_false(bypass_other(c, catalogue_form(c, "VADDPDrr"), list, n,
				  &x)); /* of the list */
	assert_true(
		bypass_other(c, catalogue_form(c, "VSUBPDYrr"), list, n, &x));
	for (size_t i = 0; i < n_of; i++) {
		if (!forward_pair(c, &x, &of[i], &turns))
			continue;
		n_turns++;
		assert_ok(assign_registers(c, &turns, 48, &as, &e), &e);
	}
	assert_int_equal(n_turns, 2);
}

/* Products of singles read as doubles become denormal in some hundred
 * instances: no chain reads numbers of one type as those of another. */
TEST(no_number_is_read_as_one_of_another_type)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { .code = ERR_OK };
		struct catalogue *c = catalogue_of(isas[i]->name);
		struct experiment *list;
		size_t n, n_pairs = 0, n_single = 0;
		enum experiment_kind kind = effect_kind(effect_find("bypass"));

		struct plan_request q = { .catalogue = c,
					  .what = PLAN_LATENCY,
					  .thorough = true };

		assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
		for (size_t k = 0; k < n; k++) {
			const struct form *f = list[k].steps[0].form;
			const struct form *g = list[k].steps[1].form;

			if (list[k].kind != kind)
				continue;
			assert_true(f->domain == g->domain ||
				    f->domain == DOMAIN_INT ||
				    g->domain == DOMAIN_INT);
			n_pairs++;
			n_single += f->domain == DOMAIN_FP32;
		}
		assert_true(n_pairs > 0 && n_single > 0);
	}
}

/* The barrier occurs once, after the instances. */
TEST(a_short_chain_ends_with_a_barrier)
{
	struct buffer with = { 0 }, without = { 0 };
	struct err e = { .code = ERR_OK };
	struct assigned as;
	struct catalogue *c = catalogue_of("x86_64");
	struct experiment x;
	struct kernel_ops ops = { .n = 0 };

	assert_true(forward_short(c, catalogue_form(c, "PADDDrr"), &x));
	assert_false(forward_short(c, catalogue_form(c, "PADDDrm"), &x));
	assert_false(forward_short(c, catalogue_form(c, "ADD64rr"), &x));
	assert_true(forward_short(c, catalogue_form(c, "PADDDrr"), &x));
	assert_int_equal(x.steps[0].src, 2);
	assert_int_equal(assign_registers(c, &x, 8, &as, &e), ERR_OK);
	assert_true(as.barrier);
	assert_int_equal(kernel_emit(c, &as, 8, &ops, &with, &e), ERR_OK);
	as.barrier = false;
	assert_int_equal(kernel_emit(c, &as, 8, &ops, &without, &e), ERR_OK);
	assert_int_equal(with.n, without.n + c->isa->barrier.n);
	buffer_free(&with);
	buffer_free(&without);
}

/* ---- as claims -----------------------------------------------------------*/

struct bench {
	struct arena a;
	struct record records[MAX];
	struct claim claims[MAX];
	size_t n, n_claims;
};

static void add(struct bench *b, const char *label, double cycles)
{
	struct record *r = &b->records[b->n];

	*r = record_of(&b->a, b->n++, label, cycles);
}

static int keep(void *context, struct claim *c, struct err *e)
{
	struct bench *b = context;

	(void)e;
	if (strcmp(c->kind, "forward") == 0 || strcmp(c->kind, "queue") == 0)
		b->claims[b->n_claims++] = *c;
	return 0;
}

static void judge(struct bench *b, double sum)
{
	struct judge_sink sink = { .max_width = 8, .each = keep, .context = b };
	struct err e = { .code = ERR_OK };

	add(b, "latency:A@1>0", 2);
	add(b, "latency:B@2>0", 3);
	add(b, "throughput:A", 0.5);
	add(b, "throughput:B", 0.5);
	add(b, "forward:A@1>0+B@2>0", sum);
	assert_int_equal(judge_records(&b->a, b->records, b->n, &sink, &e), 0);
}

/* Either form has the sum, and the excess over the cost of both alone. */
TEST(the_sum_stands_with_either_form)
{
	struct bench b = { .n = 0 };

	judge(&b, 6);
	assert_int_equal(b.n_claims, 2);
	assert_string_equal(b.claims[0].form, "A");
	assert_string_equal(b.claims[0].source, "1>0");
	assert_string_equal(b.claims[0].destination, "B@2>0");
	assert_string_equal(claim_verdict(&b.claims[0]), "ok");
	assert_true(b.claims[0].low_cycles == 6);
	assert_part(b.claims[0].detail, "together +1");
	assert_string_equal(b.claims[1].form, "B");
	assert_string_equal(b.claims[1].destination, "A@1>0");
	arena_free(&b.a);
}

/* A denormal in the chain costs a hundred cycles and is not forwarding. */
TEST(slow_values_are_no_forwarding)
{
	struct bench b = { .n = 0 };

	judge(&b, 120);
	assert_false(b.claims[0].has_value);
	assert_string_equal(claim_verdict(&b.claims[0]), "implausible");
	arena_free(&b.a);
}

/* No more than independent instances: not a chain. */
TEST(a_chain_that_does_not_show)
{
	struct bench b = { .n = 0 };

	judge(&b, 1);
	assert_string_equal(claim_verdict(&b.claims[0]), "throughput-bound");
	arena_free(&b.a);
}

static void judge_queue(struct bench *b, double latency, double cycles)
{
	struct judge_sink sink = { .max_width = 8, .each = keep, .context = b };
	struct err e = { .code = ERR_OK };

	add(b, "latency:A@1>0", latency);
	add(b, "throughput:A", 0.5);
	add(b, "queue:A@1>0", cycles);
	assert_int_equal(judge_records(&b->a, b->records, b->n, &sink, &e), 0);
	assert_int_equal(b->n_claims, 1);
	arena_free(&b->a);
}

/* Chains of 384 with 64 waiting take 320 times the latency. */
TEST(what_waits_follows_from_chains_in_a_row)
{
	struct bench b = { .n = 0 }, wide = { .n = 0 }, slow = { .n = 0 };

	judge_queue(&b, 2.003, 2 * 320 / 384.0);
	assert_string_equal(claim_verdict(&b.claims[0]), "ok");
	assert_true(fabs(b.claims[0].low_cycles - 64) < 0.01);
	/* Always parallel: the queue is hidden. */
	judge_queue(&wide, 2, 0.5);
	assert_false(wide.claims[0].has_value);
	assert_string_equal(claim_verdict(&wide.claims[0]), "throughput-bound");
	/* It cannot be slower than an endless chain. */
	judge_queue(&slow, 2, 2.1);
	assert_false(slow.claims[0].has_value);
	assert_string_equal(claim_verdict(&slow.claims[0]), "implausible");
}

/* The first op of each chain reads a different source. */
TEST(chains_in_a_row_begin_anew)
{
	struct experiment list[FORWARD_MAX_FORMS], x;
	struct err e = { .code = ERR_OK };
	struct assigned as;
	struct catalogue *c = catalogue_of("x86_64");

	(void)forward_forms(c, c->isa->forwarding, list, 0);
	x = list[0];
	x.kind = effect_kind(effect_find("queue"));
	assert_int_equal(assign_registers(c, &x, 48, &as, &e), ERR_OK);
	assert_int_equal(as.cut_ops, EXPERIMENT_QUEUE_OPS);
	assert_int_equal(as.cut_ops % as.period, 0);
	assert_int_equal(as.cut_operand, x.steps[0].src);
	assert_int_equal(as.cut_reg, as.instances[0][0].reg[1]);
	assert_int_not_equal(as.cut_reg,
			     as.instances[0][0].reg[as.cut_operand]);
}
