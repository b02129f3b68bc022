/* Files the link needs, in a folder of their own that goes when we go. */
#ifndef CLI_WORKSPACE_H
#define CLI_WORKSPACE_H

#include "host/cli/campaign.h"
#include "host/link/link.h"

struct workspace {
	char *folder;
	char *pack;
	char *image; /* NULL when the board boots none */
};

/* An empty folder; then, as often as it changes, the campaign's pack and the
 * image that boots it. */
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
