/* Code around an instance that a form needs in every op.  A branch needs a
 * target, an indirect branch an address in its register, a call a function that
 * returns, a gather a full mask. */
#ifndef ISA_SURROUND_H
#define ISA_SURROUND_H

#include "common/types.h"

struct catalogue;
struct instance;

enum { SURROUND_ROOM = 64 };

/* Directly before and behind the bytes of an instance. */
struct surround {
	size_t n_before, n_behind; /* bytes */
	uint32_t n_instructions;   /* executed in addition to the instance */
	unsigned char before[SURROUND_ROOM], behind[SURROUND_ROOM];
};

/* How an instruction set branches and calls; functions of struct isa. */
struct isa_surround {
	/* The code around an instance of `n` bytes; the caller zeroes *ret. */
	void (*around)(const struct catalogue *c, const struct instance *i,
		       size_t n, struct surround *ret);

	/* Does the form call the stub, or refer to it otherwise? */
	bool (*calls)(const struct instance *i);

	/* Code before the first op of a kernel that calls: the stub, which
	 * returns at once or is a literal; a jump around it; and code that
	 * saves the link register.  *ret_stub: offset of the stub.  Returns
	 * bytes. */
	size_t (*stub)(const struct catalogue *c, const struct instance *i,
		       unsigned char *code, size_t room, size_t *ret_stub);

	/* The last immediate of a call of n bytes whose first byte is
	 * `distance` bytes after the stub's. */
	int64_t (*call_immediate)(const struct instance *i, size_t distance,
				  size_t n);

	/* Code at the start and at the end of each iteration of a kernel of
	 * these instances, which cannot be mixed with other forms; the caller
	 * zeroes *ret.  NULL: none. */
	void (*enclose)(const struct instance *i, struct surround *ret);

	/* Instances in the shortest loop of a form that jumps.  Small cores
	 * keep the targets of a dozen jumps; longer loops cost more, and are
	 * measured apart.  0: any length costs the same. */
	unsigned few;

	/* Make the end of a loop, n bytes, return although calls like this one
	 * replaced the link register; NULL if no call does. */
	void (*end)(const struct instance *i, unsigned char *code, size_t n);
};

/* variant.c: isa_surround.around of what families of variants have. */
void family_around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret);

#endif
