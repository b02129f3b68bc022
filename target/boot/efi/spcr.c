/* The console UART that firmware describes: by ACPI's Serial Port Console
 * Redirection table, or by the device tree if there is no ACPI. */
#include "target/boot/bare/tree.h"
#include "target/boot/efi/acpi.h"
#include "target/boot/efi/machine.h"

enum {
	/* Microsoft, "Serial Port Console Redirection Table". */
	SPCR_TYPE = 36,
	SPCR_SPACE = 40,
	SPCR_ACCESS = 43,
	SPCR_ADDRESS = 44,
	SPCR_MIN = 52,
	SPACE_MEMORY = 0,
	ACCESS_WORDS = 3, /* 32-bit UART: registers are words, too */
};

struct machine_uart machine_uart(void)
{
	const unsigned char *t = acpi_table("SPCR");
	struct machine_uart u = { .address = 0 };

	if (!t || acpi_get32(t + ACPI_LENGTH) < SPCR_MIN)
		return u;
	u.address = acpi_get64(t + SPCR_ADDRESS);
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
	if (u.kind != UART_NONE && !machine_map(u.address))
		u.kind = UART_NONE;
	return u;
}
