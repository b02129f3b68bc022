/* The slot: fields of a flat runtime that the host patches.  It has a fixed
 * offset in the file, after the boot headers.  The host recognises a runtime by
 * it, and the runtime finds its pack through it.
 *
 *	+------------------+ 0
 *	| boot headers     | Linux Image and PE/COFF, linker/head-<isa>.S
 *	+------------------+ SLOT_OFFSET
 *	| runtime_slot     |
 *	+------------------+ ...
 *	| text, data, bss  | all of it in the file
 *	+------------------+ runtime_bytes (SLOT_ALIGN-aligned)
 *	| pack             |
 *	+------------------+ tree_offset, behind the pack
 *	| device tree      | if the board's file describes its devices
 *	+------------------+ + tree_bytes
 *	| room for code    | memory only, reserved by the Image header's size
 *	+------------------+ ... + room_bytes
 */
#ifndef COMMON_SLOT_H
#define COMMON_SLOT_H

#include "common/types.h"

#define SLOT_MAGIC "ANECRUNT"

enum {
	SLOT_VERSION = 3,
	SLOT_OFFSET = 0x200,
	SLOT_ALIGN = 4096,
	SLOT_TEXT = 240,
	SLOT_ABOUT = 2048, /* INFO's other fields take at most as much again */
};

struct runtime_slot {
	char magic[8];
	uint32_t version;
	uint32_t isa;            /* enum pack_isa */
	uint64_t runtime_bytes;  /* the runtime alone; its pack starts here */
	uint64_t pack_bytes;     /* patched; 0: no pack attached */
	uint64_t room_bytes;     /* patched; memory reserved after both */
	uint64_t tree_offset;    /* patched; 8-aligned */
	uint64_t tree_bytes;     /* patched; 0: the tree comes from firmware */
	char options[SLOT_TEXT]; /* patched; core/options.h, ends with a 0 */
	/* Patched: what the image was made for, as fields for INFO: a key and
	 * its value, each ended by a 0; an empty key ends the list. */
	char about[SLOT_ABOUT];
};

_Static_assert(sizeof(struct runtime_slot) == 56 + SLOT_TEXT + SLOT_ABOUT,
	       "shared with linker/pe.inc");
_Static_assert(SLOT_OFFSET + sizeof(struct runtime_slot) <= SLOT_ALIGN,
	       "the header's page");
_Static_assert(offsetof(struct runtime_slot, runtime_bytes) == 16, "pe.inc");

/* Bytes of the file, up to where the room begins. */
static inline uint64_t slot_file_bytes(const struct runtime_slot *s)
{
	return s->tree_bytes ? s->tree_offset + s->tree_bytes
			     : s->runtime_bytes + s->pack_bytes;
}

#endif
