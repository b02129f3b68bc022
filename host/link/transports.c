/* Finds transports by name.  The list is generated from CMakeLists.txt. */
#include <string.h>

#include "host/link/link.h"

const struct transport *transport_find(const char *name)
{
	for (size_t i = 0; transports[i]; i++)
		if (strcmp(transports[i]->name, name) == 0)
			return transports[i];
	return NULL;
}
