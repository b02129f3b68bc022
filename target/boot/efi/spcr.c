/* The console UART as firmware describes it: ACPI's Serial Port Console
 * Redirection table.  Tables are checked like any input. */
#include <string.h>

#include "target/boot/efi/machine.h"

enum {
	/* ACPI 6.5, 5.2.5.3 and 5.2.6: offsets. */
	RSDP_REVISION = 15,
	RSDP_XSDT = 24,
	TABLE_BYTES = 4,
	TABLE_HEADER = 36,
	TABLE_MAX = 1 << 20,
	/* Microsoft, "Serial Port Console Redirection Table". */
	SPCR_TYPE = 36,
	SPCR_SPACE = 40,
	SPCR_WIDTH = 41,
	SPCR_ADDRESS = 44,
	SPCR_MIN = 52,
};

static uint32_t get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t get64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Is this a table of that name, whole and with the right sum? */
static bool table_is(const unsigned char *t, const char *name)
{
	uint32_t n;
	unsigned char sum = 0;

	if (!t || memcmp(t, name, 4) != 0)
		return false;
	n = get32(t + TABLE_BYTES);
	if (n < TABLE_HEADER || n > TABLE_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++)
		sum = (unsigned char)(sum + t[i]);
	return sum == 0;
}

static const unsigned char *find_table(const char *name)
{
	/* EFI_ACPI_20_TABLE_GUID */
	static const struct efi_guid acpi = { 0x8868e871,
					      0xe4f1,
					      0x11d3,
					      { 0xbc, 0x22, 0x00, 0x80, 0xc7,
						0x3c, 0x88, 0x81 } };
	const unsigned char *rsdp = efi_table(machine_system(), &acpi);

	if (!rsdp || memcmp(rsdp, "RSD PTR ", 8) || rsdp[RSDP_REVISION] < 2)
		return NULL;

	const unsigned char *xsdt =
		(const void *)(uintptr_t)get64(rsdp + RSDP_XSDT);

	if (!table_is(xsdt, "XSDT"))
		return NULL;
	for (uint32_t at = TABLE_HEADER; at + 8 <= get32(xsdt + TABLE_BYTES);
	     at += 8) {
		const unsigned char *t =
			(const void *)(uintptr_t)get64(xsdt + at);

		if (table_is(t, name))
			return t;
	}
	return NULL;
}

struct machine_uart machine_uart(void)
{
	const unsigned char *t = find_table("SPCR");
	struct machine_uart u = { .address = 0 };

	if (!t || get32(t + TABLE_BYTES) < SPCR_MIN)
		return u;
	u.address = get64(t + SPCR_ADDRESS);
	u.type = t[SPCR_TYPE];
	u.space = t[SPCR_SPACE];
	u.width = t[SPCR_WIDTH];
	return u;
}
