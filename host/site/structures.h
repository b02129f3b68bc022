/* The structures of a core, from claims (host/view/finding.h), as HTML and SVG. */
#ifndef SITE_STRUCTURES_H
#define SITE_STRUCTURES_H

#include "host/view/claims.h"

/* Append a table with a row for each claim, and the curves as pictures; nothing
 * where there are none. */
void site_structures(struct buffer *b, const struct view_claims *claims);

/* Append the same as a page that stands alone; the curve over sizes as a file of
 * SVG. */
void site_structures_page(struct buffer *b, const struct view_claims *claims);
void site_structures_picture(struct buffer *b,
			     const struct view_claims *claims);

#endif
