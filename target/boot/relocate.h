/* A flat image is linked at 0 and runs anywhere: it applies its own RELATIVE
 * relocations, the only kind the link leaves (tests/qemu checks that).  Runs
 * first, so it is inline and goes through no pointer of the image. */
#ifndef BOOT_RELOCATE_H
#define BOOT_RELOCATE_H

#include "common/slot.h"
#include "common/types.h"

#define IMAGE_SYMBOL __attribute__((visibility("hidden")))

/* Bounds set by linker/runtime.ld and the head. */
struct elf_rela {
	uint64_t offset;
	uint64_t info;
	uint64_t addend;
};

extern IMAGE_SYMBOL char _start[], _end[];
extern IMAGE_SYMBOL const struct elf_rela __rela_start[], __rela_end[];
extern IMAGE_SYMBOL const struct runtime_slot __slot;

static inline void boot_relocate(void)
{
	uintptr_t base = (uintptr_t)_start;

	for (const struct elf_rela *r = __rela_start; r < __rela_end; r++)
		*(uint64_t *)(base + r->offset) = base + r->addend;
}

#endif
