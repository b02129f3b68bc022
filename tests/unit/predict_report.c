/* What a report adds to the prediction, on models whose truth is simple:
 * chains, stalls, waits, the timeline, costs of single instructions. */
#include "host/predict/print.h"
#include "host/predict/report.h"
#include "tests/unit/html_check.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual = { .timeline = 2 };

/* Four slots a cycle; one ALU, one multiplier, a load port, a store port. */
static struct world core(void)
{
	static const struct row rows[] = {
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "IMUL64rr", "m", 3, { { 0 } }, false },
		{ "INC64r", "a|m", 1, { { 0 } }, false },
		{ "MOV32ri", "a|m|l|s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
		{ "MOV64rr", "a|m|l|s", 1, { { 0 } }, false },
		{ "MULSDrr_Int", "m", 4, { { 0 } }, false },
	};
	struct world w = WORLD_OF("x86_64", "a m l s", rows);

	w.m->width = exactly(4);
	w.m->reorder_buffer = 64;
	return w;
}

static double share(struct world *w, const char *text, enum sim_stall stall)
{
	world_predict(w, text, usual);
	return report_make(&w->p).simulation.stalls[stall];
}

static void expect_share(const char *text, enum sim_stall stall)
{
	SCOPED(world_close) struct world w = core();
	double x = share(&w, text, stall);

	if (x < 0.9)
		fail_msg("%s: %.2f of the time", report_stalls[stall].name, x);
}

/* A loop with one limit spends its time there. */
TEST(stalls_of_one_limit)
{
	expect_share("imulq %rcx, %rbx\naddq %rcx, %rbx\n",
		     SIM_STALL_DEPENDENCY);
	expect_share("movq (%rax), %rax\n", SIM_STALL_LOADS);
	expect_share("addq %rdx, %rbx\naddq %rdx, %rcx\naddq %rdx, %rsi\n",
		     SIM_STALL_PORTS);
	expect_share("movl $1, %ebx\nmovl $1, %ecx\n"
		     "movl $1, %esi\nmovl $1, %edi\n",
		     SIM_STALL_FRONT_END);
}

/* Independent loads of 100 cycles with room for eight: the window. With room
 * for four loads: the load buffer. */
TEST(stalls_of_queues)
{
	static const struct row rows[] = {
		{ "MOV64rm", "l", 100, { { 0 } }, false },
	};
	static const char text[] = "movq (%rdi), %rax\nmovq (%rsi), %rbx\n";
	SCOPED(world_close) struct world w = WORLD_OF("x86_64", "l", rows);

	w.m->width = exactly(4);
	w.m->reorder_buffer = 8;
	assert_true(share(&w, text, SIM_STALL_WINDOW) > 0.9);
	w.m->reorder_buffer = 512;
	w.m->load_queue = 4;
	assert_true(share(&w, text, SIM_STALL_LOAD_BUFFER) > 0.9);
}

/* A loop that starts once in two cycles, because of its taken branch. */
TEST(stalls_of_branches)
{
	SCOPED(world_close) struct world w = core();

	w.m->taken_branches = 0.5;
	world_predict(&w, ".L:\nmovl $1, %ebx\njmp .L\n", usual);
	assert_cycles(w.p.cycles, 2, "predicted");
	assert_cycles(w.p.simulation.cycles, 2, "simulated");
	assert_true(report_make(&w.p).simulation.stalls[SIM_STALL_FRONT_END] >
		    0.9);
}

TEST(stalls_in_order)
{
	static const char chain[] = "imulq %rcx, %rbx\naddq %rcx, %rbx\n";
	static const char ports[] = "addq %rdx, %rbx\naddq %rdx, %rcx\n";
	SCOPED(world_close) struct world w = core();

	w.m->in_order = true;
	assert_true(share(&w, chain, SIM_STALL_DEPENDENCY) > 0.9);
	assert_true(share(&w, ports, SIM_STALL_PORTS) > 0.9);
}

