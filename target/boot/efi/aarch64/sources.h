/* Disables the interrupts that the firmware has enabled at the interrupt
 * controller (GIC) while kernels run, except the watchdog's.  It calls the
 * firmware's own driver, so it works with every version of the controller. */
#ifndef BOOT_EFI_AARCH64_SOURCES_H
#define BOOT_EFI_AARCH64_SOURCES_H

#include "common/wire.h"

enum {
	SOURCES_MAX = 64,
	SOURCES_NONE = -1,
};

/* Find the enabled interrupts; call once, with interrupts enabled.  Finds none
 * if the firmware has no such driver. */
void sources_find(void);

/* They are the first core's: while another one runs there are none. */
void sources_hide(bool hide);

/* Address of the distributor, 0: not known. */
uint64_t sources_gicd(void);

/* The controller's number of the one with this index. */
uint32_t sources_number(int i);

/* How many were found. */
int sources_count(void);

/* Enable or disable one of them by its index; returns with interrupts masked at
 * the core. */
void sources_set(int i, bool enabled);

/* Disable all of them except the one with index `kept` (SOURCES_NONE: no
 * exception), or enable all. */
void sources_mask(int kept);
void sources_unmask(void);

/* Is an interrupt waiting for this core, masked or not? */
bool sources_pending(void);

/* Add `interrupts` to INFO: how many were found. */
void sources_describe(struct wire_line *w);

#endif
