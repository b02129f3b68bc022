/* What is asked for, in words; see plan.h. */
#include <string.h>

#include "host/plan/plan.h"

int plan_parse_what(const char *words, unsigned *ret_what, struct err *e)
{
	static const struct {
		const char *word;
		unsigned bit;
	} known[] = {
		{ "latency", PLAN_LATENCY },
		{ "throughput", PLAN_THROUGHPUT },
	};
	unsigned what = 0;

	for (const char *at = words; *at != '\0';) {
		size_t n = strcspn(at, ",");
		size_t k = 0;

		while (k < ARRAY_LEN(known) &&
		       (strlen(known[k].word) != n ||
			strncmp(known[k].word, at, n) != 0))
			k++;
		if (k == ARRAY_LEN(known))
			return err_set(e, ERR_USAGE,
				       "--what: latency, "
				       "throughput or both, not '%.*s'",
				       (int)n, at);
		what |= known[k].bit;
		at += n + (at[n] == ',');
	}
	if (what == 0)
		return err_set(e, ERR_USAGE,
			       "--what: latency, throughput or both");
	*ret_what = what;
	return ERR_OK;
}
