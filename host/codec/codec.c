/* Exporters by name, and what their files have in common; see codec.h. */
#include "host/codec/codec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/base/version.h"
#include "host/codec/number.h"

const struct exporter *exporter_find(const char *name)
{
	for (size_t i = 0; exporters[i]; i++)
		if (strcmp(exporters[i]->name, name) == 0)
			return exporters[i];
	return NULL;
}

static void add_comment(struct buffer *b, const char *text, size_t n)
{
	for (const char *end = text + n; text < end; text++)
		buffer_add(b,
			   (unsigned char)*text < ' ' || *text == '*' ? "?"
								      : text,
			   1);
}

void export_comment(struct buffer *b, const char *text)
{
	add_comment(b, text, strlen(text));
}

void export_quoted(struct buffer *b, const char *text)
{
	buffer_add(b, "'", 1);
	for (; *text != '\0'; text++)
		if ((unsigned char)*text >= ' ')
			buffer_add(b, *text == '\'' ? "''" : text,
				   *text == '\'' ? 2 : 1);
	buffer_add(b, "'", 1);
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

void export_completed(struct buffer *b, const char *mark, const struct model *m)
{
	enum { WIDTH = 76 };
	const char *words = m->completed;
	size_t n = 0;

	if (!words)
		return;
	while (*words != '\0') {
		size_t word = strcspn(words, " ");

		if (n == 0 || n + 1 + word > WIDTH) {
			buffer_printf(b, "%s%s ", n ? "\n" : "", mark);
			n = 0;
		} else {
			buffer_add(b, " ", 1);
		}
		add_comment(b, words, word);
		n += word + 1;
		words += word + (words[word] == ' ');
	}
	buffer_add(b, "\n", 1);
}

/* ---- numbers ------------------------------------------------------------- */

void number_text(double value, char text[NUMBER_ROOM])
{
	/* Doubles represent all whole numbers up to this exactly. */
	static const double max_whole = 1e15;

	if (!isfinite(value))
		text[0] = '\0';
	else if (value == floor(value) && fabs(value) < max_whole)
		(void)snprintf(text, NUMBER_ROOM, "%.0f", value);
	else
		(void)snprintf(text, NUMBER_ROOM, "%.6g", value);
}

void number_add(struct buffer *b, double value)
{
	char text[NUMBER_ROOM];

	number_text(value, text);
	buffer_add(b, text, strlen(text));
}

bool span_is_wide(const struct model_span *s)
{
	static const double doubt = 0.05; /* of the upper bound */

	return s->high - s->low > doubt * s->high;
}

double span_middle(const struct model_span *s)
{
	return (s->low + s->high) / 2;
}
