/* Files of /proc and /sys; see machine.h. */
#include <stdio.h>

#include "host/base/file.h"
#include "host/machine/machine.h"

char *machine_text(struct arena *a, const char *root, const char *path)
{
	enum { ROOM = 64 * 1024 };
	FILE *f = fopen(arena_printf(a, "%s%s", root, path), "re");
	struct buffer b = { 0 };

	if (!f)
		return NULL;
	b.n = fread(buffer_reserve(&b, ROOM), 1, ROOM - 1, f);
	(void)fclose(f);
	while (b.n > 0 && b.bytes[b.n - 1] == '\n')
		b.n--;
	return buffer_take(a, &b);
}
