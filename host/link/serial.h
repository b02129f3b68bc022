/* Checks of serial lines, for other modules. */
#ifndef LINK_SERIAL_H
#define LINK_SERIAL_H

#include "host/base/err.h"

/* The rate for --baud; 0 gives the default, 115200. */
uint32_t serial_baud(uint32_t baud);

/* Check that the line can be opened at this rate.  ERR_USAGE or ERR_FAILED with
 * advice if not. */
int serial_check(const char *tty, uint32_t baud, struct err *e);

#endif
