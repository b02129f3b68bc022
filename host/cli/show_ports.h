/* Prints the ports of a form, and the mixes that they follow from. */
#ifndef CLI_SHOW_PORTS_H
#define CLI_SHOW_PORTS_H

#include "host/store/store.h"

/* Print the form's uops and ports of the newest run that has any, and with
 * evidence the mixes of that run with the form.  *ret_any: there are some. */
int show_ports(struct store *s, const char *form, bool evidence, bool *ret_any,
	       struct err *e);

#endif
