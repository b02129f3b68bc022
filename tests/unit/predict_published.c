/* Loops with published cycles, predicted from the published tables and from
 * LLVM's. */
#include "host/base/file.h"
#include "host/codec/codec.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

/* a[i] = a[i - 1] + b[i] * c[i] on Neoverse V2: the accumulate operand is
 * needed two cycles later than the others. A tool without latencies per operand
 * predicts 4. */
TEST(accumulate_operand)
{
	static const char text[] = ".L3:\n"
				   "\tldr d1, [x1, x3]\n"
				   "\tldr d2, [x2, x3]\n"
				   "\tfmadd d0, d1, d2, d0\n"
				   "\tstr d0, [x0, x3]\n"
				   "\tadd x3, x3, 8\n"
				   "\tcmp x3, x4\n"
				   "\tbne .L3\n";
	SCOPED(world_close) struct world w = world_open("aarch64");
	struct err e = { 0 };

	assert_ok(import_llvm(&w.a, w.c, "neoverse-v2", &w.m, &e), &e);
	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 2, "carried");
	assert_cycles(w.p.cycles, 2, "predicted");
	assert_part(w.p.why, "carried through D0");
	assert_part(w.p.why, "fmadd");
}

/* Gauss-Seidel, 2D 5-point, unrolled four times; ThunderX2's published
 * latencies. */
static const char gauss_seidel[] = ".L20:\n"
				   "\tldr d31, [x15, x18, lsl 3]\n"
				   "\tldr d0, [x15, 8]\n"
				   "\tmov x14, x15\n"
				   "\tadd x16, x15, 24\n"
				   "\tldr d2, [x15, x30, lsl 3]\n"
				   "\tadd x15, x15, 32\n"
				   "\tfadd d1, d31, d0\n"
				   "\tfadd d3, d1, d30\n"
				   "\tfadd d4, d3, d2\n"
				   "\tfmul d5, d4, d9\n"
				   "\tstr d5, [x14], 8\n"
				   "\tldr d6, [x14, x18, lsl 3]\n"
				   "\tldr d16, [x14, 8]\n"
				   "\tadd x13, x14, 8\n"
				   "\tldr d7, [x14, x30, lsl 3]\n"
				   "\tfadd d17, d6, d16\n"
				   "\tfadd d18, d17, d5\n"
				   "\tfadd d19, d18, d7\n"
				   "\tfmul d20, d19, d9\n"
				   "\tstr d20, [x15, -24]\n"
				   "\tldr d21, [x13, x18, lsl 3]\n"
				   "\tldr d23, [x14, 16]\n"
				   "\tldr d22, [x13, x30, lsl 3]\n"
				   "\tfadd d24, d21, d23\n"
				   "\tfadd d25, d24, d20\n"
				   "\tfadd d26, d25, d22\n"
				   "\tfmul d27, d26, d9\n"
				   "\tstr d27, [x14, 8]\n"
				   "\tldr d30, [x15]\n"
				   "\tldr d28, [x16, x18, lsl 3]\n"
				   "\tldr d29, [x16, x30, lsl 3]\n"
				   "\tfadd d31, d28, d30\n"
				   "\tfadd d2, d31, d27\n"
				   "\tfadd d0, d2, d29\n"
				   "\tfmul d30, d0, d9\n"
				   "\tstr d30, [x15, -8]\n"
				   "\tcmp x7, x15\n"
				   "\tbne .L20\n";

enum { GS_ROWS = 12 };

/* `base`: latency from the stored data to the base that is written back; 0: the
 * base does not depend on it. */
static void gauss_seidel_model(struct world *w, double base)
{
	const struct row rows[GS_ROWS] = {
		{ "ADDXri", "0|1|2", 1, { { 0 } }, false },
		{ "Bcc", "2", 0, { { 0 } }, false },
		{ "FADDDrr", "0|1", 6, { { 0 } }, false },
		{ "FMULDrr", "0|1", 6, { { 0 } }, false },
		{ "LDRDroX", "3|4", 4, { { 0 } }, false },
		{ "LDRDui", "3|4", 4, { { 0 } }, false },
		{ "LDURDi", "3|4", 4, { { 0 } }, false },
		{ "ORRXrs", "0|1|2", 1, { { 0 } }, false },
		{ "STRDpost",
		  "3|4 5",
		  4,
		  { { 2, 0, 1 }, { 1, 0, base } },
		  false },
		{ "STRDui", "3|4 5", 4, { { 0 } }, false },
		{ "STURDi", "3|4 5", 4, { { 0 } }, false },
		{ "SUBSXrs", "0|1|2", 1, { { 0 } }, false },
	};

	world_ports(w, "0 1 2 3 4 5");
	w->m->width = exactly(4);
	world_forms(w, rows, GS_ROWS);
}

