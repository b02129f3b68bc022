/* measure --redo: which kernels of a run get more visits. */
#ifndef CAMPAIGN_REDO_H
#define CAMPAIGN_REDO_H

#include "host/store/store.h"

/* Check that `what` is `noisy`, `missing` or a regular expression.  ERR_USAGE
 * if not. */
int redo_check(const char *what, struct err *e);

/* Of the n kernels of a run: wanted[k], and how many are wanted. */
struct redo_kernels {
	size_t n;
	bool *wanted;
	size_t n_wanted;
};

/* Choose the wanted kernels; n and wanted are the caller's.
 *	noisy	kernels whose visits do not agree, and kernels of claims whose
 *		verdict says so
 *	missing	kernels without a sample or a fault, and kernels that took the
 *		board down
 *	else	kernels whose first form matches the expression; ERR_INPUT when
 *		there is none */
int redo_choose(struct store *s, int64_t run, const char *what,
		struct redo_kernels *k, struct err *e);

/* Remove the faults of wanted kernels, so that they are measured again. */
int redo_forget_faults(struct store *s, int64_t run,
		       const struct redo_kernels *k, struct err *e);

#endif
