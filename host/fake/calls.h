/* Own code that calls functions of its own, as an invented core executes it. */
#ifndef FAKE_CALLS_H
#define FAKE_CALLS_H

#include "host/fake/kernel.h"

/* Ops first .. last of a sequence, if the last one of them is the first that
 * jumps back, and another one does behind it; else last is 0. */
struct fake_inner_loop {
	size_t first, last;
};

enum fake_calls {
	FAKE_CALLS_NONE,     /* of itself: nothing is changed */
	FAKE_CALLS_FOLLOWED, /* the sequence is that of its execution */
	FAKE_CALLS_LOST,     /* one does not return, or a return has no call */
};

/* Make the sequence of code that calls functions of itself, indices of `ops` in the
 * order of the code, into that of its execution from its begin on, where no jump on a
 * condition is taken, and find its loop. */
enum fake_calls fake_follow_calls(const struct catalogue *c,
				  const struct fake_op *ops,
				  struct buffer *sequence,
				  struct fake_inner_loop *ret);

#endif
