/* The forms of a port search. */
#ifndef PLAN_PORTS_H
#define PLAN_PORTS_H

#include "host/plan/pairs.h"
#include "host/plan/plan.h"

struct plan_ports_form {
	const struct form *form;
	/* How well the form suits mixes; 0 is best.
	 *	0  the filler: needs only the front end
	 *	1  reads no register that it writes
	 *	2  reads one, preserves the upper half of one, or writes only a
	 *	   part of one
	 *	3  only accesses memory, 4 bytes or more
	 *	4  any other access of memory; or has breakers */
	uint8_t rank;
	uint8_t n_read; /* registers, except those of addresses */
	/* Reads or writes GPRs or vector registers that it cannot choose.  It
	 * may depend on other forms that write them, and on itself. */
	bool has_fixed;
	/* Some cores execute it in the renamer, without a port: a move from
	 * register to register, an idiom whose sources are one register, or an
	 * instruction without result. */
	bool may_eliminate;
	/* Which other forms can be in one kernel with it: SHARE_NARROW cannot
	 * with SHARE_WIDE and SHARE_WIDEST, all others can.  SHARE_WIDEST is
	 * apart because such forms are PORTS_CLOSES on some cores. */
	enum plan_ports_share {
		SHARE_ALL,    /* none of the following */
		SHARE_NARROW, /* legacy SSE */
		SHARE_WIDE,   /* vectors of more than 16 bytes */
		SHARE_WIDEST, /* vectors of 64 bytes */
		SHARE_SELDOM, /* of isa->seldom: represents no others */
		N_SHARES
	} share;
	/* Batches are finished one after the other; batch 0 has the most
	 * useful forms (port_batches.c). */
	uint16_t batch;
	/* Instructions before every instance that cut its dependencies, in the
	 * order of form_carried(); indices into the list. */
	size_t n_breakers;
	uint32_t breakers[PAIR_MAX_CUTS];
};

/* The forms of a search. */
struct plan_ports_list {
	/* Measurable forms whose instances are independent, alone or with
	 * breakers, sorted by name; always includes the ISA's filler, its move
	 * and the breakers. */
	struct plan_ports_form *forms;
	size_t n;
	size_t n_left; /* matching forms that no breaker makes independent */
};

/* List the forms whose names match an expression (NULL: all).  families: as in
 * plan_request, the default set without the x87.  ret->forms belongs to `a`.
 * ERR_USAGE, ERR_INPUT as plan_make(). */
int plan_ports(struct arena *a, const struct catalogue *c, const char *forms,
	       uint64_t families, struct plan_ports_list *ret, struct err *e);

/* Set the batches of n forms.  Breakers, filler and move are in batch 0; so are
 * all forms if there are fewer than 1,200. */
void plan_port_batches(struct arena *a, const struct catalogue *c,
		       struct plan_ports_form *forms, size_t n);

#endif
