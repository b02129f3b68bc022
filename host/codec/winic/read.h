/* Read WINIC's YAML, for the tests of the export and to compare with
 * measurements of others. */
#ifndef CODEC_WINIC_READ_H
#define CODEC_WINIC_READ_H

#include "host/base/arena.h"
#include "host/base/skip.h"
#include "host/isa/catalogue.h"

/* A value of the file. Operands are named as in claims, by LLVM's index or by
 * register. Strings belong to the arena. */
struct winic_value {
	const char *form, *kind, *source, *destination;
	bool known; /* neither bound is null */
	double low, high;
	size_t line;
};

/* Read every document of n bytes. `c` converts positions in a form's operand
 * list to indices. With NULL, or for a form that `c` lacks, positions stay.
 * *ret_values belongs to `a`. ERR_INPUT names path and line; with `skips`, values
 * that are no cycles are left out. */
int winic_read(struct arena *a, const struct catalogue *c, const char *path,
	       const unsigned char *text, size_t n,
	       struct winic_value **ret_values, size_t *ret_n,
	       struct skips *skips, struct err *e);

#endif
