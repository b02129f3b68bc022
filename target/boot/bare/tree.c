#include "target/boot/bare/tree.h"

#include <libfdt.h>
#include <string.h>

enum {
	ALIGNMENT = 8,
	MAX_DEPTH = 8, /* of buses between the root and a device */
	MAX_SHIFT = 3,
};

bool tree_check(const void *tree)
{
	return tree && (uintptr_t)tree % ALIGNMENT == 0 &&
	       fdt_check_header(tree) == 0;
}

bool tree_is_whole(const void *tree)
{
	int next = TREE_ROOT, depth = 0, at;
	uint32_t tag;

	while (next >= 0 && depth >= 0)
		next = fdt_next_node(tree, next, &depth);
	if (next < 0)
		return false;
	/* Behind the root. */
	do {
		at = next;
		tag = fdt_next_tag(tree, at, &next);
	} while (tag == FDT_NOP);
	return tag == FDT_END && next >= 0;
}

uint32_t tree_bytes(const void *tree)
{
	return fdt_totalsize(tree);
}

int tree_find(const void *tree, const char *path)
{
	int node = fdt_path_offset_namelen(tree, path, (int)strcspn(path, ":"));

	return node < 0 ? TREE_NONE : node;
}

int tree_with(const void *tree, const char *compatible)
{
	int node = fdt_node_offset_by_compatible(tree, TREE_NONE, compatible);

	return node < 0 ? TREE_NONE : node;
}

const char *tree_text(const void *tree, int node, const char *name)
{
	int n = 0;
	const char *p = fdt_getprop(tree, node, name, &n);

	return p && n > 0 && memchr(p, '\0', (size_t)n) ? p : NULL;
}

/* A number of 1 or 2 cells, big-endian. */
static uint64_t cells(const fdt32_t *p, int n)
{
	uint64_t low = fdt32_ld(p + n - 1);

	return n == 2 ? (uint64_t)fdt32_ld(p) << 32 | low : low;
}

uint64_t tree_number(const void *tree, int node, const char *name,
		     uint64_t otherwise)
{
	int n = 0;
	const fdt32_t *p = fdt_getprop(tree, node, name, &n);

	if (!p || (n != 4 && n != 8))
		return otherwise;
	return cells(p, n / 4);
}

bool tree_lists(const void *tree, int node, const char *name, const char *word)
{
	return fdt_stringlist_search(tree, node, name, word) >= 0;
}

const char *tree_chip(const void *tree, const char *family)
{
	int n = fdt_stringlist_count(tree, TREE_ROOT, "compatible");
	size_t length = strlen(family);

	for (int i = 0; i < n; i++) {
		const char *text = fdt_stringlist_get(tree, TREE_ROOT,
						      "compatible", i, NULL);

		if (text && strncmp(text, family, length) == 0 &&
		    (text[length] < '0' || text[length] > '9'))
			return text;
	}
	return NULL;
}

bool tree_enabled(const void *tree, int node)
{
	const char *status = tree_text(tree, node, "status");

	/* "okay", and "ok" of old trees. */
	return !status || strncmp(status, "ok", 2) == 0;
}

/* Entry `i` of `reg`: false if there is none, or its cells are not
 * supported. */
static bool region(const void *tree, int parent, int node, int i,
		   uint64_t *ret_address, uint64_t *ret_bytes)
{
	int n_address = fdt_address_cells(tree, parent);
	int n_size = fdt_size_cells(tree, parent);
	int n = 0;
	const fdt32_t *reg = fdt_getprop(tree, node, "reg", &n);

	if (!reg || n_address < 1 || n_address > 2 || n_size < 0 ||
	    n_size > 2 || n / 4 < (i + 1) * (n_address + n_size))
		return false;
	reg += (ptrdiff_t)i * (n_address + n_size);
	*ret_address = cells(reg, n_address);
	*ret_bytes = n_size ? cells(reg + n_address, n_size) : 0;
	return true;
}

/* The nodes above this one, from the root on, in one walk: libfdt finds a parent
 * by two.  Returns the depth of the node, 0 if it is the root, absent or too
 * deep. */
static int ancestors(const void *tree, int node, int ret[MAX_DEPTH])
{
	int depth = 0;

	for (int at = TREE_ROOT; at >= 0 && depth >= 0 && depth <= MAX_DEPTH;
	     at = fdt_next_node(tree, at, &depth)) {
		if (at == node)
			return depth;
		if (depth < MAX_DEPTH)
			ret[depth] = at;
	}
	return 0;
}

uint64_t tree_address(const void *tree, int node, int i)
{
	uint64_t address, bytes;
	int above[MAX_DEPTH];
	int depth = node > TREE_ROOT ? ancestors(tree, node, above) : 0;
	int n = -1;

	if (depth == 0 ||
	    !region(tree, above[depth - 1], node, i, &address, &bytes))
		return 0;
	while (--depth > 0)
		if (!fdt_getprop(tree, above[depth], "ranges", &n) || n != 0)
			return 0;
	return address;
}

