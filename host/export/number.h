/* Numbers as text, the same in every export. */
#ifndef EXPORT_NUMBER_H
#define EXPORT_NUMBER_H

#include "common/types.h"

enum { NUMBER_ROOM = 40 };

/* Six significant digits, whole numbers in full ("1", "1000000"); what is not
 * finite becomes "" and must not come here. */
void number_text(double value, char text[NUMBER_ROOM]);

#endif
