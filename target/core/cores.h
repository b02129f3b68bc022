/* The cores that run the pack, one after another: those of the option `core`, or
 * those that a host asks for by `hello core=N`. */
#ifndef CORE_CORES_H
#define CORE_CORES_H

#include "common/wire.h"

/* The core of the next session; false: there is none. */
bool cores_next(uint64_t *ret);

/* The session of this core begins: is it one to leave out, because a core of
 * its kind had one? */
bool cores_leave_out(void);

/* Is this session the last one of the option's? */
bool cores_is_last(void);

/* A host asks for a core.  From then on there are no sessions but those that it
 * asks for; where the core does not start, the one before goes on. */
void cores_ask(uint64_t core);

/* Add to INFO the number of this core, and where there are others those of all as
 * ranges ("0-3,8"), its kind, and the core that booted if this is another one. */
void cores_describe(struct wire_line *w);

/* Add to a record the number of this core, unless it is the one that booted. */
void cores_mark(struct wire_line *w);

#endif
