/* See line.h. */
#include "host/cli/line.h"

#include <string.h>

#include "host/base/board_places.h"
#include "host/cli/request.h"

static bool has_transport(const struct board *b, const char *name)
{
	return strcmp(b->transport, name) == 0;
}

static int check_core(const struct board *b, const char *core, struct err *e)
{
	if (has_transport(b, "fake") == !!core)
		return ERR_OK;
	return err_set(e, ERR_USAGE,
		       core ? "--core has no effect on board '%s'; "
			      "it is for board 'fake'"
			    : "board '%s' needs --core FILE, the invented core "
			      "(docs/fake-core.md)",
		       b->name);
}

/* Can this machine start the board? */
static int check_transport(const struct board *b, struct err *e)
{
	const struct transport *transport;

	if (!has_transport(b, "serial") && !has_transport(b, "none"))
		return transport_of(b, NULL, &transport, e);
	return err_set(e, ERR_USAGE,
		       "board '%s' needs --tty DEV, its serial line; "
		       "without a line: make an image ('anechoic image "
		       "--board %s -o FILE'), boot it "
		       "(boards/%s/README.md), record its console and read "
		       "the log with 'anechoic import'",
		       b->name, b->name, b->name);
}

int line_open(const struct options *o, struct line *ret, struct err *e)
{
	struct line *l = ret;

	*l = (struct line){ .listener = NULL };
	if (!o->tty && (o->baud || o->reset_command))
		return err_set(e, ERR_USAGE,
			       "%s has no effect without --tty DEV",
			       o->baud ? "--baud" : "--reset-cmd");
	l->request = (struct link_request){
		.tty = o->tty,
		.console = o->console,
		.baud = o->baud,
		.reset_command = o->reset_command,
		.notice = request_notice,
	};
	if (board_get(&l->arena, share_folder(&l->arena), o->board, o->isa,
		      &l->request.board, e) != ERR_OK)
		return e->code;
	if (o->tty)
		return listen_open(&l->request, &l->listener, e);
	return check_core(l->request.board, o->core, e) == ERR_OK
		       ? check_transport(l->request.board, e)
		       : e->code;
}

void line_close(struct line *l)
{
	listen_close(l->listener);
	arena_free(&l->arena);
}
