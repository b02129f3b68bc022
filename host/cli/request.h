/* Converts options into a request of host/campaign. */
#ifndef CLI_REQUEST_H
#define CLI_REQUEST_H

#include "host/campaign/campaign.h"
#include "host/cli/cli.h"

/* Fill *ret from the options, without a budget and a stop flag; strings are the
 * options' or in `a`.  ERR_USAGE as options_families(). */
int request_fill(const struct options *o, struct arena *a,
		 struct campaign_request *ret, struct err *e);

/* Print a text about the board on stderr; from any thread. */
void request_notice(const char *text);

/* Warn on stderr about what limits `n_cores` cores of this machine: a quota,
 * a cpuset, a container; 0: all that it may use.  Silent if the board is not this machine. */
void request_warn_limits(const struct campaign *c, size_t n_cores);

/* Say that --resume found no run. */
void request_no_old_run(void);

#endif
