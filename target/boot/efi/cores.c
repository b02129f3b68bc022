/* The core that the firmware booted; see boot.h. */
#include "target/boot.h"

uint64_t boot_core_at(size_t i)
{
	return i == 0 ? 0 : BOOT_NO_CORE;
}

uint64_t boot_first_core(void)
{
	return 0;
}

uint64_t boot_core(void)
{
	return 0;
}

bool boot_core_run(uint64_t core, void (*f)(void))
{
	if (core == 0)
		f();
	return core == 0;
}

uint64_t boot_core_kind(void)
{
	return 0;
}
