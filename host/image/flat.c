/* Image kind "flat": appends a pack to the runtime at the next page, behind it
 * the device tree of a board whose file describes its devices, and patches
 * four places: the slot, the PE section .pack, PE SizeOfImage and, if there is
 * one, the size in the Linux Image header, which also reserves memory for
 * code.  The runtime file is checked like any other input; a wrong file is
 * refused, not patched. */
#include "host/image/flat.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "common/pack.h"
#include "host/image/disk.h"
#include "host/image/tree.h"

enum {
	/* Image header: "Booting AArch64 Linux", section 4, and "Boot image
	 * header in RISC-V Linux" agree on these offsets. */
	IMAGE_SIZE = 16,
	IMAGE_MAGIC = 56,
	/* "PE Format" (Microsoft): offsets from the PE signature. */
	PE_OFFSET = 60,
	PE_SECTIONS = 6,
	PE_OPTIONAL_BYTES = 20,
	PE_OPTIONAL = 24,
	OPTIONAL_DATA_BYTES = 8,
	OPTIONAL_IMAGE_BYTES = 56,
	OPTIONAL_MIN_BYTES = 112,
	SECTION_BYTES = 40,
	SECTION_VIRTUAL_BYTES = 8,
	SECTION_ADDRESS = 12,
	SECTION_RAW_BYTES = 16,
	SECTION_OFFSET = 20,
	MAX_SECTIONS = 16,
	/* Room for the alignment of allocations, in addition to the pack's
	 * code. */
	ROOM_SLACK = 65536,
	/* Memory for packs sent over the line and their code: five times the
	 * pack of the whole RISC-V catalogue. */
	LOAD_ROOM = 32 << 20,
};

static const char image_magics[][4] = {
	{ 'A', 'R', 'M', 0x64 },
	{ 'R', 'S', 'C', 0x05 },
};

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static uint32_t get16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

/* New values of the headers. */
struct layout {
	struct runtime_slot slot;
	uint32_t pack_room; /* pages of pack and tree in the file */
	uint32_t total;     /* bytes of the file */
};

struct runtime_slot flat_slot(const struct buffer *image)
{
	struct runtime_slot slot;

	memcpy(&slot, image->bytes + SLOT_OFFSET, sizeof(slot));
	return slot;
}

static int check_runtime(const struct image_request *q,
			 struct runtime_slot *ret, struct err *e)
{
	const char *name = q->board->runtime;
	struct runtime_slot slot;

	if (q->n_runtime < SLOT_OFFSET + sizeof(slot))
		return err_set(e, ERR_INPUT,
			       "runtime %s: a flat runtime has at least %zu "
			       "bytes, this file has %zu",
			       name, SLOT_OFFSET + sizeof(slot), q->n_runtime);
	memcpy(&slot, q->runtime + SLOT_OFFSET, sizeof(slot));
	if (memcmp(slot.magic, SLOT_MAGIC, sizeof(slot.magic)) != 0)
		return err_set(e, ERR_INPUT,
			       "runtime %s: this is not a flat runtime of "
			       "Anechoic (no " SLOT_MAGIC " at byte %d)",
			       name, SLOT_OFFSET);
	if (slot.version != SLOT_VERSION)
		return err_set(e, ERR_INPUT,
			       "runtime %s: expected slot version %d, not %u",
			       name, SLOT_VERSION, slot.version);
	if (slot.runtime_bytes != q->n_runtime ||
	    q->n_runtime % SLOT_ALIGN != 0 || slot.pack_bytes != 0)
		return err_set(e, ERR_INPUT,
			       "runtime %s: expected %llu bytes "
			       "without a pack, the file has %zu; build it "
			       "again",
			       name, (unsigned long long)slot.runtime_bytes,
			       q->n_runtime);
	*ret = slot;
	return ERR_OK;
}

static int check_pack(const struct image_request *q,
		      const struct runtime_slot *slot, struct err *e)
{
	int ret = pack_check(q->pack, q->n_pack);

	if (ret != PACK_OK)
		return err_set(e, ERR_INPUT, "pack: %s", pack_strerror(ret));
	if (pack_header(q->pack)->isa != slot->isa)
		return err_set(e, ERR_INPUT,
			       "pack: runtime %s is for ISA number %u, the "
			       "pack for %u",
			       q->board->runtime, slot->isa,
			       pack_header(q->pack)->isa);
	return ERR_OK;
}

/* Patch SizeOfImage and the .pack section of the PE header at `pe`, which must
 * lie in the first page. */
