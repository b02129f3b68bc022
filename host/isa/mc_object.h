/* Object files, read with LLVM's Object library: code and symbols. */
#ifndef ISA_MC_OBJECT_H
#define ISA_MC_OBJECT_H

#include "common/types.h"
#include "host/base/err.h"

struct mc_section {
	uint64_t address;
	const unsigned char *bytes;
	size_t n;
	/* A linker may still move the section by multiples of this; 0: it will
	 * not. */
	uint64_t movable;
};

/* A symbol at a place in the last section passed; or a relocation: a place in
 * its code that the linker fills with the address of `name`,
 * "symbol+addend". */
struct mc_name {
	const char *name;
	uint64_t address;
	bool relocation;
	bool inside;     /* the section of the symbol that it refers to ... */
	uint64_t target; /* ... here */
};

/* Called for each section of code, then for its symbols.  A nonzero result ends
 * the reading and is returned. */
struct mc_object_sink {
	void *context;
	int (*section)(void *context, const struct mc_section *s);
	int (*name)(void *context, const struct mc_name *n);
};

/* Is it an object file, archive or image of any kind that LLVM knows? */
bool mc_object_is(const unsigned char *bytes, size_t n);

/* *ret_arch: LLVM's name of its architecture ("x86_64", "aarch64", "riscv64"),
 * a static string.  ERR_INPUT with `name` if the file is damaged or is not an
 * ELF file. */
int mc_object_read(const char *name, const unsigned char *bytes, size_t n,
		   const struct mc_object_sink *sink, const char **ret_arch,
		   struct err *e);

#endif
