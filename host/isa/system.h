/* Variants of system instructions, the family `system`: an allow-list of each
 * instruction set, of what leaves the machine as it was.  Barriers and reads of
 * registers have no more to restore; writes write what is there; cache maintenance
 * is for lines of the kernel's own memory.  Those that need a privilege fault in a
 * process, and that is their result.
 *
 * An instruction on a line has a row for each state of the line:
 *
 *	again	nothing in front: as the instruction before left it
 *	read	a load of the line in front
 *	dirty	a store to the line in front */
#ifndef ISA_SYSTEM_H
#define ISA_SYSTEM_H

#include "host/isa/variant.h"

/* variant.shape of the family. */
enum system_shape {
	SYSTEM_PLAIN,
	SYSTEM_AGAIN,
	SYSTEM_READ,
	SYSTEM_DIRTY,
	SYSTEM_STATE, /* an area of up to a page in the kernel's memory */
};

#define SYSTEM_UNCHAINED "only the time of a system instruction is measured"

/* Rows of a table: the opcode, the suffix, and the number that says which
 * register, barrier or operation; 0 where there is one only. */
#define SYSTEM_SHAPED(opcode, word, kind, what)                      \
	VARIANT(NAMES(opcode), NULL, word, SYSTEM, .reshapes = true, \
		.shape = kind, .number = what, .unchained = SYSTEM_UNCHAINED)
#define SYSTEM(opcode, word, what) \
	SYSTEM_SHAPED(opcode, word, SYSTEM_PLAIN, what)
/* Three rows; `prefix` is a string, "" or with a comma at its end. */
#define SYSTEM_LINES(opcode, prefix, what)                               \
	SYSTEM_SHAPED(opcode, prefix "again", SYSTEM_AGAIN, what),       \
		SYSTEM_SHAPED(opcode, prefix "read", SYSTEM_READ, what), \
		SYSTEM_SHAPED(opcode, prefix "dirty", SYSTEM_DIRTY, what)

/* Is the form of this family? */
static inline bool system_is(const struct form *f)
{
	return form_family(f) == FAMILY_SYSTEM;
}

/* Does it access an area for the state of units? */
static inline bool system_is_state(const struct form *f)
{
	return system_is(f) && f->variant->shape == SYSTEM_STATE;
}

#endif
