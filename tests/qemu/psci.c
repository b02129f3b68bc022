/* The reader of the cores and of PSCI in ACPI tables, run on the host with tables
 * as firmware writes them and with broken ones. */
#include "target/boot/efi/aarch64/psci.h"
#include "target/boot/efi/machine.h"
#include "tests/qemu/acpi.h"
#include "tests/unit/unit.h"

enum {
	FADT_BYTES = 132,
	FLAGS_AT = 129,
	PSCI = 1,
	HVC = 2,
	MADT_HEADER = 44,
	GICC_BYTES = 80,
	GICD_BYTES = 24,
	N_CORES = 3,
	MADT_BYTES = MADT_HEADER + GICD_BYTES + N_CORES * GICC_BYTES,
};

static struct {
	struct efi_configuration configuration;
	struct efi_system_table system;
	_Alignas(8) unsigned char rsdp[36], xsdt[XSDT_BYTES], fadt[FADT_BYTES];
	unsigned char madt[MADT_BYTES];
	unsigned char beyond[1 << 20];
} firmware;

static struct psci found;

const struct efi_system_table *machine_system(void)
{
	return &firmware.system;
}

static unsigned char *structure(size_t i)
{
	return firmware.madt + MADT_HEADER + (i ? GICD_BYTES : 0) +
	       (i ? (i - 1) * GICC_BYTES : 0);
}

/* A distributor and three cores, the second one disabled. */
static void describe(uint8_t flags)
{
	memset(&firmware, 0, sizeof(firmware));
	memcpy(firmware.rsdp, "RSD PTR ", 8);
	firmware.rsdp[15] = 2;
	point(firmware.rsdp + 24, firmware.xsdt);
	point(firmware.xsdt + 36, firmware.fadt);
	point(firmware.xsdt + 44, firmware.madt);
	firmware.fadt[FLAGS_AT] = flags;
	structure(0)[0] = 0x0c;
	structure(0)[1] = GICD_BYTES;
	for (size_t i = 1; i <= N_CORES; i++) {
		unsigned char *s = structure(i);

		s[0] = 0x0b;
		s[1] = GICC_BYTES;
		s[12] = i != 2;
		s[69] = (unsigned char)i; /* affinity 1 */
		s[71] = 0x80;             /* no part of the affinity */
	}
	firmware.configuration.guid = acpi;
	firmware.configuration.table = firmware.rsdp;
	firmware.system.n_configuration = 1;
	firmware.system.configuration = &firmware.configuration;
}

static void read_tables(void)
{
	sign(firmware.fadt, "FACP", FADT_BYTES);
	sign(firmware.madt, "APIC", MADT_BYTES);
	sign(firmware.xsdt, "XSDT", XSDT_BYTES);
	psci_find(&found);
}

TEST(cores_that_are_enabled_count)
{
	describe(PSCI);
	read_tables();
	assert_int_equal(found.n, 2);
	assert_int_equal(found.mpidr[0], 0x100);
	assert_int_equal(found.mpidr[1], 0x300);
	assert_true(found.is_known);
	assert_false(found.by_hvc);
	assert_int_equal(found.on, 0xc4000003);
	assert_int_equal(found.off, 0x84000002);
}

TEST(the_flags_say_how_it_is_called)
{
	describe(PSCI | HVC);
	read_tables();
	assert_true(found.is_known && found.by_hvc);
	describe(0);
	read_tables();
	assert_int_equal(found.n, 2);
	assert_false(found.is_known);
	/* A table of ACPI 1.0 has no such flags. */
	describe(PSCI);
	read_tables();
	sign(firmware.fadt, "FACP", 116);
	psci_find(&found);
	assert_false(found.is_known);
}

TEST(broken_structures_end_the_list)
{
	/* Without an end, beyond the table, too short for its kind. */
	describe(PSCI);
	structure(3)[1] = 0;
	read_tables();
	assert_int_equal(found.n, 1);
	describe(PSCI);
	structure(3)[1] = GICC_BYTES + 1;
	read_tables();
	assert_int_equal(found.n, 1);
	describe(PSCI);
	structure(1)[1] = 40;
	memset(structure(1) + 40, 40, 40);
	read_tables();
	assert_int_equal(found.n, 1);
	assert_int_equal(found.mpidr[0], 0x300);
}

TEST(without_tables_nothing_is_known)
{
	describe(PSCI);
	read_tables();
	firmware.madt[SUM_AT]++;
	psci_find(&found);
	assert_int_equal(found.n, 0);
	firmware.system.n_configuration = 0;
	psci_find(&found);
	assert_int_equal(found.n, 0);
	assert_false(found.is_known);
}