/* The shares are of the whole. */
TEST(stalls_sum)
{
	SCOPED(world_close) struct world w = core();
	struct report r;
	double sum = 0;

	world_predict(&w,
		      "movq (%rdi,%rax,8), %rcx\nimulq %rcx, %rbx\n"
		      "addq %rcx, %rdx\nincq %rax\n",
		      usual);
	r = report_make(&w.p);
	for (size_t k = 0; k < SIM_N_STALLS; k++)
		sum += r.simulation.stalls[k];
	assert_cycles(sum, 1, "shares");
	assert_true(r.simulation.cycles == w.p.simulation.cycles);
}

/* Three chains: 3 + 1 over two instructions, 1 and 1. */
TEST(chains)
{
	SCOPED(world_close) struct world w = core();
	struct report r;

	world_predict(&w,
		      "imulq %rcx, %rbx\naddq %rcx, %rbx\n"
		      "addq %rcx, %rdx\nincq %rax\n",
		      usual);
	r = report_make(&w.p);
	assert_int_equal(r.chains.n, 3);
	assert_cycles(r.chains.list[0].cycles, 4, "the longest");
	assert_int_equal(r.chains.list[0].n, 2);
	assert_true(r.chains.list[0].on[0] && r.chains.list[0].on[1]);
	assert_string_equal(prediction_carrier(&w.p, &r.chains.list[0]), "RBX");
	assert_cycles(r.chains.list[1].cycles, 1, "the second");
	assert_cycles(r.chains.list[2].cycles, 1, "the third");
	assert_string_equal(prediction_carrier(&w.p, &r.chains.list[2]), "RAX");
}

/* Two registers that change places: one chain over two iterations, beneath a
 * longer one. */
TEST(chain_over_iterations)
{
	SCOPED(world_close) struct world w = core();
	struct report r;

	world_predict(&w,
		      "movq %rax, %rcx\nmovq %rbx, %rax\n"
		      "movq %rcx, %rbx\nimulq %rdx, %rdx\n",
		      usual);
	r = report_make(&w.p);
	assert_int_equal(r.chains.n, 2);
	assert_cycles(r.chains.list[0].cycles, 3, "the product");
	assert_cycles(r.chains.list[1].cycles, 1.5, "three steps in two");
	assert_int_equal(r.chains.list[1].iterations, 2);
	assert_int_equal(r.chains.list[1].n, 3);
}

TEST(costs)
{
	SCOPED(world_close) struct world w = core();
	struct model_form *forms;
	struct report_row c;

	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < w.m->n_forms; i++)
		forms[i].throughput = exactly(1.5);
	w.m->forms = forms;
	world_predict(&w, "movq (%rdi), %rax\ncmpq %rdi, %rsi\n", usual);
	c = report_make(&w.p).rows[0];
	assert_cycles(c.latency, 5, "latency");
	assert_cycles(c.slots, 1, "slots");
	assert_cycles(c.uops, 1, "uops");
	assert_cycles(c.throughput, 1.5, "throughput");
}

/* Waits: the sum needs the product, two loads share one port. */
TEST(waits)
{
	SCOPED(world_close) struct world w = core();
	struct report r;

	world_predict(&w, "imulq %rdx, %rdx\naddq %rdx, %rcx\n", usual);
	r = report_make(&w.p);
	assert_true(r.simulation.n_events > 0);
	assert_true(r.rows[0].wait.operands > 10);
	/* The sum enters a cycle after the product. */
	assert_cycles(r.rows[1].wait.operands - r.rows[0].wait.operands, 2,
		      "the product");
	assert_cycles(r.rows[0].wait.ports, 0, "ports");
	world_predict(&w, "movq (%rdi), %rax\nmovq (%rsi), %rbx\n", usual);
	r = report_make(&w.p);
	assert_true(r.rows[0].wait.ports + r.rows[1].wait.ports > 10);
}