/* The write-back of `str d5, [x14], 8` does not wait for d5. The dependency
 * cycle consists of the twelve operations that pass on their sum; the path is
 * longer by one addition, a load and a store. */
TEST(gauss_seidel)
{
	SCOPED(world_close) struct world w = world_open("aarch64");

	gauss_seidel_model(&w, 0);
	world_predict(&w, gauss_seidel, usual);
	assert_cycles(w.p.carried.cycles, 72, "carried");
	assert_cycles(w.p.critical.cycles, 86, "critical path");
	assert_cycles(w.p.cycles, 72, "predicted");
}

/* The published path of 100 cycles uses the latency of the whole store, 4, for
 * its write-back, and includes a second load and addition. */
TEST(gauss_seidel_published_path)
{
	SCOPED(world_close) struct world w = world_open("aarch64");

	gauss_seidel_model(&w, 4);
	world_predict(&w, gauss_seidel, usual);
	assert_cycles(w.p.critical.cycles, 100, "critical path");
}

/* Skylake's ports as published: fused addresses on 2 and 3, the divider. */
static struct world skylake(void)
{
	static const struct row rows[] = {
		{ "ADD32ri8", "0|1|5|6", 1, { { 0 } }, false },
		{ "ADD64ri8", "0|1|5|6", 1, { { 0 } }, false },
		{ "CMP32i32", "0|1|5|6", 1, { { 0 } }, false },
		{ "CMP64rr", "0|1|5|6", 1, { { 0 } }, false },
		{ "VADDPDYrr", "0|1", 4, { { 0 } }, false },
		{ "VADDSDrr_Int", "0|1", 4, { { 0 } }, false },
		{ "ADDSDrm_Int", "0|1 2|3", 9, { { 1, 0, 4 } }, false },
		{ "ADDSDrr_Int", "0|1", 4, { { 0 } }, false },
		{ "MOVSDmr", "2|3 4", 1, { { 0 } }, false },
		{ "MOVSDrm", "2|3", 5, { { 0 } }, false },
		{ "VCVTDQ2PDYrr", "0|1 5", 7, { { 0 } }, false },
		{ "VCVTSI2SDrr_Int", "0|1 5", 4, { { 0 } }, false },
		{ "VDIVPDYrr", "0 DV*8", 15, { { 0 } }, false },
		{ "VDIVSDrr_Int", "0 DV*4", 14, { { 0 } }, false },
		{ "VFMADD132PDYm",
		  "0|1 2|3",
		  11,
		  { { 1, 0, 4 }, { 2, 0, 4 } },
		  false },
		{ "VFMADD132SDr_Int", "0|1", 4, { { 0 } }, false },
		{ "VFMADD132PDYr", "0|1", 4, { { 0 } }, false },
		{ "VMOVUPDYmr", "2|3 4", 1, { { 0 } }, false },
		{ "VMOVUPDYrm", "2|3", 7, { { 0 } }, false },
		{ "VMULPDYrr", "0|1", 4, { { 0 } }, false },
		{ "VMULSDrr_Int", "0|1", 4, { { 0 } }, false },
		{ "VPADDDrr", "0|1|5", 1, { { 0 } }, false },
		{ "VXORPDrr", "0|1|5|6", 1, { { 0 } }, false },
	};
	struct world w = world_open("x86_64");

	world_ports(&w, "0 1 2 3 4 5 6 DV");
	w.m->width = exactly(4);
	world_forms(&w, rows, ARRAY_LEN(rows));
	return w;
}

TEST(schoenauer_triad)
{
	static const char text[] = ".L4:\n"
				   "\tvmovupd (%rsi,%rax), %ymm0\n"
				   "\tvmovupd (%rdx,%rax), %ymm1\n"
				   "\tvfmadd132pd (%rcx,%rax), %ymm1, %ymm0\n"
				   "\tvmovupd %ymm0, (%rdi,%rax)\n"
				   "\taddq $32, %rax\n"
				   "\tcmpq %r8, %rax\n"
				   "\tjne .L4\n";
	SCOPED(world_close) struct world w = skylake();

	world_predict(&w, text, usual);
	assert_cycles(w.p.pressure.bound, 2, "ports");
	assert_cycles(w.p.cycles, 2, "predicted");
	assert_string_equal(w.p.why, "bound by ports 2|3");
}

/* A loop with LLVM's tables of a CPU. */
static struct world predict_with(const char *cpu, const char *text)
{
	struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_int_equal(import_llvm(&w.a, w.c, cpu, &w.m, &e), ERR_OK);
	world_predict(&w, text, usual);
	return w;
}

/* The same from LLVM's tables, in which port 7 accepts addresses with an index.
 * It takes the store's address only if it has none. */
