/* Exporters by name, and what their files have in common; see codec.h. */
#include "host/codec/codec.h"

#include <stdlib.h>
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

/* Append the words in lines of a page's width. */
static void add_lines(struct buffer *b, const char *mark, const char *words)
{
	enum { WIDTH = 76 };
	size_t n = 0;

	while (*words != '\0') {
		size_t word = strcspn(words, " ");
		char *copy = xrealloc(NULL, word + 1, 1);

		memcpy(copy, words, word);
		copy[word] = '\0';
		if (n == 0 || n + 1 + word > WIDTH) {
			buffer_printf(b, "%s%s ", n ? "\n" : "", mark);
			n = 0;
		} else {
			buffer_add(b, " ", 1);
		}
		export_comment(b, copy);
		free(copy);
		n += word + 1;
		words += word + (words[word] == ' ');
	}
	buffer_add(b, "\n", 1);
}

int export_needs_ports(const struct model *m, struct err *e)
{
	if (m->n_ports > 0)
		return ERR_OK;
	return err_set(e, ERR_FAILED,
		       "the model has no ports, so the file would have none: "
		       "measure ports (anechoic measure --what ports), or name "
		       "published tables (--tables)");
}

void export_completed(struct buffer *b, const char *mark, const struct model *m)
{
	if (m->completed)
		add_lines(b, mark, m->completed);
}

void export_comment(struct buffer *b, const char *text)
{
	for (; *text != '\0'; text++)
		buffer_add(b,
			   (unsigned char)*text < ' ' || *text == '*' ? "?"
								      : text,
			   1);
}
