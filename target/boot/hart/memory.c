/* Memory of a RISC-V hart without a system: the lowest that the device tree has, and
 * that neither it, the image nor the environment uses.  Boot loaders move themselves
 * to the end of memory, and harts that they left waiting are in firmware, which is
 * reserved. */
#include "target/boot/bare/memory.h"

#include "common/slot.h"
#include "target/boot/bare/tree.h"
#include "target/boot/hart/env.h"
#include "target/boot/hart/platform.h"
#include "target/boot/relocate.h"

/* It has room in the image. */
const size_t memory_for_code = 0;

static uint64_t aligned(uint64_t at)
{
	return (at + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
}

/* The end of a region that overlaps [from, end); 0: it does not. */
static uint64_t overlap(const struct tree_region *u, uint64_t from,
			uint64_t end)
{
	bool wraps = u->bytes > UINT64_MAX - u->from;
	uint64_t until = wraps ? UINT64_MAX : u->from + u->bytes;

	return u->from < end && until > from ? until : 0;
}

/* The end of a region in use that overlaps [from, end); 0: none. */
static uint64_t used_until(const void *tree, uint64_t from, uint64_t end)
{
	struct tree_region u = { (uintptr_t)_start,
				 slot_file_bytes(&__slot) + __slot.room_bytes };
	uint64_t until = overlap(&u, from, end);

	for (size_t i = 0; !until && tree_reserved_at(tree, i, &u); i++)
		until = overlap(&u, from, end);
	for (size_t i = 0; !until && env_reserved_at(i, &u); i++)
		until = overlap(&u, from, end);
	return until;
}

/* NULL is no address of memory that is given. */
static void *place(const void *tree, const struct tree_region *m, size_t n)
{
	uint64_t end = m->from + m->bytes;
	uint64_t at = aligned(m->from ? m->from : 1);

	while (at >= m->from && at < end && end - at >= n) {
		uint64_t until = used_until(tree, at, at + n);

		if (until == 0)
			return (void *)(uintptr_t)at;
		if (aligned(until) <= at)
			break; /* nothing is behind it */
		at = aligned(until);
	}
	return NULL;
}

void *memory_take(size_t n)
{
	const void *tree = platform_tree();
	struct tree_region m;

	for (size_t i = 0; tree && tree_memory_at(tree, i, &m); i++) {
		void *p = place(tree, &m, n);

		if (p)
			return p;
	}
	return NULL;
}

/* The MMU is off. */
uint64_t memory_page_bytes(uint64_t address)
{
	(void)address;
	return 0;
}
