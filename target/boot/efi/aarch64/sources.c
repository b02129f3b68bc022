#include "target/boot/efi/aarch64/sources.h"

#include "target/boot/bare/tree.h"
#include "target/boot/efi/aarch64/map.h"
#include "target/boot/efi/aarch64/registers.h"
#include "target/boot/efi/acpi.h"
#include "target/boot/efi/machine.h"

enum {
	/* ACPI 6.5, 5.2.12: the table APIC, and its structure GICD. */
	MADT_STRUCTURES = 44,
	STRUCTURE_BYTES = 1,
	GICD = 0x0c,
	GICD_BYTES = 24,
	GICD_ADDRESS = 8,
	/* GIC architecture (Arm IHI 0069), 12.9.38: GICD_TYPER. */
	TYPER = 4,
	LINES_MASK = 0x1f,
	PER_LINE = 32,
	FIRST = 16,          /* before them: interrupts that cores send */
	FIRST_SHARED = 32,   /* before them: interrupts of one core */
	SPECIAL = 1020,      /* from here on: no interrupts */
	ISR_PENDING = 1 << 7 /* ISR_EL1.I */
};

/* EFI_HARDWARE_INTERRUPT_PROTOCOL of EDK2 (EmbeddedPkg); not in UEFI. */
struct efi_interrupts {
	void *add;
	efi_status(EFIAPI *enable)(struct efi_interrupts *, uint64_t source);
	efi_status(EFIAPI *disable)(struct efi_interrupts *, uint64_t source);
	efi_status(EFIAPI *state)(struct efi_interrupts *, uint64_t source,
				  uint8_t *ret_enabled);
};

static struct {
	struct efi_interrupts *driver; /* NULL: the firmware has none */
	int n, hidden;
	uint16_t source[SOURCES_MAX];
} sources;

static uint64_t gicd_of_acpi(void)
{
	const unsigned char *t = acpi_table("APIC");
	uint32_t n = t ? acpi_get32(t + ACPI_LENGTH) : 0;

	for (uint32_t at = MADT_STRUCTURES; at + GICD_BYTES <= n;
	     at += t[at + STRUCTURE_BYTES]) {
		if (t[at] == GICD)
			return acpi_get64(t + at + GICD_ADDRESS);
		if (t[at + STRUCTURE_BYTES] == 0)
			break;
	}
	return 0;
}

static uint64_t gicd_of_tree(void)
{
	static const char *const names[] = { "arm,gic-v3", "arm,cortex-a15-gic",
					     "arm,gic-400" };
	const void *tree = efi_device_tree(machine_system());
	uint64_t address = 0;

	for (size_t i = 0; tree_check(tree) && !address && i < ARRAY_LEN(names);
	     i++)
		address = tree_address(tree, tree_with(tree, names[i]), 0);
	return address;
}

uint64_t sources_gicd(void)
{
	uint64_t gicd = gicd_of_acpi();

	return gicd ? gicd : gicd_of_tree();
}

/* Numbers of interrupts that the controller has.  More must not be asked for:
 * the driver of a firmware with assertions stops there. */
static uint32_t n_numbers(void)
{
	uint64_t gicd = sources_gicd();
	const char *by;

	if (!gicd || !map_device(gicd, &by))
		return FIRST_SHARED;

	uint32_t typer = *(volatile uint32_t *)(uintptr_t)(gicd + TYPER);
	uint32_t n = PER_LINE * ((typer & LINES_MASK) + 1);

	return n < SPECIAL ? n : SPECIAL;
}

void sources_find(void)
{
	static const struct efi_guid guid = { 0x2890b3ea,
					      0x053d,
					      0x1643,
					      { 0xad, 0x0c, 0xd6, 0x48, 0x08,
						0xda, 0x3f, 0xf1 } };
	void *p = NULL;
	uint32_t n;

	if (machine_system()->boot->locate_protocol(&guid, NULL, &p) || !p)
		return;
	sources.driver = p;
	n = n_numbers();
	for (uint32_t i = FIRST; i < n && sources.n < SOURCES_MAX; i++) {
		uint8_t enabled = 0;

		if (sources.driver->state(sources.driver, i, &enabled) ||
		    !enabled)
			continue;
		sources.source[sources.n++] = (uint16_t)i;
	}
}

void sources_hide(bool hide)
{
	if (hide) {
		sources.hidden = sources.n;
		sources.n = 0;
	} else {
		sources.n = sources.hidden;
	}
}

uint32_t sources_number(int i)
{
	return sources.source[i];
}

int sources_count(void)
{
	return sources.n;
}

void sources_set(int i, bool enabled)
{
	struct efi_interrupts *d = sources.driver;

	if (enabled)
		(void)d->enable(d, sources.source[i]);
	else
		(void)d->disable(d, sources.source[i]);
	/* A firmware's service may return with interrupts enabled. */
	__asm__ volatile("msr daifset, #0xf" : : : "memory");
}

void sources_mask(int kept)
{
	for (int i = 0; i < sources.n; i++)
		if (i != kept)
			sources_set(i, false);
}

void sources_unmask(void)
{
	for (int i = 0; i < sources.n; i++)
		sources_set(i, true);
}

bool sources_pending(void)
{
	return READ("isr_el1") & ISR_PENDING;
}

void sources_describe(struct wire_line *w)
{
	wire_u64(w, "interrupts", (uint64_t)sources.n);
}
