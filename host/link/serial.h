/* Facts about serial lines, for other modules. */
#ifndef LINK_SERIAL_H
#define LINK_SERIAL_H

#include <stdint.h>

/* The rate for --baud; 0 gives the default, 115200. */
uint32_t serial_baud(uint32_t baud);

#endif
