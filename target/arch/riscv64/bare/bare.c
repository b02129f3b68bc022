/* RISC-V in S-mode: the runtime owns the hart; SBI is its environment. */
#include "target/arch.h"
#include "target/arch/riscv64/units.h"
#include "target/boot/sbi/platform.h"
#include "target/boot/sbi/sbi.h"

enum {
	/* Privileged ISA, "Supervisor Status Register": FS and VS, Initial. */
	SSTATUS_FS = 1 << 13,
	SSTATUS_VS = 1 << 9,
};

void arch_init(void)
{
	/* Fields of absent units are hardwired to zero. */
	__asm__ volatile("csrs sstatus, %0"
			 :
			 : "r"((uint64_t)(SSTATUS_FS | SSTATUS_VS)));
	sbi_start_counters();
	units_probe();
}

enum arch_clock arch_best_clock(void)
{
	return units_core_clock() ? ARCH_CLOCK_CORE : ARCH_CLOCK_REF;
}

uint64_t arch_ref_hz(void)
{
	return units_have_time() ? platform_timebase_hz() : 0;
}

void units_describe(struct wire_line *w)
{
	wire_word(w, "mode", "s");
	wire_u64(w, "core_mhz", units_core_mhz());
}
