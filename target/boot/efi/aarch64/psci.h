/* The cores of the machine, and how PSCI is called, as the firmware describes
 * them: by ACPI's tables MADT and FADT, or by the device tree. */
#ifndef BOOT_EFI_AARCH64_PSCI_H
#define BOOT_EFI_AARCH64_PSCI_H

#include "common/types.h"
#include "target/boot/efi/cores.h"

/* Of MPIDR_EL1: the four fields of the affinity. */
#define PSCI_AFFINITY UINT64_C(0xff00ffffff)

struct psci {
	bool is_known;    /* there is PSCI */
	bool by_hvc;      /* else by SMC */
	uint64_t on, off; /* numbers of CPU_ON, CPU_OFF */
	size_t n;
	uint64_t mpidr[CORES_MAX]; /* of the enabled cores */
};

void psci_find(struct psci *ret);

#endif
