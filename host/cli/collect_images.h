/* A search for ports over a line that only brings what the board prints. */
#ifndef CLI_COLLECT_IMAGES_H
#define CLI_COLLECT_IMAGES_H

#include "host/campaign/port_search.h"
#include "host/link/console.h"

struct collect_images {
	/* Its `tty` is the line, unless it is a console's. */
	struct campaign_request *q;
	/* Opened once the first image is there; command NULL: none. */
	const struct console_request *console;
	const char *path; /* where each image is written */
};

/* Write the next image of the search, wait until the line brings its whole log, and
 * store that; and so on until the search ends, whose result is printed.  A reset
 * command runs after each image is written; without one a notice asks for the boot.
 * The log of another image is dropped with a notice.  ERR_INTERRUPTED by Ctrl-C:
 * what was stored stays, and the same call goes on.  ERR_FAILED if the line fails;
 * others as port_search_image(), imported_store() and console_open(). */
int collect_images(const struct collect_images *x, struct arena *a,
		   struct err *e);

#endif
