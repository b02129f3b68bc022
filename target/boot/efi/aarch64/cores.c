/* Starts other cores by PSCI (Arm DEN 0022).  A core's number is its place among
 * those that the firmware describes as enabled (psci.c). */
#include "target/boot/efi/cores.h"

#include "target/boot/efi/aarch64/core.h"
#include "target/boot/efi/aarch64/gic.h"
#include "target/boot/efi/aarch64/psci.h"
#include "target/boot/efi/aarch64/quiet.h"
#include "target/boot/efi/aarch64/registers.h"
#include "target/boot/efi/machine.h"
#include "target/boot/relocate.h"

enum {
	STACK_BYTES = 32 * 1024,
	DCACHE_LINE_SHIFT = 16, /* CTR_EL0.DminLine, in words */
	DCACHE_LINE_MASK = 0xf,
	WORD = 4,
};

extern IMAGE_SYMBOL char core_entry[], core_entry_end[];
uint64_t core_psci(uint64_t function, uint64_t a, uint64_t b, uint64_t c,
		   uint64_t by_hvc);

/* What the core that is started reads with its caches off. */
struct core_boot {
	uint64_t mair, tcr, ttbr, ttbr1, vectors, sctlr, hcr;
	uint64_t number, called, stack;
	uint64_t by_hvc, off;
};

_Static_assert(offsetof(struct core_boot, mair) == CORE_MAIR, "core.S");
_Static_assert(offsetof(struct core_boot, tcr) == CORE_TCR, "core.S");
_Static_assert(offsetof(struct core_boot, ttbr) == CORE_TTBR, "core.S");
_Static_assert(offsetof(struct core_boot, ttbr1) == CORE_TTBR1, "core.S");
_Static_assert(offsetof(struct core_boot, vectors) == CORE_VECTORS, "core.S");
_Static_assert(offsetof(struct core_boot, sctlr) == CORE_SCTLR, "core.S");
_Static_assert(offsetof(struct core_boot, hcr) == CORE_HCR, "core.S");
_Static_assert(offsetof(struct core_boot, number) == CORE_NUMBER, "core.S");
_Static_assert(offsetof(struct core_boot, called) == CORE_CALLED, "core.S");
_Static_assert(offsetof(struct core_boot, stack) == CORE_STACK, "core.S");
_Static_assert(offsetof(struct core_boot, by_hvc) == CORE_CONDUIT, "core.S");
_Static_assert(offsetof(struct core_boot, off) == CORE_OFF, "core.S");

static struct {
	struct psci psci;
	uint64_t stack; /* its top; 0: none yet */
	struct core_boot boot __attribute__((aligned(64)));
} others;

size_t machine_cores(uint64_t numbers[CORES_MAX], uint64_t *ret_first)
{
	uint64_t own = READ("mpidr_el1") & PSCI_AFFINITY;
	struct psci *p = &others.psci;
	bool is_listed = false;

	psci_find(p);
	for (size_t i = 0; i < p->n; i++) {
		numbers[i] = i;
		if (p->mpidr[i] == own) {
			is_listed = true;
			*ret_first = i;
		}
	}
	return is_listed ? p->n : 0;
}

/* ---- starting ------------------------------------------------------------ */

/* To memory: the other core reads it with its caches off. */
static void clean(const void *from, const void *to)
{
	uint64_t line =
		(uint64_t)WORD
		<< (READ("ctr_el0") >> DCACHE_LINE_SHIFT & DCACHE_LINE_MASK);

	for (uintptr_t at = (uintptr_t)from & ~(line - 1); at < (uintptr_t)to;
	     at += line)
		__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
	__asm__ volatile("dsb sy" : : : "memory");
}

static bool has_stack(void)
{
	uint64_t address = 0;

	if (!others.stack && machine_system()->boot->allocate_pages(
				     EFI_ALLOCATE_ANY, EFI_LOADER_DATA,
				     STACK_BYTES / EFI_PAGE, &address) == 0)
		others.stack = address + STACK_BYTES;
	return others.stack != 0;
}

bool machine_core_prepare(uint64_t core)
{
	if (!others.psci.is_known || !has_stack())
		return false;
	gic_find(others.psci.mpidr[core]);
	return true;
}

bool machine_core_start(uint64_t core, uintptr_t called)
{
	bool el2 = at_el2();

	others.boot = (struct core_boot){
		.mair = el2 ? READ("mair_el2") : READ("mair_el1"),
		.tcr = el2 ? READ("tcr_el2") : READ("tcr_el1"),
		.ttbr = el2 ? READ("ttbr0_el2") : READ("ttbr0_el1"),
		.ttbr1 = el2 ? 0 : READ("ttbr1_el1"),
		.vectors = quiet_vectors(),
		.sctlr = el2 ? READ("sctlr_el2") : READ("sctlr_el1"),
		.hcr = el2 ? READ("hcr_el2") : 0,
		.number = core,
		.called = called,
		.stack = others.stack,
		.by_hvc = others.psci.by_hvc,
		.off = others.psci.off,
	};
	clean(&others.boot, &others.boot + 1);
	clean(core_entry, core_entry_end);
	return core_psci(others.psci.on, others.psci.mpidr[core],
			 (uintptr_t)core_entry, (uintptr_t)&others.boot,
			 others.psci.by_hvc) == 0;
}

uint64_t machine_kind(void)
{
	return READ("midr_el1");
}

void cores_describe_psci(struct wire_line *w)
{
	wire_hex(w, "mpidr", READ("mpidr_el1") & PSCI_AFFINITY);
	if (others.psci.is_known)
		wire_word(w, "psci", others.psci.by_hvc ? "hvc" : "smc");
}
