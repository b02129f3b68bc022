/* What the link works with: files in a folder of their own that goes when we
 * go, and cores. */
#ifndef CLI_WORKSPACE_H
#define CLI_WORKSPACE_H

#include "host/cli/campaign.h"
#include "host/link/link.h"

struct workspace {
	char *folder;
	char *pack;
	char *image; /* NULL when the board boots none */
	uint32_t cores[LINK_MAX_CORES];
	size_t n_cores; /* 0: one, wherever it starts */
};

/* An empty folder, and the cores that may measure at once (ERR_USAGE when the
 * board has fewer than the options ask for); then, as often as it changes, the
 * campaign's pack and the image that boots it. */
int workspace_make(struct campaign *c, const struct options *o,
		   struct workspace *w, struct err *e);
int workspace_fill(struct campaign *c, const struct workspace *w,
		   struct err *e);
void workspace_remove(const struct workspace *w);

/* What a session asks of the link, by the options. */
struct link_request workspace_request(struct campaign *c,
				      const struct options *o,
				      const struct workspace *w);

/* The date of a run. */
char *workspace_now(struct arena *a);

#endif
