/* Labels taken apart into words, without knowing any form: the solver judges
 * numbers, and what the words mean is the catalogue's business. */
#ifndef SOLVE_LABEL_H
#define SOLVE_LABEL_H

#include "host/base/arena.h"

enum label_kind {
	LABEL_LATENCY,
	LABEL_JOINT,   /* a latency: two chains through one register */
	LABEL_SHORT,   /* a latency: of a chain that never grows long */
	LABEL_FORWARD, /* a sum: there and back between two forms */
	LABEL_QUEUE,   /* chains of a length, one behind the other */
	LABEL_MERGE,   /* a latency: of flags that are kept, 0: none */
	LABEL_WINDOW,  /* chains with fillers between, which are its helpers */
	LABEL_CONTROL,
	LABEL_THROUGHPUT,
	LABEL_LOOP,      /* one more experiment on a form's throughput */
	LABEL_DEPENDENT, /* of one form: bounds its throughput from above */
	LABEL_MIX,       /* instances of several forms: how wide the core is */
	LABEL_CALIBRATE,
	LABEL_PROBE,
	LABEL_OTHER, /* a word of somebody else's: no claim follows */
};

enum { LABEL_MAX_HELPERS = 8 };

/* Of one measured step: form, source and destination.  Of several ("A@1>0+
 * B@1>0"): all of them as they stand, as one form.  Strings are never NULL. */
struct label {
	enum label_kind kind;
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
	return l->kind <= LABEL_MERGE;
}

/* Split; strings in `a`.  False when it is no label. */
bool label_split(struct arena *a, const char *text, struct label *ret);

/* Is the end of a pair an operand that the instruction names, and no register
 * of its own? */
bool label_is_operand(const char *end);

#endif
