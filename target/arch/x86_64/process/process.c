/* x86-64 in a process: the operating system has enabled all that kernels
 * use. */
#include "target/arch.h"
#include "target/arch/x86_64/cpu.h"

void arch_init(void)
{
	arch_vector_level = cpu_vector_level();
}

void counters_describe(struct wire_line *w)
{
	wire_word(w, "counters", "none");
}

/* The operating system owns the cycle counter: it may reprogram the counter at
 * any time, and interrupts are counted, too.  A core clock must be exact in
 * every sample, so this counter is not one. */
enum arch_clock arch_best_clock(void)
{
	return ARCH_CLOCK_REF;
}
