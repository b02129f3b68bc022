/* See request.h. */
#include "host/cli/request.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/board_places.h"
#include "host/base/folder.h"
#include "host/campaign/shard.h"
#include "host/isa/variant.h"
#include "host/machine/machine.h"

void request_notice(const char *text)
{
	(void)fprintf(stderr, "anechoic: %s\n", text);
}

int request_fill(struct request_args *r, struct arena *a, struct err *e)
{
	struct campaign_request *q = &r->q;

	q->share = share_folder(a);
	q->notice = request_notice;
	q->db = q->db ? q->db : "anechoic.db";
	if (q->resume && access(q->db, F_OK) != 0)
		return err_set(e, ERR_USAGE,
			       "--resume: %s does not exist; without --resume "
			       "a new run begins",
			       q->db);
	if (r->shard &&
	    shard_parse(r->shard, &q->shard, &q->n_shards, e) != ERR_OK)
		return e->code;
	if (families_parse(r->variants, &q->families, e) != ERR_OK)
		return e->code;
	q->families |= r->x87 ? UINT64_C(1) << FAMILY_X87 : 0;
	return ERR_OK;
}

int request_own_db(struct request_args *r, struct arena *a,
		   const char **ret_folder, struct err *e)
{
	*ret_folder = NULL;
	if (r->q.db)
		return ERR_OK;
	*ret_folder = folder_open(a, e);
	if (*ret_folder)
		r->q.db = arena_printf(a, "%s/own.db", *ret_folder);
	return e->code;
}

/* ---- the line ------------------------------------------------------------ */

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
			      "(examples/cores/README.md)",
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

int request_listen(const struct campaign_request *q, struct arena *a,
		   struct listener **ret, struct err *e)
{
	struct link_request *line = ARENA_NEW(a, struct link_request);

	*line = (struct link_request){
		.tty = q->tty,
		.console = q->console,
		.baud = q->baud,
		.reset_command = q->reset_command,
		.notice = request_notice,
	};

	if (!q->tty && (q->baud || q->reset_command))
		return err_set(e, ERR_USAGE,
			       "%s has no effect without --tty DEV",
			       q->baud ? "--baud" : "--reset-cmd");
	if (board_get(a, share_folder(a), q->board, q->isa, &line->board, e) !=
	    ERR_OK)
		return e->code;
	if (q->tty)
		return listen_open(line, ret, e);
	return check_core(line->board, q->core, e) == ERR_OK
		       ? check_transport(line->board, e)
		       : e->code;
}

/* ---- what is said -------------------------------------------------------- */

void request_warn_limits(const struct campaign *c, size_t n_cores)
{
	struct arena a = { 0 };
	struct machine m;

	if (!campaign_is_here(c))
		return;
	machine_read(&a, "", &m);
	for (const char *const *w =
		     machine_warnings(&a, &m, n_cores ? n_cores : m.allowed.n);
	     *w; w++)
		(void)fprintf(stderr, "anechoic: warning: %s\n", *w);
	arena_free(&a);
}

void request_no_old_run(void)
{
	(void)fprintf(stderr, "anechoic: no unfinished run like this one, "
			      "starting a new one\n");
}