TEST(port_without_index)
{
	static const char plain[] = "\tvmovupd (%rsi), %ymm0\n"
				    "\tvmovupd (%rdx), %ymm1\n"
				    "\tvfmadd132pd (%rcx), %ymm1, %ymm0\n"
				    "\tvmovupd %ymm0, (%rdi)\n";
	static const char indexed[] =
		"\tvmovupd (%rsi,%rax), %ymm0\n"
		"\tvmovupd (%rdx,%rax), %ymm1\n"
		"\tvfmadd132pd (%rcx,%rax), %ymm1, %ymm0\n"
		"\tvmovupd %ymm0, (%rdi,%rax)\n";
	static const struct {
		const char *cpu, *text;
		double cycles;
	} cases[] = {
		{ "skylake", plain, 1.5 },
		{ "skylake", indexed, 2 },
		{ "haswell", indexed, 2 },
		{ "icelake-server", indexed, 1.5 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		SCOPED(world_close)
		struct world w = predict_with(cases[i].cpu, cases[i].text);

		assert_cycles(w.p.pressure.bound, cases[i].cycles,
			      cases[i].cpu);
	}
}

/* LLVM's latencies of a load, and of a sum with a loaded operand, from the
 * address. */
TEST(chains_of_loads)
{
	static const char move[] = ".L1:\n\tmovq (%rax), %rax\n"
				   "\tdecq %rcx\n\tjnz .L1\n",
			  narrow[] = ".L1:\n\tmovzbl (%rax), %eax\n"
				     "\tdecq %rcx\n\tjnz .L1\n",
			  sum[] = ".L1:\n\taddq (%rax), %rax\n"
				  "\tdecq %rcx\n\tjnz .L1\n";
	static const struct {
		const char *cpu, *text;
		double cycles;
	} cases[] = {
		/* A pointer that was loaded is there a cycle earlier. */
		{ "skylake", move, 4 },          { "skylake", narrow, 5 },
		{ "skylake", sum, 6 },           { "sapphirerapids", move, 5 },
		{ "sapphirerapids", narrow, 5 }, { "sapphirerapids", sum, 6 },
		{ "znver1", move, 4 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		SCOPED(world_close)
		struct world w = predict_with(cases[i].cpu, cases[i].text);

		assert_cycles(w.p.carried.cycles, cases[i].cycles,
			      cases[i].cpu);
	}
}

/* sum += 4 / (1 + x * x) with x = (i + 0.5) * delta */
static const char pi_scalar[] = ".L2:\n"
				"\tvxorpd %xmm0, %xmm0, %xmm0\n"
				"\tvcvtsi2sdl %eax, %xmm0, %xmm0\n"
				"\tvaddsd %xmm4, %xmm0, %xmm0\n"
				"\taddl $1, %eax\n"
				"\tvmulsd %xmm3, %xmm0, %xmm0\n"
				"\tvfmadd132sd %xmm0, %xmm2, %xmm0\n"
				"\tvdivsd %xmm0, %xmm5, %xmm0\n"
				"\tvaddsd %xmm0, %xmm1, %xmm1\n"
				"\tcmpl $1000000000, %eax\n"
				"\tjne .L2\n";

/* With the best sharing the divider is the limit; with an equal split port 0
 * is. */
TEST(pi_scalar)
{
	struct predict_options equal = { .equal_split = true };
	SCOPED(world_close) struct world w = skylake();

	world_predict(&w, pi_scalar, usual);
	assert_cycles(w.p.throughput, 4, "throughput");
	assert_cycles(w.p.cycles, 4, "predicted");
	/* The published table ignores the fusion with the jump. */
	world_predict(&w, pi_scalar, equal);
	assert_cycles(w.p.throughput, 4.25, "equal split");
}

TEST(pi_vector)
{
	static const char text[] = ".L2:\n"
				   "\tvcvtdq2pd %xmm1, %ymm0\n"
				   "\taddl $1, %eax\n"
				   "\tvaddpd %ymm7, %ymm0, %ymm0\n"
				   "\tvpaddd %xmm8, %xmm1, %xmm1\n"
				   "\tvmulpd %ymm6, %ymm0, %ymm0\n"
				   "\tvfmadd132pd %ymm0, %ymm5, %ymm0\n"
				   "\tvdivpd %ymm0, %ymm4, %ymm0\n"
				   "\tvaddpd %ymm0, %ymm2, %ymm2\n"
				   "\tcmpl $250000000, %eax\n"
				   "\tjne .L2\n";
	enum { ELEMENTS = 4 };
	SCOPED(world_close) struct world w = skylake();

	world_predict(&w, text, usual);
	assert_cycles(w.p.cycles / ELEMENTS, 2, "per element");
}

/* Without registers the sum goes through memory in each iteration: load and
 * addition wait for the store before them. */
TEST(pi_accumulates_in_memory)
{
	static const char text[] = ".L3:\n"
				   "\tmovsd -24(%rbp), %xmm1\n"
				   "\taddsd -8(%rbp), %xmm1\n"
				   "\tmovsd %xmm1, -8(%rbp)\n"
				   "\taddl $1, %eax\n"
				   "\tcmpl $1000000000, %eax\n"
				   "\tjne .L3\n";
	SCOPED(world_close) struct world w = skylake();

	world_predict(&w, text, usual);
	assert_cycles(w.p.carried.cycles, 9, "carried");
	assert_cycles(w.p.cycles, 9, "predicted");
	assert_part(w.p.why, "memory");
}

/* On Zen a multiply-add uses the ports of multiplications, with a memory
 * operand or not; additions have ports of their own. */
TEST(zen_shares_multipliers)
{
	static const struct row rows[] = {
		{ "VADDPDYrr", "2|3", 3, { { 0 } }, false },
		{ "VFMADD231PDYm", "0|1 8|9", 12, { { 0 } }, false },
		{ "VMULPDYrr", "0|1", 4, { { 0 } }, false },
	};
	static const char multiply[] = "\tvfmadd231pd (%rsi), %ymm1, %ymm2\n"
				       "\tvmulpd %ymm3, %ymm4, %ymm5\n"
				       "\tvmulpd %ymm3, %ymm4, %ymm6\n"
				       "\tvmulpd %ymm3, %ymm4, %ymm7\n";
	static const char add[] = "\tvfmadd231pd (%rsi), %ymm1, %ymm2\n"
				  "\tvaddpd %ymm3, %ymm4, %ymm5\n"
				  "\tvaddpd %ymm3, %ymm4, %ymm6\n";
	struct world w = WORLD_OF("x86_64", "0 1 2 3 8 9", rows);

	world_predict(&w, multiply, usual);
	assert_cycles(w.p.pressure.bound, 2, "with multiplications");
	world_predict(&w, add, usual);
	assert_cycles(w.p.pressure.bound, 1, "with additions");
	world_close(&w);
}

/* Gauss-Seidel on Zen, four elements of ten additions and four products: 46
 * cycles are published, 47.3 measured. LLVM's table lets a sum with a loaded
 * operand wait for its register two cycles only, one less than a sum of
 * registers. */
TEST(gauss_seidel_zen)
{
	static const char first[] = "\tvmovsd 8(%r9,%r10), %xmm3\n"
				    "\tvaddsd 16(%r9,%r11), %xmm3, %xmm3\n"
				    "\tvaddsd 8(%r9,%rbx), %xmm3, %xmm3\n"
				    "\tvaddsd %xmm1, %xmm3, %xmm1\n"
				    "\tvmulsd %xmm1, %xmm0, %xmm1\n"
				    "\tvmovsd %xmm1, 8(%r9,%r11)\n";
	SCOPED(world_close) struct world w = world_open("x86_64");
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };

	assert_int_equal(import_llvm(&w.a, w.c, "znver1", &w.m, &e), ERR_OK);
	buffer_printf(&b, ".L1:\n%s", first);
	for (int i = 2; i <= 4; i++)
		buffer_printf(&b,
			      "\tvaddsd %d(%%r9,%%r10), %%xmm1, %%xmm1\n"
			      "\tvaddsd %d(%%r9,%%r11), %%xmm1, %%xmm1\n"
			      "\tvaddsd %d(%%r9,%%rbx), %%xmm1, %%xmm1\n"
			      "\tvmulsd %%xmm1, %%xmm0, %%xmm1\n"
			      "\tvmovsd %%xmm1, %d(%%r9,%%r11)\n",
			      8 * i, 8 * i + 8, 8 * i, 8 * i);
	buffer_printf(&b, "\taddq $32, %%r9\n\tcmpq %%r14, %%r9\n"
			  "\tjb .L1\n");
	buffer_add(&b, "", 1);
	world_predict(&w, (const char *)b.bytes, usual);
	assert_cycles(w.p.carried.cycles, 46, "carried");
	assert_cycles(w.p.cycles, 46, "predicted");
}

/* The sum of pi in memory on Zen, 11.48 cycles measured: a load of 8 and an
 * addition of 3. LLVM's table has 10 for both together. */
TEST(pi_in_memory_zen)
{
	static const char text[] = ".L3:\n"
				   "\tvaddsd -8(%rbp), %xmm2, %xmm1\n"
				   "\tvmovsd %xmm1, -8(%rbp)\n"
				   "\taddl $1, %eax\n"
				   "\tcmpl $1000000000, %eax\n"
				   "\tjne .L3\n";
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_int_equal(import_llvm(&w.a, w.c, "znver1", &w.m, &e), ERR_OK);
	world_predict(&w, text, usual);
	assert_cycles(w.p.cycles, 11, "predicted");
}
