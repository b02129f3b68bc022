/* Read WINIC's YAML, for the tests of the export and to compare with
 * measurements of others. */
#ifndef CODEC_WINIC_READ_H
#define CODEC_WINIC_READ_H

#include "host/codec/codec.h"

/* A value of the file. Operands are named as in claims, by LLVM's index or by
 * register. Strings belong to the arena. */
struct winic_value {
	const char *form, *kind, *source, *destination;
	bool known; /* neither bound is null */
	double low, high;
	size_t line;
};

struct winic_values {
	struct winic_value *list;
	size_t n;
};

/* Read every document. `c` converts positions in a form's operand list to
 * indices. With NULL, or for a form that `c` lacks, positions stay. *ret
 * belongs to `a`. ERR_INPUT names path and line; with `skips`, values that are
 * no cycles are left out. */
int winic_read(struct arena *a, const struct catalogue *c,
	       const struct import_text *t, struct skips *skips,
	       struct winic_values *ret, struct err *e);

#endif
