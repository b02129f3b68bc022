/* Interface between main.c and the folder of each ISA. */
#ifndef BOOT_EFI_MACHINE_H
#define BOOT_EFI_MACHINE_H

#include "common/wire.h"
#include "target/boot/efi/efi.h"

/* The system table, for consoles. */
const struct efi_system_table *machine_system(void);

/* Let the firmware run its own events for so many microseconds. */
void machine_idle(uint64_t us);

/* A UART that the ACPI table SPCR names. */
struct machine_uart {
	uint64_t address; /* 0: none */
	uint8_t type;     /* SPCR "Interface Type" */
	uint8_t space;    /* ACPI address space: 0 memory, 1 I/O ports */
	uint8_t access;   /* ACPI access size: 1 byte .. 4 eight bytes */
};

struct machine_uart machine_uart(void);

/* Make the page of a device's registers accessible; firmware may have mapped it
 * for itself only.  False: it is not, and no console there can work. */
bool machine_map(uint64_t address);

/* Fields that the ISA's folder adds to INFO: the kind of watchdog. */
void machine_describe(struct wire_line *w);

#endif
