/* Finds transports by name.  The list is generated from CMakeLists.txt. */
#include <stdio.h>
#include <string.h>

#include "host/link/link.h"

const struct transport *transport_find(const char *name)
{
	for (size_t i = 0; transports[i]; i++)
		if (strcmp(transports[i]->name, name) == 0)
			return transports[i];
	return NULL;
}

int transport_of(const struct board *b, const char *tty,
		 const struct transport **ret, struct err *e)
{
	const char *name = tty ? "serial" : b->transport;
	const struct transport *t = transport_find(name);
	char known[128] = "";
	size_t n = 0;

	if (t) {
		*ret = t;
		return ERR_OK;
	}
	for (size_t i = 0; transports[i] && n < sizeof(known); i++)
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      i ? ", " : "", transports[i]->name);
	return err_set(e, ERR_INPUT,
		       "%s: unknown transport '%s'; expected one of %s",
		       b->path, name, known);
}
