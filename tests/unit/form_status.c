/* Refused forms and the reasons: what they do, and what a CPU supports. */
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

static const char *const x86_64_dangerous[] = {
	"CPUID",     "RDMSR",     "WRMSR",        "HLT",        "IN8rr",
	"IN32ri",    "OUT8ir",    "SYSCALL",      "SYSRET64",   "SYSENTER",
	"SYSEXIT64", "SWAPGS",    "MOV64cr",      "MOV64rc",    "MOV64dr",
	"MOV64rd",   "MOV16sr",   "MOV64rs",      "LLDT16r",    "LTRr",
	"LMSW16r",   "LAR32rr",   "CLI",          "STI",        "CLTS",
	"STD",       "CLD",       "CLAC",         "STAC",       "INVD",
	"WBINVD",    "INVLPGA64", "RDTSC",        "RDTSCP",     "RDPMC",
	"RDPID64",   "XSETBV",    "XGETBV",       "WRFSBASE64", "WRGSBASE64",
	"WRPKRUr",   "VMCALL",    "VMXOFF",       "VMLAUNCH",   "GETSEC",
	"ENCLS",     "RSM",       "MWAITrr",      "UMWAIT",     "TPAUSE",
	"XBEGIN_4",  "XEND",      "XABORT",       "INT",        "INT3",
	"UD1Lr",     "SERIALIZE", "LFENCE",       "MFENCE",     "PUSH64r",
	"POP64r",    "POPF64",    "LEAVE64",      "ENTER",      "RET64",
	"IRET64",    "JMP64r",    "CALL64r",      "LOOP",       "JRCXZ",
	"MOVSB",     "STOSQ",     "REP_MOVSB_64", "CLZERO64r",  "TILEZERO",
	"RDSSPQ",    "INCSSPQ",   "MASKMOVDQU64",
};

static const char *const aarch64_dangerous[] = {
	"MSR",
	"MRS",
	"MSRpstateImm4",
	"SYSxt",
	"SYSLxt",
	"ISB",
	"DSB",
	"DMB",
	"SB",
	"CLREX",
	"WFET",
	"WFIT",
	"HVC",
	"SMC",
	"SVC",
	"HLT",
	"BRK",
	"DCPS1",
	"ERET",
	"DRPS",
	"UDF",
	"TSTART",
	"AUTIASP",
	"PACIASP",
	"AUTIA",
	"RET",
	"BR",
	"BLR",
	"B",
	"CBZX",
	"STXPX",
	"LDRAAwriteback",
	"STGi",
	"ZERO_T",
	"MSRpstatesvcrImm1",
	"CPYFE",
	"MOPSSETGE",
	"FMOPA_MPPZZ_H",
	"MOVPRFX_ZZ",
};

static const char *const riscv64_dangerous[] = {
	"CSRRW",      "CSRRS",      "CSRRCI",     "ECALL",       "EBREAK",
	"WFI",        "MRET",       "SRET",       "FENCE",       "FENCE_I",
	"JAL",        "JALR",       "C_JR",       "C_JALR",      "C_J",
	"BEQ",        "SFENCE_VMA", "SINVAL_VMA", "HFENCE_GVMA", "C_EBREAK",
	"UNIMP",      "C_UNIMP",    "WRS_NTO",    "C_LDSP",      "CBO_ZERO",
	"C_ADDI16SP",
};

static void check_refused(const char *isa, const char *const *names, size_t n)
{
	struct catalogue *c = catalogue_of(isa);

	for (size_t i = 0; i < n; i++)
		if (form(c, names[i])->status == FORM_MEASURABLE)
			fail_msg("%s is measurable", names[i]);
}

TEST(dangerous_forms_are_refused)
{
	check_refused("x86_64", x86_64_dangerous, ARRAY_LEN(x86_64_dangerous));
	check_refused("aarch64", aarch64_dangerous,
		      ARRAY_LEN(aarch64_dangerous));
	check_refused("riscv64", riscv64_dangerous,
		      ARRAY_LEN(riscv64_dangerous));
}

TEST(reasons_are_the_right_ones)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "x86_64", NULL);

	assert_status(c, "VMASKMOVPSrm", FORM_MEASURABLE);
	assert_status(c, "VMASKMOVDQU", FORM_MEMORY);
	assert_status(c, "FXSAVE", FORM_REGISTER);
	assert_status(c, "JCC_1", FORM_CONTROL_FLOW);
	assert_status(c, "CPUID", FORM_BARRIER);
	assert_status(c, "PUSH64r", FORM_STACK);
	assert_status(c, "ADD_FPrST0", FORM_X87);
	assert_status(c, "LOCK_PREFIX", FORM_PSEUDO);
	assert_status(c, "ADDSDrr", FORM_DUPLICATE);
	assert_status(c, "AAA", FORM_UNSUPPORTED);
	catalogue_free(c);
	c = load(&a, "riscv64", NULL);
	assert_status(c, "VFNRCLIP_X_F_QF", FORM_UNSUPPORTED);
	assert_status(c, "AMOCAS_Q", FORM_MEMORY);
	assert_status(c, "C_ADD_HINT", FORM_NO_REGISTER);
	catalogue_free(c);
}

