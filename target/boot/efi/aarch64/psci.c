#include "target/boot/efi/aarch64/psci.h"

#include <libfdt.h>
#include <string.h>

#include "target/boot/bare/tree.h"
#include "target/boot/efi/acpi.h"
#include "target/boot/efi/machine.h"

enum {
	/* ACPI 6.5, 5.2.9, table FACP: ARM Boot Architecture Flags. */
	FADT_ARM_FLAGS = 129,
	FADT_MIN = 131,
	ARM_PSCI = 1 << 0,
	ARM_HVC = 1 << 1,
	/* 5.2.12.14: the table APIC, its structure GICC. */
	MADT_STRUCTURES = 44,
	STRUCTURE_BYTES = 1,
	GICC = 0x0b,
	GICC_BYTES = 76,
	GICC_FLAGS = 12,
	GICC_MPIDR = 68,
	GICC_ENABLED = 1 << 0,
};

/* Arm DEN 0022, 5.1. */
#define PSCI_CPU_ON  UINT64_C(0xc4000003)
#define PSCI_CPU_OFF UINT64_C(0x84000002)

static void add_core(struct psci *p, uint64_t mpidr)
{
	if (p->n < CORES_MAX)
		p->mpidr[p->n++] = mpidr & PSCI_AFFINITY;
}

static bool find_acpi(struct psci *p)
{
	const unsigned char *fadt = acpi_table("FACP");
	const unsigned char *madt = acpi_table("APIC");
	uint32_t n = madt ? acpi_get32(madt + ACPI_LENGTH) : 0;

	for (uint32_t at = MADT_STRUCTURES; at + 2 <= n;
	     at += madt[at + STRUCTURE_BYTES]) {
		uint32_t bytes = madt[at + STRUCTURE_BYTES];

		if (bytes == 0 || bytes > n - at)
			break;
		if (madt[at] == GICC && bytes >= GICC_BYTES &&
		    (acpi_get32(madt + at + GICC_FLAGS) & GICC_ENABLED))
			add_core(p, acpi_get64(madt + at + GICC_MPIDR));
	}
	if (p->n == 0)
		return false;
	if (fadt && acpi_get32(fadt + ACPI_LENGTH) >= FADT_MIN) {
		p->is_known = fadt[FADT_ARM_FLAGS] & ARM_PSCI;
		p->by_hvc = fadt[FADT_ARM_FLAGS] & ARM_HVC;
	}
	return true;
}

static void find_method(struct psci *p, const void *tree)
{
	int node = tree_find(tree, "/psci");
	const char *method = tree_text(tree, node, "method");

	if (!method)
		return;
	p->is_known = true;
	p->by_hvc = strcmp(method, "hvc") == 0;
	/* Before 0.2 only the tree has the numbers of the functions. */
	p->on = tree_number(tree, node, "cpu_on", PSCI_CPU_ON);
	p->off = tree_number(tree, node, "cpu_off", PSCI_CPU_OFF);
}

static void find_tree(struct psci *p)
{
	const void *tree = efi_device_tree(machine_system());
	int c;

	if (!tree_check(tree))
		return;
	fdt_for_each_subnode(c, tree, tree_find(tree, "/cpus"))
	{
		const char *type = tree_text(tree, c, "device_type");
		uint64_t reg = tree_number(tree, c, "reg", UINT64_MAX);

		if (type && strcmp(type, "cpu") == 0 && tree_enabled(tree, c) &&
		    reg != UINT64_MAX)
			add_core(p, reg);
	}
	find_method(p, tree);
}

void psci_find(struct psci *ret)
{
	*ret = (struct psci){ .on = PSCI_CPU_ON, .off = PSCI_CPU_OFF };
	if (!find_acpi(ret))
		find_tree(ret);
}
