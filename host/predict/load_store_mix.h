/* Contention of loads and stores: the time that measured mixes of both imply
 * for all accesses of a body. It is independent of the ports that the accesses
 * use. */
#ifndef PREDICT_LOAD_STORE_MIX_H
#define PREDICT_LOAD_STORE_MIX_H

#include "host/predict/body.h"

/* Name of the pseudo port, also printed in reasons. */
#define LOAD_STORE_POOL "loads and stores"

/* The accesses of one instruction, in cycles that its loads and its stores take
 * alone. */
struct access_cycles {
	const struct form *form;
	double loads, stores;
};

/* What each cycle of loads alone and of stores alone adds to the pseudo
 * port. */
struct load_store_cost {
	double load, store;
};

/* Estimate the contention of the n accesses in the list. Returns false when no
 * measured mix takes more than 1 % longer than the slower of loads and stores
 * alone; *ret may then be changed. */
bool load_store_cost_find(const struct body *b,
			  const struct access_cycles *list, size_t n,
			  struct load_store_cost *ret);

#endif
