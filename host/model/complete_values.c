/* Values of a form of a model, completed or not; see complete.h and
 * complete_read.h. */
#include <math.h>

#include "host/model/complete_read.h"

double model_cycles(struct model_span s)
{
	double x = (s.low + s.high) / 2, whole = round(x);

	return fabs(x - whole) < 0.1 ? whole : x;
}

double longest_latency(const struct model_form *f)
{
	double longest = -1;

	for (size_t i = 0; i < f->n_latencies; i++)
		if (f->latencies[i].cycles.has_value)
			longest = fmax(longest,
				       model_cycles(f->latencies[i].cycles));
	return longest;
}

bool has_exact_latency(const struct model_form *f)
{
	for (size_t i = 0; i < f->n_latencies; i++)
		if (is_exact(&f->latencies[i].cycles))
			return true;
	return false;
}
