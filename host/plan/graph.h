/* Latency from a register to one that cannot be the same, and from and to
 * single flags.  A chain of one form does not lead back to its start, so other
 * forms close the latency cycle: between classes bridges, forms of the ISA that
 * move a value from one bank to another; within a bank carriers, if the form's
 * source or result is in a register of its own. */
#ifndef PLAN_GRAPH_H
#define PLAN_GRAPH_H

#include "host/isa/carrier.h"
#include "host/plan/pairs.h"

/* Make the latency cycle of a form's pair and one or two bridges, or
 * carriers if both ends are of one bank.  Returns NULL, or why the pair has
 * no chain: nothing leads back, or the form depends on itself through a
 * register of the pair that no carrier overwrites.  *ret_cuts: the other
 * dependencies, which helpers must cut. */
const char *graph_chain(const struct catalogue *c, const struct form *form,
			int src, int dst, struct experiment *ret,
			struct pair *ret_cuts);

/* The latency cycle from a register of a form's address to a result, from there
 * into a general register, and back to the address; as graph_chain(). */
const char *graph_address(const struct catalogue *c, const struct form *form,
			  int src, int dst, struct experiment *ret,
			  struct pair *ret_cuts);

/* A latency cycle, with its helpers, that is longer than the wait between
 * instances of its form (struct isa_memory, locked); a shorter one is hidden.
 * False: the form is not locked, or carriers lead back. */
bool graph_lengthen(const struct catalogue *c, const struct experiment *x,
		    struct experiment *ret);

/* The steps of a carrier; false when the catalogue cannot measure them. */
bool graph_carrier(const struct catalogue *c, const struct isa_carrier *k,
		   struct experiment *ret);

#endif
