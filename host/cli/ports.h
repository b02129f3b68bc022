/* The port search on the command line: its options and its output. */
#ifndef CLI_PORTS_H
#define CLI_PORTS_H

#include "host/campaign/port_search.h"
#include "host/cli/request.h"

/* `anechoic measure --what ports`; budget: the word of --budget, or NULL. */
int ports_measure(struct request_args *r, const char *budget, struct err *e);

/* Repeat the port searches of a store and print what they find. */
int ports_solve(struct store *s, struct err *e);

/* Print what a search found. */
void ports_print(const struct port_search_result *r);

/* Write the next image of a search to the file `path`; `image` receives its bytes.
 * next->n_kernels is 0 if the search has ended: its result is printed then. */
int ports_next_image(struct campaign_request *q, const char *path,
		     struct buffer *image, struct port_search_next *next,
		     struct err *e);

#endif
