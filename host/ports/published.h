/* Hypotheses: the uses that were found for a form may be those of other forms with
 * the same published uses (ports_form.published).  The ports of the tables are not
 * used: they only say which forms may be alike. */
#ifndef PORTS_PUBLISHED_H
#define PORTS_PUBLISHED_H

#include "host/ports/saturation.h"

enum {
	/* Chosen: so many mixes must agree with a hypothesis. */
	PUBLISHED_CHECKS = 4,
	PUBLISHED_MOST = 4, /* hypotheses about a form */
};

/* List forms of earlier batches, at most PUBLISHED_MOST, whose uses may be those
 * of `form`: they are certain, and explain its slots and its time alone.  One form
 * for each list of uses; the most frequent list comes first.  Returns how many. */
size_t published_list(const struct infer *in, uint32_t form,
		      uint32_t ret[PUBLISHED_MOST]);

/* Of the kernels of form i of w that showed something: do the uses of the form
 * `like` agree with all of them?  *ret_n: how many these are.  *ret_all: for
 * each use there is one of these kernels whose ports contain all of the use's, or no
 * kernel can have them. */
bool published_agrees(const struct saturation *w, size_t i, uint32_t like,
		      unsigned *ret_n, bool *ret_all);

/* Give the form the uses of `like`, n_checks kernels agreeing, and the verdict
 * PORTS_OK. */
void published_take(const struct infer *in, uint32_t form, uint32_t like,
		    unsigned n_checks);

#endif
