/* Verdicts with values; see settled.h and docs/method.md. */
#include "host/export/settled.h"

#include <string.h>

static const char two_states[] = "two-states";

bool claim_settled(const struct claim *c)
{
	static const char *const settled[] = {
		"ok",         two_states, "throughput-bound",
		"eliminated", "helper",   "dependent",
	};

	for (size_t i = 0; i < ARRAY_LEN(settled); i++)
		if (strcmp(c->verdict, settled[i]) == 0)
			return c->has_value;
	return false;
}

bool claim_two_values(const struct claim *c)
{
	return strcmp(c->verdict, two_states) == 0;
}
