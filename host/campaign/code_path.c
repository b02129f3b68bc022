/* The paths of own code, from a board that runs it; see snippet_path.h. */
#include <string.h>

#include "host/campaign/code.h"
#include "host/campaign/workspace.h"
#include "host/link/observe.h"

/* What is watched of each snippet, and the pack's kernel of its first jump. */
struct code_watch {
	struct snippet_watch watch;
	size_t first;
	bool failed; /* a kernel of it did not run to its end */
};

/* Boards that a program starts by itself, and that compute. */
static bool can_tell(const struct campaign *c)
{
	const char *transport = c->board->transport;

	return !c->request->tty && (strcmp(transport, "process") == 0 ||
				    strcmp(transport, "qemu") == 0);
}

/* Kernels of all jumps, in the pack. */
static int add_watches(struct campaign *c, struct mc_parser *parser,
		       struct code_watched *list, struct code_watch *watches,
		       size_t n, struct err *e)
{
	if (code_pack_begin(c, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		struct snippet_watch *w = &watches[i].watch;
		struct err why = { .code = ERR_OK, .message = "" };

		/* What cannot be watched has no path. */
		if (snippet_watch(&c->arena, list[i].request, list[i].snippet,
				  parser, w, &why) != ERR_OK)
			w->n = 0;
		watches[i].first = gen_n_kernels(c->gen);
		for (size_t k = 0; k < w->n; k++)
			if (gen_add_snippet(c->gen, parser,
					    &w->jumps[k].shifting,
					    e) != ERR_OK ||
			    gen_add_snippet(c->gen, parser,
					    &w->jumps[k].counting, e) != ERR_OK)
				return e->code;
	}
	return gen_finish(c->gen, &c->pack, e);
}

/* What the watching register holds behind a length of a kernel. */
static int observe(struct observer *o, struct code_watch *x, size_t kernel,
		   uint64_t length, uint64_t *ret, struct err *e)
{
	bool ok = true;

	if (x->failed)
		return ERR_OK;
	if (observer_run(o, &(struct observed_run){ kernel, length, 1 }, &ok,
			 e) != ERR_OK)
		return e->code;
	*ret = o->gpr[x->watch.reg];
	x->failed = !ok;
	return ERR_OK;
}

static int observe_jump(struct observer *o, struct code_watch *x, size_t k,
			struct err *e)
{
	enum { LAST = PACK_LENGTHS - 1 };
	struct snippet_jump *j = &x->watch.jumps[k];
	size_t kernel = x->first + 2 * k;

	return observe(o, x, kernel, 0, &j->first, e) == ERR_OK &&
			       observe(o, x, kernel, LAST, &j->last, e) ==
				       ERR_OK
		       ? observe(o, x, kernel + 1, LAST, &j->taken, e)
		       : e->code;
}

/* The board starts again behind code that ended it. */
static int observe_all(struct campaign *c, const struct workspace *w,
		       struct code_watch *watches, size_t n, struct err *e)
{
	const struct transport *t = NULL;
	struct link_request request = workspace_request(c, w);
	struct observer *o = ARENA_NEW(&c->arena, struct observer);

	request.cpu = LINK_ANY_CPU;
	if (transport_of(c->board, NULL, &t, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		struct err why = { .code = ERR_OK, .message = "" };

		if (watches[i].watch.n > 0 && !o->open &&
		    observer_open(o, &c->arena, t, &request, e) != ERR_OK)
			break;
		for (size_t k = 0; k < watches[i].watch.n && !watches[i].failed;
		     k++)
			if (observe_jump(o, &watches[i], k, &why) != ERR_OK) {
				watches[i].failed = true;
				observer_close(o);
			}
	}
	observer_close(o);
	return e->code;
}

int code_paths(struct campaign *c, struct mc_parser *parser,
	       struct code_watched *list, size_t n, struct err *e)
{
	struct code_watch *watches =
		ARENA_ARRAY(&c->arena, struct code_watch, n + 1);
	struct workspace w = { .folder = NULL };
	size_t n_watched = 0;

	for (size_t i = 0; i < n; i++)
		list[i].path =
			(struct snippet_path){ .state = SNIPPET_PATH_UNKNOWN };
	if (add_watches(c, parser, list, watches, n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		n_watched += watches[i].watch.n;
		if (watches[i].watch.plain)
			list[i].path = snippet_path(&c->arena, list[i].snippet,
						    &watches[i].watch);
	}
	if (n_watched == 0 || !can_tell(c))
		return ERR_OK;
	if (workspace_make(c, &w, e) == ERR_OK &&
	    workspace_fill(c, &w, e) == ERR_OK)
		(void)observe_all(c, &w, watches, n, e);
	workspace_remove(&w);
	for (size_t i = 0; i < n && e->code == ERR_OK; i++)
		if (watches[i].watch.n > 0 && !watches[i].failed)
			list[i].path = snippet_path(&c->arena, list[i].snippet,
						    &watches[i].watch);
	return e->code;
}
