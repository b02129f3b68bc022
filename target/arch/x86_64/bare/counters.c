/* The counters of core cycles and retired instructions.  CPUID lists them; a
 * counter is used only if it counts a chain of known length correctly. Every
 * access to a model-specific register runs as a kernel, because hypervisors
 * advertise registers on which they fault.
 *
 * Registers and bits: Intel SDM vol. 3, 20.2 and vol. 4; AMD APM vol. 2,
 * 13.2. */
#include "common/wire.h"
#include "target/arch.h"
#include "target/arch/x86_64/arch_regs.h"
#include "target/arch/x86_64/cpu.h"
#include "target/boot.h"

#define FIXED_CTR0     0x309u /* retired instructions */
#define FIXED_CTR1     0x30au /* core cycles */
#define FIXED_CTRL     0x38du
#define GLOBAL_CTRL    0x38fu
#define SMI_COUNT      0x34u
#define APERF          0xe8u
#define AMD_LEGACY     0xc0010000u /* controls 0..3, counters 4..7 */
#define AMD_EXTENDED   0xc0010200u /* control, counter, control, ... */
#define AMD_GLOBAL     0xc0000301u
#define LEAF_PERF      0xau
#define LEAF_POWER     6u
#define ECX_APERF      (1u << 0) /* LEAF_POWER */
#define LEAF_AMD       0x80000001u
#define LEAF_AMD_PERF  0x80000022u
#define LEAF_MAX_AMD   0x80000000u
#define ECX_EXTENDED   (1u << 23) /* LEAF_AMD: the extended counters */
#define EVERY_RING     0x33u      /* FIXED_CTRL: both, rings 0 and above */
#define AMD_EVERY_RING (1u << 16 | 1u << 17 | 1u << 22)
#define AMD_CYCLES     0x76u
#define AMD_RETIRED    0xc0u

enum {
	REG_A = 0,
	REG_C = 1,
	REG_D = 2,
	REG_DI = 7,
	/* Longer than any probe; a probe ends or faults. */
	LIMIT_TICKS = 1 << 30,
	CHAIN_SHORT = 100,
	CHAIN_LONG = 300,
	CHAIN_ADDS = 16,
	CHAIN_INSTRUCTIONS = 18,
	CHAIN_TRIES = 4,
	N_STEPS = 16,
	MAX_STEP = 2, /* step of the counter in cycles */
	INTEL_FAMILY = 6,
};

extern char arch_probe_wrmsr[], arch_probe_rdmsr[], arch_probe_chain[];

static struct {
	const char *name; /* of the counters in use, or NULL */
	bool has_smi;
	uint64_t smi;
} counters;

static struct pack_image image;

static bool probe(const char *code, enum arch_clock clock, struct arch_run *r)
{
	struct arch_fault fault;
	bool ok;

	*r = (struct arch_run){ .code = code, .image = &image };
	boot_quiet_begin();
	ok = boot_run(r, clock, LIMIT_TICKS, &fault) == 0;
	boot_quiet_end();
	return ok;
}

static bool set(uint32_t msr, uint64_t value)
{
	struct arch_run r;

	image.gpr[REG_C] = msr;
	image.gpr[REG_A] = value;
	image.gpr[REG_D] = value >> 32;
	return probe(arch_probe_wrmsr, ARCH_CLOCK_REF, &r);
}

static bool get(uint32_t msr, uint64_t *ret)
{
	struct arch_run r;

	image.gpr[REG_C] = msr;
	image.gpr[REG_DI] = (uintptr_t)ret;
	return probe(arch_probe_rdmsr, ARCH_CLOCK_REF, &r);
}

static bool start_intel(void)
{
	uint64_t global;

	if (cpuid(LEAF_VENDOR).r[EAX] < LEAF_PERF)
		return false;

	struct cpuid c = cpuid(LEAF_PERF);

	/* Version 2 has fixed counters and the global control. */
	if ((c.r[EAX] & 0xff) < 2 || (c.r[EDX] & 0x1f) < 2 ||
	    !get(GLOBAL_CTRL, &global))
		return false;
	arch_counters = COUNTERS_FIXED;
	return set(FIXED_CTRL, EVERY_RING) && set(FIXED_CTR0, 0) &&
	       set(FIXED_CTR1, 0) &&
	       set(GLOBAL_CTRL, global | UINT64_C(3) << 32);
}

