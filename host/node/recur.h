/* The best value that recurs. */
#ifndef NODE_RECUR_H
#define NODE_RECUR_H

#include "host/node/node.h"

/* Disturbances only lower a rate, so the best one is the machine's - unless it
 * is an accident of one window.  Take the highest rate that a tenth of the
 * windows, and at least three, reach within 1 %: their median.  If there is
 * none among the highest quarter, the median of all, not steady.  Sorts the rates. */
struct node_value recur(double *rates, size_t n);

#endif
