/* Chains through memory. */
#include <math.h>

#include "host/base/file.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* A core with these forms, ports and pairs, wide enough for all of its
 * chains. */
static struct world wide_world(const char *ports, const struct row *rows,
			       size_t n_rows,
			       const struct model_forward *forwards,
			       size_t n_forwards)
{
	struct world w = world_open("x86_64");

	world_ports(&w, ports);
	world_forms(&w, rows, n_rows);
	w.m->width = exactly(6);
	w.m->reorder_buffer = 200;
	w.m->forwards = forwards;
	w.m->n_forwards = n_forwards;
	return w;
}

/* A loop, and the cycles of its longest chain. */
struct loop_cycles {
	const char *text;
	double cycles;
};

static void assert_carried(struct world *w, const struct loop_cycles *list,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		world_predict(w, list[i].text, usual);
		assert_cycles(w->p.carried.cycles, list[i].cycles,
			      list[i].text);
	}
}

/* A store and the load of its data take the measured cycles of both, whatever
 * the model has for the load alone. */
TEST(forwarded_sum)
{
	static const struct row rows[] = {
		{ "MOVSDmr", "0", 1, { { 0 } }, false },
		{ "MOVSDrm", "0", 1, { { 0 } }, false },
		{ "ADDSDrm_Int", "0", 2, { { 0 } }, false },
	};
	static const struct model_forward forward = {
		"MOVSDmr", "MOVSDrm", { true, 8.95, 9.04 }, NULL, false
	};
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct model_latency unsure = {
		MODEL_ANY, MODEL_ANY, { true, 1, 8.02 }, { 0 }
	};
	struct model_form *forms;

	world_ports(&w, "0");
	world_forms(&w, rows, ARRAY_LEN(rows));
	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < w.m->n_forms; i++)
		if (strcmp(forms[i].name, "MOVSDrm") == 0)
			forms[i].latencies = &unsure;
	w.m->forms = forms;
	w.m->forwards = &forward;
	w.m->n_forwards = 1;
	world_predict(&w, "movsd (%rdi), %xmm0\nmovsd %xmm0, (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 9, "load and store");
	assert_cycles(w.p.simulation.cycles, 9, "the same, simulated");
	world_predict(&w, "addsd (%rdi), %xmm1\nmovsd %xmm1, (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 11, "add and store");
}

/* A pair that the core renames takes no time, although a load from the cache
 * takes five cycles; a slower pair keeps its own. */
TEST(renamed_memory)
{
	static const struct row rows[] = {
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "MOV64mr", "s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
	};
	static const char text[] = "movq (%rdi), %rax\naddq %rcx, %rax\n"
				   "movq %rax, (%rdi)\n";
	struct model_forward forward = {
		"MOV64mr", "MOV64rm", { true, 0.496, 0.502 }, NULL, false
	};
	SCOPED(world_close)
	struct world w =
		wide_world("a l s", rows, ARRAY_LEN(rows), &forward, 1);

	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 1, "renamed");
	assert_cycles(w.p.cycles, 1, "renamed, simulated");
	forward.cycles = exactly(3);
	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 4, "earlier than from the cache");
	assert_cycles(w.p.cycles, 4, "the same, simulated");
	forward.cycles = exactly(9);
	world_predict(&w, text, usual);
	assert_cycles(w.p.cycles, 10, "later than from the cache");
}

/* Memory is renamed for a load whose data is copied, incremented or added to
 * another register, and not where the next instruction adds to what was loaded:
 * if that was measured. */
