/* A process measures where it was started: which core that is is not its
 * business. */
#include "target/boot.h"

uint64_t boot_core_at(size_t i)
{
	(void)i;
	return BOOT_NO_CORE;
}

uint64_t boot_first_core(void)
{
	return BOOT_NO_CORE;
}

uint64_t boot_core(void)
{
	return BOOT_NO_CORE;
}

bool boot_core_run(uint64_t core, void (*f)(void))
{
	if (core == BOOT_NO_CORE)
		f();
	return core == BOOT_NO_CORE;
}

uint64_t boot_core_kind(void)
{
	return 0;
}
