/* Memory images; see image.h. */
#include "host/base/image.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/file.h"
#include "host/base/module.h"
#include "host/base/order.h"

enum { IMAGE_ALIGN = 16, IMAGE_MAX = 1 << 30 };

/* How a pointer of the file becomes an address. */
enum image_link_kind {
	LINK_OWN,    /* plus the start of the blocks */
	LINK_MODULE, /* plus the base of the program */
	LINK_ITEM,   /* times the size of an item, plus the first one */
	LINK_KINDS,
};

struct image_header {
	char magic[8];
	uint64_t checksum; /* of everything behind it */
	uint64_t n;        /* bytes of the file */
	uint64_t n_key, n_blocks;
	uint64_t root;
	uint64_t n_links[LINK_KINDS]; /* 32-bit offsets in the blocks */
};

static const char image_magic[8] = "ANECIMG1";

/* ---- checksum ---------------------------------------------------------- */

/* Four chains, since one would wait for its own products. Each step maps chains
 * one to one, so no change of a single word goes unseen. The multiplier is
 * 2^64 divided by the golden ratio, odd. */
enum { CHAINS = 4 };

static void image_mix(uint64_t chain[CHAINS], const unsigned char *p)
{
	static const uint64_t factor = 0x9e3779b97f4a7c15u;
	uint64_t words[CHAINS];

	memcpy(words, p, sizeof(words));
	for (int k = 0; k < CHAINS; k++) {
		chain[k] = (chain[k] ^ words[k]) * factor;
		chain[k] ^= chain[k] >> 32;
	}
}

static uint64_t image_checksum(const unsigned char *p, size_t n)
{
	enum { STEP = CHAINS * sizeof(uint64_t) };
	uint64_t chain[CHAINS] = { 1, 2, 3, 4 }, sum = n;
	unsigned char rest[STEP] = { 0 };
	size_t at = 0;

	for (; at + STEP <= n; at += STEP)
		image_mix(chain, p + at);
	memcpy(rest, p + at, n - at);
	image_mix(chain, rest);
	for (int k = 0; k < CHAINS; k++) {
		sum ^= chain[k];
		sum *= 2 * (uint64_t)STEP + 1;
		sum ^= sum >> 29;
	}
	return sum;
}

/* ---- writing ------------------------------------------------------------- */

/* A block that was added. */
struct image_block {
	uintptr_t first, end;
	size_t offset;
};

/* A pointer whose target is looked up at the end. */
struct image_pointer {
	size_t at;
	uintptr_t target;
};

struct image_writer {
	struct arena *a;
	struct module module;
	struct buffer blocks;
	struct buffer links[LINK_KINDS]; /* uint32_t */
	struct buffer pointers;          /* struct image_pointer */
	struct buffer added;             /* struct image_block */
	/* Shared blocks by their content: offset + 1 and size; 0: free. */
	size_t n_shared, room;
	struct image_shared {
		size_t offset, n;
	} * shared;
};

/* Its address tells which module this code is in. */
static const char image_anchor;

struct image_writer *image_begin(struct arena *a)
{
	struct image_writer *w = ARENA_NEW(a, struct image_writer);

	w->a = a;
	return module_find(&image_anchor, &w->module) ? w : NULL;
}

static size_t image_append(struct image_writer *w, const void *list, size_t n,
			   const struct image_type *type)
{
	static const char zeros[IMAGE_ALIGN];
	size_t at = w->blocks.n;

	buffer_add(&w->blocks, list, n * type->size);
	if (type->clean)
		type->clean(w->blocks.bytes + at, n);
	buffer_add(&w->blocks, zeros, -w->blocks.n % IMAGE_ALIGN);
	return at;
}

bool image_add(struct image_writer *w, const void *list, size_t n,
	       const struct image_type *type, size_t *ret_offset)
{
	const struct image_block *added = (const void *)w->added.bytes;
	size_t n_added = w->added.n / sizeof(*added);
	struct image_block x = { .first = (uintptr_t)list,
				 .end = (uintptr_t)list + n * type->size };

	for (size_t i = 0; i < n_added; i++)
		if (added[i].first == x.first && added[i].end == x.end) {
			*ret_offset = added[i].offset;
			return false;
		}
	x.offset = image_append(w, list, n, type);
	buffer_add(&w->added, &x, sizeof(x));
	*ret_offset = x.offset;
	return true;
}

static void image_grow(struct image_writer *w)
{
	struct image_shared *old = w->shared;
	size_t n = w->room;

	w->room = n ? 2 * n : 1 << 12;
	w->shared = ARENA_ARRAY(w->a, struct image_shared, w->room);
	for (size_t i = 0; i < n; i++) {
		size_t k;

		if (old[i].offset == 0)
			continue;
		k = image_checksum(w->blocks.bytes + old[i].offset - 1,
				   old[i].n);
		while (w->shared[k & (w->room - 1)].offset != 0)
			k++;
		w->shared[k & (w->room - 1)] = old[i];
	}
}

