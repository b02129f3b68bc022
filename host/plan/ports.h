/* Which forms a search for ports goes through. */
#ifndef PLAN_PORTS_H
#define PLAN_PORTS_H

#include "host/plan/plan.h"

struct plan_ports_form {
	const struct form *form;
	/* How well instances of it stand beside others: 0 takes nothing but
	 * the front end, 1 reads nothing that it writes, 2 does, 3 accesses
	 * memory. */
	uint8_t rank;
};

/* Measurable forms whose instances can be independent of each other, sorted by
 * name; the ISA's filler always among them.  Owned by `a`.  *ret_left:
 * forms that matched and depend on themselves.
 * families: as in plan_request.  ERR_USAGE, ERR_INPUT as
 * plan_make(). */
int plan_ports(struct arena *a, const struct catalogue *c, const char *forms,
	       uint32_t families, struct plan_ports_form **ret, size_t *ret_n,
	       size_t *ret_left, struct err *e);

#endif
