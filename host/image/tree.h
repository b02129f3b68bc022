/* The device tree of a board whose file describes its devices. */
#ifndef IMAGE_TREE_H
#define IMAGE_TREE_H

#include "host/base/devices.h"
#include "host/base/file.h"

/* Make the tree, a flattened one of version 17 ("Devicetree Specification" 0.4,
 * chapter 5).  It has what the runtime reads of a firmware's tree: the chip,
 * the first hart, the rate of `time`, and the devices. */
void tree_build(const struct devices *d, const char *board, struct buffer *ret);

#endif
