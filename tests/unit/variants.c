/* Variants: which exist, their instances, and their starting values. */
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"
#include "host/plan/plan.h"
#include "tests/unit/planned.h"

TEST(words_choose_families)
{
	struct err e = { .code = ERR_OK };
	uint64_t chosen = 0;

	assert_int_equal(families_parse(NULL, &chosen, &e), ERR_OK);
	assert_int_equal(chosen, families_default());
	assert_int_equal(families_parse("slow,denormal", &chosen, &e), ERR_OK);
	assert_int_equal(chosen, UINT64_C(1) << FAMILY_PLAIN |
					 UINT64_C(1) << FAMILY_SLOW |
					 UINT64_C(1) << FAMILY_DENORMAL);
	assert_int_equal(families_parse("all", &chosen, &e), ERR_OK);
	assert_int_equal(chosen, (UINT64_C(1) << FAMILY_N) - 1);
	assert_int_equal(families_parse("slow,lazy", &chosen, &e), ERR_USAGE);
	assert_part(e.message, "denormal");
	assert_part(e.message, "'lazy'");
}

/* Has an operand of one form another starting value than that of the other? */
static bool starts_differ(const struct catalogue *c, const struct form *x,
			  const struct form *y)
{
	for (int i = 0; i < x->n_operands; i++) {
		const struct operand *o = &x->operands[i];
		enum reg_bank bank = o->reg_class == CLASS_NONE
					     ? BANK_NONE
					     : c->classes[o->reg_class].bank;
		uint8_t of_x[VALUE_BYTES] = { 0 }, of_y[VALUE_BYTES] = { 0 };

		if (o->read && c->isa->operand_value(x, i, bank, of_x) &&
		    c->isa->operand_value(y, i, bank, of_y) &&
		    memcmp(of_x, of_y, sizeof(of_x)) != 0)
			return true;
	}
	return false;
}

/* Divisions of general registers, whose operands stand in the form. */
TEST(slow_divisions_have_other_values_than_fast_ones)
{
	static const struct {
		const char *isa, *slow, *fast;
	} rows[] = {
		{ "aarch64", "SDIVXr/slow", "SDIVXr/fast" },
		{ "aarch64", "SDIVWr/slow", "SDIVWr/fast" },
		{ "aarch64", "UDIVXr/slow", "UDIVXr/fast" },
		{ "aarch64", "UDIVWr/slow", "UDIVWr/fast" },
		{ "riscv64", "DIV/slow", "DIV/fast" },
		{ "riscv64", "REMUW/slow", "REMUW/fast" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);

		if (!starts_differ(c, form(c, rows[i].slow),
				   form(c, rows[i].fast)))
			fail_msg("%s and %s start with the same values",
				 rows[i].slow, rows[i].fast);
	}
}

/* A form of each family, and the text of its example. */
TEST(examples_are_what_the_name_says)
{
	static const struct {
		const char *isa, *form, *example;
	} rows[] = {
		{ "x86_64", "LEA64r/r64", "leaq (%rcx), %rax" },
		{ "x86_64", "LEA64r/r64,r64x8,disp8",
		  "leaq 8(%rcx,%rdx,8), %rax" },
		{ "x86_64", "LEA16r/r64x8,disp32", "leaw 1024(,%rcx,8), %ax" },
		{ "x86_64", "LEA64r/rip,disp32", "leaq 1024(%rip), %rax" },
		{ "x86_64", "XOR64rr/same", "xorq %rax, %rax" },
		{ "x86_64", "MOV32rr/same", "movl %eax, %eax" },
		{ "x86_64", "VPXORrr/same", "vpxor %xmm1, %xmm1, %xmm0" },
		{ "x86_64", "ADD8rr/high", "addb %ch, %ah" },
		{ "x86_64", "MOVZX32rr8/high", "movzbl %ch, %eax" },
		{ "x86_64", "ROL64ri", "rolq $5, %rax" },
		{ "x86_64", "ROL64ri/one", "rolq $1, %rax" },
		{ "x86_64", "ADD64ri32", "addq $305419897, %rax" },
		{ "x86_64", "ADD64ri32/small", "addq $511, %rax" },
		{ "x86_64", "ADD16ri", "addw $4661, %ax" },
		{ "aarch64", "ADDXrs/large", "add x0, x1, x2, lsl #12" },
		{ "aarch64", "MOVZXi/zero", "mov x0, #0" },
		{ "riscv64", "ADDI/zero", "mv a0, a1" },
		{ "riscv64", "FADD_S/same-register", "fadd.s fa5, fa5, fa4" },
		{ "riscv64", "FMADD_D/same-factor",
		  "fmadd.d fa5, fa5, fa4, fa3" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);

		assert_status(c, rows[i].form, FORM_MEASURABLE);
		assert_string_equal(form(c, rows[i].form)->example,
				    rows[i].example);
	}
}

