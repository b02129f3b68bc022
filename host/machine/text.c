/* Files of /proc and /sys; see machine.h. */
#include <stdio.h>
#include <stdlib.h>

#include "host/machine/machine.h"

enum { ROOM = 64 * 1024 };

char *machine_text(struct arena *a, const char *root, const char *path)
{
	FILE *f = fopen(arena_printf(a, "%s%s", root, path), "re");
	char *text, *whole;
	size_t n;

	if (!f)
		return NULL;
	text = xrealloc(NULL, ROOM, 1);
	n = fread(text, 1, ROOM - 1, f);
	(void)fclose(f);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	whole = arena_strdup(a, text);
	free(text);
	return whole;
}
