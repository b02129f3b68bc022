/* x86-64: the CPU, the width of its registers, the rate of its time stamp
 * counter. */
#include "target/arch.h"

#include "common/wire.h"
#include "target/arch/x86_64/arch_regs.h"
#include "target/arch/x86_64/cpu.h"
#include "target/core/rate.h"

_Static_assert(PACK_KERNEL_WIDE == FLAG_WIDE, "measure.S");
_Static_assert(PACK_KERNEL_WIDEST == FLAG_WIDEST, "measure.S");
_Static_assert(PACK_KERNEL_X87 == FLAG_X87, "measure.S");

/* Read by measure.S. */
uint32_t arch_vector_level;
uint32_t arch_counters;

enum pack_isa arch_isa(void)
{
	return PACK_ISA_X86_64;
}

/* x86 keeps instruction fetch coherent with stores of the same core; a jump
 * into the code suffices (SDM vol. 3, 9.1.3). */
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

uint64_t arch_ref_hz(void)
{
	static uint64_t measured; /* all cores have one rate */
	uint64_t hz = cpu_tsc_hz();

	if (!hz && !measured)
		measured = rate_measure();
	return hz ? hz : measured;
}

void arch_describe(struct wire_line *w)
{
	cpu_describe(w);
	counters_describe(w);
}
