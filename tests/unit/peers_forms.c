/* Errors in published results of other tools, a test for each: here those of
 * choosing forms, operands and values.  See peers_kernels.c. */
#include "tests/unit/peers.h"
#include "tests/unit/unit.h"

/* ---- 3 ------------------------------------------------------------------ */

/* With 7 as every immediate, all forms with a shifted register were lost, the
 * plain ADD too, and lanes and rotations were out of range. */
TEST(peer_03_every_immediate_is_chosen)
{
	static const char *const forms[] = {
		"ADDXrs",
		"ADDWrs",
		"SUBXrs",
		"ANDXrs",
		"ORRXrs",
		"EORXrs",
		"BICXrs",
		"ADDXrx64",
		"ADDSXrs",
		"EXTRXrri",
		"FCMLAv4f32",
		"FCADDv4f32",
		"FMLAv4i32_indexed",
		"DUPv4i32lane",
		"INSvi32lane",
		"CSELXr",
		"CCMPXr",
		"UBFMXri",
		"SDOTlanev16i8",
	};

	for (size_t i = 0; isas[i]; i++) {
		struct catalogue *c = catalogue_of(isas[i]->name);

		for (size_t k = 0; k < c->n_forms; k++)
			if (c->forms[k].status == FORM_NO_IMMEDIATE)
				fail_msg("%s: no immediate", c->forms[k].name);
		for (size_t k = 0; strcmp(isas[i]->name, "aarch64") == 0 &&
				   k < ARRAY_LEN(forms);
		     k++)
			assert_status(c, forms[k], FORM_MEASURABLE);
	}
}

/* ---- 4 ------------------------------------------------------------------ */

/* Number of measurable variants of an opcode, masked or unmasked. */
static size_t count_variants(const struct catalogue *c, const char *opcode,
			     bool masked)
{
	size_t room = strlen(opcode);
	size_t n = 0;

	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];

		n += strncmp(f->name, opcode, room) == 0 &&
		     f->name[room] == '/' && f->status == FORM_MEASURABLE &&
		     !strstr(f->name, "vl=1") &&
		     (strstr(f->name, "masked") != NULL) == masked;
	}
	return n;
}

/* Vector instructions were measured at e32, m1 only, and only masked: v0 is the
 * mask's only register, and the tool used it everywhere. */
TEST(peer_04_vectors_at_every_width_masked_and_not)
{
	/* SEW 8 to 64 with LMUL down to SEW / 64: 7 + 6 + 5 + 4; no integers
	 * wider than 64 bits, no groups beyond 8. */
	static const struct {
		const char *opcode;
		size_t n;
	} rows[] = { { "VADD_VV", 22 },   { "VFADD_VV", 6 + 5 + 4 },
		     { "VWADD_VV", 15 },  { "VNSRL_WV", 15 },
		     { "VZEXT_VF2", 15 }, { "VRGATHER_VV", 22 } };
	struct catalogue *c = catalogue_of("riscv64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (int masked = 0; masked <= 1; masked++) {
			size_t n = count_variants(c, rows[i].opcode, masked);

			if (n < rows[i].n)
				fail_msg("%s: %zu variants, masked %d",
					 rows[i].opcode, n, masked);
		}
}

/* vadd.vv was published as 2 instead of 1, because it was masked. */
TEST(peer_04_kernels_are_what_their_name_says)
{
	enum { OPCODE_V = 0x57, UNMASKED = 1 << 25, VTYPE = 0x3f };
	static const struct {
		const char *label;
		uint32_t vtype, unmasked;
	} rows[] = {
		/* vlmul in bits 0 to 2, vsew in bits 3 to 5 (RVV 1.0, 3.4). */
		{ "throughput:VADD_VV/e32,m1", 2 << 3, UNMASKED },
		{ "throughput:VADD_VV/e32,m1,masked", 2 << 3, 0 },
		{ "throughput:VADD_VV/e8,mf2", 7, UNMASKED },
		{ "throughput:VADD_VV/e64,m4,masked", 3 << 3 | 2, 0 },
	};
	SCOPED(done) struct all w = { .c = catalogue_of("riscv64") };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct kernel_row k;
		SCOPED(gen_end)
		struct gen *g = one_kernel(&w, rows[i].label, &k);
		uint32_t vtype = UINT32_MAX;
		size_t n = 0;

		for (size_t at = 0; at + 4 <= k.code_bytes[0]; at += 4) {
			uint32_t word;

			memcpy(&word, k.code[0] + at, sizeof(word));
			if ((word & 0x7f) != OPCODE_V)
				continue;
			/* vsetvli: its immediate is vtype (6.1). */
			if ((word >> 12 & 7) == 7) {
				vtype = word >> 20 & VTYPE;
				continue;
			}
			assert_int_equal(vtype, rows[i].vtype);
			assert_int_equal(word & UNMASKED, rows[i].unmasked);
			n++;
		}
		assert_true(n >= k.unroll[0]);
	}
}

