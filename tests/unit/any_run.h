/* A run for tests that depend on its ISA and clock alone. */
#ifndef TESTS_UNIT_ANY_RUN_H
#define TESTS_UNIT_ANY_RUN_H

#include "host/store/store_run.h"

static inline struct run any_run(const char *isa, enum clock clock)
{
	return (struct run){ .board = "fake",
			     .isa = isa,
			     .cpu = "",
			     .clock = clock,
			     .what = "",
			     .forms = "",
			     .tool = "0.1",
			     .date = "" };
}

#endif
