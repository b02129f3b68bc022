#include "host/image/image.h"

#include <string.h>

const struct image_kind *image_kind_find(const char *name)
{
	for (size_t i = 0; image_kinds[i]; i++)
		if (strcmp(image_kinds[i]->name, name) == 0)
			return image_kinds[i];
	return NULL;
}

char *image_kind_names(struct arena *a)
{
	char *list = arena_strdup(a, image_kinds[0]->name);

	for (size_t i = 1; image_kinds[i]; i++)
		list = arena_printf(a, "%s, %s", list, image_kinds[i]->name);
	return list;
}
