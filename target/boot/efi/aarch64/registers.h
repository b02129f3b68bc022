/* System registers by name. */
#ifndef BOOT_EFI_AARCH64_REGISTERS_H
#define BOOT_EFI_AARCH64_REGISTERS_H

#include "common/types.h"

#define READ(name)                                                \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " name : "=r"(value_)); \
		value_;                                           \
	})
#define WRITE(name, value)                         \
	__asm__ volatile("msr " name ", %0\n\tisb" \
			 :                         \
			 : "r"((uint64_t)(value))  \
			 : "memory")

#define HCR_E2H (UINT64_C(1) << 34)

/* Of the levels of EFI applications, EL1 and EL2. */
static inline bool at_el2(void)
{
	return READ("CurrentEL") == 2 << 2;
}

#endif
