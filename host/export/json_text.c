/* Strings of JSON; see json_text.h. */
#include "host/export/json_text.h"

/* Length of the UTF-8 sequence at p; 0 if it is invalid (Unicode 15, table
 * 3-7). */
static size_t utf8_length(const unsigned char *p)
{
	static const struct {
		unsigned char low, high, next_low, next_high, n;
	} rows[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (p[0] < rows[i].low || p[0] > rows[i].high)
			continue;
		if (p[1] < rows[i].next_low || p[1] > rows[i].next_high)
			return 0;
		for (size_t k = 2; k < rows[i].n; k++)
			if ((p[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].n;
	}
	return 0;
}

/* A store may hold invalid UTF-8; such bytes become U+FFFD. */
void json_add_string(struct buffer *b, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	buffer_add(b, "\"", 1);
	while (*p != '\0') {
		size_t n = 1;

		if (*p == '"' || *p == '\\')
			buffer_printf(b, "\\%c", *p);
		else if (*p < ' ' || *p == 0x7f)
			buffer_printf(b, "\\u%04x", *p);
		else if (*p < 0x80)
			buffer_add(b, p, 1);
		else if ((n = utf8_length(p)) > 0)
			buffer_add(b, p, n);
		else
			buffer_printf(b, "\\ufffd");
		p += n ? n : 1;
	}
	buffer_add(b, "\"", 1);
}
