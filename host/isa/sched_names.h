/* What LLVM requires of every scheduling model of a target: a resource for each
 * of these writes, an advance for each of these reads.  An export marks those
 * that the model does not have as unsupported. */
#ifndef ISA_SCHED_NAMES_H
#define ISA_SCHED_NAMES_H

/* Names, blanks between. */
struct isa_sched_names {
	const char *writes;
	const char *reads;
	/* LLVM's multiclasses that mark a whole extension as unsupported. */
	const char *multiclasses;
};

extern const struct isa_sched_names aarch64_sched_names;
extern const struct isa_sched_names riscv64_sched_names;
extern const struct isa_sched_names x86_64_sched_names;

#endif
