/* Chains of two forms; see judging.h. */
#include <string.h>

#include "host/solve/judging.h"

const double judging_most_extra = 10;

static double value_of(const struct record *r)
{
	return judging_is_usable(r) ? r->estimate.high : 0;
}

bool judging_ends(const struct judge *j, const struct label *l,
		  struct judge_end ends[2])
{
	if (l->n_parts != 2)
		return false;
	for (int i = 0; i < 2; i++) {
		const struct label_part *p = &l->parts[i];

		if (*p->source == '\0')
			return false;
		ends[i] = (struct judge_end){
			.part = p,
			.pair = strchr(p->text, '@') + 1,
			.alone = value_of(judging_own(j, p)),
			.throughput = value_of(judging_form(
				j, EXPERIMENT_THROUGHPUT, p->form)),
		};
	}
	return true;
}
