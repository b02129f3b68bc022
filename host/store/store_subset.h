/* A small part of a store that still can be solved. */
#ifndef STORE_STORE_SUBSET_H
#define STORE_STORE_SUBSET_H

#include "host/store/store.h"

struct buffer;

/* A part of a store to copy.  Solving the copy gives the same claims for the
 * wanted forms. */
struct store_subset {
	bool (*wants)(void *context, const char *form);
	void *context;
	uint32_t visits; /* number of visits of each kernel to copy; 0: all */
	bool code;       /* copy machine code and register images */
};

struct store_subset_counts {
	size_t n_runs, n_forms, n_kernels, n_samples, n_faults;
	size_t n_claims; /* claims of these runs in the store */
};

/* Append the bytes of a database with a part of `s` to *ret.  For each wanted
 * form it has the newest run that measured it (as in the view `latest`), the
 * run's environment, and the kernels that the form's claims depend on, with
 * samples and faults.  It has no console text, no claims and no runs of a port
 * search.
 *
 * The store's claims determine which latency cycles and which issue-width
 * kernel are copied.  Without claims (n_claims is 0) some intervals of the copy
 * may be wider.  With a reference clock the copy is calibrated from its own
 * samples, so values may differ as much as those of two runs. */
int store_subset(struct store *s, const struct store_subset *q,
		 struct buffer *ret, struct store_subset_counts *ret_counts,
		 struct err *e);

#endif
