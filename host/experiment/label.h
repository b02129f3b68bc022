/* Labels taken apart into words, without knowing any form: the solver judges
 * numbers, and what the words mean is the catalogue's business. */
#ifndef EXPERIMENT_LABEL_H
#define EXPERIMENT_LABEL_H

#include "host/base/arena.h"
#include "host/experiment/kinds.h"

enum { LABEL_MAX_HELPERS = 8 };

/* Of one measured step: form, source and destination.  Of several ("A@1>0+
 * B@1>0"): all of them as they stand, as one form.  Strings are never NULL. */
struct label {
	enum experiment_kind kind;
	const char *form;
	const char *source, *destination;
	unsigned instances; /* in a body, without helpers */
	size_t n_helpers;
	struct {
		const char *form;
		unsigned count;
	} helpers[LABEL_MAX_HELPERS];
};

/* Does the label name a chain, and not instances that run side by side? */
static inline bool label_is_chain(const struct label *l)
{
	return experiment_kind_is(l->kind, EXPERIMENT_TIMES_CHAIN);
}

/* Split; strings in `a`.  False when it is no label. */
bool label_split(struct arena *a, const char *text, struct label *ret);

/* Is the end of a pair an operand that the instruction names, and no register
 * of its own? */
bool label_is_operand(const char *end);

/* Is it a latency of several steps, each with ends? */
bool label_is_cycle(const struct label *l);

#endif
