#include "host/base/qemu.h"

#include <string.h>

char *qemu_value(struct arena *a, const char *name)
{
	char *text = arena_alloc(a, 2 * strlen(name) + 1, 1), *to = text;

	for (const char *from = name; *from != '\0'; from++) {
		*to++ = *from;
		if (*from == ',')
			*to++ = ',';
	}
	*to = '\0';
	return text;
}
