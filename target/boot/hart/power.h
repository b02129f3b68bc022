/* Switches the machine off. */
#ifndef BOOT_HART_POWER_H
#define BOOT_HART_POWER_H

#include <stdbool.h>

/* Switch the machine off by the HTIF of the device tree, the firmware's call of
 * SRST, the test device of the device tree, or, on firmware without SRST, the
 * call of SBI 0.1.  If none of them works, the hart waits without an end; on
 * firmware with SRST a message says so.  `failed`: an emulator exits with
 * status 1. */
void power_off(bool failed) __attribute__((noreturn));

/* For the trap handler: if power_off() caused the trap, try the next way and do
 * not return. */
void power_trapped(void);

#endif
