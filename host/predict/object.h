/* Programs from object files. */
#ifndef PREDICT_OBJECT_H
#define PREDICT_OBJECT_H

#include "host/predict/program.h"

/* Is it one? */
bool object_is(const unsigned char *bytes, size_t n);

/* All code of the file with its names; what is no instruction is one that
 * nobody knows.  ERR_INPUT when it is damaged or of another ISA. */
int program_from_object(struct arena *a, const struct catalogue *c,
			const char *name, const unsigned char *bytes, size_t n,
			struct program *ret, struct err *e);

#endif
