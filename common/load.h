/* Limits for packs sent over the wire; common/wire.md describes the records. */
#ifndef COMMON_LOAD_H
#define COMMON_LOAD_H

enum {
	/* Bytes of a chunk: as many whole groups of the armor as fit in a
	 * record of WIRE_LINE_MAX with its other fields. */
	LOAD_CHUNK = 252 * 13,
	LOAD_MAX_CHUNKS = 1 << 14,
	LOAD_WINDOW = 16, /* largest number of chunks in an ack */
};

#endif
