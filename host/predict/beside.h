/* Loads beside stores: the time that measured mixes of both say a body needs
 * for all its accesses, whatever ports they go to. */
#ifndef PREDICT_BESIDE_H
#define PREDICT_BESIDE_H

#include "host/predict/body.h"

/* The pool's name among ports, and in words. */
#define BESIDE_POOL "loads beside stores"

/* Accesses of a body, in cycles that the loads and the stores take alone. */
struct beside_access {
	const struct form *form;
	double loads, stores;
};

/* What a load and what a store adds to the pool, as a share of its cycles
 * alone. */
struct beside {
	double load, store;
};

/* False: no mix tells more than loads and stores do alone. */
bool beside_find(const struct body *b, const struct beside_access *list,
		 size_t n, struct beside *ret);

/* Where the data of an access go or come from: the bank of the first register
 * that is no part of the address. */
uint8_t beside_bank(const struct catalogue *c, const struct form *f);

#endif