/* Divisions have fast and slow variants in every instruction set; a division
 * that a table does not name is not measured as if it had them. */
TEST(divisions_are_fast_and_slow)
{
	static const struct {
		const char *isa, *form;
		bool decays;
	} rows[] = {
		{ "x86_64", "DIV64r/slow", false },
		{ "x86_64", "IDIV8m/slow", false },
		{ "x86_64", "VSQRTPDZr/slow", false },
		{ "aarch64", "UDIVXr/slow", true },
		{ "aarch64", "FDIVDrr/slow", false },
		{ "riscv64", "REMW/slow", false },
		{ "aarch64", "SDIVWr/slow", true },
		{ "riscv64", "FSQRT_D/slow", false },
		{ "riscv64", "VDIV_VV/e32,m2,slow", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);
		const struct form *f = form(c, rows[i].form);

		assert_int_equal(form_family(f), FAMILY_SLOW);
		assert_int_equal(f->variant->unchained != NULL, rows[i].decays);
	}
	struct catalogue *c = catalogue_of("x86_64");

	assert_null(catalogue_form(c, "VRSQRT14PDZr/slow"));
	assert_null(catalogue_form(c, "ADD64rr/slow"));
	assert_null(catalogue_form(c, "VADDPDrr/dirty"));
	assert_non_null(catalogue_form(c, "ADDPDrr/dirty"));
}