static int patch_pe(unsigned char *file, const struct layout *l,
		    const char *name, struct err *e)
{
	uint32_t pe = get32(file + PE_OFFSET);

	if (pe > SLOT_ALIGN - PE_OPTIONAL - OPTIONAL_MIN_BYTES ||
	    memcmp(file + pe, "PE\0\0", 4) != 0)
		return err_set(e, ERR_INPUT,
			       "runtime %s: no PE header at byte %u", name, pe);

	unsigned char *optional = file + pe + PE_OPTIONAL;
	uint32_t sections =
		pe + PE_OPTIONAL + get16(file + pe + PE_OPTIONAL_BYTES);
	uint32_t n = get16(file + pe + PE_SECTIONS);

	for (uint32_t i = 0; i < n && i < MAX_SECTIONS; i++) {
		uint32_t at = sections + i * SECTION_BYTES;
		unsigned char *s = file + at;

		if (at > SLOT_ALIGN - SECTION_BYTES)
			break;
		if (memcmp(s, ".pack\0\0\0", 8) != 0)
			continue;
		disk_put(s + SECTION_VIRTUAL_BYTES, l->pack_room, 4);
		disk_put(s + SECTION_ADDRESS, l->slot.runtime_bytes, 4);
		disk_put(s + SECTION_RAW_BYTES, l->pack_room, 4);
		disk_put(s + SECTION_OFFSET, l->slot.runtime_bytes, 4);
		disk_put(optional + OPTIONAL_IMAGE_BYTES, l->total, 4);
		disk_put(optional + OPTIONAL_DATA_BYTES,
			 get32(optional + OPTIONAL_DATA_BYTES) + l->pack_room,
			 4);
		return ERR_OK;
	}
	return err_set(e, ERR_INPUT, "runtime %s: no PE section .pack", name);
}

static void patch_image_header(unsigned char *file, const struct layout *l)
{
	for (size_t i = 0; i < ARRAY_LEN(image_magics); i++)
		if (memcmp(file + IMAGE_MAGIC, image_magics[i], 4) == 0)
			disk_put(file + IMAGE_SIZE,
				 l->total + l->slot.room_bytes, 8);
}

/* What the runtime reads before it has a console. */
static int fill_slot(const struct image_request *q, struct runtime_slot *slot,
		     struct err *e)
{
	const char *console = q->board->console;
	const char *core = q->board->core;
	const char *more = q->options ? q->options : "";
	int n = snprintf(slot->options, sizeof(slot->options), "%s%s%s%s%s%s%s",
			 *console ? "console=" : "", console,
			 *console && (*core || *more) ? " " : "",
			 *core ? "core=" : "", core, *core && *more ? " " : "",
			 more);

	if (n < 0 || (size_t)n >= sizeof(slot->options))
		return err_set(e, ERR_INPUT,
			       "the options of an image have at most %zu "
			       "bytes: '%s'",
			       sizeof(slot->options) - 1, more);
	assert(q->n_about <= sizeof(slot->about));
	if (q->n_about > 0)
		memcpy(slot->about, q->about, q->n_about);
	return ERR_OK;
}

/* Append n bytes and zeros up to a multiple of `align`. */
static void append(struct buffer *file, const void *p, size_t n, size_t align)
{
	static const unsigned char zeros[SLOT_ALIGN];

	buffer_add(file, p, n);
	buffer_add(file, zeros, (align - file->n % align) % align);
}

/* Runtime, pack and tree, and where they are. */
static void lay_out(const struct image_request *q, struct layout *l,
		    struct buffer *file)
{
	enum { TREE_ALIGN = 8 };
	/* The sum is far below 4 GiB: pack_check() limits the pack, file_read()
	 * the runtime. */
	const struct pack_header *h = pack_header(q->pack);
	struct buffer tree = { 0 };

	l->slot.pack_bytes = h->total_bytes;
	l->slot.room_bytes = (h->code_bytes + ROOM_SLACK + SLOT_ALIGN - 1) /
				     SLOT_ALIGN * SLOT_ALIGN +
			     LOAD_ROOM;
	if (q->board->devices.any)
		tree_build(&q->board->devices, q->board->name, &tree);
	append(file, q->runtime, q->n_runtime, SLOT_ALIGN);
	append(file, q->pack, h->total_bytes, TREE_ALIGN);
	l->slot.tree_offset = tree.n ? file->n : 0;
	l->slot.tree_bytes = tree.n;
	append(file, tree.bytes, tree.n, SLOT_ALIGN);
	buffer_free(&tree);
	l->total = (uint32_t)file->n;
	l->pack_room = l->total - (uint32_t)l->slot.runtime_bytes;
}

int flat_build(const struct image_request *q, struct buffer *ret, struct err *e)
{
	struct buffer file = { 0 };
	struct layout l = { .total = 0 };

	if (check_runtime(q, &l.slot, e) != ERR_OK ||
	    check_pack(q, &l.slot, e) != ERR_OK)
		return e->code;
	if (fill_slot(q, &l.slot, e) != ERR_OK)
		return e->code;
	lay_out(q, &l, &file);
	memcpy(file.bytes + SLOT_OFFSET, &l.slot, sizeof(l.slot));
	patch_image_header(file.bytes, &l);
	if (patch_pe(file.bytes, &l, q->board->runtime, e) != ERR_OK) {
		buffer_free(&file);
		return e->code;
	}
	*ret = file;
	return ERR_OK;
}

extern const struct image_kind image_kind_flat;
const struct image_kind image_kind_flat = {
	.name = "flat",
	.build = flat_build,
};
