/* Models of other tools, read into the one struct of host/model. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "host/isa/isa.h"
#include "host/model/model.h"

/* LLVM's scheduling model of a CPU, an LLVM name or "native".  Owned by `a`,
 * names point into `c`.  ERR_INPUT when LLVM has none. */
int import_llvm(struct arena *a, const struct catalogue *c, const char *cpu,
		struct model **ret, struct err *e);

#endif
