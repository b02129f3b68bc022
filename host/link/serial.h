/* What others ask about serial lines. */
#ifndef LINK_SERIAL_H
#define LINK_SERIAL_H

#include "host/base/err.h"

/* The rate --baud asks for, 0 being the usual 115200. */
uint32_t serial_baud(uint32_t baud);

/* Can this line be opened at this rate, now?  ERR_USAGE or ERR_FAILED with
 * advice if not. */
int serial_check(const char *tty, uint32_t baud, struct err *e);

#endif
