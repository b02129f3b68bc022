/* Exports: views of the store in other people's formats. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "host/base/file.h"
#include "host/store/store.h"

struct exporter {
	const char *name; /* csv | json | winic */
	const char *describe;
	int (*write)(struct store *s, struct buffer *ret, struct err *e);
};

extern const struct exporter *const exporters[];
const struct exporter *exporter_find(const char *name);

#endif
