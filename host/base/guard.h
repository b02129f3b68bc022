/* Memory shortage without the end of the program.
 *
 * A function that allocates calls guard_shortage() when the system has no
 * memory left, and does not return.  Inside guard_call() this releases what was
 * held since guard_call() began, newest first, and makes it return false.
 * Elsewhere it prints a message and ends the program with exit status 1; stored
 * results are safe.
 *
 * Arenas, buffers, stores and LLVM's handles hold themselves.  A function that
 * has a file, or a parser of another library, open while it allocates holds it:
 *
 *	struct hold h;
 *
 *	guard_hold(&h, close_it, it);
 *	...
 *	guard_drop(&h);
 *	close_it(it);
 *
 * Guards are per thread.  No C++ object may live in the frames between
 * guard_call() and guard_shortage(): what C++ calls back has a guard of its
 * own. */
#ifndef BASE_GUARD_H
#define BASE_GUARD_H

#include "common/types.h"

/* What is released in a shortage.  Lives as long as the object, or until
 * guard_drop().  Zeroed, or dropped: it is not held. */
struct hold {
	struct hold *next, **link; /* link: what points here; NULL: not held */
	void (*release)(void *object);
	void *object;
};

/* Call work(context).  False: memory was short, and what work() allocated is
 * released.  What it allocated and did not free stays otherwise, and belongs to
 * the guard around this one, if any. */
bool guard_call(void (*work)(void *context), void *context);

NO_RETURN void guard_shortage(void);

/* Outside of any guard these do nothing. */
void guard_hold(struct hold *h, void (*release)(void *object), void *object);
void guard_drop(struct hold *h);

/* The hold itself has moved in memory, to `h`. */
void guard_moved(struct hold *h);

#endif