/* Widening forms were missing.  A result of twice the width is an aligned group
 * of twice the size that does not overlap its sources. */
TEST(peer_04_widening_groups_are_legal)
{
	SCOPED(done)
	struct all w = plan_of("riscv64",
			       "^VWADDU?_VV/e(8|16|32),m(1|2|4)(,masked)?$");
	size_t n = 0;

	for (size_t i = 0; i < w.n; i++) {
		struct err e = { .code = ERR_OK };
		const struct experiment *x = &w.list[i];
		struct assigned a;

		if (!strstr(x->steps[0].form->name, "VWADD") ||
		    x->kind != EXPERIMENT_THROUGHPUT)
			continue;
		assert_int_equal(assign_registers(w.c, x, 4, &a, &e), ERR_OK);
		for (size_t op = 0; op < a.period; op++) {
			const struct instance *in = &a.instances[op][0];
			const struct reg *d = reg_at(&w, in, 0);
			const struct reg *s = reg_at(&w, in, 1);

			assert_int_equal(d->span, 2 * s->span);
			assert_int_equal(d->index % d->span, 0);
			assert_int_equal(s->index % s->span, 0);
			assert_false(reg_overlap(d, s));
			assert_false(reg_overlap(d, reg_at(&w, in, 2)));
		}
		n++;
	}
	assert_int_equal(n, 2 * 3 * 3 * 2);
}

/* ---- 5 ------------------------------------------------------------------ */

/* Exponent of all zeros: zero or denormal; of all ones: infinity or NaN. */
static bool is_normal(uint64_t bits, enum form_domain domain)
{
	static const struct {
		unsigned fraction, exponent;
	} shapes[DOMAIN_N] = {
		[DOMAIN_FP16] = { 10, 5 },
		[DOMAIN_FP32] = { 23, 8 },
		[DOMAIN_FP64] = { 52, 11 },
	};
	uint64_t ones = (1ull << shapes[domain].exponent) - 1;
	uint64_t exponent = bits >> shapes[domain].fraction & ones;

	return exponent != 0 && exponent != ones;
}

/* All bits set at every width: true predicates and masks. */
static void check_masks(const struct pack_image *image)
{
	for (size_t r = 0; r < ARRAY_LEN(image->mask); r++)
		assert_true(image->mask[r] == UINT64_MAX);
}

static void check_vectors(const struct pack_image *image,
			  enum form_domain domain, size_t bytes)
{
	for (size_t r = 0; r < ARRAY_LEN(image->vector); r++)
		for (size_t at = 0; at < sizeof(image->vector[r]);
		     at += bytes) {
			uint64_t lane = 0;

			memcpy(&lane, &image->vector[r][at], bytes);
			assert_true(is_normal(lane, domain));
		}
}

/* A RISC-V register holds a narrow float only if the bits above it are all ones
 * (NaN boxing). */
static void check_boxes(const struct pack_image *image, enum form_domain domain,
			size_t bytes)
{
	uint64_t box = bytes < 8 ? UINT64_MAX << bytes * 8 : 0;

	for (size_t r = 0; r < ARRAY_LEN(image->fp); r++) {
		assert_true((image->fp[r] & box) == box);
		assert_true(is_normal(image->fp[r], domain));
	}
}

/* The integer 4 is a denormal float. */
TEST(peer_05_registers_hold_normal_numbers)
{
	static const size_t bytes[DOMAIN_N] = {
		[DOMAIN_FP16] = 2, [DOMAIN_FP32] = 4, [DOMAIN_FP64] = 8
	};

	for (size_t i = 0; isas[i]; i++)
		for (int d = DOMAIN_FP16; d <= DOMAIN_FP64; d++) {
			enum form_domain domain = (enum form_domain)d;
			struct pack_image image;

			memset(&image, 0, sizeof(image));
			isas[i]->init_image(domain, &image);
			check_vectors(&image, domain, bytes[d]);
			check_masks(&image);
			if (strcmp(isas[i]->name, "riscv64") == 0)
				check_boxes(&image, domain, bytes[d]);
		}
}

/* x86's DIV faulted with such values, and was missing.  The quotient of RDX:RAX
 * and a third register must not overflow. */
TEST(peer_05_division_does_not_fault)
{
	enum { RDX = 2 };
	static const char *const labels[] = { "throughput:DIV64r+~MOV64ri32",
					      "throughput:IDIV32r",
					      "latency:DIV64r@RAX>RAX" };
	SCOPED(done) struct all w = { .c = catalogue_of("x86_64") };

	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		struct err e = { .code = ERR_OK };
		struct experiment x;
		struct kernel_row k;
		struct assigned a;
		SCOPED(gen_end) struct gen *g = one_kernel(&w, labels[i], &k);

		assert_int_equal(experiment_parse(w.c, labels[i], &x, &e), 0);
		assert_int_equal(assign_registers(w.c, &x, 16, &a, &e), 0);
		assert_true(
			k.image->gpr[RDX] <
			k.image->gpr[reg_at(&w, &a.instances[0][0], 0)->index]);
	}
}

