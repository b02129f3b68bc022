/* See waiting.h. */
#include "host/solve/waiting.h"

#include <math.h>

#include "host/experiment/experiment.h"

/* The chain must take longer than independent instances by this factor.
 * Chosen: a fifth is far outside the error of two throughputs. */
static const double shows = 1.2;
/* Above this number three chains overlap, or nearly so. */
static const double most = EXPERIMENT_QUEUE_OPS / 3.0;

enum waiting_result waiting_count(const struct waiting *w, double *ret_low,
				  double *ret_high)
{
	double latency = round(w->endless);

	*ret_low = EXPERIMENT_QUEUE_OPS *
		   (1 - w->high * (1 + w->uncertainty) / latency);
	*ret_high = EXPERIMENT_QUEUE_OPS *
		    (1 - w->low * (1 - w->uncertainty) / latency);
	if (!(w->low >= shows * w->apart))
		return WAITING_NOT_SHOWN;
	return *ret_low >= 1 && *ret_high <= most ? WAITING_OK
						  : WAITING_IMPLAUSIBLE;
}
