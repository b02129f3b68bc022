/* Latency from one register to another that cannot be the same, and from and to
 * single flags.  No chain of one form alone leads back to where it began, so
 * others close the circle: bridges - forms of the ISA that move a value from
 * one bank to another - where the two are of different classes, carriers where
 * the form has its source or its result in a register of its own. */
#ifndef PLAN_GRAPH_H
#define PLAN_GRAPH_H

#include "host/plan/pairs.h"

/* Make the dependency cycle of a form's pair and one or two bridges, or
 * carriers if both ends are of one bank.  Returns NULL, or why the pair has
 * no chain: nothing leads back, or the form depends on itself through a
 * register of the pair that no carrier overwrites.  *ret_cuts: the other
 * dependencies, which helpers must cut. */
const char *graph_chain(const struct catalogue *c, const struct form *form,
			int src, int dst, struct experiment *ret,
			struct pair *ret_cuts);

/* The circle from a register of a form's address to a result, from there into
 * a general register, and to the address; as graph_chain(). */
const char *graph_address(const struct catalogue *c, const struct form *form,
			  int src, int dst, struct experiment *ret,
			  struct pair *ret_cuts);

/* A circle, with its helpers, that is longer than instances of its form wait
 * for each other anyway (struct isa_memory, locked): without that it does not
 * show. False: its form is none of those, or carriers lead back. */
bool graph_lengthen(const struct catalogue *c, const struct experiment *x,
		    struct experiment *ret);

/* The steps of a carrier; false when the catalogue cannot measure them. */
bool graph_carrier(const struct catalogue *c, const struct isa_carrier *k,
		   struct experiment *ret);

#endif
