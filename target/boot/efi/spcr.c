/* The console UART that firmware describes: by ACPI's Serial Port Console
 * Redirection table, or by the device tree if there is no ACPI.  Tables are
 * checked like all input. */
#include <string.h>

#include "target/boot/bare/tree.h"
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
	SPCR_ACCESS = 43,
	SPCR_ADDRESS = 44,
	SPCR_MIN = 52,
	SPACE_MEMORY = 0,
	ACCESS_WORDS = 3, /* 32-bit UART: registers are words, too */
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

/* Does the table have this name, a valid length and a valid checksum? */
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
	u.access = t[SPCR_ACCESS];
	return u;
}

static enum uart_kind kind_of(uint8_t type)
{
	switch (type) {
	case 0x00: /* 16550 */
	case 0x01: /* 16450 */
	case 0x12: /* 16550, registers as described by the address */
		return UART_NS16550;
	case 0x03: /* PL011 */
	case 0x0d: /* SBSA, of 32 bits only */
	case 0x0e: /* SBSA */
		return UART_PL011;
	default:
		return UART_NONE;
	}
}

struct uart boot_uart(void)
{
	const void *tree = efi_device_tree(machine_system());
	struct machine_uart m = machine_uart();
	bool words = m.access == ACCESS_WORDS;
	struct uart u = { .kind = UART_NONE };

	if (m.address && m.space == SPACE_MEMORY)
		u = (struct uart){
			.kind = kind_of(m.type),
			.address = m.address,
			.shift = words ? 2 : 0,
			.width = words ? 4 : 1,
		};
	if (u.kind == UART_NONE && tree_check(tree))
		u = tree_uart(tree);
	return u;
}
