/* EFI calls use the ordinary calling convention here (UEFI 2.10, 2.3). */
#ifndef BOOT_EFI_RISCV64_EFI_ABI_H
#define BOOT_EFI_RISCV64_EFI_ABI_H

#define EFIAPI

#endif
