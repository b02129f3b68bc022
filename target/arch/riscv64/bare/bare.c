/* RISC-V in S-mode or M-mode: the runtime owns the hart. */
#include "csr.h"
#include "target/arch.h"
#include "target/arch/riscv64/units.h"
#include "target/boot/hart/env.h"
#include "target/boot/hart/platform.h"

enum {
	/* Privileged ISA, "Machine Status Registers": FS and VS, Initial; in
	 * sstatus at the same places. */
	STATUS_FS = 1 << 13,
	STATUS_VS = 1 << 9,
};

#define TEXT_OF(word) #word
#define TEXT(word)    TEXT_OF(word)

void arch_init(void)
{
	/* Fields of absent units are hardwired to zero. */
	__asm__ volatile("csrs " TEXT(CSR_STATUS) ", %0"
			 :
			 : "r"((uint64_t)(STATUS_FS | STATUS_VS)));
	env_start_counters();
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

bool units_device_time(uint64_t *ret_now)
{
	return env_time(ret_now);
}

void units_describe(struct wire_line *w)
{
	wire_word(w, "mode", env_mode);
	wire_u64(w, "core_mhz", units_core_mhz());
}
