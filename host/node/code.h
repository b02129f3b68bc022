/* Kernels: texts of host/isa/stream.h become machine code. */
#ifndef NODE_CODE_H
#define NODE_CODE_H

#include "host/isa/catalogue.h"
#include "host/isa/stream.h"
#include "host/node/node.h"

struct mc_parser;

/* One iteration. */
struct node_code {
	enum node_kind kind;
	const struct isa_width *width; /* NULL: latency */
	unsigned n_arrays;
	/* Of a scalable width: for each byte of a vector, until
	 * node_code_scale(). */
	uint32_t step;        /* bytes of each array */
	double per_iteration; /* bytes, operations, or loads */
	const unsigned char *body;
	size_t n_body;
	size_t n; /* of the body, the end of the loop and the return */
};

/* Can a kernel of this kind and width be made for the catalogue's CPU? */
bool node_code_exists(const struct catalogue *c, enum node_kind kind,
		      const struct isa_width *w);

/* Assemble a kernel for the catalogue's CPU; in the arena. */
struct node_assembler {
	struct arena *a;
	const struct catalogue *c;
	struct mc_parser *parser;
};
int node_code_make(const struct node_assembler *how, enum node_kind kind,
		   const struct isa_width *w, struct node_code *ret,
		   struct err *e);

/* Multiply step and per_iteration of a scalable kernel by the bytes of a
 * vector.  False, without a change, unless `bytes` is a power of two from 8 to
 * 256: the offset in an array is masked. */
bool node_code_scale(struct node_code *k, uint64_t bytes);

#endif
