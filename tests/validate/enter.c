/* enter(): runs a kernel of mixes.c with the runtime's measuring routine.  The
 * kernel's shared object calls it. */
#include "target/arch.h"

#if defined(__x86_64__)
#include "target/arch/x86_64/arch_regs.h"
#include "target/arch/x86_64/cpu.h"

/* Read by measure.S. */
uint32_t arch_vector_level;
uint32_t arch_counters;

__attribute__((constructor)) static void prepare(void)
{
	arch_vector_level = cpu_vector_level();
}

__attribute__((visibility("default"))) int enter(struct arch_run *run);

int enter(struct arch_run *run)
{
	return arch_measure_ref(run);
}
#endif
