/* Numbers of exports; see number.h. */
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

bool span_is_wide(const struct model_span *s)
{
	static const double doubt = 0.05; /* of the upper bound */

	return s->high - s->low > doubt * s->high;
}

double span_middle(const struct model_span *s)
{
	return (s->low + s->high) / 2;
}
