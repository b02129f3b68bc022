/* Cores in program order: what waits for a register that it overwrites, stores
 * that need their data late, taken branches, and a unit with a queue of its own.
 * The loops were run on XuanTie's C906, simulated from its public RTL (cycles:
 * 5.0, 7.0, 9.0, 8.0; of the unit 8.0, 16.0, 12.0, 9.0, 6.0). */
#include "host/effect/decoupled.h"
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

extern const struct effect effect_decoupled;

#define SUM  "fadd.d fa1, fs0, fs1\nfadd.d fa2, fa1, fs1\n"
#define FOUR "addi a4, a4, 1\naddi a5, a5, 1\naddi a6, a6, 1\naddi a7, a7, 1\n"

/* A sum that waits holds up others of its unit, and nothing else. */
TEST(a_unit_has_a_queue)
{
	static const struct row unit[] = {
		{ "ADDI", "0", 1, { { 0 } }, false },
		{ "BNE", "0", 1, { { 0 } }, false },
		{ "FADD_D", "0", 4, { { 0 } }, false },
		{ "FADD_D/same-register", "0", 5, { { 0 } }, false },
		{ "FLD", "0", 3, { { 0 } }, false },
		{ "FSD", "0", 1, { { 0 } }, false },
		{ "FMUL_D", "0", 4, { { 0 } }, false },
		{ "FMADD_D", "0", 5, { { 0 } }, false },
	};
	static const struct decoupled seen[] = {
		{ "FMUL_D", "FADD_D", NULL, 0, 0 },
		{ "FMUL_D", "FADD_D", "FADD_D", 1, 3 },
		{ "FMUL_D", "FADD_D", "FLD", 1, 3 },
		{ "FMUL_D", "FADD_D", "LD", 1, 0 },
		{ "FMUL_D", "FSD", "FLD", 1, 0 },
		{ "FLD", "FADD_D", "FADD_D", 1, 1 },
	};
	/* Cycles with the queue and without it. */
	static const struct {
		const char *text;
		double queue, none;
	} cases[] = {
		{ SUM FOUR END, 8, 11 },
		{ SUM "fadd.d fa3, fa2, fs1\n" FOUR FOUR END, 16, 19 },
		{ SUM "fld fa5, 0(s8)\n" FOUR END, 12, 12 },
		{ "fmul.d fa0, fs0, fs1\nfsd fa0, 0(a0)\n"
		  "fadd.d fa2, fs0, fs1\n" FOUR END,
		  9, 12 },
		{ "fld fa0, 0(a0)\nfld fa1, 0(a2)\n"
		  "fmadd.d fa2, fa0, fa1, fa2\naddi a2, a2, 8\n" END,
		  6, 8 },
	};

	for (int queue = 0; queue < 2; queue++) {
		SCOPED(world_close)
		struct world w = WORLD_OF("riscv64", "0", unit);

		w.m->in_order = true;
		w.m->width = exactly(1);
		w.m->effects[effect_number(&effect_decoupled)] =
			(struct model_list){ queue ? ARRAY_LEN(seen) : 0,
					     seen };
		for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
			world_predict(
				&w,
				arena_printf(&w.a, ".L:\n%s", cases[i].text),
				(struct predict_options){ 0 });
			assert_cycles(w.p.cycles,
				      queue ? cases[i].queue : cases[i].none,
				      cases[i].text);
		}
	}
}
