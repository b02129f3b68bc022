/* RISC-V, the part common to a process and a bare hart.  Features are found by
 * executing them: an extension may be named but trapped, or present but
 * unnamed. */
#include "target/arch.h"

#include "common/wire.h"
#include "target/arch/riscv64/arch_regs.h"
#include "target/arch/riscv64/units.h"
#include "target/boot.h"

extern char arch_probe_fp[], arch_probe_vector[], arch_probe_loop[];
uint64_t arch_vlenb(void);

/* The source of the REF clock. */
static enum {
	REF_UNKNOWN,
	REF_TIME,
	REF_DEVICE, /* `time` is illegal here, but a device counts it */
	REF_CYCLES, /* nothing has it */
} ref;

/* Of the core that runs, once it was asked for. */
static struct {
	bool is_known;
	uint64_t core_mhz;
} rate;

/* Read by measure.S. */
uint32_t arch_units __attribute__((visibility("hidden")));

enum {
	REG_A0 = 10,
	PROBE_ITERATIONS = 100,
	/* Of the loop that finds the core's rate, until it takes so many ticks:
	 * one more or less is a quarter of a per mille then. */
	CLOCK_ITERATIONS = 1 << 10,
	MOST_CLOCK_ITERATIONS = 1 << 22,
	CLOCK_TICKS = 1 << 12,
	/* Far longer than a probe on the slowest hart; a probe ends or traps at
	 * once. */
	PROBE_LIMIT_TICKS = 1 << 30,
};

enum pack_isa arch_isa(void)
{
	return PACK_ISA_RISCV64;
}

void arch_sync_code(void *p, size_t n)
{
	(void)p;
	(void)n;
	__asm__ volatile("fence.i" : : : "memory");
}

/* The count of a clock other than the `time` CSR. */
static uint64_t other_now(void)
{
	uint64_t now = 0;

	if (ref == REF_DEVICE)
		(void)units_device_time(&now);
	else if (ref == REF_CYCLES)
		__asm__ volatile("rdcycle %0" : "=r"(now) : : "memory");
	return now;
}

uint64_t arch_ref_now(void)
{
	uint64_t now;

	if (ref != REF_TIME)
		return other_now();
	__asm__ volatile("rdtime %0" : "=r"(now) : : "memory");
	return now;
}

bool units_have_time(void)
{
	return ref == REF_TIME || ref == REF_DEVICE;
}

bool units_time(uint64_t *ret_now)
{
	*ret_now = arch_ref_now();
	return units_have_time();
}

/* Run a probe; false if it faulted.  *ret_ticks: of the REF clock. */
static bool probe_for(const char *code, enum arch_clock clock,
		      uint64_t iterations, struct arch_run *r,
		      uint64_t *ret_ticks)
{
	static struct pack_image image;
	struct arch_fault fault;
	bool ok;

	image.gpr[REG_A0] = iterations;
	*r = (struct arch_run){ .code = code, .image = &image };
	boot_quiet_begin();
	*ret_ticks = arch_ref_now();
	ok = boot_run(r, clock, PROBE_LIMIT_TICKS, &fault) == 0;
	*ret_ticks = arch_ref_now() - *ret_ticks;
	boot_quiet_end();
	return ok;
}

static bool probe(const char *code, enum arch_clock clock, struct arch_run *r)
{
	uint64_t ticks;

	return probe_for(code, clock, PROBE_ITERATIONS, r, &ticks);
}

void units_probe(void)
{
	enum arch_clock clock = ARCH_CLOCK_REF;
	struct arch_run r;
	uint64_t now;

	/* The core before may have been of another kind. */
	ref = REF_UNKNOWN;
	arch_units = 0;
	rate.is_known = false;
	if (probe(arch_probe_loop, clock, &r)) {
		ref = REF_TIME;
	} else if (units_core_clock()) {
		ref = units_device_time(&now) ? REF_DEVICE : REF_CYCLES;
		clock = ARCH_CLOCK_CORE;
	}
	if (probe(arch_probe_fp, clock, &r))
		arch_units |= UNIT_FP;
	if (probe(arch_probe_vector, clock, &r))
		arch_units |= UNIT_VECTOR;
}

/* A counter that exists but does not count gives zeros. */
static bool core_clock_counts(uint32_t with)
{
	struct arch_run r;

	arch_units = (arch_units & ~(uint32_t)UNIT_RETIRED) | with;
	return probe(arch_probe_loop, ARCH_CLOCK_CORE, &r) &&
	       r.end - r.begin >= PROBE_ITERATIONS &&
	       (!with || r.aux_end - r.aux_begin >= PROBE_ITERATIONS);
}

/* Without retired instructions, disturbed rows cannot be recognised. */
bool units_core_clock(void)
{
	return core_clock_counts(UNIT_RETIRED) || core_clock_counts(0);
}

/* Cycles and ticks of a loop, both without what is around it: the difference
 * of two runs, one of them twice as long. */
static bool time_loop(uint64_t iterations, uint64_t *ret_cycles,
		      uint64_t *ret_ticks)
{
	struct arch_run once, twice;
	uint64_t shorter, longer;

	if (!probe_for(arch_probe_loop, ARCH_CLOCK_CORE, iterations, &once,
		       &shorter) ||
	    !probe_for(arch_probe_loop, ARCH_CLOCK_CORE, 2 * iterations, &twice,
		       &longer))
		return false;
	*ret_cycles = twice.end - twice.begin - (once.end - once.begin);
	*ret_ticks = longer > shorter ? longer - shorter : 0;
	return true;
}

static uint64_t find_core_mhz(void)
{
	enum { HZ_PER_MHZ = 1000000 };
	uint64_t n = CLOCK_ITERATIONS, cycles, ticks;

	if (!units_core_clock() || arch_ref_hz() == 0 ||
	    !time_loop(n, &cycles, &ticks))
		return 0;
	while (ticks < CLOCK_TICKS && n < MOST_CLOCK_ITERATIONS) {
		n *= ticks ? CLOCK_TICKS / ticks + 1 : CLOCK_TICKS;
		if (!time_loop(n, &cycles, &ticks))
			return 0;
	}
	if (ticks == 0)
		return 0;
	return (cycles * (arch_ref_hz() / 1000) / ticks + 500) /
	       (HZ_PER_MHZ / 1000);
}

/* Once on each core: each `hello` asks for it. */
uint64_t units_core_mhz(void)
{
	if (!rate.is_known)
		rate.core_mhz = find_core_mhz();
	rate.is_known = true;
	return rate.core_mhz;
}

void arch_describe(struct wire_line *w)
{
	wire_u64(w, "fp", !!(arch_units & UNIT_FP));
	wire_u64(w, "vlenb", arch_units & UNIT_VECTOR ? arch_vlenb() : 0);
	units_describe(w);
}
