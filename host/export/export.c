/* Exporters by name; the list itself is generated from CMakeLists.txt. */
#include "host/export/export.h"

#include <string.h>

#include "host/base/version.h"

const struct exporter *exporter_find(const char *name)
{
	for (size_t i = 0; exporters[i]; i++)
		if (strcmp(exporters[i]->name, name) == 0)
			return exporters[i];
	return NULL;
}

const char *export_tool(const struct model *m)
{
	return m->about.tool ? m->about.tool : anechoic_version;
}

void export_tool_comment(struct buffer *b, const char *mark,
			 const struct model *m)
{
	buffer_printf(b, "%s Anechoic ", mark);
	export_comment(b, export_tool(m));
	buffer_add(b, "\n", 1);
}

void export_comment(struct buffer *b, const char *text)
{
	for (; *text != '\0'; text++)
		buffer_add(b,
			   (unsigned char)*text < ' ' || *text == '*' ? "?"
								      : text,
			   1);
}
