/* What LLVM requires of every scheduling model of a target: a resource for each
 * of these writes, an advance for each of these reads.  An export marks those
 * that the model does not have as unsupported. */
#ifndef CODEC_LLVM_SCHED_NAMES_H
#define CODEC_LLVM_SCHED_NAMES_H

#include "host/isa/isa.h"

/* Names, blanks between. */
struct sched_names {
	const char *isa;
	const char *writes;
	const char *reads;
	/* LLVM's multiclasses that mark a whole extension as unsupported. */
	const char *multiclasses;
};

/* Those of an instruction set; NULL: they are not known. */
const struct sched_names *sched_names_of(const struct isa *isa);

#endif
