#include "target/boot/efi/acpi.h"

#include <string.h>

#include "target/boot/efi/machine.h"

enum {
	/* ACPI 6.5, 5.2.5.3: offsets. */
	RSDP_REVISION = 15,
	RSDP_XSDT = 24,
	TABLE_MAX = 1 << 20,
};

uint32_t acpi_get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

uint64_t acpi_get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Does the table have this name, a valid length and a valid checksum? */
static bool table_is(const unsigned char *t, const char *name)
{
	uint32_t n;
	unsigned char sum = 0;

	if (!t || memcmp(t, name, 4) != 0)
		return false;
	n = acpi_get32(t + ACPI_LENGTH);
	if (n < ACPI_HEADER || n > TABLE_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++)
		sum = (unsigned char)(sum + t[i]);
	return sum == 0;
}

const unsigned char *acpi_table(const char *name)
{
	/* EFI_ACPI_20_TABLE_GUID */
	static const struct efi_guid acpi = { 0x8868e871,
					      0xe4f1,
					      0x11d3,
					      { 0xbc, 0x22, 0x00, 0x80, 0xc7,
						0x3c, 0x88, 0x81 } };
	const unsigned char *rsdp = efi_table(machine_system(), &acpi);

	if (!rsdp || memcmp(rsdp, "RSD PTR ", 8) != 0 ||
	    rsdp[RSDP_REVISION] < 2)
		return NULL;

	const unsigned char *xsdt =
		(const void *)(uintptr_t)acpi_get64(rsdp + RSDP_XSDT);

	if (!table_is(xsdt, "XSDT"))
		return NULL;
	for (uint32_t at = ACPI_HEADER;
	     at + 8 <= acpi_get32(xsdt + ACPI_LENGTH); at += 8) {
		const unsigned char *t =
			(const void *)(uintptr_t)acpi_get64(xsdt + at);

		if (table_is(t, name))
			return t;
	}
	return NULL;
}
