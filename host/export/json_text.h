/* Strings of JSON. */
#ifndef EXPORT_JSON_TEXT_H
#define EXPORT_JSON_TEXT_H

#include "host/base/file.h"

/* Add the text in quotes, with what needs it escaped; bytes that are no UTF-8
 * become U+FFFD. */
void json_add_string(struct buffer *b, const char *text);

#endif
