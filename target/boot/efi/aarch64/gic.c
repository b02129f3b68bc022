/* GICv2 (Arm IHI 0048) and GICv3 (IHI 0069): the core's own interrupts are
 * enabled in banked registers of the distributor, or in the core's
 * redistributor. */
#include "target/boot/efi/aarch64/gic.h"

#include "target/boot/bare/tree.h"
#include "target/boot/efi/aarch64/map.h"
#include "target/boot/efi/aarch64/registers.h"
#include "target/boot/efi/aarch64/sources.h"
#include "target/boot/efi/acpi.h"
#include "target/boot/efi/machine.h"

enum {
	/* ACPI 6.5, 5.2.12: the table APIC, its structures GICC and GICR. */
	MADT_STRUCTURES = 44,
	STRUCTURE_BYTES = 1,
	GICC = 0x0b,
	GICC_BYTES = 76,
	GICC_INTERFACE = 32,
	GICC_FRAME = 60,
	GICC_MPIDR = 68,
	GICR = 0x0e,
	GICR_BYTES = 16,
	GICR_ADDRESS = 4,
	/* IHI 0069, 12.11: frames of a redistributor. */
	TYPER = 8,
	TYPER_VLPIS = 1 << 1, /* four frames, not two */
	TYPER_LAST = 1 << 4,
	TYPER_AFFINITY = 32,
	FRAME = 0x10000,
	WAKER = 0x14,
	WAKER_SLEEP = 1 << 1,
	WAKER_ASLEEP = 1 << 2,
	WAKER_TRIES = 1000 * 1000,
	MAX_FRAMES = 1024,
	MAX_REGIONS = 8,
	/* In the second frame of a redistributor, or in the distributor. */
	GROUP = 0x80,
	ENABLE = 0x100,
	PRIORITY = 0x400,
	MIDDLE_PRIORITY = 0x80,
	/* IHI 0048, 4.4: the CPU interface. */
	INTERFACE_CONTROL = 0,
	INTERFACE_MASK = 4,
	ANY_PRIORITY = 0xff,
	PFR0_GIC = 24, /* ID_AA64PFR0_EL1: the system registers */
	FIELD = 0xf,
	SRE = 1 << 0,
	SRE_LOWER = 1 << 3,
};

#define MPIDR_AFFINITY UINT64_C(0xff00ffffff)

static struct {
	uint64_t distributor, interface; /* GICv2 */
	uint32_t group, control, mask;   /* the first core's */
	uint64_t frame;                  /* GICv3 */
} gic;

static volatile uint32_t *word(uint64_t address)
{
	return (volatile uint32_t *)(uintptr_t)address;
}

static bool is_mapped(uint64_t address)
{
	const char *by;

	return address && map_device(address, &by);
}

/* The redistributor of a core among those from `at` on, or 0. */
static uint64_t find_frame(uint64_t at, uint64_t mpidr)
{
	uint32_t affinity = (uint32_t)(mpidr >> 8 & 0xff000000) |
			    (uint32_t)(mpidr & 0xffffff);

	for (int i = 0; i < MAX_FRAMES && is_mapped(at); i++) {
		uint32_t low = *word(at + TYPER);

		if (*word(at + TYPER + 4) == affinity)
			return at;
		if (low & TYPER_LAST)
			break;
		at += (low & TYPER_VLPIS ? 4 : 2) * (uint64_t)FRAME;
	}
	return 0;
}

static void take_structure(const unsigned char *s, uint32_t bytes,
			   uint64_t mpidr)
{
	if (s[0] == GICR && bytes >= GICR_BYTES && !gic.frame)
		gic.frame = find_frame(acpi_get64(s + GICR_ADDRESS), mpidr);
	if (s[0] != GICC || bytes < GICC_BYTES ||
	    (acpi_get64(s + GICC_MPIDR) & MPIDR_AFFINITY) != mpidr)
		return;
	gic.interface = acpi_get64(s + GICC_INTERFACE);
	if (acpi_get64(s + GICC_FRAME))
		gic.frame = acpi_get64(s + GICC_FRAME);
}

