/* Memory of an EFI application: pages of the firmware, which maps all memory where it
 * is (UEFI 2.10, 2.3.2, 2.3.4 and 2.3.6). */
#include "target/boot/bare/memory.h"

#include "target/boot/efi/cores.h"
#include "target/boot/efi/machine.h"

/* Pages of code are not given back.  A run of `structures` on a Zen 5 has 292 packs
 * with 47 MB of code, 3.3 MB in the largest. */
const size_t memory_for_code = 64 << 20;

static struct {
	uint64_t address, n_pages; /* that are ours; 0 pages: none */
	uint64_t n_wanted;
} memory;

static void take_pages(void)
{
	const struct efi_boot_services *b = machine_system()->boot;

	if (memory.n_pages)
		(void)b->free_pages(memory.address, memory.n_pages);
	memory.n_pages = memory.n_wanted;
	if (memory.n_pages == 0 ||
	    b->allocate_pages(EFI_ALLOCATE_ANY, EFI_LOADER_DATA, memory.n_pages,
			      &memory.address))
		memory.n_pages = 0;
}

void *memory_take(size_t n)
{
	memory.n_wanted = n ? (n + MEMORY_ALIGN + EFI_PAGE - 1) / EFI_PAGE : 0;
	cores_on_first(take_pages);
	if (memory.n_pages == 0)
		return NULL;
	return (void *)(uintptr_t)((memory.address + MEMORY_ALIGN - 1) /
				   MEMORY_ALIGN * MEMORY_ALIGN);
}
