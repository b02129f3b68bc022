/* Runs of a database: new ones, and old ones that are continued. */
#ifndef CAMPAIGN_RUNS_H
#define CAMPAIGN_RUNS_H

#include "host/campaign/campaign.h"
#include "host/store/store_run.h"

enum { RUNS_PACK_ID = 24 };

/* Describe a run of the campaign for the store, with the date; strings in
 * the campaign's arena. */
struct run runs_describe(struct campaign *c, const char *what);

/* The id of the campaign's pack, as text. */
void runs_pack_id(const struct campaign *c, char id[RUNS_PACK_ID]);

/* Store a new run with the campaign's kernels, and the reasons why
 * experiments have no kernel; sets run->id.  On failure the caller rolls the
 * store back. */
int runs_new(struct campaign *c, struct store *s, struct run *run,
	     struct err *e);

/* The same for one core of its board: sessions of the run go to that core. */
int runs_new_of_core(struct campaign *c, struct store *s, uint64_t core,
		     struct run *run, struct err *e);

/* Store the kernels that a run lacks: shards that were not merged yet.  On
 * failure the caller rolls the store back. */
int runs_complete(struct campaign *c, struct store *s, int64_t run,
		  struct err *e);

/* How to find a run. */
struct runs_query {
	const char *db;         /* name of the database, for messages */
	const struct run *like; /* board, ISA, what and forms */
	const char *pack;       /* its id, as text */
};

/* Find the newest run like q->like with the same pack that is of this core of
 * its board, finished or not; id 0 when there is none.  Strings in `a`. */
int runs_of_core(struct store *s, struct arena *a, const struct runs_query *q,
		 uint64_t core, struct run *ret, struct err *e);

/* Find the newest unfinished run like q->like; id 0 when there is none.
 * ERR_INPUT when it was measured with another pack.  Strings in `a`. */
int runs_unfinished(struct store *s, struct arena *a,
		    const struct runs_query *q, struct run *ret, struct err *e);

/* Find the newest run like q->like with the same pack, finished or not.
 * ERR_INPUT when there is none; the message names the nearest run. */
int runs_newest(struct store *s, struct arena *a, const struct runs_query *q,
		struct run *ret, struct err *e);

#endif
