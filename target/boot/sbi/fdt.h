/* A reader of flattened device trees (Devicetree Specification 0.4, chapter
 * 5), for the handful of facts a runtime needs.
 *
 * libfdt would do this, but Debian packages it for the host only and its
 * source is in no small package.  Like libfdt this one trusts no offset: every
 * step is checked against the blob's bounds, so a torn blob ends a search
 * instead of leaving memory.  No allocation, no recursion. */
#ifndef BOOT_SBI_FDT_H
#define BOOT_SBI_FDT_H

#include "common/types.h"

struct fdt {
	const unsigned char *structure;
	uint32_t structure_bytes;
	const char *strings;
	uint32_t strings_bytes;
	uint32_t total_bytes;
};

/* A node is the offset of its token in the structure block. */
enum { FDT_ROOT = 0 };
#define FDT_NONE UINT32_MAX

/* Check the header; false if this is no device tree. */
bool fdt_open(const void *blob, struct fdt *ret);

/* First child, and the sibling after `child`; FDT_NONE at the end. */
uint32_t fdt_first_child(const struct fdt *f, uint32_t node);
uint32_t fdt_next_sibling(const struct fdt *f, uint32_t child);

/* The node's name with its unit address. */
const char *fdt_name(const struct fdt *f, uint32_t node);

/* Node of an absolute path or an alias; a ':' ends it, as in stdout-path. */
uint32_t fdt_find(const struct fdt *f, const char *path);

/* Value of a property, or NULL. */
const void *fdt_prop(const struct fdt *f, uint32_t node, const char *name,
		     uint32_t *ret_bytes);

/* Property as text: its first string, NUL-terminated inside the blob. */
const char *fdt_text(const struct fdt *f, uint32_t node, const char *name);

/* Property as one or two cells; `otherwise` when absent or of other size. */
uint64_t fdt_number(const struct fdt *f, uint32_t node, const char *name,
		    uint64_t otherwise);

/* Does the list of strings `name` of the node hold `word`? */
bool fdt_lists(const struct fdt *f, uint32_t node, const char *name,
	       const char *word);

/* First address in `reg` of the node at `path`, as the CPU sees it.  Buses on
 * the way must map one to one (an empty `ranges`); 0 otherwise. */
uint64_t fdt_address(const struct fdt *f, const char *path);

#endif
