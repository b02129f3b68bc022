/* Numbers as text, in one format for all exports. */
#ifndef CODEC_NUMBER_H
#define CODEC_NUMBER_H

#include "common/types.h"

enum { NUMBER_ROOM = 40 };

/* Write six significant digits; whole numbers in full ("1", "1000000").  The
 * value must be finite, otherwise the text is "". */
void number_text(double value, char text[NUMBER_ROOM]);

#endif
