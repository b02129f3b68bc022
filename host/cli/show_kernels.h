/* The kernels of one form in one run, as `anechoic show` prints them. */
#ifndef CLI_SHOW_KERNELS_H
#define CLI_SHOW_KERNELS_H

#include "host/isa/catalogue.h"
#include "host/store/store.h"

/* Print every kernel that measures the form, and those whose label is in
 * `labels` (of claims that also follow from kernels of other forms): its
 * code, its samples as a histogram, one row of ticks of each visit, its
 * faults. */
int show_kernels(struct store *s, int64_t run, const struct catalogue *c,
		 const char *form, const char *const *labels, size_t n_labels,
		 struct err *e);

#endif