struct support {
	const char *isa, *cpu, *form;
	enum form_status status;
};

TEST(cpu_decides_what_is_supported)
{
	static const struct support rows[] = {
		{ "x86_64", "x86-64", "ADDPDrr", FORM_MEASURABLE },
		{ "x86_64", "x86-64", "PSHUFBrr", FORM_UNSUPPORTED },
		{ "x86_64", "x86-64", "VADDPDYrr", FORM_UNSUPPORTED },
		{ "x86_64", "sandybridge", "VADDPDYrr", FORM_MEASURABLE },
		{ "x86_64", "sandybridge", "VPADDDYrr", FORM_UNSUPPORTED },
		{ "x86_64", "haswell", "VPADDDYrr", FORM_MEASURABLE },
		{ "x86_64", "haswell", "VPADDDZrr", FORM_UNSUPPORTED },
		{ "x86_64", "skylake-avx512", "VPADDDZ128rr", FORM_MEASURABLE },
		{ "x86_64", "skylake-avx512", "VPERMBZrr", FORM_UNSUPPORTED },
		{ "x86_64", "znver5", "VPERMBZrr", FORM_MEASURABLE },
		{ "x86_64", "znver5", "VFMADDPD4rr", FORM_UNSUPPORTED },
		{ "x86_64", "haswell,+adx", "ADCX64rr", FORM_MEASURABLE },
		{ "x86_64", "haswell,-bmi2", "MULX64rr", FORM_UNSUPPORTED },
		{ "aarch64", "neoverse-n1", "ADD_ZZZ_B", FORM_UNSUPPORTED },
		{ "aarch64", "neoverse-v2", "ADD_ZZZ_B", FORM_MEASURABLE },
		{ "aarch64", "generic,+sve", "ADD_ZZZ_B", FORM_MEASURABLE },
		/* SVE in streaming mode only */
		{ "aarch64", "apple-m4", "ADD_ZZZ_B", FORM_UNSUPPORTED },
		/* The first version of SME is measured, the second is not. */
		{ "aarch64", "neoverse-v2", "FMOPA_MPPZZ_S", FORM_UNSUPPORTED },
		{ "aarch64", "generic,+sme", "FMOPA_MPPZZ_S", FORM_MEASURABLE },
		{ "aarch64", "generic,+sme", "FMOPA_MPPZZ_D",
		  FORM_UNSUPPORTED },
		{ "aarch64", "generic,+sme", "ZERO_T", FORM_UNSUPPORTED },
		{ "aarch64", "apple-m4", "ZERO_T", FORM_MATRIX },
		{ "riscv64", "sifive-u74", "SH1ADD", FORM_UNSUPPORTED },
		{ "riscv64", "spacemit-x60", "SH1ADD", FORM_MEASURABLE },
		{ "riscv64", "generic-rv64", "FADD_D", FORM_UNSUPPORTED },
		{ "riscv64", "generic-rv64,+d", "FADD_D", FORM_MEASURABLE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct catalogue *c = load(&a, rows[i].isa, rows[i].cpu);

		assert_string_equal(c->cpu, rows[i].cpu);
		assert_status(c, rows[i].form, rows[i].status);
		catalogue_free(c);
	}
}

TEST(unknown_cpu_is_bad_input)
{
	static const char *const cpus[] = { "no-such-cpu", "",
					    "haswell,+no-such-feature",
					    "haswell,avx", "neoverse-v2" };
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		struct catalogue *c = NULL;
		struct err e = { 0 };

		assert_int_equal(
			catalogue_load(&a, isa_find("x86_64"), cpus[i], &c, &e),
			ERR_INPUT);
		assert_null(c);
		assert_true(e.message[0] != '\0');
	}
}

TEST(native_is_this_machine_only)
{
	SCOPED(arena_free) struct arena a = { 0 };

	for (size_t i = 0; isas[i]; i++) {
		struct catalogue *c = NULL;
		struct err e = { 0 };
		int status = catalogue_load(&a, isas[i], "native", &c, &e);

		if (isas[i] == isa_native()) {
			assert_int_equal(status, ERR_OK);
			assert_string_not_equal(c->cpu, "native");
			catalogue_free(c);
		} else {
			assert_int_equal(status, ERR_INPUT);
		}
	}
}
