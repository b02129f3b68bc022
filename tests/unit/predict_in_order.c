/* Cores in program order: what waits for a register that it overwrites, stores
 * that need their data late, and taken branches.  The loops were run on XuanTie's
 * C906, simulated from its public RTL (cycles: 5.0, 7.0, 9.0, 8.0). */
#include "tests/unit/predict_world.h"

static const struct row rows[] = {
	{ "LD", "0", 2, { { 0 } }, false },
	{ "SD", "0", 1, { { 0 } }, false },
	{ "ADD", "0", 1, { { 0 } }, false },
	{ "SUB", "0", 1, { { 0 } }, false },
	{ "ADDI", "0", 1, { { 0 } }, false },
	{ "MUL", "0", 3, { { 0 } }, false },
	{ "BNE", "0", 1, { { 0 } }, false },
	{ "FADD_D", "0", 4, { { 0 } }, false },
	{ "FADD_D/same-register", "0", 5, { { 0 } }, false },
};

#define END "addi a0, a0, 8\nbne a0, a1, .L\n"

static const struct in_order_loop {
	const char *text;
	double renamed, overwrites; /* without and with the wait */
} loops[] = {
	/* The store starts behind the load, before this has its data. */
	{ "ld a4, 0(a0)\nsd a4, 0(a2)\naddi a2, a2, 8\n" END, 5, 5 },
	{ "ld a4, 0(s8)\naddi a4, a4, 1\nsd a4, 0(s8)\n" END, 6, 7 },
	{ "ld a4, 0(a0)\nmul a4, a4, s0\nadd a3, a3, a4\n" END, 8, 9 },
	{ "ld a4, 0(s8)\nadd a4, a4, s8\nsub a4, a4, s8\nadd a3, a3, a4\n" END,
	  7, 8 },
	/* Loads deliver in order, and so do products. */
	{ "ld a4, 0(s8)\nld a4, 8(s8)\nmul a5, s0, s1\nmul a5, s0, s1\n" END, 6,
	  6 },
};

static void check_loops(size_t n_rows)
{
	SCOPED(world_close)
	struct world w = world_of("riscv64", "0", rows, n_rows);
	struct model_forward f = { "SD", "LD", { true, 1, 2 }, NULL, false };

	w.m->in_order = true;
	w.m->width = exactly(1);
	w.m->n_forwards = 1;
	w.m->forwards = &f;
	for (size_t i = 0; i < ARRAY_LEN(loops); i++) {
		char *text = arena_printf(&w.a, ".L:\n%s", loops[i].text);

		world_predict(&w, text, (struct predict_options){ 0 });
		assert_cycles(w.p.cycles,
			      n_rows == ARRAY_LEN(rows) ? loops[i].overwrites
							: loops[i].renamed,
			      loops[i].text);
	}
}

TEST(a_result_is_overwritten_late)
{
	check_loops(ARRAY_LEN(rows));
}

/* Without the chain through one register nothing is known to wait. */
TEST(not_measured)
{
	check_loops(ARRAY_LEN(rows) - 1);
}

/* Two a cycle: what the branch leads to starts in a cycle of its own. */
TEST(taken_branches_end_a_cycle)
{
	SCOPED(world_close)
	struct world w = world_of("riscv64", "0 1", rows, 0);
	static const struct row two[] = {
		{ "ADDI", "0|1", 1, { { 0 } }, false },
		{ "BNE", "0|1", 1, { { 0 } }, false },
	};

	world_forms(&w, two, ARRAY_LEN(two));
	w.m->in_order = true;
	w.m->width = exactly(2);
	world_predict(&w,
		      ".L:\naddi a4, a4, 1\naddi a5, a5, 1\n"
		      "bne a4, a1, .L\n",
		      (struct predict_options){ 0 });
	assert_cycles(w.p.cycles, 2, "three instructions");
	w.m->taken_branches = 2;
	world_predict(&w,
		      ".L:\naddi a4, a4, 1\naddi a5, a5, 1\n"
		      "bne a4, a1, .L\n",
		      (struct predict_options){ 0 });
	assert_cycles(w.p.cycles, 1.5, "three instructions");
}
