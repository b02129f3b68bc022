/* Numbers as text; see number.h. */
#include "host/codec/number.h"

#include <math.h>
#include <stdio.h>

/* Doubles represent all whole numbers up to this exactly. */
static const double max_whole = 1e15;

void number_text(double value, char text[NUMBER_ROOM])
{
	if (!isfinite(value))
		text[0] = '\0';
	else if (value == floor(value) && fabs(value) < max_whole)
		(void)snprintf(text, NUMBER_ROOM, "%.0f", value);
	else
		(void)snprintf(text, NUMBER_ROOM, "%.6g", value);
}
