/* Tables of ACPI, made by tests of their readers. */
#ifndef TESTS_QEMU_ACPI_H
#define TESTS_QEMU_ACPI_H

#include <string.h>

#include "target/boot/efi/efi.h"

enum {
	LENGTH_AT = 4,
	SUM_AT = 9,
	XSDT_BYTES = 36 + 2 * 8,
};

static const struct efi_guid acpi = { 0x8868e871,
				      0xe4f1,
				      0x11d3,
				      { 0xbc, 0x22, 0x00, 0x80, 0xc7, 0x3c,
					0x88, 0x81 } };

/* Give a table its name, its length, and the checksum that fits. */
static void sign(unsigned char *t, const char *name, uint32_t n)
{
	unsigned char sum = 0;

	memcpy(t, name, 4);
	memcpy(t + LENGTH_AT, &n, sizeof(n));
	t[SUM_AT] = 0;
	for (uint32_t i = 0; i < n; i++)
		sum = (unsigned char)(sum + t[i]);
	t[SUM_AT] = (unsigned char)-sum;
}

static void point(unsigned char *at, const void *to)
{
	uint64_t address = (uintptr_t)to;

	memcpy(at, &address, sizeof(address));
}

#endif
