/* Offsets in struct core_boot, for core.S; asserted in cores.c. */
#ifndef BOOT_EFI_AARCH64_CORE_H
#define BOOT_EFI_AARCH64_CORE_H

#define CORE_MAIR    0
#define CORE_TCR     8
#define CORE_TTBR    16
#define CORE_TTBR1   24
#define CORE_VECTORS 32
#define CORE_SCTLR   40
#define CORE_HCR     48
#define CORE_NUMBER  56
#define CORE_CALLED  64
#define CORE_STACK   72
#define CORE_CONDUIT 80
#define CORE_OFF     88

#endif
