/* Armor: bytes as printable characters that may stand in a wire value.
 *
 * 13 bits make two characters, so 13 bytes make 16: five parts in six of a
 * line are payload, where base64 has three in four. */
#ifndef COMMON_ARMOR_H
#define COMMON_ARMOR_H

#include "common/types.h"

/* Characters for n bytes. */
size_t armor_length(size_t n);

/* Write the armor_length(n) characters of n bytes; no NUL. */
void armor_encode(const void *p, size_t n, char *ret_text);

/* Read n bytes back from all of n_text characters.  False, with nothing
 * promised of the bytes, when length, alphabet or padding are wrong. */
bool armor_decode(const char *text, size_t n_text, void *ret_bytes,
		  size_t n) MUST_CHECK;

#endif
