/* x86-64: what this CPU is, how wide its registers are, how fast its time
 * stamp counter ticks. */
#include "target/arch.h"

#include "common/wire.h"
#include "target/arch/x86_64/arch_regs.h"
#include "target/arch/x86_64/cpu.h"
#include "target/boot.h"

_Static_assert(offsetof(struct arch_run, code) == RUN_CODE, "measure.S");
_Static_assert(offsetof(struct arch_run, image) == RUN_IMAGE, "measure.S");
_Static_assert(offsetof(struct arch_run, begin) == RUN_BEGIN, "measure.S");
_Static_assert(offsetof(struct arch_run, end) == RUN_END, "measure.S");
_Static_assert(offsetof(struct arch_run, saved_sp) == RUN_SAVED_SP,
	       "measure.S");
_Static_assert(offsetof(struct arch_run, vector) == RUN_VECTOR, "measure.S");
_Static_assert(offsetof(struct pack_image, gpr) == IMAGE_GPR, "measure.S");
_Static_assert(offsetof(struct arch_run, aux_begin) == RUN_AUX_BEGIN,
	       "measure.S");
_Static_assert(offsetof(struct arch_run, aux_end) == RUN_AUX_END, "measure.S");
_Static_assert(offsetof(struct pack_image, vector) == IMAGE_VECTOR,
	       "measure.S");
_Static_assert(offsetof(struct pack_image, fp) == IMAGE_FP, "measure.S");
_Static_assert(offsetof(struct pack_image, mask) == IMAGE_MASK, "measure.S");
_Static_assert(offsetof(struct pack_image, flags_bits) == IMAGE_FLAGS,
	       "measure.S");
_Static_assert(offsetof(struct pack_image, control) == IMAGE_CONTROL,
	       "measure.S");
_Static_assert(PACK_KERNEL_WIDE == FLAG_WIDE, "measure.S");
_Static_assert(PACK_KERNEL_WIDEST == FLAG_WIDEST, "measure.S");
_Static_assert(PACK_KERNEL_X87 == FLAG_X87, "measure.S");

enum {
	NS_PER_S = 1000 * 1000 * 1000,
	/* Long against the few microseconds it takes to read two clocks. */
	CALIBRATE_NS = 20 * 1000 * 1000,
};

/* Read by measure.S. */
uint32_t arch_vector_level;
uint32_t arch_counters;

enum pack_isa arch_isa(void)
{
	return PACK_ISA_X86_64;
}

/* x86 keeps instruction fetch coherent with stores of the same core; the jump
 * into the code is all it asks for (SDM vol. 3, 9.1.3). */
void arch_sync_code(void *p, size_t n)
{
	(void)p;
	(void)n;
}

uint64_t arch_ref_now(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* Count the ticks between two reads of the environment's clock. */
static uint64_t calibrated_hz(void)
{
	uint64_t from_ns = boot_time_ns();
	uint64_t from = arch_ref_now();
	uint64_t ns, ticks;

	do {
		ns = boot_time_ns() - from_ns;
		ticks = arch_ref_now() - from;
	} while (ns < CALIBRATE_NS);
	/* 20 ms at 10 GHz are 2e8 ticks: the product stays below 2^64 for
	 * waits of up to a second and a half. */
	return ticks * NS_PER_S / ns;
}

uint64_t arch_ref_hz(void)
{
	uint64_t hz = cpu_tsc_hz();

	return hz ? hz : calibrated_hz();
}

void arch_describe(struct wire_line *w)
{
	cpu_describe(w);
	counters_describe(w);
}