bool image_share(struct image_writer *w, const void *list, size_t n,
		 const struct image_type *type, size_t *ret_offset)
{
	size_t bytes = n * type->size, at;
	struct image_shared *x;

	if (2 * w->n_shared >= w->room)
		image_grow(w);
	at = image_append(w, list, n, type);
	for (size_t k = image_checksum(w->blocks.bytes + at, bytes);; k++) {
		x = &w->shared[k & (w->room - 1)];
		if (x->offset == 0)
			break;
		if (x->n == bytes && memcmp(w->blocks.bytes + x->offset - 1,
					    w->blocks.bytes + at, bytes) == 0) {
			w->blocks.n = at;
			*ret_offset = x->offset - 1;
			return false;
		}
	}
	w->n_shared++;
	*ret_offset = at;
	x->offset = at + 1;
	x->n = bytes;
	return true;
}

static void image_set(struct image_writer *w, enum image_link_kind kind,
		      size_t at, uint64_t value)
{
	uint32_t place = (uint32_t)at;

	memcpy(w->blocks.bytes + at, &value, sizeof(value));
	buffer_add(&w->links[kind], &place, sizeof(place));
}

void image_link_offset(struct image_writer *w, size_t at, size_t offset)
{
	image_set(w, LINK_OWN, at, offset);
}

void image_link_item(struct image_writer *w, size_t at, size_t item)
{
	image_set(w, LINK_ITEM, at, item);
}

void image_link(struct image_writer *w, size_t at, const void *target)
{
	struct image_pointer p = { .at = at, .target = (uintptr_t)target };

	if (target)
		buffer_add(&w->pointers, &p, sizeof(p));
	else
		memset(w->blocks.bytes + at, 0, sizeof(target));
}

void image_string(struct image_writer *w, size_t at, const char *s)
{
	size_t offset;

	if (!s) {
		image_link(w, at, NULL);
		return;
	}
	(void)image_share(w, s, strlen(s) + 1, IMAGE_PLAIN(char), &offset);
	image_link_offset(w, at, offset);
}

void image_array(struct image_writer *w, size_t at, const void *list, size_t n,
		 const struct image_type *type)
{
	size_t offset;

	if (!list) {
		image_link(w, at, NULL);
		return;
	}
	(void)image_share(w, list, n, type, &offset);
	image_link_offset(w, at, offset);
}

bool image_is_constant(const struct image_writer *w, const void *p)
{
	return (uintptr_t)p >= w->module.first && (uintptr_t)p < w->module.end;
}

static int image_by_address(const void *a, const void *b)
{
	const struct image_block *x = a, *y = b;

	return ORDER(x->first, y->first);
}

/* Look up the targets of pointers. */
static bool image_resolve(struct image_writer *w)
{
	struct image_block *list = (void *)w->added.bytes;
	size_t n = w->added.n / sizeof(*list);
	const struct image_pointer *p = (const void *)w->pointers.bytes;
	const struct image_pointer *end =
		p + w->pointers.n / sizeof(struct image_pointer);

	order_sort(list, n, sizeof(*list), image_by_address);
	for (; p < end; p++) {
		size_t low = 0, high = n;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (list[middle].first <= p->target)
				low = middle + 1;
			else
				high = middle;
		}
		if (low > 0 && p->target < list[low - 1].end)
			image_set(w, LINK_OWN, p->at,
				  list[low - 1].offset +
					  (p->target - list[low - 1].first));
		else if (image_is_constant(w, (const void *)p->target))
			image_set(w, LINK_MODULE, p->at,
				  p->target - w->module.base);
		else
			return false;
	}
	return w->blocks.n <= IMAGE_MAX;
}

static void image_assemble(struct image_writer *w, const char *key, size_t root,
			   struct buffer *out)
{
	static const char zeros[IMAGE_ALIGN];
	struct image_header h = { .root = root, .n_blocks = w->blocks.n };
	size_t n_key = strlen(key) + 1;

	memcpy(h.magic, image_magic, sizeof(h.magic));
	h.n_key = (sizeof(h) + n_key + IMAGE_ALIGN - 1) / IMAGE_ALIGN *
			  IMAGE_ALIGN -
		  sizeof(h);
	h.n = sizeof(h) + h.n_key + h.n_blocks;
	for (int k = 0; k < LINK_KINDS; k++) {
		h.n_links[k] = w->links[k].n / sizeof(uint32_t);
		h.n += w->links[k].n;
	}
	buffer_add(out, &h, sizeof(h));
	buffer_add(out, key, n_key);
	buffer_add(out, zeros, h.n_key - n_key);
	buffer_add(out, w->blocks.bytes, w->blocks.n);
	for (int k = 0; k < LINK_KINDS; k++)
		buffer_add(out, w->links[k].bytes, w->links[k].n);
	h.checksum =
		image_checksum(out->bytes + offsetof(struct image_header, n),
			       out->n - offsetof(struct image_header, n));
	memcpy(out->bytes, &h, sizeof(h));
}