static void expect_word(const struct buffer *b, const char *word)
{
	assert_part((const char *)b->bytes, word);
}

/* Each format has all of it. */
TEST(formats)
{
	static const char *const text[] = {
		"lat",          "uops",
		"rtp",          "loop-carried chains",
		"through RBX",  "what the time goes to",
		"dependencies", "timeline:",
		"[ 1,  1]",     "waits, mean cycles",
	};
	static const char *const json[] = {
		"\"latency\": 3",
		"\"uops\": 1",
		"\"reciprocal_throughput\"",
		"\"chains\": [",
		"\"through\": \"RBX\"",
		"\"stalls\": {",
		"\"front_end\"",
		"\"timeline\": [",
		"\"iteration\": 1",
		"\"waits\": [",
	};
	SCOPED(world_close) struct world w = core();
	SCOPED(buffer_free) struct buffer b = { 0 };

	world_predict(&w, "imulq %rcx, %rbx\naddq %rcx, %rdx\n", usual);
	print_text(&b, &w.p);
	buffer_add(&b, "", 1);
	for (size_t i = 0; i < ARRAY_LEN(text); i++)
		expect_word(&b, text[i]);
	if (strstr((const char *)b.bytes, "[ 2,"))
		fail_msg("more than two iterations");
	b.n = 0;
	print_html(&b, &w.p);
	buffer_add(&b, "", 1);
	for (size_t i = 0; i < ARRAY_LEN(text); i++)
		expect_word(&b, text[i]);
	b.n = 0;
	print_json(&b, &w.p);
	buffer_add(&b, "", 1);
	for (size_t i = 0; i < ARRAY_LEN(json); i++)
		expect_word(&b, json[i]);
}

static bool has_word(struct buffer *b, const char *word)
{
	buffer_add(b, "", 1);
	b->n--;
	return strstr((const char *)b->bytes, word) != NULL;
}

/* Other cores: one without the product's latency of 3, with a name that would
 * be an element. */
TEST(others)
{
	static const char body[] = "imulq %rcx, %rbx\naddq %rcx, %rdx\n";
	static const struct row fast[] = {
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "IMUL64rr", "m", 1, { { 0 } }, false },
	};
	SCOPED(world_close) struct world w = core(), v = core();
	SCOPED(buffer_free) struct buffer b = { 0 };

	v.m->cpu = "<b>fast</b>";
	v.m->source = "caf\xc3\xa9"; /* UTF-8 */
	world_forms(&v, fast, ARRAY_LEN(fast));
	world_predict(&v, body, usual);
	world_predict(&w, body, usual);
	print_html(&b, &w.p);
	assert_false(has_word(&b, "On other cores"));
	b.n = 0;
	print_text(&b, &w.p);
	print_json(&b, &w.p);
	assert_false(has_word(&b, "other"));
	w.p.n_others = 1;
	w.p.others = &v.p;
	b.n = 0;
	print_text(&b, &w.p);
	expect_word(&b, "on other cores");
	expect_word(&b, "    1.00  <b>fast</b>, ");
	b.n = 0;
	print_json(&b, &w.p);
	expect_word(&b, "\"others\": [");
	expect_word(&b, "\"cpu\": \"<b>fast</b>\"");
	expect_word(&b, "\"source\": \"caf\xc3\xa9\"");
	b.n = 0;
	print_html(&b, &w.p);
	assert_null(html_check((const char *)b.bytes, b.n));
	expect_word(&b, "On other cores");
	expect_word(&b, "&lt;b&gt;fast&lt;/b&gt;");
	/* Each column is of its own core: both take 1 cycle without the
	 * product, which only one of them gains from. */
	expect_word(&b, "imulq %rcx, %rbx</th><td class=\"n\">1.00</td>"
			"<td class=\"n\">-2.00</td><td class=\"n\">1.00</td>"
			"<td class=\"n\">+0.00</td>");
	if (has_word(&b, "<b>fast"))
		fail_msg("a name is an element");
}
