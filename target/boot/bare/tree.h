/* Device tree queries of the runtime, over libfdt.  A tree is input: libfdt
 * checks every offset against the blob, so a damaged tree ends a search and no
 * access leaves the blob. */
#ifndef BOOT_BARE_TREE_H
#define BOOT_BARE_TREE_H

#include "target/boot/bare/uart.h"

/* A node is libfdt's offset, negative if absent; every function accepts an
 * absent node and returns "absent". */
enum { TREE_NONE = -1, TREE_ROOT = 0 };

/* Is this a device tree?  NULL, misplaced and foreign blobs are not. */
bool tree_check(const void *tree);

/* Can all nodes of the tree be read?  A damaged one would hide some: a device, or
 * memory that is in use. */
bool tree_is_whole(const void *tree);
#define TREE_DAMAGED "the firmware's device tree is damaged"

/* Bytes it occupies. */
uint32_t tree_bytes(const void *tree);

/* Node of an absolute path or an alias; a ':' ends it, as in stdout-path. */
int tree_find(const void *tree, const char *path);

/* The first node whose `compatible` has this word. */
int tree_with(const void *tree, const char *compatible);

/* Property as text: its first string, ended inside the property; or NULL. */
const char *tree_text(const void *tree, int node, const char *name);

/* Property of one or two cells; `otherwise` when absent or of other size. */
uint64_t tree_number(const void *tree, int node, const char *name,
		     uint64_t otherwise);

/* Does the list of strings `name` of the node hold `word`? */
bool tree_lists(const void *tree, int node, const char *name, const char *word);

/* The string of the root's `compatible` that names a chip of this family, or
 * NULL: it is `family` or begins with it, and no digit follows.  Vendors spell
 * one chip in several ways: "spacemit,k1", "spacemit,k1-x", "spacemit,k1x". */
const char *tree_chip(const void *tree, const char *family);

/* Is the node enabled? */
bool tree_enabled(const void *tree, int node);

/* Address of entry `i` of `reg`, as the CPU sees it.  Buses on the way must map
 * one to one (an empty `ranges`); 0 otherwise, and if there is no such
 * entry. */
uint64_t tree_address(const void *tree, int node, int i);

struct tree_region {
	uint64_t from, bytes;
};

/* The i-th region of main memory, and the i-th that is in use: all addresses, if the
 * tree says it in a way that cannot be read.  False behind the last. */
bool tree_memory_at(const void *tree, size_t i, struct tree_region *ret);
bool tree_reserved_at(const void *tree, size_t i, struct tree_region *ret);

/* Bytes of main memory, 0 if unknown. */
uint64_t tree_memory(const void *tree);

/* The UART that /chosen/stdout-path names. */
struct uart tree_uart(const void *tree);

#endif
