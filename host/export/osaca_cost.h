/* When forms may share an entry of OSACA's file. */
#ifndef EXPORT_OSACA_COST_H
#define EXPORT_OSACA_COST_H

#include "host/export/osaca_entry.h"

/* Equal but for a measurement's doubt. */
bool osaca_near(double x, double y);

double osaca_middle(const struct model_span *s);

/* The same uses of ports, apart from units that only bound a rate. */
bool osaca_has_same_ports(const struct model *m, const struct model_form *x,
			  const struct model_form *y);

/* Are all costs equal that are known of both? */
bool osaca_costs_same(const struct model *m, const struct osaca_form *x,
		      const struct osaca_form *y);

#endif
