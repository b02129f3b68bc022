/* XML reader; see xml.h. */
#include "host/import/xml.h"

#include <string.h>

#include "host/base/file.h"

bool xml_bad(struct xml *x, const char *expected)
{
	(void)err_set(x->e, ERR_INPUT, "%s:%zu: expected %s", x->path, x->line,
		      expected);
	return false;
}

const char *xml_get(const struct xml_tag *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->attributes[i].name, name) == 0)
			return t->attributes[i].value;
	return NULL;
}

static void next_char(struct xml *x, size_t n)
{
	for (; n > 0 && x->at < x->end; n--, x->at++)
		x->line += *x->at == '\n';
}

static bool starts_with(const struct xml *x, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(x->end - x->at) >= n && memcmp(x->at, text, n) == 0;
}

static void skip_blanks(struct xml *x)
{
	while (x->at < x->end && (*x->at == ' ' || *x->at == '\n' ||
				  *x->at == '\t' || *x->at == '\r'))
		next_char(x, 1);
}

/* Skip past the next `text`. */
static bool skip_past(struct xml *x, const char *text)
{
	while (x->at < x->end && !starts_with(x, text))
		next_char(x, 1);
	if (x->at == x->end)
		return xml_bad(x, "the end of a comment or declaration");
	next_char(x, strlen(text));
	return true;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c != '\0' && strchr("_-.:", c)) ||
	       (unsigned char)c >= 0x80;
}

static const char *read_name(struct xml *x)
{
	const char *from = x->at;

	while (x->at < x->end && is_name(*x->at))
		x->at++;
	if (x->at == from) {
		(void)xml_bad(x, "a name");
		return NULL;
	}
	return arena_printf(x->a, "%.*s", (int)(x->at - from), from);
}

static bool add_entity(struct xml *x, struct buffer *b)
{
	static const struct {
		const char *name;
		char c;
	} rows[] = {
		{ "&amp;", '&' },  { "&lt;", '<' },    { "&gt;", '>' },
		{ "&quot;", '"' }, { "&apos;", '\'' },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (starts_with(x, rows[i].name)) {
			buffer_add(b, &rows[i].c, 1);
			next_char(x, strlen(rows[i].name));
			return true;
		}
	return xml_bad(x, "&amp; &lt; &gt; &quot; or &apos;");
}

/* Read a quoted value. */
static const char *read_value(struct xml *x)
{
	struct buffer b = { 0 };
	const char quote = x->at < x->end ? *x->at : '\0';
	const char *value = NULL;

	if (quote != '"' && quote != '\'') {
		(void)xml_bad(x, "a value in quotes");
		return NULL;
	}
	next_char(x, 1);
	while (x->at < x->end && *x->at != quote && *x->at != '<' &&
	       *x->at != '\0') {
		if (*x->at != '&') {
			buffer_add(&b, x->at, 1);
			next_char(x, 1);
		} else if (!add_entity(x, &b)) {
			break;
		}
	}
	if (x->e->code == ERR_OK && x->at < x->end && *x->at == quote) {
		buffer_add(&b, "", 1);
		value = arena_strdup(x->a, (const char *)b.bytes);
		next_char(x, 1);
	} else {
		(void)xml_bad(x, "a closing quote");
	}
	buffer_free(&b);
	return value;
}

static bool read_attributes(struct xml *x, struct xml_tag *t)
{
	for (skip_blanks(x); x->at < x->end && is_name(*x->at);
	     skip_blanks(x)) {
		struct xml_attribute *a = &t->attributes[t->n];

		if (t->n == XML_MAX_ATTRIBUTES)
			return xml_bad(x, "at most 64 attributes");
		a->name = read_name(x);
		skip_blanks(x);
		if (!a->name || x->at == x->end || *x->at != '=')
			return xml_bad(x, "= after the name of an attribute");
		if (xml_get(t, a->name))
			return xml_bad(x, "each attribute only once");
		next_char(x, 1);
		skip_blanks(x);
		a->value = read_value(x);
		if (!a->value)
			return false;
		t->n++;
	}
	return true;
}

/* Update the stack of open elements. */
static bool update_nesting(struct xml *x, const struct xml_tag *t)
{
	if (t->open && !t->close) {
		if (x->depth == XML_MAX_DEPTH)
			return xml_bad(x, "at most 32 nested elements");
		x->open[x->depth++] = t->name;
	}
	if (t->close && !t->open) {
		if (x->depth == 0 ||
		    strcmp(x->open[x->depth - 1], t->name) != 0)
			return xml_bad(x, "the end of the innermost element");
		x->depth--;
	}
	return true;
}

static bool read_tag(struct xml *x, struct xml_tag *t)
{
	*t = (struct xml_tag){ .open = true };
	next_char(x, 1);
	if (x->at < x->end && *x->at == '/') {
		t->open = false;
		t->close = true;
		next_char(x, 1);
	}
	t->name = read_name(x);
	if (!t->name || !read_attributes(x, t))
		return false;
	if (t->open && x->at < x->end && *x->at == '/') {
		t->close = true;
		next_char(x, 1);
	}
	if (x->at == x->end || *x->at != '>')
		return xml_bad(x, "> at the end of a tag");
	next_char(x, 1);
	return update_nesting(x, t);
}

bool xml_next(struct xml *x, struct xml_tag *ret)
{
	for (;;) {
		bool ok = true;

		if (x->e->code != ERR_OK)
			return false;
		while (x->at < x->end && *x->at != '<')
			next_char(x, 1);
		if (x->at == x->end)
			return x->depth > 0 &&
			       xml_bad(x, "an end tag for every element");
		if (starts_with(x, "<?"))
			ok = skip_past(x, "?>");
		else if (starts_with(x, "<!--"))
			ok = skip_past(x, "-->");
		else
			return read_tag(x, ret);
		if (!ok)
			return false;
	}
}
