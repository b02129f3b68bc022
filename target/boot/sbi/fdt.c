#include "target/boot/sbi/fdt.h"

#include <string.h>

enum {
	MAGIC = (int)0xd00dfeed,
	BEGIN_NODE = 1,
	END_NODE = 2,
	PROP = 3,
	NOP = 4,
	LAST_COMPATIBLE = 16,
	/* Header fields, byte offsets (5.2). */
	TOTAL = 4,
	OFF_STRUCT = 8,
	OFF_STRINGS = 12,
	LAST_COMP = 24,
	SIZE_STRINGS = 32,
	SIZE_STRUCT = 36,
	HEADER_BYTES = 40,
	MAX_BYTES = 16 << 20,
	DEFAULT_ADDRESS_CELLS = 2,
};

/* One token of the structure block, with what follows it. */
struct token {
	uint32_t kind;
	uint32_t next;     /* offset of the token behind it */
	const char *name;  /* of a node or property */
	const void *value; /* of a property */
	uint32_t bytes;
};

static uint32_t be32(const void *p)
{
	const unsigned char *b = p;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	       (uint32_t)b[2] << 8 | b[3];
}

static bool within(uint32_t offset, uint32_t bytes, uint32_t total)
{
	return offset <= total && bytes <= total - offset;
}

bool fdt_open(const void *blob, struct fdt *ret)
{
	const unsigned char *b = blob;

	if (!blob || (uintptr_t)blob % 8 || be32(b) != (uint32_t)MAGIC)
		return false;

	struct fdt f = {
		.total_bytes = be32(b + TOTAL),
		.structure_bytes = be32(b + SIZE_STRUCT),
		.strings_bytes = be32(b + SIZE_STRINGS),
	};
	uint32_t structure = be32(b + OFF_STRUCT);
	uint32_t strings = be32(b + OFF_STRINGS);

	if (f.total_bytes < HEADER_BYTES || f.total_bytes > MAX_BYTES ||
	    be32(b + LAST_COMP) > LAST_COMPATIBLE || structure % 4 ||
	    !within(structure, f.structure_bytes, f.total_bytes) ||
	    !within(strings, f.strings_bytes, f.total_bytes))
		return false;
	f.structure = b + structure;
	f.strings = (const char *)b + strings;
	*ret = f;
	return true;
}

/* Text at `offset` that ends within `total` bytes of `base`, or NULL. */
static const char *text_at(const void *base, uint32_t offset, uint32_t total)
{
	const char *s = (const char *)base + offset;

	if (offset >= total || !memchr(s, '\0', total - offset))
		return NULL;
	return s;
}

static uint32_t align4(uint32_t n)
{
	return (n + 3) & ~3u;
}

/* The token at `at`, NOPs skipped; false at the end or at damage. */
static bool token_at(const struct fdt *f, uint32_t at, struct token *ret)
{
	uint32_t total = f->structure_bytes;
	struct token t = { 0 };

	do {
		if (!within(at, 4, total))
			return false;
		t.kind = be32(f->structure + at);
		at += 4;
	} while (t.kind == NOP);
	if (t.kind == BEGIN_NODE) {
		t.name = text_at(f->structure, at, total);
		if (!t.name)
			return false;
		at += align4((uint32_t)strlen(t.name) + 1);
	} else if (t.kind == PROP) {
		if (!within(at, 8, total))
			return false;
		t.bytes = be32(f->structure + at);
		t.name = text_at(f->strings, be32(f->structure + at + 4),
				 f->strings_bytes);
		at += 8;
		if (!t.name || !within(at, t.bytes, total))
			return false;
		t.value = f->structure + at;
		at += align4(t.bytes);
	} else if (t.kind != END_NODE) {
		return false;
	}
	t.next = at;
	*ret = t;
	return true;
}

/* The next node that begins at `at` before the level ends. */
static uint32_t node_from(const struct fdt *f, uint32_t at)
{
	struct token t;

	while (token_at(f, at, &t) && t.kind != END_NODE) {
		if (t.kind == BEGIN_NODE)
			return at;
		at = t.next;
	}
	return FDT_NONE;
}

uint32_t fdt_first_child(const struct fdt *f, uint32_t node)
{
	struct token t;

	if (!token_at(f, node, &t) || t.kind != BEGIN_NODE)
		return FDT_NONE;
	return node_from(f, t.next);
}

uint32_t fdt_next_sibling(const struct fdt *f, uint32_t child)
{
	uint32_t at = child;
	uint32_t depth = 0;
	struct token t;

	while (token_at(f, at, &t)) {
		if (t.kind == BEGIN_NODE)
			depth++;
		else if (t.kind == END_NODE)
			depth--;
		at = t.next;
		if (depth == 0)
			return node_from(f, at);
	}
	return FDT_NONE;
}

