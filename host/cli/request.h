/* Arguments of commands that measure: a request of host/campaign, and the line
 * of the board. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "host/campaign/campaign.h"
#include "host/cli/cli.h"
#include "host/link/listen.h"

struct request_args {
	struct campaign_request q;
	const char *variants, *shard;
	bool x87;
};

/* Complete r->q, but for a budget and a stop flag; strings that are no
 * arguments are in `a`.  ERR_USAGE as families_parse(), shard_parse(), or if
 * --resume has no database. */
int request_fill(struct request_args *r, struct arena *a, struct err *e);

/* Without --db: a database of its own in a new folder, which is below TMPDIR.  Call it
 * before request_fill().  *ret_folder: for folder_close(), NULL with --db; in `a`.
 * ERR_SYSTEM as folder_open(). */
int request_own_db(struct request_args *r, struct arena *a,
		   const char **ret_folder, struct err *e);

/* Fail early if the board needs an option that says where it is, or its line
 * cannot be opened; begin to listen to it.  *ret: closed with listen_close(),
 * NULL without --tty.  `a` outlives it. */
int request_listen(const struct campaign_request *q, struct arena *a,
		   struct listener **ret, struct err *e);

/* Print a text about the board on stderr; from any thread. */
void request_notice(const char *text);

/* Warn on stderr about what limits `n_cores` cores of this machine: a quota, a
 * cpuset, a container; 0: all that it may use.  Silent if the board is not this
 * machine. */
void request_warn_limits(const struct campaign *c, size_t n_cores);

/* Say that --resume found no run. */
void request_no_old_run(void);

#endif