TEST(renamed_unless_added)
{
	static const struct row rows[] = {
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "INC64r", "a", 1, { { 0 } }, false },
		{ "IMUL64rr", "a", 3, { { 0 } }, false },
		{ "MOV64mr", "s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
	};
	static const struct model_forward forwards[] = {
		{ "MOV64mr", "MOV64rm", { true, 0.5, 0.5 }, NULL, false },
		{ "MOV64mr", "MOV64rm", { true, 7, 7 }, "ADD64rr", false },
		{ "MOV64mr/index",
		  "MOV64rm/index",
		  { true, 5, 5 },
		  NULL,
		  false },
		{ "MOV64mr/index",
		  "MOV64rm/index",
		  { true, 7, 7 },
		  "ADD64rr",
		  false },
	};
	static const struct {
		const char *text;
		double cycles;
	} loops[] = {
		{ "addq %rcx, %rax\nmovq %rax, (%rdi)\n", 7 },
		{ "subq %rcx, %rax\nmovq %rax, (%rdi)\n", 7 },
		{ "incq %rax\naddq %rcx, %rax\nmovq %rax, (%rdi)\n", 2 },
		{ "imulq %rcx, %rax\nmovq %rax, (%rdi)\n", 3 },
		{ "addq %rax, %rcx\nmovq %rcx, (%rdi)\n", 1 },
	};
	SCOPED(world_close)
	struct world w = wide_world("a l s", rows, ARRAY_LEN(rows), NULL, 0);

	for (size_t i = 0; i < ARRAY_LEN(loops); i++) {
		char text[200];

		w.m->forwards = forwards;
		w.m->n_forwards = ARRAY_LEN(forwards);
		(void)snprintf(text, sizeof(text), "movq (%%rdi), %%rax\n%s",
			       loops[i].text);
		world_predict(&w, text, usual);
		assert_cycles(w.p.carried.cycles, loops[i].cycles,
			      loops[i].text);
	}
	world_predict(&w,
		      "movq (%rdi,%rsi), %rax\nincq %rax\n"
		      "movq %rax, (%rdi,%rsi)\n",
		      usual);
	assert_cycles(w.p.carried.cycles, 7, "an index");
	world_predict(&w, "movq (%rdi,%rsi), %rax\nmovq %rax, (%rdi,%rsi)\n",
		      usual);
	assert_cycles(w.p.carried.cycles, 5, "an index, copied");
	w.m->n_forwards = 1;
	world_predict(&w,
		      "movq (%rdi), %rax\naddq %rcx, %rax\n"
		      "movq %rax, (%rdi)\n",
		      usual);
	assert_cycles(w.p.carried.cycles, 1, "not measured");
	/* The load takes its latency from the cache: a renamed pair without an
	 * index is not used. */
	world_predict(&w, "movq (%rdi,%rsi), %rax\nmovq %rax, (%rdi,%rsi)\n",
		      usual);
	assert_cycles(w.p.carried.cycles, 5, "an index, not measured");
}

/* A renamed load takes no time for an instruction that reads its data as a part
 * of an address, either. */
TEST(renamed_address)
{
	static const struct row rows[] = {
		{ "ADD64ri8", "a|b|c", 1, { { 0 } }, false },
		{ "LEA64r/r64,r64,disp8", "a|b|c", 1, { { 0 } }, false },
		{ "MOV64mr", "s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
	};
	static const struct model_forward forward = {
		"MOV64mr", "MOV64rm", { true, 0.496, 0.502 }, NULL, false
	};
	static const char one[] = "movq (%rdi), %rsi\n"
				  "leaq -6(%rcx,%rsi), %rsi\n"
				  "movq %rsi, (%rdi)\n";
	SCOPED(world_close)
	struct world w =
		wide_world("a b c l s", rows, ARRAY_LEN(rows), &forward, 1);
	char text[400];

	(void)snprintf(text, sizeof(text), "%s%s%s%s%saddq $8, %%rcx\n", one,
		       one, one, one, one);
	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 5, "carried");
	assert_cycles(w.p.cycles, 5, "simulated");
}

/* With an operation behind the load a chain may be faster than the pair alone:
 * what was measured as it stands in the loop counts. */