const char *fdt_name(const struct fdt *f, uint32_t node)
{
	struct token t;

	if (!token_at(f, node, &t) || t.kind != BEGIN_NODE)
		return "";
	return t.name;
}

/* The child whose name is the n characters at `name`, which may leave out
 * the unit address. */
static uint32_t child_named(const struct fdt *f, uint32_t node,
			    const char *name, size_t n)
{
	uint32_t c = fdt_first_child(f, node);

	for (; c != FDT_NONE; c = fdt_next_sibling(f, c)) {
		const char *s = fdt_name(f, c);

		if (strncmp(s, name, n) == 0 && (s[n] == '\0' || s[n] == '@'))
			return c;
	}
	return FDT_NONE;
}

static size_t step_length(const char *path)
{
	size_t n = 0;

	while (path[n] && path[n] != '/' && path[n] != ':')
		n++;
	return n;
}

/* An alias as the path it stands for; a path as itself; NULL if unknown. */
static const char *resolve(const struct fdt *f, const char *path)
{
	char name[32];
	size_t n = step_length(path);

	if (path[0] == '/')
		return path;
	if (n >= sizeof(name))
		return NULL;
	memcpy(name, path, n);
	name[n] = '\0';

	uint32_t aliases = child_named(f, FDT_ROOT, "aliases", 7);
	const char *to =
		aliases == FDT_NONE ? NULL : fdt_text(f, aliases, name);

	return to && to[0] == '/' ? to : NULL;
}

/* Step down a path; *at moves behind the step.  FDT_NONE where it ends. */
static uint32_t step(const struct fdt *f, uint32_t node, const char **at)
{
	while (**at == '/')
		(*at)++;

	const char *name = *at;
	size_t n = step_length(name);

	*at += n;
	return n ? child_named(f, node, name, n) : FDT_NONE;
}

static bool path_ended(const char *at)
{
	return *at == '\0' || *at == ':';
}

uint32_t fdt_find(const struct fdt *f, const char *path)
{
	const char *at = resolve(f, path);
	uint32_t node = FDT_ROOT;

	if (!at)
		return FDT_NONE;
	if (at[1] == '\0')
		return FDT_ROOT;
	do {
		node = step(f, node, &at);
	} while (node != FDT_NONE && !path_ended(at));
	return node;
}

const void *fdt_prop(const struct fdt *f, uint32_t node, const char *name,
		     uint32_t *ret_bytes)
{
	struct token t;

	if (!token_at(f, node, &t) || t.kind != BEGIN_NODE)
		return NULL;
	/* Properties precede the child nodes (5.4.2). */
	while (token_at(f, t.next, &t) && t.kind == PROP) {
		if (strcmp(t.name, name))
			continue;
		*ret_bytes = t.bytes;
		return t.value;
	}
	return NULL;
}

const char *fdt_text(const struct fdt *f, uint32_t node, const char *name)
{
	uint32_t n = 0;
	const void *p = fdt_prop(f, node, name, &n);

	return p ? text_at(p, 0, n) : NULL;
}

uint64_t fdt_number(const struct fdt *f, uint32_t node, const char *name,
		    uint64_t otherwise)
{
	uint32_t n = 0;
	const unsigned char *p = fdt_prop(f, node, name, &n);

	if (p && n == 4)
		return be32(p);
	if (p && n == 8)
		return (uint64_t)be32(p) << 32 | be32(p + 4);
	return otherwise;
}

bool fdt_lists(const struct fdt *f, uint32_t node, const char *name,
	       const char *word)
{
	uint32_t n = 0;
	const char *p = fdt_prop(f, node, name, &n);
	uint32_t at = 0;

	while (p) {
		const char *s = text_at(p, at, n);

		if (!s)
			return false;
		if (strcmp(s, word) == 0)
			return true;
		at += (uint32_t)strlen(s) + 1;
	}
	return false;
}

uint64_t fdt_address(const struct fdt *f, const char *path)
{
	const char *at = resolve(f, path);
	uint32_t node = FDT_ROOT, parent = FDT_ROOT;
	uint32_t n = 0;

	if (!at)
		return 0;
	for (;;) {
		parent = node;
		node = step(f, node, &at);
		if (node == FDT_NONE)
			return 0;
		if (path_ended(at))
			break;
		if (!fdt_prop(f, node, "ranges", &n) || n != 0)
			return 0;
	}

	uint64_t cells =
		fdt_number(f, parent, "#address-cells", DEFAULT_ADDRESS_CELLS);
	const unsigned char *reg = fdt_prop(f, node, "reg", &n);

	if (!reg || cells < 1 || cells > 2 || n < cells * 4)
		return 0;
	if (cells == 1)
		return be32(reg);
	return (uint64_t)be32(reg) << 32 | be32(reg + 4);
}
