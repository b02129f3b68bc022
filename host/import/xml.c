/* Reading XML; see xml.h. */
#include "host/import/xml.h"

#include <string.h>

#include "host/base/file.h"

bool xml_bad(struct xml *x, const char *expected)
{
	(void)err_set(x->e, ERR_INPUT, "%s:%zu: %s", x->path, x->line,
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

static void step(struct xml *x, size_t n)
{
	for (; n > 0 && x->at < x->end; n--, x->at++)
		x->line += *x->at == '\n';
}

static bool starts(const struct xml *x, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(x->end - x->at) >= n && memcmp(x->at, text, n) == 0;
}

static void pass_blanks(struct xml *x)
{
	while (x->at < x->end && (*x->at == ' ' || *x->at == '\n' ||
				  *x->at == '\t' || *x->at == '\r'))
		step(x, 1);
}

/* Behind the next `text`. */
static bool pass(struct xml *x, const char *text)
{
	while (x->at < x->end && !starts(x, text))
		step(x, 1);
	if (x->at == x->end)
		return xml_bad(x, "the end of what was begun");
	step(x, strlen(text));
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
		if (starts(x, rows[i].name)) {
			buffer_add(b, &rows[i].c, 1);
			step(x, strlen(rows[i].name));
			return true;
		}
	return xml_bad(x, "&amp; &lt; &gt; &quot; or &apos;");
}

/* Between quotes. */
static const char *read_value(struct xml *x)
{
	struct buffer b = { 0 };
	const char quote = x->at < x->end ? *x->at : '\0';
	const char *value = NULL;

	if (quote != '"' && quote != '\'') {
		(void)xml_bad(x, "a value in quotes");
		return NULL;
	}
	step(x, 1);
	while (x->at < x->end && *x->at != quote && *x->at != '<' &&
	       *x->at != '\0') {
		if (*x->at != '&') {
			buffer_add(&b, x->at, 1);
			step(x, 1);
		} else if (!add_entity(x, &b)) {
			break;
		}
	}
	if (x->e->code == ERR_OK && x->at < x->end && *x->at == quote) {
		buffer_add(&b, "", 1);
		value = arena_strdup(x->a, (const char *)b.bytes);
		step(x, 1);
	} else {
		(void)xml_bad(x, "a closing quote");
	}
	buffer_free(&b);
	return value;
}

static bool read_attributes(struct xml *x, struct xml_tag *t)
{
	for (pass_blanks(x); x->at < x->end && is_name(*x->at);
	     pass_blanks(x)) {
		struct xml_attribute *a = &t->attributes[t->n];

		if (t->n == XML_MAX_ATTRIBUTES)
			return xml_bad(x, "at most 64 attributes");
		a->name = read_name(x);
		pass_blanks(x);
		if (!a->name || x->at == x->end || *x->at != '=')
			return xml_bad(x, "= behind the name of an attribute");
		if (xml_get(t, a->name))
			return xml_bad(x, "each attribute once");
		step(x, 1);
		pass_blanks(x);
		a->value = read_value(x);
		if (!a->value)
			return false;
		t->n++;
	}
	return true;
}

/* Keep the elements around in step with the tag. */
static bool nest(struct xml *x, const struct xml_tag *t)
{
	if (t->open && !t->close) {
		if (x->depth == XML_MAX_DEPTH)
			return xml_bad(x, "elements at most 32 deep");
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
	step(x, 1);
	if (x->at < x->end && *x->at == '/') {
		t->open = false;
		t->close = true;
		step(x, 1);
	}
	t->name = read_name(x);
	if (!t->name || !read_attributes(x, t))
		return false;
	if (t->open && x->at < x->end && *x->at == '/') {
		t->close = true;
		step(x, 1);
	}
	if (x->at == x->end || *x->at != '>')
		return xml_bad(x, "> at the end of a tag");
	step(x, 1);
	return nest(x, t);
}

bool xml_next(struct xml *x, struct xml_tag *ret)
{
	for (;;) {
		bool ok = true;

		if (x->e->code != ERR_OK)
			return false;
		while (x->at < x->end && *x->at != '<')
			step(x, 1);
		if (x->at == x->end)
			return x->depth > 0 &&
			       xml_bad(x, "the end of every element");
		if (starts(x, "<?"))
			ok = pass(x, "?>");
		else if (starts(x, "<!--"))
			ok = pass(x, "-->");
		else
			return read_tag(x, ret);
		if (!ok)
			return false;
	}
}
