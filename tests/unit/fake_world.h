/* Invented cores of RISC-V from text. */
#ifndef TESTS_UNIT_FAKE_WORLD_H
#define TESTS_UNIT_FAKE_WORLD_H

#include "host/fake/core.h"
#include "tests/unit/catalogue_load.h"

#define WIDE                                       \
	"isa = riscv64\nwidth = 4\nwindow = 256\n" \
	"ports = a b c d m l\n"
#define ALU "form ADDI?: ports=a|b|c|d\n"

static inline int parse(struct arena *a, const char *text, struct core *ret,
			struct err *e)
{
	return core_parse(a, "x.core", arena_strdup(a, text), strlen(text), ret,
			  e);
}

#endif
