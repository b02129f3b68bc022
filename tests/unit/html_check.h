/* Checks a page or a part of one: well formed, text escaped, no request of
 * anything, numbers of pictures finite. Plain C without a test library, so that
 * the fuzzer uses it too. */
#ifndef TESTS_HTML_CHECK_H
#define TESTS_HTML_CHECK_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_NAME = 32 }; /* bytes of a name */

struct html_check {
	const char *at, *end;
	char open[64][CHECK_NAME]; /* names of open elements */
	size_t n_open;
	const char *wrong; /* NULL: nothing so far */
};

static inline bool check_is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

static inline bool check_starts(const struct html_check *c, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(c->end - c->at) >= n && memcmp(c->at, word, n) == 0;
}

/* Bytes of a character of UTF-8, 0: none. */
static inline size_t check_character(const char *s, size_t n)
{
	const unsigned char *b = (const unsigned char *)s;
	size_t size = b[0] < 0x80   ? 1
		      : b[0] < 0xc2 ? 0
		      : b[0] < 0xe0 ? 2
		      : b[0] < 0xf0 ? 3
		      : b[0] < 0xf5 ? 4
				    : 0;

	if (size > n)
		return 0;
	for (size_t i = 1; i < size; i++)
		if ((b[i] & 0xc0) != 0x80)
			return 0;
	return size;
}

/* One character of text or of an attribute's value. */
static inline void check_text(struct html_check *c)
{
	static const char *const entities[] = { "&lt;", "&gt;", "&amp;",
						"&quot;", "&#39;" };
	unsigned char first = (unsigned char)*c->at;
	size_t size = check_character(c->at, (size_t)(c->end - c->at));

	if (first == '&') {
		for (size_t i = 0; i < 5; i++)
			if (check_starts(c, entities[i])) {
				c->at += strlen(entities[i]);
				return;
			}
		c->wrong = "an ampersand that is not escaped";
	} else if (first == '<' || first == '>') {
		c->wrong = "an angle bracket that is not escaped";
	} else if (size == 0) {
		c->wrong = "bytes that are not UTF-8";
	} else if ((first < ' ' && !strchr("\n\t", first)) || first == 0x7f) {
		c->wrong = "a control character";
	}
	c->at += size ? size : 1;
}

/* Letters of a name, in lower case. */
static inline void check_name(struct html_check *c, char name[CHECK_NAME])
{
	size_t n = 0;

	while (c->at < c->end && n < CHECK_NAME - 1 &&
	       (isalnum((unsigned char)*c->at) || *c->at == '-'))
		name[n++] = (char)tolower((unsigned char)*c->at++);
	name[n] = '\0';
	if (n == 0)
		c->wrong = "a tag or an attribute without a name";
}

static inline void check_value(struct html_check *c, const char *name,
			       const char *value, size_t n)
{
	static const char *const numbers[] = {
		"x",  "y",  "d", "width",   "height",
		"cx", "cy", "r", "viewbox", NULL,
	};
	static const char *const links[] = { "href", "src",   "action",
					     "data", "xlink", NULL };

	if (strncmp(name, "on", 2) == 0 || strcmp(name, "style") == 0)
		c->wrong = "an attribute with a program or a style";
	if (check_is_one_of(name, numbers))
		for (size_t i = 0; i < n; i++)
			if (!strchr("0123456789.eE+- MLCz", value[i]))
				c->wrong = "a number that is none";
	if (!check_is_one_of(name, links))
		return;
	if (n == 6 && memcmp(value, "data:,", 6) == 0)
		return; /* the empty icon */
	if ((n >= 2 && memcmp(value, "//", 2) == 0) || memchr(value, ':', n))
		c->wrong = "a link that leads away";
}

static inline void check_attribute(struct html_check *c)
{
	char name[CHECK_NAME];
	const char *value;

	check_name(c, name);
	if (c->at + 1 >= c->end || c->at[0] != '=' || c->at[1] != '"') {
		c->wrong = "an attribute without a quoted value";
		return;
	}
	value = c->at += 2;
	while (c->at < c->end && *c->at != '"' && !c->wrong)
		check_text(c);
	if (c->at == c->end)
		c->wrong = "an attribute without an end";
	if (c->wrong)
		return;
	check_value(c, name, value, (size_t)(c->at - value));
	c->at++;
}

static inline void check_end_tag(struct html_check *c)
{
	char name[CHECK_NAME];

	c->at += 2;
	check_name(c, name);
	if (c->n_open == 0 || strcmp(c->open[c->n_open - 1], name) != 0)
		c->wrong = "an end of what is not open";
	else if (c->at == c->end || *c->at++ != '>')
		c->wrong = "an end tag without an end";
	else
		c->n_open--;
}

static inline void check_tag(struct html_check *c)
{
	static const char *const empty[] = { "meta",  "link", "br",
					     "input", "wbr",  NULL };
	static const char *const loads[] = { "script", "img",   "iframe",
					     "object", "embed", "image",
					     "video",  "audio", "source",
					     "base",   "use",   NULL };
	char name[CHECK_NAME];

	c->at++;
	check_name(c, name);
	if (check_is_one_of(name, loads))
		c->wrong = "an element that loads or runs something";
	while (!c->wrong && c->at < c->end && *c->at != '>' && *c->at != '/') {
		while (c->at < c->end && *c->at == ' ')
			c->at++;
		check_attribute(c);
	}
	if (c->wrong)
		return;
	if (check_starts(c, "/>")) {
		c->at += 2;
		return;
	}
	if (c->at == c->end || *c->at++ != '>') {
		c->wrong = "a tag without an end";
		return;
	}
	if (check_is_one_of(name, empty))
		return;
	if (c->n_open == 64)
		c->wrong = "too many open elements";
	else
		memcpy(c->open[c->n_open++], name, CHECK_NAME);
}

/* NULL, or what is wrong with text[0..n). */
static inline const char *html_check(const char *text, size_t n)
{
	static const char doctype[] = "<!DOCTYPE html>";
	struct html_check c = { .at = text, .end = text + n };

	if (check_starts(&c, doctype))
		c.at += strlen(doctype);
	while (c.at < c.end && !c.wrong) {
		bool style = c.n_open > 0 &&
			     strcmp(c.open[c.n_open - 1], "style") == 0;

		if (check_starts(&c, "</"))
			check_end_tag(&c);
		else if (style && (check_starts(&c, "url(") ||
				   check_starts(&c, "@import")))
			c.wrong = "a style that loads something";
		else if (style && *c.at != '<')
			c.at++;
		else if (*c.at == '<')
			check_tag(&c);
		else
			check_text(&c);
	}
	if (!c.wrong && c.n_open > 0)
		c.wrong = "an element is open at the end";
	return c.wrong;
}

/* NULL, or what is wrong with text[0..n) as a string within a script. */
static inline const char *html_check_string(const char *text, size_t n)
{
	if (n < 2 || text[0] != '"' || text[n - 1] != '"')
		return "no quotes";
	for (size_t i = 1, size; i + 1 < n; i += size) {
		size = check_character(text + i, n - i);
		if (size == 0)
			return "bytes that are not UTF-8";
		if ((unsigned char)text[i] < ' ' || strchr("\"<>&", text[i]))
			return "a character that is not escaped";
		if (text[i] != '\\')
			continue;
		size = 6;
		if (i + size >= n || text[i + 1] != 'u')
			return "a broken escape";
		for (size_t k = 2; k < size; k++)
			if (!isxdigit((unsigned char)text[i + k]))
				return "a broken escape";
	}
	return NULL;
}

#endif
