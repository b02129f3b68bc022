/* HTML pages of one style: what the site and the reports of a loop share. */
#ifndef HTML_HTML_H
#define HTML_HTML_H

#include "host/base/file.h"

/* The style sheet. */
extern const char html_style[];

/* Append text as HTML shows it, also within a quoted attribute.  Bytes that are
 * not UTF-8 become U+FFFD, control characters blanks. */
void html_escape(struct buffer *b, const char *s, size_t n);
void html_text(struct buffer *b, const char *s);

/* Append HTML with what printf() would put in, each string of it as html_text()
 * has it.  Conversions: %s with or without a precision, %d, %u, %x, %c, %g, %f,
 * %e, with the lengths none, l and z. */
void html_printf(struct buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);

/* Begin a table in a box that scrolls by itself, up to its first row; and end
 * it.  `heads`: the headings, separated by '|'; "#" before one of numbers. */
void html_table_begin(struct buffer *b, const char *heads, const char *caption,
		      ...) PRINTF_LIKE(3, 4);
void html_table_end(struct buffer *b);
/* The same for headings that are not constant, which are added one by one. */
void html_heads_begin(struct buffer *b, const char *heads, const char *caption,
		      ...) PRINTF_LIKE(3, 4);
void html_head(struct buffer *b, bool number, const char *text);
void html_heads_end(struct buffer *b);

struct html_page {
	const char *title;
	const char *site; /* title of the whole site, linked; NULL: no link */
	/* From this page to the folder of the site: "" or "../"; NULL: the page
	 * stands alone and has the style in itself. */
	const char *root;
	const char *head; /* more elements of <head>, as HTML; NULL: none */
};

/* Append everything up to the main part of the page, which begins with its
 * title as heading; and everything behind the main part. */
void html_begin(struct buffer *b, const struct html_page *p);
void html_end(struct buffer *b, const char *footer);

/* Append a string of JSON or JavaScript.  It is safe inside of <script>: '<',
 * '>' and '&' are escaped, bytes that are not UTF-8 become U+FFFD. */
void html_json(struct buffer *b, const char *s);

/* Cycles: three significant digits; "a" or "a-b" with an en dash for an
 * interval that is wider than a twentieth of `high`; "?" for a bound that is
 * not finite. */
struct html_span {
	char text[640]; /* two numbers without exponents */
};
struct html_span html_cycles(double low, double high);

/* Colour class of a heat map for this many cycles: 0 below one cycle, then one
 * class for each doubling, up to HTML_HEAT - 1. */
enum { HTML_HEAT = 8 };
unsigned html_heat(double cycles);

#endif
