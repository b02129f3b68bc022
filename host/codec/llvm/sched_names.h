/* What LLVM requires of every scheduling model of a target: a resource for each
 * of these writes, an advance for each of these reads.  An export marks those
 * that the model does not have as unsupported. */
#ifndef CODEC_LLVM_SCHED_NAMES_H
#define CODEC_LLVM_SCHED_NAMES_H

#include "host/isa/isa.h"

/* An extension whose writes and reads LLVM marks as unsupported by one
 * multiclass.  `names` are blanks between; one stands for those of each grouping
 * of vectors, too, and a last '*' for any that begins so.  The first extension
 * that has a name counts. */
struct sched_extension {
	const char *multiclass;
	const char *feature; /* a predicate of UnsupportedFeatures */
	const char *names;
};

/* Names, blanks between. */
struct sched_names {
	const char *isa;
	const char *writes;
	const char *reads;
	/* Of a target whose models give costs by write; else an InstRW for each
	 * cost names opcodes, and this is NULL.  A multiclass of NULL ends the
	 * list. */
	const struct sched_extension *extensions;
};

/* sched_extensions.c */
extern const struct sched_extension sched_riscv64[];

/* Those of an instruction set; NULL: they are not known. */
const struct sched_names *sched_names_of(const struct isa *isa);

#endif
