/* Switching the machine off. */
#ifndef BOOT_SBI_POWER_H
#define BOOT_SBI_POWER_H

#include <stdbool.h>

/* Try each way to switch the machine off: an HTIF and a test device that the
 * device tree names, and the firmware's calls.  If none does, the hart stops,
 * after a message where the firmware claims that it can.  `failed`: the exit
 * status of an emulator. */
void power_off(bool failed) __attribute__((noreturn));

/* A trap: if power_off() caused it, goes on with the next way, else returns. */
void power_trapped(void);

#endif
