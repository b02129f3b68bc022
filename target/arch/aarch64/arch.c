/* AArch64, the part common to a process and a bare core.  Features are found by
 * executing them: an extension may be named but trapped. */
#include "target/arch.h"

#include "common/wire.h"
#include "target/arch/aarch64/arch_regs.h"
#include "target/arch/aarch64/units.h"
#include "target/boot.h"

extern char arch_probe_sve[], arch_probe_sme[], arch_probe_loop[];
uint64_t arch_sve_bytes(void);
uint64_t arch_sme_bytes(void);

/* Read by measure.S. */
uint32_t arch_units __attribute__((visibility("hidden")));

/* Of the core that runs, once it was asked for. */
static struct {
	bool is_known;
	uint64_t core_mhz;
} rate;

enum {
	PROBE_ITERATIONS = 100,
	CLOCK_ITERATIONS = 1 << 20, /* about a millisecond */
	/* Far longer than a probe; a probe ends or traps at once. */
	PROBE_LIMIT_TICKS = 1 << 30,
	/* Arm ARM, CTR_EL0: log2 of the smallest lines, in words. */
	CTR_IMIN = 0,
	CTR_DMIN = 16,
	CTR_LINE_MASK = 0xf,
	WORD = 4,
};

enum pack_isa arch_isa(void)
{
	return PACK_ISA_AARCH64;
}

/* Arm ARM, B2.4.4: clean data to the point of unification, then invalidate
 * instructions. */
void arch_sync_code(void *p, size_t n)
{
	uintptr_t end = (uintptr_t)p + n;
	uint64_t ctr;

	__asm__ volatile("mrs %0, ctr_el0" : "=r"(ctr));

	uintptr_t d = (uintptr_t)WORD << (ctr >> CTR_DMIN & CTR_LINE_MASK);
	uintptr_t i = (uintptr_t)WORD << (ctr >> CTR_IMIN & CTR_LINE_MASK);

	for (uintptr_t at = (uintptr_t)p & ~(d - 1); at < end; at += d)
		__asm__ volatile("dc cvau, %0" : : "r"(at) : "memory");
	__asm__ volatile("dsb ish" : : : "memory");
	for (uintptr_t at = (uintptr_t)p & ~(i - 1); at < end; at += i)
		__asm__ volatile("ic ivau, %0" : : "r"(at) : "memory");
	__asm__ volatile("dsb ish\n\tisb" : : : "memory");
}

uint64_t arch_ref_now(void)
{
	uint64_t now;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now) : : "memory");
	return now;
}

uint64_t arch_ref_hz(void)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

/* Run a probe; false if it faulted.  *ret_ticks: of the REF clock. */
static bool probe_for(const char *code, enum arch_clock clock,
		      uint64_t iterations, struct arch_run *r,
		      uint64_t *ret_ticks)
{
	static struct pack_image image;
	struct arch_fault fault;
	bool ok;

	image.gpr[0] = iterations;
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

/* The measuring routine calls it as it calls a kernel, and saves what a call
 * may change. */
bool units_try(void (*function)(void))
{
	struct arch_run r;

	return probe((const char *)(uintptr_t)function, ARCH_CLOCK_REF, &r);
}

void units_probe(void)
{
	struct arch_run r;

	/* The core before may have been of another kind. */
	arch_units = 0;
	rate.is_known = false;
	if (probe(arch_probe_sve, ARCH_CLOCK_REF, &r))
		arch_units |= UNIT_SVE;
	if (probe(arch_probe_sme, ARCH_CLOCK_REF, &r))
		arch_units |= UNIT_SME;
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

static uint64_t find_core_mhz(void)
{
	enum { HZ_PER_MHZ = 1000000 };
	struct arch_run r;
	uint64_t ticks;

	if (!units_core_clock() ||
	    !probe_for(arch_probe_loop, ARCH_CLOCK_CORE, CLOCK_ITERATIONS, &r,
		       &ticks) ||
	    ticks == 0)
		return 0;
	return ((r.end - r.begin) * (arch_ref_hz() / 1000) / ticks + 500) /
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
	wire_u64(w, "sve_bytes", arch_units & UNIT_SVE ? arch_sve_bytes() : 0);
	wire_u64(w, "sme_bytes", arch_units & UNIT_SME ? arch_sme_bytes() : 0);
	units_describe(w);
}
