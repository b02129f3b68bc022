/* Strings of JSON. */
#ifndef EXPORT_JSON_TEXT_H
#define EXPORT_JSON_TEXT_H

#include "host/base/file.h"

/* Append the text as a JSON string.  Bytes that are not UTF-8 become U+FFFD. */
void json_add_string(struct buffer *b, const char *text);

#endif
