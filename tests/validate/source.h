/* The model that `validate` and `mixes` are given as two words. */
#ifndef TESTS_VALIDATE_SOURCE_H
#define TESTS_VALIDATE_SOURCE_H

#include <string.h>

#include "host/import/import.h"

/* kind: "db" (value: a database), "model" (a file) or "cpu" (a CPU of LLVM's
 * tables). */
static inline struct model_source source_of(const char *kind, const char *value)
{
	struct model_source source = { 0 };

	if (strcmp(kind, "db") == 0)
		source.db = value;
	else if (strcmp(kind, "model") == 0)
		source.file = value;
	else
		source.cpu = value;
	return source;
}

#endif