TEST(renamed_if_added)
{
	static const struct row rows[] = {
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "MOV64mr", "s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
	};
	static const struct model_forward forwards[] = {
		{ "MOV64mr/index",
		  "MOV64rm/index",
		  { true, 7, 7 },
		  NULL,
		  false },
		{ "MOV64mr/index",
		  "MOV64rm/index",
		  { true, 0.997, 0.999 },
		  "ADD64rr",
		  false },
	};
	SCOPED(world_close)
	struct world w = wide_world("a l s", rows, ARRAY_LEN(rows), forwards,
				    ARRAY_LEN(forwards));

	world_predict(&w,
		      "movq (%rdi,%rsi), %rax\naddq %rcx, %rax\n"
		      "movq %rax, (%rdi,%rsi)\n",
		      usual);
	assert_cycles(w.p.carried.cycles, 1, "added");
	world_predict(&w, "movq (%rdi,%rsi), %rax\nmovq %rax, (%rdi,%rsi)\n",
		      usual);
	assert_cycles(w.p.carried.cycles, 7, "copied");
}

/* A chain of pairs alone whose instances differ shows how soon the next load
 * can have its data, and no latency: with an operation it takes as long as from
 * the cache, but not less than that. */
TEST(least_time_between_loads)
{
	static const struct row rows[] = {
		{ "MOVSDmr", "s", 1, { { 0 } }, false },
		{ "MOVSDrm", "l", 6, { { 0 } }, false },
		{ "ADDSDrr_Int", "a", 2, { { 0 } }, false },
		{ "PADDDrr", "a", 1, { { 0 } }, false },
	};
	static const struct model_forward forward = {
		"MOVSDmr", "MOVSDrm", { true, 7.3, 7.5 }, NULL, true
	};
#define LOAD  "movsd (%rdi), %xmm0\n"
#define STORE "movsd %xmm0, (%rdi)\n"
	static const struct loop_cycles loops[] = {
		{ LOAD STORE, 7.4 },
		{ LOAD "paddd %xmm1, %xmm0\n" STORE, 7.4 },
		{ LOAD "addsd %xmm1, %xmm0\n" STORE, 8 },
		{ LOAD "addsd %xmm1, %xmm0\n" STORE LOAD
		       "paddd %xmm1, %xmm0\n" STORE,
		  15.4 },
	};
#undef LOAD
#undef STORE
	SCOPED(world_close)
	struct world w =
		wide_world("a l s", rows, ARRAY_LEN(rows), &forward, 1);

	assert_carried(&w, loops, ARRAY_LEN(loops));
}

/* A form that computes on memory has a chain of its own, which stands for forms
 * with the same operands. */
