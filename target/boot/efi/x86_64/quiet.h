/* What other files need of the quiet section. */
#ifndef BOOT_EFI_X86_64_QUIET_H
#define BOOT_EFI_X86_64_QUIET_H

/* Another core runs from here on: it prepares its own quiet section. */
void quiet_restart(void);

#endif
