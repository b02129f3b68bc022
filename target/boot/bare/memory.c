/* Memory of a runtime that owns the machine, and what a process does with memory and
 * calls, and such a runtime does not. */
#include "target/boot/bare/memory.h"

#include <string.h>

#include "target/boot.h"

void *boot_memory(size_t n, bool huge)
{
	void *p = memory_take(n);

	(void)huge;
	return p ? memset(p, 0, n) : NULL;
}

size_t boot_memory_most(void)
{
	size_t n = PACK_MOST_MEMORY;

	while (n > PACK_MAX_MEMORY && !memory_take(n + memory_for_code))
		n /= 2;
	(void)memory_take(0);
	return n > PACK_MAX_MEMORY ? n : 0;
}

/* Each entry of the tables is looked at; those of 1 GiB by their parts, as the memory
 * may begin within one. */
uint64_t boot_page_bytes(void)
{
	size_t n = boot_memory_most();
	uintptr_t at = n ? (uintptr_t)memory_take(n) : 0;
	uint64_t first = at ? memory_page_bytes(at) : 0;
	uint64_t step = first < MEMORY_ALIGN ? first : MEMORY_ALIGN;

	for (uint64_t i = 0; first > 0 && i < n; i += step)
		if (memory_page_bytes(at + i) != first)
			first = 0;
	(void)memory_take(0);
	return first;
}

bool boot_appear(uint32_t owner, uint64_t at, size_t n)
{
	(void)owner;
	(void)at;
	(void)n;
	return false;
}

/* A call of the firmware is a trap to it. */
bool boot_refuse_calls(void)
{
	return false;
}

/* There is one place. */
void *boot_move(void *code, size_t n_code, void *data, size_t n_data)
{
	(void)n_code;
	(void)data;
	(void)n_data;
	return code;
}
