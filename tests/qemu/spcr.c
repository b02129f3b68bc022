/* The reader of the console UART in ACPI tables, run on the host with tables as
 * firmware writes them and with broken ones. */
#include "target/boot/bare/uart.h"
#include "target/boot/efi/machine.h"
#include "tests/qemu/acpi.h"
#include "tests/unit/unit.h"

enum {
	SPCR_BYTES = 80,
};

static struct {
	struct efi_configuration configuration;
	struct efi_system_table system;
	_Alignas(8) unsigned char rsdp[36], other[36], xsdt[XSDT_BYTES],
		spcr[SPCR_BYTES];
	/* A table with a wrong length is read to that length if it is at most a
	 * megabyte. */
	unsigned char beyond[1 << 20];
} firmware;

const struct efi_system_table *machine_system(void)
{
	return &firmware.system;
}

/* An address that cannot be mapped. */
static uint64_t unmapped;

bool machine_map(uint64_t address)
{
	return address != unmapped;
}

/* A firmware with one such UART. */
static void name_uart(uint8_t type, uint8_t space, uint8_t access,
		      uint64_t address)
{
	memset(&firmware, 0, sizeof(firmware));
	memcpy(firmware.rsdp, "RSD PTR ", 8);
	firmware.rsdp[15] = 2;
	point(firmware.rsdp + 24, firmware.xsdt);
	point(firmware.xsdt + 36, firmware.other);
	point(firmware.xsdt + 44, firmware.spcr);
	firmware.spcr[36] = type;
	firmware.spcr[40] = space;
	firmware.spcr[43] = access;
	memcpy(firmware.spcr + 44, &address, sizeof(address));
	sign(firmware.other, "FACP", sizeof(firmware.other));
	sign(firmware.xsdt, "XSDT", XSDT_BYTES);
	sign(firmware.spcr, "SPCR", SPCR_BYTES);
	firmware.configuration.guid = acpi;
	firmware.configuration.table = firmware.rsdp;
	firmware.system.n_configuration = 1;
	firmware.system.configuration = &firmware.configuration;
}

TEST(a_pl011_is_one)
{
	static const uint8_t types[] = { 0x03, 0x0d, 0x0e };

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		name_uart(types[i], 0, 3, 0x9000000);
		assert_int_equal(boot_uart().kind, UART_PL011);
		assert_int_equal(boot_uart().address, 0x9000000);
	}
}

TEST(a_16550_has_bytes_or_words)
{
	name_uart(0x00, 0, 1, 0xfe001000);
	assert_int_equal(boot_uart().kind, UART_NS16550);
	assert_int_equal(boot_uart().shift, 0);
	assert_int_equal(boot_uart().width, 1);
	name_uart(0x12, 0, 3, 0xfe001000);
	assert_int_equal(boot_uart().kind, UART_NS16550);
	assert_int_equal(boot_uart().shift, 2);
	assert_int_equal(boot_uart().width, 4);
}

TEST(one_that_cannot_be_mapped_is_none)
{
	name_uart(0x03, 0, 3, 0x9000000);
	unmapped = 0x9000000;
	assert_int_equal(boot_uart().kind, UART_NONE);
	unmapped = 0;
	assert_int_equal(boot_uart().kind, UART_PL011);
}

/* I/O ports belong to console/com1.c. */
TEST(others_are_none)
{
	name_uart(0x00, 1, 1, 0x3f8);
	assert_int_equal(boot_uart().kind, UART_NONE);
	assert_int_equal(machine_uart().address, 0x3f8);
	name_uart(0x55, 0, 1, 0xfe001000);
	assert_int_equal(boot_uart().kind, UART_NONE);
	name_uart(0x03, 0, 1, 0);
	assert_int_equal(boot_uart().kind, UART_NONE);
	firmware.system.n_configuration = 0;
	assert_int_equal(boot_uart().kind, UART_NONE);
}

TEST(damaged_tables_are_not_believed)
{
	unsigned char *const tables[] = { firmware.xsdt, firmware.spcr };
	static const size_t bytes[] = { XSDT_BYTES, SPCR_BYTES };

	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		for (size_t i = 0; i < bytes[t]; i++) {
			name_uart(0x03, 0, 3, 0x9000000);
			tables[t][i] ^= 0x40;
			assert_int_equal(boot_uart().kind, UART_NONE);
		}
	name_uart(0x03, 0, 3, 0x9000000);
	sign(firmware.spcr, "SPCR", 40);
	assert_int_equal(boot_uart().kind, UART_NONE);
}