static bool is_memory(const void *tree, int node)
{
	const char *type = tree_text(tree, node, "device_type");

	return type && strcmp(type, "memory") == 0 && tree_enabled(tree, node);
}

/* The i-th region of the children of `parent` that are memory, or of all. */
static bool region_of(const void *tree, int parent, bool memory, size_t i,
		      struct tree_region *ret)
{
	int node;

	fdt_for_each_subnode(node, tree, parent)
	{
		if (memory && !is_memory(tree, node))
			continue;
		for (int k = 0;
		     region(tree, parent, node, k, &ret->from, &ret->bytes);
		     k++)
			if (i-- == 0)
				return true;
	}
	return false;
}

bool tree_memory_at(const void *tree, size_t i, struct tree_region *ret)
{
	return region_of(tree, TREE_ROOT, true, i, ret);
}

uint64_t tree_memory(const void *tree)
{
	struct tree_region r;
	uint64_t sum = 0;

	for (size_t i = 0; tree_memory_at(tree, i, &r); i++)
		sum += r.bytes;
	return sum;
}

static bool initrd(const void *tree, struct tree_region *ret)
{
	int chosen = tree_find(tree, "/chosen");
	uint64_t from = tree_number(tree, chosen, "linux,initrd-start", 0);
	uint64_t end = tree_number(tree, chosen, "linux,initrd-end", 0);

	*ret = (struct tree_region){ from, end - from };
	return end > from;
}

/* Has a child of the node regions that cannot be read? */
static bool has_broken(const void *tree, int parent)
{
	uint64_t from, bytes;
	int node;

	fdt_for_each_subnode(node, tree, parent)
	{
		if (fdt_getprop(tree, node, "reg", NULL) &&
		    !region(tree, parent, node, 0, &from, &bytes))
			return true;
	}
	return false;
}

/* The tree itself, what its header reserves, its node /reserved-memory, the initial
 * disk.  What is reserved, but cannot be read, may be anywhere. */
bool tree_reserved_at(const void *tree, size_t i, struct tree_region *ret)
{
	static const struct tree_region everything = { 0, UINT64_MAX };
	int n = fdt_num_mem_rsv(tree);
	size_t n_header = n < 0 ? 1 : (size_t)n;
	int node = tree_find(tree, "/reserved-memory");
	size_t n_nodes = 0;

	if (i == 0) {
		*ret = (struct tree_region){ (uintptr_t)tree,
					     tree_bytes(tree) };
		return true;
	}
	i--;
	if (i < n_header) {
		if (n < 0 ||
		    fdt_get_mem_rsv(tree, (int)i, &ret->from, &ret->bytes))
			*ret = everything;
		return true;
	}
	i -= n_header;
	if (node >= 0 && has_broken(tree, node)) {
		*ret = everything;
		return i == 0;
	}
	if (node >= 0) {
		if (region_of(tree, node, false, i, ret))
			return true;
		while (region_of(tree, node, false, n_nodes, ret))
			n_nodes++;
	}
	return i == n_nodes && initrd(tree, ret);
}

/* Registers of a device that does not describe them itself. */
struct uart_type {
	const char *compatible;
	enum uart_kind kind;
	uint32_t shift, width;
	uint32_t fifo;
};

static const struct uart_type *type_of(const void *tree, int node)
{
	static const struct uart_type known[] = {
		/* The A is the one whose FIFO works: 16550A data sheet. */
		{ "ns16550a", UART_NS16550, 0, 1, 16 },
		{ "ns16550", UART_NS16550, 0, 1, 1 },
		{ "snps,dw-apb-uart", UART_NS16550, 0, 1, 1 },
		{ "intel,xscale-uart", UART_NS16550, 0, 1, 1 },
		/* SpacemiT's own kernels: without properties for registers
		 * that are words (their driver pxa_k1x.c). */
		{ "spacemit,pxa-uart", UART_NS16550, 2, 4, 1 },
		{ "arm,pl011", UART_PL011, 0, 4, 1 },
		{ "arm,sbsa-uart", UART_PL011, 0, 4, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (tree_lists(tree, node, "compatible", known[i].compatible))
			return &known[i];
	return NULL;
}

struct uart tree_uart(const void *tree)
{
	const struct uart none = { .kind = UART_NONE };
	const char *path =
		tree_text(tree, tree_find(tree, "/chosen"), "stdout-path");
	int node = path ? tree_find(tree, path) : TREE_NONE;
	const struct uart_type *type = type_of(tree, node);

	if (!type)
		return none;

	struct uart u = {
		.kind = type->kind,
		.address = tree_address(tree, node, 0),
		.fifo = type->fifo,
		.shift = (uint32_t)tree_number(tree, node, "reg-shift",
					       type->shift),
		.width = (uint32_t)tree_number(tree, node, "reg-io-width",
					       type->width),
		.clock =
			(uint32_t)tree_number(tree, node, "clock-frequency", 0),
	};

	if (u.address == 0 || u.shift > MAX_SHIFT ||
	    (u.width != 1 && u.width != 4))
		return none;
	return u;
}
