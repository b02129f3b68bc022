/* Faults and the watchdog of a kernel on x86-64 without an operating system:
 * tables of our own while kernels run, the firmware's the rest of the time. */
#ifndef BOOT_EFI_X86_64_TRAP_H
#define BOOT_EFI_X86_64_TRAP_H

#include "target/arch.h"

/* Quiet section: own descriptor tables, every interrupt but the watchdog's
 * held back.  Pairs; not nested. */
void trap_take(void);
void trap_give(void);

/* Run one kernel; as boot_run(). */
int trap_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault);

#endif
