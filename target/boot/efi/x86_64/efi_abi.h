/* EFI on x86-64 uses Microsoft's calling convention (UEFI 2.10, 2.3.4.2). */
#ifndef BOOT_EFI_X86_64_EFI_ABI_H
#define BOOT_EFI_X86_64_EFI_ABI_H

#define EFIAPI __attribute__((ms_abi))

#endif