static bool start_amd(void)
{
	if (!cpu_is_amd())
		return false;

	uint32_t last = cpuid(LEAF_MAX_AMD).r[EAX];
	bool extended =
		last >= LEAF_AMD && (cpuid(LEAF_AMD).r[ECX] & ECX_EXTENDED);
	uint32_t base = extended ? AMD_EXTENDED : AMD_LEGACY;
	uint32_t step = extended ? 2 : 1;
	uint32_t counter = base + (extended ? 1 : 4);

	arch_counters = COUNTERS_AMD;
	if (!set(base, AMD_EVERY_RING | AMD_CYCLES) ||
	    !set(base + step, AMD_EVERY_RING | AMD_RETIRED) ||
	    !set(counter, 0) || !set(counter + step, 0))
		return false;
	/* Version 2 of the monitoring has a global control, too. */
	if (last < LEAF_AMD_PERF || !(cpuid(LEAF_AMD_PERF).r[EAX] & 1))
		return true;
	return set(AMD_GLOBAL, 3);
}

/* Cycles and instructions of the chain; false if the counters fault. */
static bool run_chain(uint64_t n, uint64_t *ret_cycles, uint64_t *ret_retired)
{
	struct arch_run r;

	image.gpr[REG_C] = n;
	if (!probe(arch_probe_chain, ARCH_CLOCK_CORE, &r))
		return false;
	*ret_cycles = r.end - r.begin;
	*ret_retired = r.aux_end - r.aux_begin;
	return true;
}

/* In a virtual machine RDMSR may exit to the hypervisor even if CPUID lists the
 * counter: do_count() and is_fine() check. */
static bool start_aperf(void)
{
	uint64_t value;

	if (cpuid(LEAF_VENDOR).r[EAX] < LEAF_POWER ||
	    !(cpuid(LEAF_POWER).r[ECX] & ECX_APERF) || !get(APERF, &value))
		return false;
	arch_counters = COUNTERS_APERF;
	return true;
}

/* Does the counter advance by single cycles?  The greatest common divisor of
 * its advances over chains of many lengths decides. */
static bool is_fine(void)
{
	uint64_t stride = 0;

	for (uint64_t i = 0; i < N_STEPS; i++) {
		uint64_t cycles, retired;

		if (!run_chain(CHAIN_SHORT + i, &cycles, &retired))
			return false;
		while (cycles != 0) {
			uint64_t rest = stride % cycles;

			stride = cycles;
			cycles = rest;
		}
	}
	return stride > 0 && stride <= MAX_STEP;
}

/* Two lengths of the chain differ by exactly its instructions, if these are
 * counted, and an addition takes a cycle.  Firmware may disturb one repeat, but
 * not all. */
static bool do_count(bool retires)
{
	const uint64_t rounds = CHAIN_LONG - CHAIN_SHORT;
	const uint64_t cycles = rounds * CHAIN_ADDS;

	for (int i = 0; i < CHAIN_TRIES; i++) {
		uint64_t c[2], n[2];

		if (!run_chain(CHAIN_SHORT, &c[0], &n[0]) ||
		    !run_chain(CHAIN_LONG, &c[1], &n[1]))
			return false;
		/* 10 % for the first passes and the exits of the loop. */
		if ((!retires || n[1] - n[0] == rounds * CHAIN_INSTRUCTIONS) &&
		    c[1] - c[0] >= cycles - cycles / 10 &&
		    c[1] - c[0] <= cycles + cycles / 10)
			return true;
	}
	return false;
}

/* Family 6 since Nehalem; other cores fault. */
static void read_smi(void)
{
	uint32_t family = cpuid(LEAF_FEATURES).r[EAX] >> 8 & 0xf;

	counters.has_smi = !cpu_is_amd() && family == INTEL_FAMILY &&
			   !(cpuid(LEAF_FEATURES).r[ECX] & ECX_HYPERVISOR) &&
			   get(SMI_COUNT, &counters.smi);
}

enum arch_clock arch_best_clock(void)
{
	static const struct {
		const char *name;
		bool (*start)(void);
		bool retires; /* it also counts instructions */
	} kinds[] = {
		{ "fixed", start_intel, true },
		{ "amd", start_amd, true },
		{ "aperf", start_aperf, false },
	};

	counters.name = NULL;
	read_smi();
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!kinds[i].start() || !do_count(kinds[i].retires) ||
		    (!kinds[i].retires && !is_fine()))
			continue;
		counters.name = kinds[i].name;
		return ARCH_CLOCK_CORE;
	}
	return ARCH_CLOCK_REF;
}

void counters_describe(struct wire_line *w)
{
	wire_word(w, "counters", counters.name ? counters.name : "none");
	if (counters.has_smi)
		wire_u64(w, "smi", counters.smi);
}
