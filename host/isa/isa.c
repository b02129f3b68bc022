/* Finding an instruction set. */
#include <string.h>
#include <sys/utsname.h>

#include "host/isa/isa.h"

const struct isa *isa_find(const char *name)
{
	for (size_t i = 0; isas[i]; i++)
		if (strcmp(isas[i]->name, name) == 0)
			return isas[i];
	return NULL;
}

const struct isa *isa_by_pack(uint32_t pack_isa)
{
	for (size_t i = 0; isas[i]; i++)
		if (isas[i]->pack_isa == pack_isa)
			return isas[i];
	return NULL;
}

const struct isa *isa_native(void)
{
	struct utsname machine;

	/* The kernel's names are those of this project. */
	return uname(&machine) == 0 ? isa_find(machine.machine) : NULL;
}
