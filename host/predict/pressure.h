/* Port pressure: the cycles per iteration that the loop keeps each port
 * busy. */
#ifndef PREDICT_PRESSURE_H
#define PREDICT_PRESSURE_H

#include "host/predict/body.h"

struct pressure {
	size_t n_ports;
	double *share; /* [op * n_ports + port], cycles per iteration */
	double sum[MODEL_MAX_PORTS];
	double bound;      /* cycles of the busiest set of ports */
	model_ports ports; /* that set */
};

/* Compute the pressure of a bound loop. `equal`: split each uop equally over
 * its ports, like OSACA; otherwise use the best sharing. ret->share belongs to
 * `a`. */
void pressure_find(struct arena *a, const struct body *b, bool equal,
		   struct pressure *ret);

#endif
