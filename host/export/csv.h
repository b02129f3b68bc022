/* Fields of comma-separated values, RFC 4180. */
#ifndef EXPORT_CSV_H
#define EXPORT_CSV_H

#include "host/base/file.h"

/* Append a field, quoted if necessary. */
void csv_add(struct buffer *b, const char *text);

#endif
