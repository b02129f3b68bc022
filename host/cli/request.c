/* See request.h. */
#include "host/cli/request.h"

#include <stdio.h>
#include <unistd.h>

#include "host/campaign/shard.h"
#include "host/machine/machine.h"

void request_notice(const char *text)
{
	(void)fprintf(stderr, "anechoic: %s\n", text);
}

int request_fill(const struct options *o, struct arena *a,
		 struct campaign_request *ret, struct err *e)
{
	struct campaign_request q = {
		.share = share_folder(a),
		.board = o->board,
		.isa = o->isa,
		.cpu = o->cpu,
		.forms = o->forms,
		.what = o->what,
		.core = o->core,
		.kernel_cycles = o->kernel_cycles,
		.once = o->once,
		.cores = o->cores,
		.tty = o->tty,
		.baud = o->baud,
		.reset_command = o->reset_command,
		.wake = o->wake,
		.console = o->console,
		.listener = o->listener,
		.notice = request_notice,
		.db = o->db ? o->db : "anechoic.db",
		.resume = o->resume,
	};

	if (q.resume && access(q.db, F_OK) != 0)
		return err_set(e, ERR_USAGE,
			       "--resume: %s does not exist; without --resume "
			       "a new run begins",
			       q.db);
	if (o->shard &&
	    shard_parse(o->shard, &q.shard, &q.n_shards, e) != ERR_OK)
		return e->code;
	if (options_families(o, &q.families, e) == ERR_OK)
		*ret = q;
	return e->code;
}

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
