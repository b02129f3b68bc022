/* measure --redo: which kernels of a run get more visits. */
#ifndef CLI_REDO_H
#define CLI_REDO_H

#include "host/store/store.h"

/* Is it `noisy`, `missing` or a regular expression?  ERR_USAGE if not. */
int redo_check(const char *what, struct err *e);

/* Of the n kernels of a run: wanted[k], n_wanted of them. */
struct redo_kernels {
	size_t n;
	bool *wanted;
	size_t n_wanted;
};

/* Choose them; n and wanted are the caller's.
 *	noisy	those whose visits do not agree, and those of claims that say
 *		so
 *	missing	those without a sample, but for faults; lost ones count
 *	else	those whose form, the first of several, matches; ERR_INPUT when
 *		there is none */
int redo_choose(struct store *s, int64_t run, const char *what,
		struct redo_kernels *k, struct err *e);

/* Forget the faults of wanted kernels, so that they are measured. */
int redo_forget_faults(struct store *s, int64_t run,
		       const struct redo_kernels *k, struct err *e);

#endif