static bool find_acpi(uint64_t mpidr)
{
	const unsigned char *t = acpi_table("APIC");
	uint32_t n = t ? acpi_get32(t + ACPI_LENGTH) : 0;

	for (uint32_t at = MADT_STRUCTURES; at + 2 <= n;
	     at += t[at + STRUCTURE_BYTES]) {
		uint32_t bytes = t[at + STRUCTURE_BYTES];

		if (bytes == 0 || bytes > n - at)
			break;
		take_structure(t + at, bytes, mpidr);
	}
	return t != NULL;
}

static void find_tree(uint64_t mpidr)
{
	const void *tree = efi_device_tree(machine_system());
	int node;

	if (!tree_check(tree))
		return;
	node = tree_with(tree, "arm,gic-v3");
	for (int i = 1; i < MAX_REGIONS && node > 0 && !gic.frame; i++)
		gic.frame = find_frame(tree_address(tree, node, i), mpidr);
	node = tree_with(tree, "arm,cortex-a15-gic");
	if (node < 0)
		node = tree_with(tree, "arm,gic-400");
	if (node > 0)
		gic.interface = tree_address(tree, node, 1);
}

void gic_find(uint64_t mpidr)
{
	gic.frame = gic.interface = 0;
	gic.distributor = sources_gicd();
	if (!find_acpi(mpidr))
		find_tree(mpidr);
	if (!is_mapped(gic.frame) || !is_mapped(gic.frame + FRAME))
		gic.frame = 0;
	if (!is_mapped(gic.interface) || !is_mapped(gic.distributor))
		gic.interface = 0;
	if (!gic.interface)
		return;
	/* The firmware uses group 0 or 1, as its security allows. */
	gic.group = *word(gic.distributor + GROUP);
	gic.control = *word(gic.interface + INTERFACE_CONTROL);
	gic.mask = *word(gic.interface + INTERFACE_MASK);
}

/* `registers`: the distributor's, or the second frame's. */
static void enable(uint64_t registers, uint32_t number, uint32_t group)
{
	*(volatile uint8_t *)(uintptr_t)(registers + PRIORITY + number) =
		MIDDLE_PRIORITY;
	*word(registers + GROUP) = group;
	*word(registers + ENABLE) = 1u << number;
}

static void wake_frame(void)
{
	*word(gic.frame + WAKER) &= ~(uint32_t)WAKER_SLEEP;
	for (int i = 0;
	     i < WAKER_TRIES && (*word(gic.frame + WAKER) & WAKER_ASLEEP); i++)
		continue;
}

/* ICC_SRE_EL2, ICC_SRE_EL1, ICC_PMR_EL1 and ICC_IGRPEN1_EL1 by encoding. */
static void enable_registers(void)
{
	if (at_el2())
		WRITE("s3_4_c12_c9_5", READ("s3_4_c12_c9_5") | SRE | SRE_LOWER);
	WRITE("s3_0_c12_c12_5", READ("s3_0_c12_c12_5") | SRE);
	WRITE("s3_0_c4_c6_0", ANY_PRIORITY);
	WRITE("s3_0_c12_c12_7", 1);
}

bool gic_enable(uint32_t number)
{
	if (gic.frame && (READ("id_aa64pfr0_el1") >> PFR0_GIC & FIELD)) {
		wake_frame();
		enable(gic.frame + FRAME, number,
		       *word(gic.frame + FRAME + GROUP) | 1u << number);
		enable_registers();
		return true;
	}
	if (!gic.interface)
		return false;
	enable(gic.distributor, number, gic.group);
	*word(gic.interface + INTERFACE_MASK) = gic.mask;
	*word(gic.interface + INTERFACE_CONTROL) = gic.control;
	return true;
}
