/* HTML pages; see html.h. */
#include "host/html/html.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/base/json.h"

/* ---- text ---------------------------------------------------------------- */

static const char *entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_escape(struct buffer *b, const char *s, size_t n)
{
	const unsigned char *at = (const unsigned char *)s;
	size_t size;

	for (size_t i = 0; i < n; i += size) {
		const char *word = entity(s[i]);

		size = utf8_size(at + i, n - i);
		if (size == 0) {
			buffer_printf(b, "\xef\xbf\xbd");
			size = 1;
		} else if (word) {
			buffer_printf(b, "%s", word);
		} else if ((at[i] < ' ' && at[i] != '\n' && at[i] != '\t') ||
			   at[i] == 0x7f) {
			buffer_add(b, " ", 1);
		} else {
			buffer_add(b, s + i, size);
		}
	}
}

void html_text(struct buffer *b, const char *s)
{
	html_escape(b, s, strlen(s));
}

/* Step over the argument of a conversion that is not a string. */
static void skip_argument(const char *spec, va_list *args)
{
	size_t last = strlen(spec) - 1;

	_Static_assert(sizeof(long) == sizeof(size_t), "one step for both");
	if (strchr("gfe", spec[last]))
		(void)va_arg(*args, double);
	else if (strchr("lz", spec[last - 1]))
		(void)va_arg(*args, long);
	else
		(void)va_arg(*args, int);
}

static void add_string(struct buffer *b, const char *spec, va_list *args)
{
	bool cut = strcmp(spec, "%.*s") == 0;
	int most = cut ? va_arg(*args, int) : 0;
	const char *s = va_arg(*args, const char *);

	html_escape(b, s, cut ? strnlen(s, (size_t)most) : strlen(s));
}