TEST(forms_that_modify)
{
	static const struct row rows[] = {
		{ "ADD64mr", "a l s", 1, { { 0 } }, false },
		{ "INC64m", "a l s", 1, { { 0 } }, false },
		{ "INC64r", "a", 1, { { 0 } }, false },
		{ "ADD64rr", "a", 1, { { 0 } }, false },
		{ "SUB64mr", "a l s", 1, { { 0 } }, false },
		{ "MOV64mr", "s", 1, { { 0 } }, false },
		{ "MOV64rm", "l", 5, { { 0 } }, false },
	};
	static const struct model_forward forwards[] = {
		{ "ADD64mr", "ADD64mr", { true, 7, 7 }, NULL, false },
		{ "INC64m", "INC64m", { true, 1, 1 }, NULL, false },
		{ "MOV64mr", "MOV64rm", { true, 0.5, 0.5 }, NULL, false },
	};
	SCOPED(world_close)
	struct world w = wide_world("a l s", rows, ARRAY_LEN(rows), forwards,
				    ARRAY_LEN(forwards));

	world_predict(&w, "addq %rcx, (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 7, "a sum in memory");
	assert_cycles(w.p.cycles, 7, "the same, simulated");
	world_predict(&w, "subq %rcx, (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 7, "a form like it");
	world_predict(&w, "incq (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "a counter in memory");
	world_predict(&w, "movq (%rdi), %rax\nmovq %rax, (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 0, "a copy");
	world_predict(&w, "addq %rcx, (%rdi)\nincq (%rdi)\n", usual);
	assert_cycles(w.p.carried.cycles, 8, "in turn");
}

/* A loaded vector that is computed with is forwarded as in the chain with a
 * multiplication, whatever computes; one that is copied as in the chain
 * without. */
TEST(computed_vectors)
{
	static const struct row rows[] = {
		{ "ADDSDrm_Int", "a l", 3, { { 0 } }, false },
		{ "ADDSDrr_Int", "a", 3, { { 0 } }, false },
		{ "MOVSDmr", "s", 1, { { 0 } }, false },
		{ "MOVSDrm", "l", 7, { { 0 } }, false },
		{ "MULSDrr_Int", "a", 4, { { 0 } }, false },
	};
	static const struct model_forward forwards[] = {
		{ "MOVSDmr", "MOVSDrm", { true, 7.4, 7.4 }, NULL, true },
		{ "MOVSDmr", "MOVSDrm", { true, 9, 9 }, "MULSDrr_Int", false },
	};
	static const struct loop_cycles loops[] = {
		{ "movsd (%rdi), %xmm0\nmulsd %xmm1, %xmm0\n"
		  "movsd %xmm0, (%rdi)\n",
		  9 },
		{ "movsd (%rdi), %xmm0\nmulsd %xmm1, %xmm0\n"
		  "mulsd %xmm1, %xmm0\nmovsd %xmm0, (%rdi)\n",
		  13 },
		{ "movsd (%rdi), %xmm0\naddsd %xmm0, %xmm1\n"
		  "movsd %xmm1, (%rdi)\n",
		  8 },
		{ "addsd (%rdi), %xmm1\nmovsd %xmm1, (%rdi)\n", 8 },
		{ "movsd (%rdi), %xmm0\nmovsd %xmm0, (%rdi)\n", 7.4 },
	};
	SCOPED(world_close)
	struct world w = wide_world("a l s", rows, ARRAY_LEN(rows), forwards,
				    ARRAY_LEN(forwards));

	assert_carried(&w, loops, ARRAY_LEN(loops));
}

/* A load does not wait for the register that its data is added to, so the
 * additions alone limit the loop.  Copies through memory are renamed. */
TEST(loads_before_sums)
{
	static const struct row rows[] = {
		{ "ADD64rm", "a|b|c l|m", 1, { { 2, 0, 6 } }, false },
		{ "ADD64rr", "a|b|c", 1, { { 0 } }, false },
		{ "MOV64mr", "s|t", 1, { { 0 } }, false },
		{ "MOV64rm", "l|m", 5, { { 0 } }, false },
	};
	static const struct model_forward forward = {
		"MOV64mr", "MOV64rm", { true, 0.5, 0.5 }, NULL, false
	};
	static const char text[] =
		"addq (%rcx), %rsi\n"
		"movq %rsi, -64(%rsp)\nmovq -64(%rsp), %rsi\n"
		"addq 8(%rcx), %rsi\nmovq %rsi, -56(%rsp)\n"
		"movq -56(%rsp), %rsi\naddq 16(%rcx), %rsi\n"
		"movq %rsi, -48(%rsp)\nmovq -48(%rsp), %rsi\n"
		"addq 24(%rcx), %rsi\naddq $32, %rcx\n";
	SCOPED(world_close)
	struct world w =
		wide_world("a b c l m s t", rows, ARRAY_LEN(rows), &forward, 1);

	for (int binds = 0; binds < 2; binds++) {
		w.m->binds_ports = binds;
		world_predict(&w, text, usual);
		assert_cycles(w.p.carried.cycles, 4, "four sums");
		assert_cycles(w.p.simulation.cycles, 4, "the same, simulated");
	}
}
