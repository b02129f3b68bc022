/* Fields of comma-separated values, RFC 4180. */
#ifndef EXPORT_CSV_H
#define EXPORT_CSV_H

#include "host/base/file.h"

/* Add a field, in quotes where it needs them. */
void csv_add(struct buffer *b, const char *text);

#endif
