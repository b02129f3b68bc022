/* The watchdog's clock: the timer of the local APIC, borrowed from the
 * firmware while kernels run. */
#ifndef BOOT_EFI_X86_64_APIC_H
#define BOOT_EFI_X86_64_APIC_H

#include "common/types.h"

enum {
	/* The highest priority class, the only one that a raised task priority
	 * admits. */
	APIC_TIMER_VECTOR = 0xf0,
	APIC_SPURIOUS_VECTOR = 0xff,
	APIC_PRIORITY = 0xe,
};

/* Is there an APIC that the firmware has enabled? */
bool apic_present(void);

/* Find the APIC and the rate of its timer; once, with interrupts disabled.
 * False if there is none. */
bool apic_init(void);

/* Take the timer: an interrupt about every APIC_PERIOD_TICKS of the time stamp
 * counter.  apic_give() restores its state. */
#define APIC_PERIOD_TICKS (UINT64_C(1) << 27)
void apic_take(void);
void apic_give(void);

/* Acknowledge the interrupt. */
void apic_end_of_interrupt(void);

#endif