/* ---- 9 ------------------------------------------------------------------ */

static bool is_planned(const struct all *w, const char *label)
{
	char have[PACK_MAX_LABEL];
	struct err e = { .code = ERR_OK };

	for (size_t i = 0; i < w->n; i++)
		if (experiment_label(w->c, &w->list[i], have, &e) == ERR_OK &&
		    strcmp(have, label) == 0)
			return true;
	return false;
}

/* An inverted comparison left AArch64 and RISC-V without helpers: the forms
 * that cut a dependency, and those that move a value from one class of
 * registers to another and back. */
TEST(peer_09_every_isa_has_its_helpers)
{
	static const struct {
		const char *isa, *forms, *labels[4];
	} rows[] = {
		{ "x86_64",
		  "^(ADC64rr|MUL64r|MOV64toPQIrr|CVTSI642SDrr_Int)$",
		  { "throughput:ADC64rr+~TEST64rr",
		    "latency:ADC64rr@2>0+~TEST64rr",
		    "latency:MOV64toPQIrr@1>0+MOVPQIto64rr@1>0",
		    "latency:CVTSI642SDrr_Int@2>0+MOVPQIto64rr@1>0" } },
		{ "aarch64",
		  "^(ADCSXr|FMOVXDr|SCVTFUXDri|CSELXr|SEL_ZPZZ_D)$",
		  { "throughput:ADCSXr+~ADDSXri", "latency:ADCSXr@1>0+~ADDSXri",
		    "latency:SCVTFUXDri@1>0+FMOVDXr@1>0",
		    "latency:CSELXr@NZCV.Z>0+SUBSXri@1>NZCV.Z" } },
		{ "riscv64",
		  "^(FCVT_D_L|FCVT_L_D|FEQ_D|FMV_D_X)$",
		  { "latency:FCVT_D_L@1>0+FMV_X_D@1>0",
		    "latency:FCVT_L_D@1>0+FMV_D_X@1>0",
		    "latency:FEQ_D@1>0+FMV_D_X@1>0",
		    "latency:FMV_D_X@1>0+FMV_X_D@1>0" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct all w = plan_of(rows[i].isa, rows[i].forms);

		for (size_t k = 0; k < ARRAY_LEN(rows[i].labels); k++)
			if (!is_planned(&w, rows[i].labels[k]))
				fail_msg("no %s", rows[i].labels[k]);
	}
}

/* ---- 10 ----------------------------------------------------------------- */

/* Pseudo instructions and real system calls were executed and published. */
TEST(peer_10_no_pseudos_no_system_calls)
{
	static const struct {
		const char *isa, *forms[12];
	} rows[] = {
		{ "x86_64",
		  { "SYSCALL", "SYSENTER", "INT", "INT3", "HLT", "TRAP",
		    "CPUID", "WRMSR", "IN8ri", "CLI", "RDTSC" } },
		{ "aarch64",
		  { "SVC", "HVC", "SMC", "BRK", "HLT", "UDF", "ERET", "MSR",
		    "DRPS" } },
		{ "riscv64",
		  { "ECALL", "EBREAK", "WFI", "MRET", "SRET", "UNIMP",
		    "CSRRW" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct all w = plan_of(rows[i].isa, NULL);

		for (size_t k = 0; k < w.n; k++)
			for (size_t s = 0; s < w.list[k].n_steps; s++) {
				const struct form *f = w.list[k].steps[s].form;

				assert_int_equal(f->status, FORM_MEASURABLE);
				assert_false(f->flags & MC_PSEUDO);
			}
		for (size_t k = 0; rows[i].forms[k]; k++)
			assert_int_not_equal(
				form(w.c, rows[i].forms[k])->status,
				FORM_MEASURABLE);
		assert_true(w.c->n_pseudo > 100);
	}
}

/* Refused by name, not for another reason that LLVM gives. */
TEST(peer_10_system_calls_are_known_as_such)
{
	static const char *const calls[] = { "SYSCALL", "SYSENTER", "HLT",
					     "CPUID" };
	SCOPED(done) struct all w = plan_of("x86_64", NULL);

	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		assert_true(status_is_system(
			(enum form_status)form(w.c, calls[i])->status));
}

/* Pseudo instructions of the compiler are not listed. */
TEST(peer_10_pseudos_are_no_forms)
{
	static const struct {
		const char *isa, *forms[6];
	} rows[] = {
		{ "x86_64",
		  { "MOV32r0", "V_SET0", "ADD64rr_DB", "TCRETURNdi64" } },
		{ "aarch64",
		  { "MOVi64imm", "ADDXrr", "RET_ReallyLR", "TCRETURNdi" } },
		{ "riscv64",
		  { "PseudoLI", "PseudoVADD_VV_M1", "PseudoCALL",
		    "Select_GPR_Using_CC_GPR" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);

		for (size_t k = 0; rows[i].forms[k]; k++)
			if (catalogue_form(c, rows[i].forms[k]))
				fail_msg("%s is listed", rows[i].forms[k]);
	}
}