int image_write(struct image_writer *w, const char *path, const char *key,
		size_t root, struct err *e)
{
	struct buffer out = { 0 };

	if (image_resolve(w)) {
		image_assemble(w, key, root, &out);
		(void)file_write(path, out.bytes, out.n, e);
		if (e->code == ERR_OK)
			(void)chmod(path, S_IRUSR | S_IWUSR);
	} else {
		(void)err_set(e, ERR_SYSTEM,
			      "%s: a pointer leads out of the image", path);
	}
	buffer_free(&out);
	buffer_free(&w->blocks);
	buffer_free(&w->pointers);
	buffer_free(&w->added);
	for (int k = 0; k < LINK_KINDS; k++)
		buffer_free(&w->links[k]);
	return e->code;
}

/* ---- mapping ------------------------------------------------------------- */

struct image_view {
	unsigned char *bytes, *blocks;
	size_t n;
	struct image_header h;
};

/* The last bytes of the file are the places of pointers. */
static const unsigned char *image_places(const struct image_view *v, int kind)
{
	const unsigned char *p = v->blocks + v->h.n_blocks;

	for (int k = 0; k < kind; k++)
		p += v->h.n_links[k] * sizeof(uint32_t);
	return p;
}

static bool image_is_whole(struct image_view *v, const char *key, size_t size)
{
	struct image_header *h = &v->h;
	uint64_t left;

	if (v->n < sizeof(*h))
		return false;
	memcpy(h, v->bytes, sizeof(*h));
	left = v->n - sizeof(*h);
	if (memcmp(h->magic, image_magic, sizeof(h->magic)) != 0 ||
	    h->n != v->n || h->n_key > left ||
	    (sizeof(*h) + h->n_key) % IMAGE_ALIGN != 0 ||
	    h->n_key <= strlen(key))
		return false;
	left -= h->n_key;
	if (h->n_blocks > left || h->root > h->n_blocks ||
	    size > h->n_blocks - h->root)
		return false;
	left -= h->n_blocks;
	for (int k = 0; k < LINK_KINDS; k++) {
		if (h->n_links[k] > left / sizeof(uint32_t))
			return false;
		left -= h->n_links[k] * sizeof(uint32_t);
	}
	v->blocks = v->bytes + sizeof(*h) + h->n_key;
	return left == 0 && strcmp((char *)v->bytes + sizeof(*h), key) == 0 &&
	       image_checksum(v->bytes + offsetof(struct image_header, n),
			      v->n - offsetof(struct image_header, n)) ==
		       h->checksum;
}

static bool image_relocate(const struct image_view *v, int kind,
			   uintptr_t first, uint64_t size, uint64_t n)
{
	const unsigned char *places = image_places(v, kind);

	for (uint64_t i = 0; i < v->h.n_links[kind]; i++) {
		uint32_t at;
		uint64_t value;

		memcpy(&at, places + i * sizeof(at), sizeof(at));
		if (at > v->h.n_blocks - sizeof(value))
			return false;
		memcpy(&value, v->blocks + at, sizeof(value));
		if (value > n)
			return false;
		value = first + value * size;
		memcpy(v->blocks + at, &value, sizeof(value));
	}
	return true;
}

/* A file of this user that no other user can write. */
static bool image_is_own(int fd, size_t *ret_n)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) ||
	    st.st_size <= 0 || st.st_size > IMAGE_MAX)
		return false;
	*ret_n = (size_t)st.st_size;
	return true;
}

void *image_map(struct arena *a, const char *path, const char *key, size_t size,
		const struct image_items *items)
{
	static const struct image_items none;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct image_view v = { .bytes = MAP_FAILED };
	struct module m;
	bool good;

	if (fd < 0)
		return NULL;
	/* All pages are read for the checksum. Writable ones would be copied
	 * at once, so they become writable later. */
	if (image_is_own(fd, &v.n))
		v.bytes = mmap(NULL, v.n, PROT_READ, MAP_PRIVATE | MAP_POPULATE,
			       fd, 0);
	(void)close(fd);
	if (v.bytes == MAP_FAILED)
		return NULL;
	items = items ? items : &none;
	good = module_find(&image_anchor, &m) &&
	       image_is_whole(&v, key, size) &&
	       mprotect(v.bytes, v.n, PROT_READ | PROT_WRITE) == 0 &&
	       (items->n > 0 || v.h.n_links[LINK_ITEM] == 0) &&
	       v.h.n_blocks >= sizeof(uint64_t) &&
	       image_relocate(&v, LINK_OWN, (uintptr_t)v.blocks, 1,
			      v.h.n_blocks) &&
	       image_relocate(&v, LINK_MODULE, m.base, 1, m.end - m.base) &&
	       image_relocate(&v, LINK_ITEM, (uintptr_t)items->first,
			      items->size, items->n - 1);
	if (!good) {
		(void)munmap(v.bytes, v.n);
		return NULL;
	}
	arena_own_mapping(a, v.bytes, v.n);
	return v.blocks + v.h.root;
}
