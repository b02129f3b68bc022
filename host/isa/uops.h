/* Parts of uops.info's `string` that follow rules of one instruction set. */
#ifndef ISA_UOPS_H
#define ISA_UOPS_H

#include "host/isa/catalogue.h"

enum { UOPS_SPELLING_ROOM = 64 };

struct uops_spelling {
	char name[UOPS_SPELLING_ROOM];  /* ADD */
	char marks[UOPS_SPELLING_ROOM]; /* _01 */
	const char *last;  /* text after the last operand: CL; or NULL */
	bool far;          /* the offset of a label has 32 bits */
	bool without_last; /* the last operand is in the name */
	bool only_first;   /* print one operand; the marks describe the rest */
};

#endif