static void add_conversion(struct buffer *b, const char *spec, va_list *args)
{
	enum { ROOM = 400 }; /* of a double with six decimals */
	char text[ROOM];
	va_list one;

	va_copy(one, *args);
	/* spec is a conversion of a format that the compiler has checked. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	(void)vsnprintf(text, sizeof(text), spec, one);
#pragma GCC diagnostic pop
	va_end(one);
	skip_argument(spec, args);
	buffer_add(b, text, strlen(text));
}

static void add_formatted(struct buffer *b, const char *format, va_list *args)
{
	enum { ROOM = 16 };
	char spec[ROOM];

	for (const char *at = format; *at != '\0';) {
		size_t plain = strcspn(at, "%"), n;

		buffer_add(b, at, plain);
		at += plain;
		if (*at == '\0')
			break;
		n = 2 + strcspn(at + 1, "%sduxcgfe");
		assert(n < sizeof(spec));
		memcpy(spec, at, n);
		spec[n] = '\0';
		at += n;
		if (spec[n - 1] == '%')
			buffer_add(b, "%", 1);
		else if (spec[n - 1] == 's')
			add_string(b, spec, args);
		else
			add_conversion(b, spec, args);
	}
}

void html_printf(struct buffer *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_formatted(b, format, &args);
	va_end(args);
}

/* ---- tables -------------------------------------------------------------- */

/* An empty heading is no heading. */
static void add_head(struct buffer *b, bool number, const char *text, size_t n)
{
	if (n == 0)
		buffer_printf(b, "<td></td>");
	else
		html_printf(b,
			    number ? "<th scope=\"col\" class=\"n\">%.*s</th>"
				   : "<th scope=\"col\">%.*s</th>",
			    (int)n, text);
}

void html_head(struct buffer *b, bool number, const char *text)
{
	add_head(b, number, text, strlen(text));
}

/* Up to the first row, without the end of the headings. */
static void begin_table(struct buffer *b, const char *heads,
			const char *caption, va_list *args)
{
	buffer_printf(b, "<div class=\"box\"><table><caption>");
	add_formatted(b, caption, args);
	buffer_printf(b, "</caption><thead><tr>");
	for (const char *at = heads; *at != '\0';) {
		size_t n = strcspn(at, "|");
		bool number = *at == '#';

		add_head(b, number, at + number, n - number);
		at += n + (at[n] == '|');
	}
}

void html_heads_begin(struct buffer *b, const char *heads, const char *caption,
		      ...)
{
	va_list args;

	va_start(args, caption);
	begin_table(b, heads, caption, &args);
	va_end(args);
}

void html_heads_end(struct buffer *b)
{
	buffer_printf(b, "</tr></thead><tbody>\n");
}

void html_table_begin(struct buffer *b, const char *heads, const char *caption,
		      ...)
{
	va_list args;

	va_start(args, caption);
	begin_table(b, heads, caption, &args);
	va_end(args);
	html_heads_end(b);
}

void html_table_end(struct buffer *b)
{
	buffer_printf(b, "</tbody></table></div>\n");
}

void html_json(struct buffer *b, const char *s)
{
	json_add_escaped(b, s, "\"\\<>&");
}

/* ---- numbers ------------------------------------------------------------- */

/* Bounds within this relative distance are one value with its uncertainty. */
static const double one_value = 0.05;

/* Three digits, and whole numbers in full. */
static int add_number(char *ret, size_t room, double value)
{
	enum { THREE_DIGITS = 1000 };

	if (!isfinite(value))
		return snprintf(ret, room, "?");
	return snprintf(ret, room, fabs(value) < THREE_DIGITS ? "%.3g" : "%.0f",
			value);
}

struct html_span html_cycles(double low, double high)
{
	bool one = isfinite(high - low) ? high - low <= one_value * fabs(high)
					: !isfinite(low) && !isfinite(high);
	struct html_span s;
	size_t n, room = sizeof(s.text);

	n = (size_t)add_number(s.text, room, one ? (low + high) / 2 : low);
	if (!one) {
		n += (size_t)snprintf(s.text + n, room - n, "\xe2\x80\x93");
		(void)add_number(s.text + n, room - n, high);
	}
	return s;
}

unsigned html_heat(double cycles)
{
	enum { MOST = HTML_HEAT - 1 };
	/* What is measured as 0.99 has the colour of 1. */
	double step =
		cycles > 0 ? floor(log2(cycles * (1 + one_value))) + 1 : 0;

	return step < 1 ? 0 : step > MOST ? MOST : (unsigned)step;
}

/* ---- pages --------------------------------------------------------------- */

void html_begin(struct buffer *b, const struct html_page *p)
{
	buffer_printf(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			 "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
			 "content=\"width=device-width,initial-scale=1\">\n"
			 "<meta name=\"color-scheme\" content=\"light dark\">\n"
			 "<title>");
	html_text(b, p->title);
	if (p->site) {
		buffer_printf(b, " \xc2\xb7 ");
		html_text(b, p->site);
	}
	/* The empty icon: a browser asks for one otherwise. */
	buffer_printf(b, "</title>\n<link rel=\"icon\" href=\"data:,\">\n");
	if (p->root)
		buffer_printf(b,
			      "<link rel=\"stylesheet\" href=\"%ssite.css\">"
			      "\n",
			      p->root);
	else
		buffer_printf(b, "<style>\n%s</style>\n", html_style);
	buffer_printf(b,
		      "%s</head>\n<body>\n<a class=\"skip\" href=\"#main\">"
		      "Skip to content</a>\n",
		      p->head ? p->head : "");
	if (p->root && p->site) {
		buffer_printf(b,
			      "<header><nav aria-label=\"Site\"><a class="
			      "\"home\" href=\"%sindex.html\">",
			      p->root);
		html_text(b, p->site);
		buffer_printf(b,
			      "</a><a href=\"%scores.html\">Cores</a>"
			      "<a href=\"%slist.html\">All forms</a></nav>"
			      "</header>\n",
			      p->root, p->root);
	}
	buffer_printf(b, "<main id=\"main\">\n<h1>");
	html_text(b, p->title);
	buffer_printf(b, "</h1>\n");
}

void html_end(struct buffer *b, const char *footer)
{
	buffer_printf(b, "</main>\n<footer>");
	html_text(b, footer);
	buffer_printf(b, "</footer>\n</body>\n</html>\n");
}
