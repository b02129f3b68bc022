/* Object files through LLVM's Object library: code and the names in it. */
#ifndef ISA_MC_OBJECT_H
#define ISA_MC_OBJECT_H

#include "common/types.h"
#include "host/base/err.h"

struct mc_section {
	uint64_t address;
	const unsigned char *bytes;
	size_t n;
	/* A linker may still move it, by multiples of this; 0: none will. */
	uint64_t movable;
};

/* A name for a place in the last section passed, or a place in its code that
 * the linker will fill with the address of `name`, "symbol+addend". */
struct mc_name {
	const char *name;
	uint64_t address;
	bool relocation;
	bool inside;     /* what it refers to lies in this section ... */
	uint64_t target; /* ... here */
};

/* Called for each section of code, then for its names; nonzero ends the
 * reading and is its result. */
struct mc_object_sink {
	void *context;
	int (*section)(void *context, const struct mc_section *s);
	int (*name)(void *context, const struct mc_name *n);
};

/* Is it an object file, archive or image of any kind that LLVM knows? */
bool mc_object_is(const unsigned char *bytes, size_t n);

/* *ret_arch: what it is for, as LLVM names it ("x86_64", "aarch64",
 * "riscv64"), a string that lives for ever.  ERR_INPUT with `name` when it is
 * damaged, or of another kind than ELF. */
int mc_object_read(const char *name, const unsigned char *bytes, size_t n,
		   const struct mc_object_sink *sink, const char **ret_arch,
		   struct err *e);

#endif
