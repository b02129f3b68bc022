/* HTML pages; see html.h. */
#include "host/html/html.h"

#include <math.h>
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

void html_url(struct buffer *b, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/,=";

	for (; *s != '\0'; s++)
		if (strchr(plain, *s))
			buffer_add(b, s, 1);
		else
			buffer_printf(b, "%%%02X", (unsigned char)*s);
}

void html_json(struct buffer *b, const char *s)
{
	json_add_escaped(b, s, "\"\\<>&");
}

/* ---- numbers ------------------------------------------------------------- */

/* Bounds within this relative distance are one value with its uncertainty. */
static const double one_value = 0.05;

/* Three digits, and whole numbers in full. */
static void add_number(struct buffer *b, double value)
{
	enum { THREE_DIGITS = 1000 };

	if (!isfinite(value)) {
		buffer_printf(b, "?");
		return;
	}
	buffer_printf(b, fabs(value) < THREE_DIGITS ? "%.3g" : "%.0f", value);
}

void html_cycles(struct buffer *b, double low, double high)
{
	bool one = isfinite(high - low) ? high - low <= one_value * fabs(high)
					: !isfinite(low) && !isfinite(high);

	if (one) {
		add_number(b, (low + high) / 2);
		return;
	}
	add_number(b, low);
	buffer_printf(b, "\xe2\x80\x93");
	add_number(b, high);
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
