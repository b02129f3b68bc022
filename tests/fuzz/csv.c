/* Fuzzes the reader of comma-separated values. What it reads is written and read
 * again: the fields must be the same. */
#include "host/base/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "a", "b" };

/* Append all records as they are read; false after an error. */
static bool read_all(const char *text, size_t n, struct buffer *out)
{
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK };
	struct csv r;
	size_t places[2];
	bool more = true, good;

	/* A byte order mark is one at the start only. */
	buffer_add(out, "\n", 1);
	csv_begin(&r, &a, "fuzz.csv", text, n, &e);
	good = csv_header(&r, names, 2, places) == ERR_OK;
	if (good && (places[0] == places[1] || places[0] >= r.width))
		abort();
	while (good && more) {
		for (size_t i = 0; i < r.n_fields; i++) {
			if (i > 0)
				buffer_add(out, ",", 1);
			/* An empty line would be no record. */
			if (r.n_fields == 1 && *r.fields[i] == '\0')
				buffer_add(out, "\"\"", 2);
			csv_add(out, r.fields[i]);
		}
		buffer_add(out, "\n", 1);
		good = csv_next(&r, &more) == ERR_OK;
		if (good && more && r.n_fields != r.width)
			abort();
	}
	if (good != (e.code == ERR_OK))
		abort();
	arena_free(&a);
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buffer once = { 0 }, twice = { 0 };

	if (read_all((const char *)data, n, &once)) {
		if (!read_all((const char *)once.bytes, once.n, &twice) ||
		    once.n != twice.n ||
		    memcmp(once.bytes, twice.bytes, once.n) != 0)
			abort();
	}
	buffer_free(&once);
	buffer_free(&twice);
	return 0;
}
