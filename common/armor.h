/* Armor: encodes bytes as printable characters for values of wire records.
 *
 * Two characters hold 13 bits, so 16 characters hold 13 bytes.  The efficiency
 * is 81 %; that of base64 is 75 %. */
#ifndef COMMON_ARMOR_H
#define COMMON_ARMOR_H

#include "common/types.h"

/* Number of characters for n bytes. */
size_t armor_length(size_t n);

/* Encode n bytes as armor_length(n) characters, without a NUL. */
void armor_encode(const void *p, size_t n, char *ret_text);

/* Decode exactly n bytes from exactly n_text characters.  False if length,
 * alphabet or padding are wrong; the content of ret_bytes is then undefined. */
bool armor_decode(const char *text, size_t n_text, void *ret_bytes,
		  size_t n) MUST_CHECK;

#endif
