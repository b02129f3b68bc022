#include "host/cli/board_cores.h"

#include <stdlib.h>
#include <string.h>

#include "host/campaign/rounds.h"
#include "host/campaign/workspace.h"
#include "host/store/store.h"

static int ask(struct campaign *c, bool attached, struct link_cores *ret,
	       struct err *e)
{
	struct workspace w = { .folder = NULL };
	struct rounds_request q = { .campaign = c,
				    .workspace = &w,
				    .attached = attached };
	struct store *s;

	if (store_open(c->request->db, true, &s, e) != ERR_OK)
		return e->code;
	q.store = s;
	if (workspace_make(c, &w, e) == ERR_OK &&
	    workspace_fill(c, &w, e) == ERR_OK)
		(void)rounds_find_cores(
			&q, strcmp(c->board->core, "each-kind") == 0, ret, e);
	workspace_remove(&w);
	store_close(s);
	return e->code;
}

int board_cores(struct campaign *c, bool attached, struct link_cores *ret,
		struct err *e)
{
	const char *core = c->board->core;

	*ret = (struct link_cores){ .n = 0 };
	if (*core == '\0')
		return ERR_OK;
	if (*core < '0' || *core > '9')
		return ask(c, attached, ret, e);
	ret->cores[ret->n++] = strtoull(core, NULL, 10);
	return ERR_OK;
}
