/* Limits of a pack that is sent over the wire; docs/wire.md has the records. */
#ifndef COMMON_LOAD_H
#define COMMON_LOAD_H

enum {
	/* Bytes of a chunk: whole groups of the armor, as many as fit a record
	 * of WIRE_LINE_MAX with its other fields. */
	LOAD_CHUNK = 252 * 13,
	LOAD_MAX_CHUNKS = 1 << 14,
	LOAD_WINDOW = 16, /* chunks that one ack speaks of, at most */
};

#endif
