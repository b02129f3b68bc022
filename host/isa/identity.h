/* Which core a machine has, by the numbers that its maker gave it. */
#ifndef ISA_IDENTITY_H
#define ISA_IDENTITY_H

#include "host/isa/facts.h"

struct identified {
	/* LLVM's name: of the facts, else LLVM's own guess. */
	const char *cpu;
	const struct known_core *core; /* NULL: nothing is published here */
	/* No identity matches the numbers, or the core of a matching one lacks
	 * an instruction set that runs here: a hypervisor may replace the
	 * numbers. */
	bool doubtful;
	const char *says; /* the numbers in words, "GenuineIntel 6 167 1" */
};

struct seen_machine {
	const char *isa, *triple;
	struct core_identity numbers;
	const char *features; /* "+a,-b" */
	const char *guess;    /* LLVM's name, taken if no fact names one */
};

/* The core of a machine.  Its numbers come first.  Features refute a core that
 * lacks an instruction set which runs here; then it is the core of the same
 * vendor that differs least.  Owned by `a`. */
struct identified identify(struct arena *a, const struct known_cores *f,
			   const struct seen_machine *m);

/* This machine's. */
struct identified identify_host(struct arena *a);

/* LLVM's name of this machine's CPU into `name`, at most `room` bytes. */
void host_cpu(char *name, size_t room);

/* What is published about the core of a run, by its identity
 * ("x86_64/AuthenticAMD/25.1.1/...", docs/merge.md), or NULL. */
const struct known_core *facts_of_run(struct arena *a,
				      const struct known_cores *f,
				      const char *core);

/* Does the core of a run, by its identity, say that it is none of LLVM's CPU?
 * No if its numbers are not known, or if nothing is published about that
 * CPU. */
bool facts_contradict(struct arena *a, const struct known_cores *f,
		      const char *core, const char *llvm);

#endif