/* Exports name the operand values of each claim. */
TEST(values_in_words)
{
	static const struct {
		const char *isa, *form, *words;
	} rows[] = {
		{ "x86_64", "ADD64rr", "ones" },
		{ "x86_64", "ROL64ri/one", "ones, immediate 1" },
		{ "x86_64", "ADD64ri32/small", "ones, immediate 511" },
		{ "x86_64", "DIV64r/fast", "ones, divided by one" },
		{ "x86_64", "VADDPDrr/zero", "zeros" },
		{ "aarch64", "FSQRTDr/slow",
		  "long quotients, or full mantissas" },
		{ "riscv64", "ADDI/zero", "ones, immediate 0" },
		{ "riscv64", "MUL/wide", "numbers of 64 bits" },
		{ "riscv64", "REMW", "4 to 7, divided by themselves" },
		{ "riscv64", "DIV/slow@1>0+AND@1>0+OR@1>0",
		  "numbers near the largest, divided by 3" },
		{ "riscv64", "FDIV_D", "powers of four" },
		{ "riscv64", "VDIV_VV/e32,m2,fast", "ones, divided by one" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char words[VALUE_WORDS_ROOM];

		value_words(isa_find(rows[i].isa), rows[i].form, words);
		assert_string_equal(words, rows[i].words);
	}
}

/* A slow division restores its dividend and divisor, so all divisions of a
 * chain are the same; copies do it too. */
TEST(slow_division_is_a_fixed_point)
{
	enum { RAX, RCX, RDX };
	struct catalogue *c = catalogue_of("x86_64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	const uint64_t *gpr;
	struct kernel_row row;
	uint64_t divisor, copy;

	add_label(g, c, "dependent:DIV32r/slow", &row);
	gpr = row.image->gpr;
	divisor = 0x55555556;
	assert_int_equal(((gpr[RDX] << 32) + gpr[RAX]) / divisor, gpr[RAX]);
	assert_int_equal(((gpr[RDX] << 32) + gpr[RAX]) % divisor, gpr[RDX]);
	assert_true(gpr[RAX] >> 31);
	add_label(g, c, "latency:DIV64r/slow@RAX>RAX+~MOV64rr", &row);
	gpr = row.image->gpr;
	copy = 0;
	for (int i = RDX + 1; i < 16; i++)
		copy += gpr[i] == gpr[RDX];
	assert_int_equal(copy, 1);
}

TEST(values_are_of_the_class)
{
	struct catalogue *c = catalogue_of("riscv64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct kernel_row row;
	uint32_t word;

	add_label(g, c, "throughput:FADD_S/denormal", &row);
	word = (uint32_t)row.image->fp[3];
	assert_true(word > 0 && word < 0x00800000);
	assert_int_equal(row.image->fp[3] >> 32, 0xffffffff);
	add_label(g, c, "throughput:FMUL_D/normal", &row);
	assert_true(row.image->fp[3] > 0x3fe0000000000000 &&
		    row.image->fp[3] < 0x3ff0000000000000);
	assert_int_not_equal(row.image->fp[3], row.image->fp[4]);
	add_label(g, c, "throughput:FMUL_D/zero", &row);
	assert_int_equal(row.image->fp[3], 0);
	add_label(g, c, "throughput:VFADD_VV/e32,m1,normal", &row);
	memcpy(&word, row.image->vector[3] + 4, sizeof(word));
	assert_true(word > 0x3f000000 && word < 0x3f800000);
}

/* Upper halves are dirty in the variants of this name only. */
TEST(uppers_are_as_wide_as_asked)
{
	static const char *const labels[] = {
		"throughput:ADDPDrr",          "throughput:ADDPDrr/dirty",
		"throughput:VADDPDYrr",        "throughput:VADDPDZrm",
		"throughput:VFPCLASSPDZrm",    "throughput:VFPCLASSPDZrmb",
		"throughput:VCVTPD2DQZrmbk",   "throughput:VFPCLASSPDZ256rm",
		"throughput:VCVTPD2DQZ256rmb", "throughput:VFPCLASSPDZ128rmb"
	};
	struct catalogue *c = catalogue_of("x86_64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	SCOPED(buffer_free) struct buffer pack = { 0 };
	struct err e = { .code = ERR_OK };
	struct kernel_row row;

	for (size_t i = 0; i < ARRAY_LEN(labels); i++)
		add_label(g, c, labels[i], &row);
	assert_int_equal(gen_finish(g, &pack, &e), ERR_OK);
	assert_int_equal(pack_kernels(pack.bytes)[0].flags, PACK_KERNEL_VECTOR);
	assert_int_equal(pack_kernels(pack.bytes)[1].flags,
			 PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE);
	assert_int_equal(pack_kernels(pack.bytes)[2].flags,
			 PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE);
	/* A kernel has no 64-byte instruction unless it requests one. */
	for (int i = 3; i < 7; i++)
		assert_int_equal(pack_kernels(pack.bytes)[i].flags,
				 PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE |
					 PACK_KERNEL_WIDEST);
	/* What is wide may be in memory alone, or made there. */
	for (int i = 7; i < 9; i++)
		assert_int_equal(pack_kernels(pack.bytes)[i].flags,
				 PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE);
	assert_int_equal(pack_kernels(pack.bytes)[9].flags, PACK_KERNEL_VECTOR);
}

/* The wake-up kernels of wide units are in the pack, and are not measured. */
TEST(packs_name_what_wakes)
{
	struct catalogue *c = catalogue_of("x86_64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	SCOPED(buffer_free) struct buffer pack = { 0 };
	struct err e = { .code = ERR_OK };
	struct kernel_row row;

	add_label(g, c, "throughput:ADDPDrr", &row);
	add_label(g, c, "wake:VMULPDZrr", &row);
	assert_true(row.calib);
	add_label(g, c, "wake:VMULPDYrr", &row);
	add_label(g, c, "wake:VMOVUPSYrm", &row);
	assert_int_equal(gen_finish(g, &pack, &e), ERR_OK);
	assert_int_equal(pack_header(pack.bytes)->wake[0], 2);
	assert_int_equal(pack_header(pack.bytes)->wake[1], 3);
	assert_int_equal(pack_header(pack.bytes)->loads, 4);
	assert_int_equal(pack_kernels(pack.bytes)[1].flags,
			 PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE |
				 PACK_KERNEL_WIDEST | PACK_KERNEL_CALIB);
	assert_int_equal(pack_kernels(pack.bytes)[2].flags,
			 PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE |
				 PACK_KERNEL_CALIB);
}

/* In the variants of this name predicates are false before the loop. */
TEST(no_element_is_active_where_asked)
{
	static const uint32_t pfalse_p0 = 0x2518e400;
	struct catalogue *c = catalogue_of("aarch64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct kernel_row plain, none;
	struct instance x;
	unsigned char code[4];
	uint32_t word;
	size_t n;

	assert_true(form_example(c, form(c, "PFALSE"), 0, &x));
	n = instance_encode(c, &x, code, sizeof(code));
	assert_int_equal(n, sizeof(code));
	memcpy(&word, code, sizeof(word));
	assert_int_equal(word, pfalse_p0);
	add_label(g, c, "throughput:ADD_ZPmZ_S", &plain);
	add_label(g, c, "throughput:ADD_ZPmZ_S/false", &none);
	assert_int_equal(none.code_bytes[0], plain.code_bytes[0] + 16 * 4);
	assert_memory_equal(none.code[0] + 16 * 4, plain.code[0],
			    plain.code_bytes[0]);
	for (uint32_t i = 0; i < 16; i++) {
		memcpy(&word, none.code[0] + i * sizeof(word), sizeof(word));
		assert_int_equal(word, pfalse_p0 | i);
	}
	assert_non_null(catalogue_form(c, "LD1W/false"));
	assert_non_null(catalogue_form(c, "LD1W_2Z/false"));
	assert_non_null(catalogue_form(c, "ST1W/false"));
	assert_null(catalogue_form(c, "ADD_ZZZ_S/false"));
}

/* State that an image cannot hold is set by code before the loop. */
TEST(code_in_front_of_the_loop)
{
	static const struct {
		const char *label;
		const char *text[2];
	} rows[] = {
		{ "dependent:LDFF1B", { "setffr", "ldff1b *" } },
		{ "throughput:GLD1W_D_IMM",
		  { "index z#.d, x17, *4", "ld1w { z#.d }, p#/z, *z#.d]" } },
		{ "latency:GLD1D_IMM@2>0",
		  { "index z1.d, x17, *8", "ld1d { z0.d }, p#/z, *z1.d]" } },
		{ "throughput:LDRAAindexed",
		  { "pacdza x17", "ldraa x#, *x17]" } },
		{ "throughput:LDRABindexed",
		  { "pacdzb x17", "ldrab x#, *x17]" } },
		{ "throughput:STXPX/pair",
		  { "ldxp xzr, x#, *x#]", "stxp w#, x#, x#, *x#]" } },
		{ "throughput:LDRQl", { "b *32", "nop" } },
	};
	struct catalogue *c = catalogue_of("aarch64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct kernel_row row;

	for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
		char text[2][100];
		size_t at = 0;

		add_label(g, c, rows[k].label, &row);
		for (int i = 0; i < 2; i++) {
			at += instance_text(c, row.code[0] + at,
					    row.code_bytes[0] - at, text[i],
					    sizeof(text[i]));
			if (!name_matches(rows[k].text[i], text[i]))
				fail_msg("%s: %s", rows[k].label, text[i]);
		}
	}
	/* Each instance loads the literal 16 bytes behind the start. */
	for (uint32_t i = 0; i < 3; i++) {
		struct instance in;

		assert_int_equal(
			instance_decode(c, row.code[0] + 32 + 4 * i, 4, &in),
			4);
		assert_int_equal(in.imm[1] * 4 + 32 + 4 * i, 16);
	}
}

/* Gather offsets name consecutive elements; the mask is full. */
TEST(vectors_name_elements)
{
	static const struct {
		const char *label;
		uint8_t lane, step;
	} rows[] = {
		{ "throughput:GLD1W_SXTW", 4, 4 },
		{ "throughput:GLD1W_SXTW_SCALED", 4, 1 },
		{ "throughput:GLD1SH_D", 8, 2 },
		{ "throughput:SST1D_SCALED", 8, 1 },
		{ "throughput:SST1B_S_UXTW", 4, 1 },
		{ "throughput:GLDFF1W_SXTW+~SETFFR", 4, 4 },
		{ "throughput:LDNT1H_ZZR_S", 4, 2 },
		{ "throughput:STNT1D_ZZR_D", 8, 8 },
		{ "throughput:PRFD_D_SXTW_SCALED", 8, 1 },
	};
	struct arena a = { 0 };
	struct catalogue *c = load(&a, "aarch64", NULL);
	struct gen_profile p = gen_profile(0);
	struct gen *g = gen_new(c, &p);
	struct kernel_row row;

	for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
		bool found = false;

		add_label(g, c, rows[k].label, &row);
		for (size_t r = 0; r < 32 && !found; r++) {
			found = true;
			for (size_t i = 0; i < VALUE_BYTES; i++)
				if (row.image->vector[r][i] !=
				    (i % rows[k].lane
					     ? 0
					     : i / rows[k].lane * rows[k].step))
					found = false;
		}
		if (!found)
			fail_msg("%s: no such offsets", rows[k].label);
	}
	assert_status(c, "GLD1W_IMM", FORM_MEMORY);
	assert_status(c, "GLDFF1B_S_IMM", FORM_MEMORY);
	gen_free(g);
	arena_free(&a);

	a = (struct arena){ 0 };
	c = load(&a, "x86_64", NULL);
	g = gen_new(c, &p);
	add_label(g, c, "latency:VPMASKMOVDYrm@1>0", &row);
	for (size_t i = 0; i < VALUE_BYTES; i++) {
		assert_int_equal(row.image->memory[i], 0xff);
		assert_int_equal(row.image->vector[0][i], 0xff);
	}
	assert_status(c, "VMASKMOVDQU64", FORM_MEMORY);
	gen_free(g);
	arena_free(&a);
}

/* A plan has exactly the chosen families, for every instruction set. */
TEST(plan_keeps_to_families)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { .code = ERR_OK };
		struct plan_request q = {
			.catalogue = load(&a, isas[i]->name, NULL),
			.what = PLAN_THROUGHPUT,
			.families = UINT64_C(1) << FAMILY_SLOW,
		};
		struct experiment *list;
		size_t n;

		assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
		assert_true(n > 5);
		for (const struct experiment *x = list + 3; x < list + n; x++)
			assert_true(
				x->kind == EXPERIMENT_MIX ||
				experiment_kind_is(x->kind, EXPERIMENT_WHOLE) ||
				x->kind == EXPERIMENT_WAKE ||
				form_family(x->steps[0].form) == FAMILY_SLOW);
	}
}
