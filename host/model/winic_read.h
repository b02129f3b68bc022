/* WINIC's YAML, read back: by the tests of the export, and to compare with
 * what others have measured. */
#ifndef MODEL_WINIC_READ_H
#define MODEL_WINIC_READ_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/isa/isa.h"

/* A value of the file.  Operands are named as in claims again: by LLVM's
 * index, or a register.  Strings live as long as the arena. */
struct winic_value {
	const char *form, *kind, *source, *destination;
	bool known; /* neither bound is null */
	double low, high;
	size_t line;
};

/* Read every document of n bytes.  `c` turns places of a form's operand list
 * into indices; NULL leaves them as they stand, as a form that `c` lacks
 * does.  ERR_INPUT names path and line. */
int winic_read(struct arena *a, const struct catalogue *c, const char *path,
	       const unsigned char *text, size_t n,
	       struct winic_value **ret_values, size_t *ret_n, struct err *e);

#endif
