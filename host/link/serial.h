/* What others ask about serial lines. */
#ifndef LINK_SERIAL_H
#define LINK_SERIAL_H

#include "common/types.h"

/* The rate --baud asks for, 0 being the usual 115200. */
uint32_t serial_baud(uint32_t baud);

#endif
