/* What a database knows of a form's ports, and the mixes that tell it. */
#ifndef CLI_SHOW_PORTS_H
#define CLI_SHOW_PORTS_H

#include "host/store/store.h"

/* Print the form's uops and ports of the newest run that has any, and the
 * mixes of that run it is in.  *ret_any: there are some. */
int show_ports(struct store *s, const char *form, bool *ret_any, struct err *e);

#endif
