/* Candidates for classes: shared by classes.c, which finds the classes, and
 * representatives.c, which chooses the form that stands for each. */
#ifndef PORTS_CLASSES_H
#define PORTS_CLASSES_H

#include "host/ports/infer.h"

/* A form that may be one uop on `size` ports. */
struct class_candidate {
	uint32_t form;
	unsigned size;
	uint16_t rank;
	bool left; /* left to the saturation kernels */
};

/* Widest first; of one size the best rank first. */
struct class_list {
	size_t n;
	struct class_candidate *c;
};

/* Does the candidate belong to no class yet? */
bool classes_is_open(const struct infer *in, const struct class_candidate *c);

/* Choose a representative among the open candidates of the first one's size,
 * and swap it with the first one.  If none is steady, the first one stays in
 * place, and is marked `left` if it is slower in long kernels. */
int representatives_choose(struct infer *in, struct class_list *l,
			   size_t first);

#endif
