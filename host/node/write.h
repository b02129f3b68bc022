/* Results as text, CSV, JSON and a plot. */
#ifndef NODE_WRITE_H
#define NODE_WRITE_H

#include "host/base/file.h"
#include "host/node/node.h"

void node_text(struct buffer *b, const struct node_result *r);
void node_csv(struct buffer *b, const struct node_result *r);
void node_json(struct buffer *b, const struct node_result *r);

/* SVG: a panel per level and for flops and clock, a line per kernel, over the
 * active cores; bars are the spread. */
void node_svg(struct buffer *b, const struct node_result *r);

#endif
