/* Exporters by name; the list itself is generated from CMakeLists.txt. */
#include "host/export/export.h"

#include <string.h>

const struct exporter *exporter_find(const char *name)
{
	for (size_t i = 0; exporters[i]; i++)
		if (strcmp(exporters[i]->name, name) == 0)
			return exporters[i];
	return NULL;
}

void export_comment(struct buffer *b, const char *text)
{
	for (; *text != '\0'; text++)
		buffer_add(b,
			   (unsigned char)*text < ' ' || *text == '*' ? "?"
								      : text,
			   1);
}
