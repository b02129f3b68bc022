/* What LLVM's targets ask of every scheduling model: resources of these writes,
 * and advances of these reads.  A model that has none of its own for an
 * instruction says that it is not supported. */
#ifndef ISA_SCHED_NAMES_H
#define ISA_SCHED_NAMES_H

/* Names, blanks between. */
struct isa_sched_names {
	const char *writes;
	const char *reads;
	/* Of LLVM's own that say so of a whole extension. */
	const char *multiclasses;
};

extern const struct isa_sched_names aarch64_sched_names;
extern const struct isa_sched_names riscv64_sched_names;
extern const struct isa_sched_names x86_64_sched_names;

#endif
