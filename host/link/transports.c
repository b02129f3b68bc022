/* Finds transports by name, in the list generated from CMakeLists.txt, and
 * gives their clock. */
#include <stdio.h>
#include <string.h>

#include "host/base/monotonic.h"
#include "host/link/link.h"

enum { NS_PER_MS = 1000 * 1000 };

uint64_t link_now_ms(void)
{
	return monotonic_ns() / NS_PER_MS;
}

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
