/* The wire: one record per console line, readable by people and checked by
 * machines.
 *
 *	@<seq> <kind> <key>=<value> ... *<crc32, 8 hex digits>
 *
 * The CRC covers every byte from '@' up to the space before the star,
 * inclusive.  Values hold printable ASCII without spaces and stars.  Lists
 * are comma-separated decimal numbers.  Firmware may print anything between
 * records, and firmware and console programs before and behind one on the same
 * line: a record is recognised by its mark and its checksum, everything else is
 * kept as text.
 *
 * Encoder and decoder never allocate, and neither needs libc.  The kinds and
 * their fields are listed in common/wire.md.
 */
#ifndef COMMON_WIRE_H
#define COMMON_WIRE_H

#include "common/types.h"

enum {
	WIRE_VERSION = 2,
	WIRE_OLDEST = 1,      /* that the host reads */
	WIRE_LINE_MAX = 4096, /* bytes of one record without its newline */
	WIRE_FIELDS_MAX = 64,
	WIRE_KIND_MAX = 15,
};

/* A record under construction: text[0..length) is always a valid prefix of a
 * record.  `overflow` is set if a field did not fit; wire_end() then returns
 * 0. */
struct wire_line {
	size_t length;
	bool overflow;
	char text[WIRE_LINE_MAX + 2]; /* room for newline and NUL */
};

/* Start a record of `kind` with sequence number `seq`. */
void wire_begin(struct wire_line *w, uint64_t seq, const char *kind);

/* Append key=value: in decimal, in hexadecimal with 0x, or as a word.
 * wire_word() replaces bytes that a value must not contain with '_', and an
 * empty value with '-'. */
void wire_u64(struct wire_line *w, const char *key, uint64_t value);
void wire_hex(struct wire_line *w, const char *key, uint64_t value);
void wire_word(struct wire_line *w, const char *key, const char *value);

/* Append key=word if the line has room for it, else nothing. */
void wire_word_if_fits(struct wire_line *w, const char *key, const char *value);

/* Append key=v0,v1,... ; an empty list is written as key=- . */
void wire_list(struct wire_line *w, const char *key, const uint64_t *values,
	       size_t n);

/* Append n > 0 bytes in armor (common/armor.h). */
void wire_bytes(struct wire_line *w, const char *key, const void *p, size_t n);

/* Finish the record: append checksum, newline and NUL.  Returns the number of
 * bytes to send, including the newline, or 0 if a field did not fit. */
size_t wire_end(struct wire_line *w);

/* A view of bytes inside the parsed line. */
struct wire_span {
	const char *at;
	size_t length;
};

struct wire_field {
	struct wire_span key;
	struct wire_span value;
};

/* A decoded record.  The spans point into the caller's line. */
struct wire_record {
	uint64_t seq;
	char kind[WIRE_KIND_MAX + 1];
	size_t n_fields;
	struct wire_field fields[WIRE_FIELDS_MAX];
	/* Offsets in the line of the '@' and of the byte behind the checksum.
	 * Text may stand before and behind it. */
	size_t start, end;
};

enum wire_error {
	WIRE_OK = 0,
	WIRE_NOT_A_RECORD = -1, /* no mark: plain text */
	WIRE_BAD_CRC = -2,      /* has a mark, a star and digits, but the
				 * checksum is wrong */
	WIRE_BAD_SYNTAX = -3,   /* checksum right, fields malformed */
};

/* Decode the first record in the n bytes at `line` (newline excluded).  On
 * WIRE_OK fills *ret_record, otherwise leaves it untouched. */
int wire_parse(const char *line, size_t n,
	       struct wire_record *ret_record) MUST_CHECK;

/* Does the record have this field? */
bool wire_has(const struct wire_record *r, const char *key);

/* Read a number field.  False if it is absent or is not a decimal or 0x
 * hexadecimal number of at most 64 bits. */
bool wire_get_u64(const struct wire_record *r, const char *key,
		  uint64_t *ret_value) MUST_CHECK;

/* Copy a field's value and a NUL into buf of `room` bytes.  False if the field
 * is absent or does not fit. */
bool wire_get_word(const struct wire_record *r, const char *key, char *buf,
		   size_t room) MUST_CHECK;

/* Read a list field into values[0..room).  Returns the number of values, or -1
 * if the field is absent, malformed or longer than `room`. */
int wire_get_list(const struct wire_record *r, const char *key,
		  uint64_t *values, size_t room) MUST_CHECK;

/* Decode an armored field of exactly n bytes. */
bool wire_get_bytes(const struct wire_record *r, const char *key,
		    void *ret_bytes, size_t n) MUST_CHECK;

/* Is the record of this kind? */
bool wire_is(const struct wire_record *r, const char *kind);

#endif
