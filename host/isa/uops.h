/* An instruction as uops.info's `string` names it, in so far as an instruction
 * set has rules of its own for that. */
#ifndef ISA_UOPS_H
#define ISA_UOPS_H

#include "host/isa/catalogue.h"

enum { UOPS_SPELLING_ROOM = 64 };

struct uops_spelling {
	char name[UOPS_SPELLING_ROOM];  /* ADD */
	char marks[UOPS_SPELLING_ROOM]; /* _01 */
	const char *last;  /* what stands behind the operands: CL; or NULL */
	bool far;          /* a label is 32 bits away */
	bool without_last; /* the last operand is in the name */
	bool only_first;   /* the marks tell the others */
};

#endif
