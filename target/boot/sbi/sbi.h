/* The part of the Supervisor Binary Interface that a runtime uses.  Numbers are
 * from the RISC-V SBI specification 2.0, chapter of each extension. */
#ifndef BOOT_SBI_SBI_H
#define BOOT_SBI_SBI_H

#include "common/types.h"

struct sbi_ret {
	long error;
	long value;
};

enum sbi_extension {
	SBI_LEGACY_SET_TIMER = 0,
	SBI_LEGACY_PUTCHAR = 1,
	SBI_LEGACY_GETCHAR = 2,
	SBI_LEGACY_SHUTDOWN = 8,
	SBI_BASE = 0x10,
	SBI_TIME = 0x54494d45,
	SBI_HSM = 0x48534d,
	SBI_IPI = 0x735049,
	SBI_SRST = 0x53525354,
	SBI_PMU = 0x504d55,
	SBI_DBCN = 0x4442434e,
};

struct sbi_ret sbi_call(enum sbi_extension extension, unsigned long function,
			unsigned long a, unsigned long b, unsigned long c,
			unsigned long d, unsigned long e);

bool sbi_has(enum sbi_extension extension);

/* Let the timer interrupt fire when `time` reaches `when`. */
void sbi_set_timer(uint64_t when);

/* Start the cycle and instret counters if the firmware owns them.  The caller
 * checks that they count. */
void sbi_start_counters(void);

/* Power off by the extension SRST; returns if the firmware cannot. */
void sbi_reset(bool failed);

/* Power off by the call of SBI 0.1.  Firmware that cannot may stop the hart. */
void sbi_legacy_shutdown(void);

#endif
