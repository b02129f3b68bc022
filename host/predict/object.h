/* Read programs from object files. */
#ifndef PREDICT_OBJECT_H
#define PREDICT_OBJECT_H

#include "host/predict/program.h"

/* Do the bytes start an object file? */
bool object_is(const unsigned char *bytes, size_t n);

/* Decode all code of the file and collect its symbols. Bytes that do not decode
 * become an instruction without a form. ERR_INPUT when the file is damaged or
 * for another ISA. */
int program_from_object(struct arena *a, const struct catalogue *c,
			const char *name, const unsigned char *bytes, size_t n,
			struct program *ret, struct err *e);

#endif
