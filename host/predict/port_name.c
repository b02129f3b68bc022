/* Names of ports without the prefix that all of them share; see print.h. */
#include <string.h>

#include "host/predict/print.h"

/* Length of the shared prefix. Pools, which follow the ports, have names of
 * their own and are ignored. */
static size_t port_name_prefix(const struct body *x)
{
	const struct model_port *ports = x->model->ports;
	size_t n = x->n_ports > 1 ? strlen(ports[0].name) : 0;

	for (size_t k = 1; k < x->n_ports; k++) {
		size_t same = 0;

		while (same < n && ports[k].name[same] == ports[0].name[same])
			same++;
		n = same;
	}
	/* No port is left without a name. */
	for (size_t k = 0; k < x->n_ports; k++)
		if (ports[k].name[n] == '\0')
			return 0;
	return n;
}

const char *print_port_name(const struct body *x, size_t port)
{
	size_t start = port < x->n_ports ? port_name_prefix(x) : 0;

	return x->model->ports[port].name + start;
}
