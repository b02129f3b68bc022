/* What is decided when instructions are dispatched: the place of an access with
 * an index in its cycle, and the port of a uop. */
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static struct world wide_world(const struct row *rows, size_t n,
			       const char *ports)
{
	struct world w = world_open("x86_64");

	world_ports(&w, ports);
	world_forms(&w, rows, n);
	w.m->width = exactly(6);
	w.m->reorder_buffer = 512;
	w.m->taken_branches = 2;
	return w;
}

/* Five instructions in seven slots.  A cycle takes c A B s, and the A behind it
 * begins one of its own: four cycles for three iterations, if an access is one
 * of the first three with three slots left. */
TEST(place_of_an_access)
{
	static const char loop[] = ".L3:\n"
				   "\tvmulsd (%rsi,%rax,8), %xmm0, %xmm1\n"
				   "\tvaddsd (%rcx,%rax,8), %xmm1, %xmm1\n"
				   "\tvmovsd %xmm1, (%rdi,%rax,8)\n"
				   "\taddq $1, %rax\n"
				   "\tcmpq %rax, %rdx\n"
				   "\tjne .L3\n";
	static const struct row rows[] = {
		{ "VADDPDrm/index", "", 6, { { 0, 0, 0 } }, false }
	};
	static const struct {
		uint32_t room, before;
		double cycles;
	} cases[] = {
		{ 0, 0, 7.0 / 6 }, { 4, 0, 1.5 }, { 3, 3, 4.0 / 3 },
		{ 3, 0, 4.0 / 3 }, { 0, 1, 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		SCOPED(world_close)
		struct world w = wide_world(rows, ARRAY_LEN(rows), "0");
		struct model_form f = w.m->forms[0];

		f.slots = exactly(2);
		f.room = cases[i].room;
		f.before = cases[i].before;
		w.m->forms = &f;
		world_predict(&w, loop, (struct predict_options){ 0 });
		assert_cycles(w.p.cycles, cases[i].cycles, "triad");
	}
}

/* Slots of a form by the interval that was measured. */
TEST(uncertain_slots)
{
	static const char loop[] = ".L3:\n"
				   "\taddq $8, %rax\n"
				   "\taddq $8, %rbx\n"
				   "\taddq $8, %rcx\n"
				   "\taddq $8, %rdx\n"
				   "\taddq $8, %rsi\n"
				   "\taddq $8, %rdi\n"
				   "\tjmp .L3\n";
	static const struct row rows[] = {
		{ "ADD64ri8", "0|1", 1, { { 0, 0, 0 } }, false }
	};
	/* Uses of ports, uses of units, measured slots, and the expected
	 * ones. */
	static const struct {
		size_t n_ports, n_units;
		struct model_span slots;
		double counted;
	} cases[] = {
		{ 1, 0, { true, 1, 1.34 }, 1 },
		{ 1, 1, { true, 1, 1.5 }, 1 },
		{ 1, 1, { true, 1, 2.7 }, 1 },
		{ 2, 0, { true, 1, 2.7 }, 2 },
		{ 1, 0, { true, 2, 2 }, 2 },
		{ 1, 0, { true, 1.3, 1.4 }, 1.35 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		SCOPED(world_close)
		struct world w = wide_world(rows, ARRAY_LEN(rows), "0 1 2");
		struct model_port ports[3];
		struct model_form f = w.m->forms[0];
		struct model_use uses[2] = { { 1, 1, 0.01 }, { 2, 1, 0.01 } };

		memcpy(ports, w.m->ports, sizeof(ports));
		ports[2].pseudo = true;
		w.m->ports = ports;
		if (cases[i].n_units > 0)
			uses[1].ports = 4;
		f.slots = cases[i].slots;
		f.n_uses = cases[i].n_ports + cases[i].n_units;
		f.uses = uses;
		w.m->forms = &f;
		world_predict(&w, loop, (struct predict_options){ 0 });
		assert_cycles(w.p.width_bound,
			      (6 * cases[i].counted + 1) / w.m->width.high,
			      "front end");
	}
}

/* A plain load also takes a unit for half a cycle.  A load that multiplies
 * takes it, too, even if its own ports are without it. */
TEST(unit_of_accesses)
{
	static const char loop[] = ".L3:\n"
				   "\tvmulpd (%rsi), %xmm0, %xmm1\n"
				   "\tvaddpd (%rdi), %xmm0, %xmm2\n"
				   "\tvmulpd (%rcx), %xmm0, %xmm3\n"
				   "\tjmp .L3\n";
	static const char *const uses[][2] = {
		{ "0|1|2|3 4|5", "0|1|2|3 6|7" },
		{ "0|1|2|3 4|5 U*0.5", "0|1|2|3 6|7 U*0.5" },
	};

	for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
		const struct row rows[] = {
			{ "VMOVUPSrm",
			  "0|1|2|3 U*0.5",
			  5,
			  { { 0, 0, 0 } },
			  false },
			{ "VMULPDrm", uses[i][0], 3, { { 0, 0, 0 } }, false },
			{ "VADDPDrm", uses[i][1], 3, { { 0, 0, 0 } }, false },
		};
		SCOPED(world_close)
		struct world w =
			wide_world(rows, ARRAY_LEN(rows), "0 1 2 3 4 5 6 7 U");
		struct model_form forms[ARRAY_LEN(rows)];

		memcpy(forms, w.m->forms, sizeof(forms));
		for (size_t k = 0; k < ARRAY_LEN(forms); k++)
			forms[k].throughput = exactly(0.5);
		w.m->forms = forms;
		world_predict(&w, loop, (struct predict_options){ 0 });
		assert_cycles(w.p.cycles, 1.5, "three loads");
	}
}

/* Chains that exchange their results: the longest takes 4 cycles, and the ports
 * less.  A port that is chosen at dispatch may be busy when the operands are
 * there, while another is free. */
TEST(port_at_dispatch)
{
	static const char loop[] = ".L3:\n"
				   "\taddq %rbx, %rax\n"
				   "\taddq %rdi, %rsi\n"
				   "\trolq $13, %rbx\n"
				   "\trolq $16, %rdi\n"
				   "\txorq %rax, %rbx\n"
				   "\txorq %rsi, %rdi\n"
				   "\trolq $32, %rax\n"
				   "\taddq %rdi, %rax\n"
				   "\taddq %rbx, %rsi\n"
				   "\trolq $17, %rbx\n"
				   "\txorq %rsi, %rbx\n"
				   "\tjmp .L3\n";
	static const struct row choice[] = {
		{ "ADD64rr", "0|1|2|3", 1, { { 0, 0, 0 } }, false },
		{ "ROL64ri", "0|3", 1, { { 0, 0, 0 } }, false },
		{ "XOR64rr", "0|1|2|3", 1, { { 0, 0, 0 } }, false },
	};
	static const struct row none[] = {
		{ "ADD64rr", "0", 1, { { 0, 0, 0 } }, false },
		{ "ROL64ri", "0", 1, { { 0, 0, 0 } }, false },
		{ "XOR64rr", "0", 1, { { 0, 0, 0 } }, false },
	};
	const struct row *const models[] = { choice, none };

	for (size_t i = 0; i < ARRAY_LEN(models); i++) {
		SCOPED(world_close)
		struct world w =
			wide_world(models[i], ARRAY_LEN(choice), "0 1 2 3");
		double at_start;

		world_predict(&w, loop, (struct predict_options){ 0 });
		at_start = w.p.cycles;
		assert_true(at_start >= w.p.carried.cycles - 1e-9);
		w.m->binds_ports = true;
		world_predict(&w, loop, (struct predict_options){ 0 });
		if (models[i] == none)
			assert_cycles(w.p.cycles, at_start, "one port");
		else
			assert_true(w.p.cycles > 1.05 * at_start);
	}
}

/* A chain of one cycle, one use of each of its results, and an instruction
 * without a port: two uops a cycle on five ports, in three of six slots.  A
 * Golden Cove takes at most 1.05 cycles.  If each uop got the port with the
 * fewest, the next addition would often wait for the comparison before it: 1.2
 * cycles. */
TEST(ports_of_a_cycle)
{
	static const char loop[] = "\taddl $1, %eax\n"
				   "\taddq $40, %rdi\n"
				   "\tcmpl %esi, %eax\n";
	static const struct row rows[] = {
		{ "ADD32ri8", "0|1|2|3|4", 1, { { 0, 0, 0 } }, false },
		{ "ADD64ri8", "", 1, { { 0, 0, 0 } }, false },
		{ "CMP32rr", "0|1|2|3|4", 1, { { 0, 0, 0 } }, false },
	};
	SCOPED(world_close)
	struct world w = wide_world(rows, ARRAY_LEN(rows), "0 1 2 3 4");

	w.m->binds_ports = true;
	w.m->reorder_buffer = 493;
	w.m->refill = 20;
	world_predict(&w, loop, (struct predict_options){ 0 });
	assert_true(w.p.cycles >= 1 - 1e-9);
	assert_true(w.p.cycles < 1.06);
}

/* A chain of a product of four uops for two ports takes its latency, which was
 * measured so.  Two products that begin together do not delay each other, and
 * what is independent takes the ports' time. */
TEST(uops_within_a_latency)
{
	static const struct row rows[] = {
		{ "PCLMULQDQrri", "0|1", 5, { { 0, 0, 0 } }, false },
		{ "PXORrr", "2|3", 2, { { 0, 0, 0 } }, false },
	};
	static const struct {
		const char *loop;
		double cycles;
	} cases[] = {
		{ "pclmulqdq $0, %xmm1, %xmm0\n", 5 },
		{ "movdqa %xmm0, %xmm1\n"
		  "pclmulqdq $17, %xmm2, %xmm1\n"
		  "pclmulqdq $0, %xmm2, %xmm0\n"
		  "pxor %xmm1, %xmm0\n",
		  7 },
		{ "pclmulqdq $0, %xmm8, %xmm0\npclmulqdq $0, %xmm8, %xmm1\n"
		  "pclmulqdq $0, %xmm8, %xmm2\npclmulqdq $0, %xmm8, %xmm3\n",
		  8 },
	};
	static const struct model_use four = { 3, 4, 1 };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		SCOPED(world_close)
		struct world w = wide_world(rows, ARRAY_LEN(rows), "0 1 2 3");
		struct model_form forms[3] = {
			{ .name = "MOVDQArr",
			  .eliminated = true,
			  .slots = exactly(1) },
			w.m->forms[0],
			w.m->forms[1],
		};

		forms[1].uses = &four;
		w.m->forms = forms;
		w.m->n_forms = ARRAY_LEN(forms);
		world_predict(&w, cases[i].loop, (struct predict_options){ 0 });
		assert_cycles(w.p.cycles, cases[i].cycles, cases[i].loop);
	}
}

/* A chain of products of 3 cycles on one port, with an instruction of 12 uops on
 * four ports, of which that is one: 13 uops take 3.25 cycles.  No uop of the 12 may
 * keep a product waiting for more than a cycle. */
TEST(a_chain_between_many_uops)
{
	static const char loop[] = "imulq %rbx, %rax\n"
				   "pclmulqdq $0, %xmm8, %xmm0\n";
	static const struct row rows[] = {
		{ "IMUL64rr", "1", 3, { { 0, 0, 0 } }, false },
		{ "PCLMULQDQrri", "0|1|2|3", 3, { { 0, 0, 0 } }, false },
	};
	static const struct model_use many = { 15, 12, 1 };
	SCOPED(world_close)
	struct world w = wide_world(rows, ARRAY_LEN(rows), "0 1 2 3");
	struct model_form forms[2] = { w.m->forms[0], w.m->forms[1] };

	forms[1].uses = &many;
	w.m->forms = forms;
	world_predict(&w, loop, (struct predict_options){ 0 });
	assert_true(w.p.cycles >= 3.25 - 1e-9 && w.p.cycles < 3.6);
}
