/* See renamed.h. */
#include "host/isa/renamed.h"

#include <stdio.h>
#include <string.h>

/* Order of a line's first word against the n bytes of a name. */
static int line_compare(const char *line, const char *name, size_t n)
{
	size_t length = strcspn(line, " ");
	int order = memcmp(line, name, length < n ? length : n);

	return order != 0 ? order : (length > n) - (length < n);
}

/* What stands behind the name in its line, NULL if there is no such line. */
static const char *other_of(const char *pairs, const char *name, size_t n)
{
	size_t low = 0, high = strlen(pairs);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order;

		while (middle > low && pairs[middle - 1] != '\n')
			middle--;
		order = line_compare(pairs + middle, name, n);
		if (order == 0)
			return pairs + middle + n + 1;
		if (order > 0)
			high = middle;
		else
			low = middle + strcspn(pairs + middle, "\n") + 1;
	}
	return NULL;
}

char *renamed_form(const char *pairs, const char *name, char *room, size_t size)
{
	size_t n = strcspn(name, "/");
	const char *other = other_of(pairs, name, n);
	int written;

	if (!other)
		return NULL;
	written = snprintf(room, size, "%.*s%s", (int)strcspn(other, "\n"),
			   other, name + n);
	return written > 0 && (size_t)written < size ? room : NULL;
}
