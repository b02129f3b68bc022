/* Units, shared by units.c, which finds them, and units_inside.c, which places
 * them inside known sets of ports. */
#ifndef PORTS_UNITS_H
#define PORTS_UNITS_H

#include "host/ports/infer.h"

enum { UNITS_MAX = 24 };

/* Those that were found in all batches so far. */
struct units {
	size_t n;
	struct unit {
		uint32_t representative;
		double cycles;     /* of an instance of the representative */
		model_ports ports; /* ports in the answer */
		unsigned n_ports;
		bool real;
		/* Known set that contains the unit's ports; 0: none. */
		model_ports inside;
	} list[UNITS_MAX];
};

struct unit_candidate {
	uint32_t form;
	double cycles;
	int unit;
	size_t head; /* index of its representative in the list */
};

double units_n_uops(const struct form_state *f);

/* Set u->inside and u->ports where the n forms of the list that share `unit`
 * have no slot left for its uops: these are uops of a known set then. */
void units_find_inside(struct infer *in, const struct unit_candidate *list,
		       size_t n, int unit, struct unit *u);

/* Move a form's uses on the wider set to the unit. */
void units_move_uses(struct infer *in, const struct unit_candidate *c,
		     const struct unit *u);

#endif
