/* ACPI tables that firmware describes the machine by, checked like all input. */
#ifndef BOOT_EFI_ACPI_H
#define BOOT_EFI_ACPI_H

#include "common/types.h"

enum {
	ACPI_LENGTH = 4,  /* ACPI 6.5, 5.2.6: offset of a table's bytes */
	ACPI_HEADER = 36, /* bytes of a table's header */
};

/* Numbers in a table have no alignment. */
uint32_t acpi_get32(const unsigned char *p);
uint64_t acpi_get64(const unsigned char *p);

/* The table of this name with a valid length and checksum, or NULL. */
const unsigned char *acpi_table(const char *name);

#endif
