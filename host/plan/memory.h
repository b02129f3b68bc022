/* Chains through addresses and through memory itself. */
#ifndef PLAN_MEMORY_H
#define PLAN_MEMORY_H

#include "host/experiment/experiment.h"

enum { MEMORY_MAX_EXPERIMENTS = 20 };

/* Can operand `dst` be the end of a chain from a register that is not part
 * of an address?  A form that reads and writes memory returns the old
 * content, which does not depend on its registers; a base that is written
 * back comes from the base. */
bool memory_allows(const struct form *form, int dst);

/* Does the form wait for nothing but the memory that it reads and writes, whose
 * places only bases tell apart?  There are few registers for these. */
bool memory_has_few_places(const struct form *form);

/* Is it measured how long its instances take if each waits for the one before
 * through a place in memory?  Forms whose instances go to other places by their
 * displacements otherwise, and that are not locked. */
bool memory_keeps_place(const struct catalogue *c, const struct form *form);

/* The experiments on a form's address and on store forwarding to it, with a
 * control if the form's throughput is another kernel or not `measured`.
 * Returns how many. */
size_t memory_experiments(const struct catalogue *c, const struct form *form,
			  bool measured,
			  struct experiment ret[MEMORY_MAX_EXPERIMENTS]);

/* Why no experiment goes from a form's address to its result `dst`. */
const char *memory_silence(const struct catalogue *c, const struct form *form,
			   int dst);

#endif
