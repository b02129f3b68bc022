/* When forms may share an entry of OSACA's file. */
#ifndef CODEC_OSACA_COST_H
#define CODEC_OSACA_COST_H

#include "host/codec/osaca/entry.h"

/* Do x and y differ by at most 2 % of the larger one, as two measurements of
 * the same cost may? */
bool osaca_near(double x, double y);

/* The middle of an interval. */
double osaca_middle(const struct model_span *s);

/* Do both forms use the same ports for the same cycles?  Pseudo ports are
 * ignored. */
bool osaca_has_same_ports(const struct model *m, const struct model_form *x,
			  const struct model_form *y);

/* Are throughput, latency and ports equal, as far as both are known? */
bool osaca_costs_same(const struct model *m, const struct osaca_form *x,
		      const struct osaca_form *y);

#endif
