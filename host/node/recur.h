/* The best value that recurs. */
#ifndef NODE_RECUR_H
#define NODE_RECUR_H

#include "host/node/node.h"

/* Disturbances only lower a rate, so the highest rate is the machine's, unless
 * only one window has it.  Find the highest rate that has at least a tenth of
 * the windows, and at least three, within 1 % below it; the value is the median
 * of these.  If none of the highest quarter is such a rate, the value is the
 * median of all windows, and not steady.  Sorts the rates. */
struct node_value recur(double *rates, size_t n);

#endif
