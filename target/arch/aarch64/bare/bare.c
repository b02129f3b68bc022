/* AArch64 at EL1 or EL2: the runtime owns the core.  Register fields are those
 * of the Arm ARM (DDI 0487), section D17, under the register's name. */
#include "target/arch.h"
#include "target/arch/aarch64/units.h"

#define READ(name)                                                \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " name : "=r"(value_)); \
		value_;                                           \
	})
#define WRITE(name, value)                         \
	__asm__ volatile("msr " name ", %0\n\tisb" \
			 :                         \
			 : "r"((uint64_t)(value))  \
			 : "memory")

enum {
	EL_SHIFT = 2, /* CurrentEL */
	EL_MASK = 3,
	PFR0_SVE = 32, /* ID_AA64PFR0_EL1, four bits */
	PFR1_SME = 24, /* ID_AA64PFR1_EL1, four bits */
	DFR0_PMU = 8,  /* ID_AA64DFR0_EL1, four bits */
	DFR0_NO_PMU = 0,
	DFR0_OTHER_PMU = 0xf,
	FIELD = 0xf,
	CPACR_ZEN = 3 << 16,
	CPACR_FPEN = 3 << 20,
	CPACR_SMEN = 3 << 24,
	CPTR_TZ = 1 << 8, /* CPTR_EL2 while HCR_EL2.E2H is 0 */
	CPTR_TFP = 1 << 10,
	CPTR_TSM = 1 << 12,
	ZCR_LONGEST = 0xf,
	SMCR_LONGEST = 0xf,
	PMCR_ENABLE = 1 << 0,
	PMCR_RESET = 1 << 1 | 1 << 2, /* event and cycle counters */
	PMCR_LONG = 1 << 6,           /* 64-bit cycle counter */
	PMCR_N = 11,
	PMCR_N_MASK = 0x1f,
	MDCR_HPMN_MASK = 0x1f,
	MDCR_HPMD = 1 << 17,  /* no counting at EL2 */
	MDCR_HCCD = 1 << 23,  /* no cycle counting at EL2 */
	FILTER_NSH = 1 << 27, /* count at EL2 */
	EVENT_INST_RETIRED = 0x08,
};

#define HCR_E2H       (UINT64_C(1) << 34)
#define COUNTER_CYCLE (UINT64_C(1) << 31)
#define COUNTER_0     UINT64_C(1)

static unsigned current_el(void)
{
	return READ("CurrentEL") >> EL_SHIFT & EL_MASK;
}

static bool has_e2h(void)
{
	return current_el() == 2 && (READ("hcr_el2") & HCR_E2H);
}

/* Let this level use the units; at EL2 with E2H the name cpacr_el1 accesses
 * CPTR_EL2. */
static void permit(uint64_t cpacr, uint64_t cptr)
{
	if (current_el() == 2 && !has_e2h())
		WRITE("cptr_el2", READ("cptr_el2") & ~cptr);
	else
		WRITE("cpacr_el1", READ("cpacr_el1") | cpacr);
}

static void enable_fp(void)
{
	permit(CPACR_FPEN, CPTR_TFP);
}

/* ZCR_EL1 and ZCR_EL2 by encoding, because the compiler's target has no SVE.
 * The first read finds out whether EL3 allows them. */
static void enable_sve(void)
{
	if (!(READ("id_aa64pfr0_el1") >> PFR0_SVE & FIELD))
		return;
	permit(CPACR_ZEN, CPTR_TZ);
	if (current_el() == 2)
		WRITE("s3_4_c1_c2_0", READ("s3_4_c1_c2_0") | ZCR_LONGEST);
	else
		WRITE("s3_0_c1_c2_0", READ("s3_0_c1_c2_0") | ZCR_LONGEST);
}

/* SMCR_EL1 and SMCR_EL2, by encoding.  A kernel that faults in streaming mode stays
 * there until arch_measure_abort. */
static void enable_sme(void)
{
	if (!(READ("id_aa64pfr1_el1") >> PFR1_SME & FIELD))
		return;
	permit(CPACR_SMEN, CPTR_TSM);
	if (current_el() == 2)
		WRITE("s3_4_c1_c2_6", READ("s3_4_c1_c2_6") | SMCR_LONGEST);
	else
		WRITE("s3_0_c1_c2_6", READ("s3_0_c1_c2_6") | SMCR_LONGEST);
}

static void enable_counters(void)
{
	unsigned version = READ("id_aa64dfr0_el1") >> DFR0_PMU & FIELD;

	if (version == DFR0_NO_PMU || version == DFR0_OTHER_PMU)
		return;

	uint64_t n = READ("pmcr_el0") >> PMCR_N & PMCR_N_MASK;

	/* All counters are accessible at all levels, and count at EL2. */
	if (current_el() == 2)
		WRITE("mdcr_el2",
		      (READ("mdcr_el2") &
		       ~(uint64_t)(MDCR_HPMN_MASK | MDCR_HPMD | MDCR_HCCD)) |
			      n);
	WRITE("pmcr_el0", PMCR_ENABLE | PMCR_RESET | PMCR_LONG);
	WRITE("pmccfiltr_el0", FILTER_NSH);
	WRITE("pmcntenset_el0", COUNTER_CYCLE);
	if (n == 0)
		return;
	WRITE("pmevtyper0_el0", FILTER_NSH | EVENT_INST_RETIRED);
	WRITE("pmcntenset_el0", COUNTER_0);
}

/* What a hypervisor or EL3 refuses traps, under our vectors, before the first
 * write: then the unit or the counter is absent. */
void arch_init(void)
{
	(void)units_try(enable_fp);
	(void)units_try(enable_sve);
	(void)units_try(enable_sme);
	(void)units_try(enable_counters);
	units_probe();
}

enum arch_clock arch_best_clock(void)
{
	return units_core_clock() ? ARCH_CLOCK_CORE : ARCH_CLOCK_REF;
}

void units_describe(struct wire_line *w)
{
	wire_u64(w, "el", current_el());
	wire_hex(w, "midr", READ("midr_el1"));
	wire_u64(w, "core_mhz", units_core_mhz());
}
