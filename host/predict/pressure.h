/* How busy the loop keeps each port. */
#ifndef PREDICT_PRESSURE_H
#define PREDICT_PRESSURE_H

#include "host/predict/body.h"

struct pressure {
	size_t n_ports;
	double *share; /* [op * n_ports + port]: cycles of an iteration */
	double sum[MODEL_MAX_PORTS];
	double bound;      /* of the busiest ports */
	model_ports ports; /* which they are */
};

/* `equal`: every uop takes the same part of each of its ports, as OSACA has
 * it; else the best sharing there is. */
void pressure_find(struct arena *a, const struct body *b, bool equal,
		   struct pressure *ret);

#endif
