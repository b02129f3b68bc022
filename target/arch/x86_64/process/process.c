/* x86-64 in a process: the system has switched on what kernels may use. */
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

/* The cycle counter belongs to the system: it may be reprogrammed at any
 * moment and counts interrupts too.  A single sample of it proves nothing,
 * and that is what a core clock promises. */
enum arch_clock arch_best_clock(void)
{
	return ARCH_CLOCK_REF;
}
