/* Memory shortage; see guard.h.  The holds of a guard are a list, newest
 * first. */
#include "host/base/guard.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct guard {
	jmp_buf back;
	struct hold *holds;
	struct guard *outer;
};

/* Per thread, so that a library's users need not know of each other. */
static _Thread_local struct guard *innermost;

/* What is still held belongs to the guard around `g` now, in the same order. */
static void hand_over(struct guard *g)
{
	struct hold **end = &g->holds;

	if (!g->holds)
		return;
	if (!g->outer) {
		while (g->holds)
			guard_drop(g->holds);
		return;
	}
	while (*end)
		end = &(*end)->next;
	*end = g->outer->holds;
	if (*end)
		(*end)->link = end;
	g->outer->holds = g->holds;
	g->holds->link = &g->outer->holds;
}

bool guard_call(void (*work)(void *context), void *context)
{
	struct guard g = { .outer = innermost };

	innermost = &g;
	if (setjmp(g.back) != 0) {
		innermost = g.outer;
		return false;
	}
	work(context);
	innermost = g.outer;
	hand_over(&g);
	return true;
}

void guard_shortage(void)
{
	struct guard *g = innermost;

	if (!g) {
		(void)fputs("anechoic: out of memory\n", stderr);
		exit(1);
	}
	while (g->holds) {
		struct hold *h = g->holds;

		guard_drop(h);
		h->release(h->object);
	}
	longjmp(g->back, 1);
}

void guard_hold(struct hold *h, void (*release)(void *object), void *object)
{
	*h = (struct hold){ .release = release, .object = object };
	if (!innermost)
		return;
	h->next = innermost->holds;
	h->link = &innermost->holds;
	guard_moved(h);
}

void guard_drop(struct hold *h)
{
	if (!h->link)
		return;
	*h->link = h->next;
	if (h->next)
		h->next->link = h->link;
	h->next = NULL;
	h->link = NULL;
}

void guard_moved(struct hold *h)
{
	if (h->link)
		*h->link = h;
	if (h->next)
		h->next->link = &h->next;
}
