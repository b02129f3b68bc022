/* What the link works with: files in a temporary folder, and cores. */
#ifndef CAMPAIGN_WORKSPACE_H
#define CAMPAIGN_WORKSPACE_H

#include "host/campaign/campaign.h"
#include "host/link/link.h"

struct workspace {
	const char *folder;
	char *pack;
	char *image; /* NULL when the board boots none */
	uint32_t cores[LINK_MAX_CORES];
	size_t n_cores; /* 0: one, wherever it starts */
};

/* Make an empty folder and choose the cores that may measure at once.
 * ERR_USAGE when the board has fewer than the request asks for. */
int workspace_make(struct campaign *c, struct workspace *w, struct err *e);

/* Write the campaign's pack, and the image that boots it, into the folder; to
 * be repeated when the pack changes. */
int workspace_fill(struct campaign *c, const struct workspace *w,
		   struct err *e);

/* Remove the folder; also after a failure of workspace_make(). */
void workspace_remove(const struct workspace *w);

/* What a session asks of the link. */
struct link_request workspace_request(struct campaign *c,
				      const struct workspace *w);

/* The date and time, "2024-01-31T12:00:00Z", in `a`. */
char *workspace_now(struct arena *a);

#endif
