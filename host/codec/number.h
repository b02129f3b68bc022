/* Numbers of exports: as text, in one format for all, and those that stand for
 * an interval. */
#ifndef CODEC_NUMBER_H
#define CODEC_NUMBER_H

#include "host/model/model.h"

enum { NUMBER_ROOM = 40 };

/* Write six significant digits; whole numbers in full ("1", "1000000").  The
 * value must be finite, otherwise the text is "". */
void number_text(double value, char text[NUMBER_ROOM]);

/* Is an interval wider than a measurement's doubt?  A format with one number
 * for it would hide that. */
bool span_is_wide(const struct model_span *s);

double span_middle(const struct model_span *s);

#endif
