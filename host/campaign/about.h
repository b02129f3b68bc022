/* What an image says of itself: fields of INFO that name the request it was
 * made from (common/wire.md).  `import` makes the same campaign of them, so that
 * a recorded log is a run like any other. */
#ifndef CAMPAIGN_ABOUT_H
#define CAMPAIGN_ABOUT_H

#include "host/campaign/campaign.h"
#include "host/link/link.h"

/* Append the fields, each a key and a value with a 0 behind it, and an empty
 * key; at most `room` bytes in all.  A field that does not fit is left out:
 * then the image measures the same, and its log does not say what it is. */
void about_write(const struct campaign *c, size_t room, struct buffer *ret);

/* The request that the image of a log was made from.  A log may say anything:
 * ERR_INPUT if a field is malformed, or the board is none of `share`'s and of
 * the user's.  `board`: the one that the user names, or a folder; NULL: none.
 * ERR_USAGE if there is no such board, or if the log names another one.
 * ret->board is NULL if neither names one; if only the user does, the rest of
 * the request is not known.  Strings in `a`. */
int about_read(struct arena *a, const struct link_log *log, const char *share,
	       const char *board, struct campaign_request *ret, struct err *e);

#endif
