/* JSON reader; see json.h. */
#include "host/base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool json_bad(struct json *j, const char *expected)
{
	(void)err_set(j->e, ERR_INPUT, "%s:%zu: expected %s", j->path, j->line,
		      expected);
	return false;
}

/* First character of the next value; '\0' at the end of the text. */
static char json_peek(struct json *j)
{
	for (; j->at < j->end && (*j->at == ' ' || *j->at == '\n' ||
				  *j->at == '\t' || *j->at == '\r');
	     j->at++)
		j->line += *j->at == '\n';
	return j->at < j->end ? *j->at : '\0';
}

static bool is_good(const struct json *j)
{
	return j->e->code == ERR_OK;
}

bool json_open(struct json *j, char open)
{
	if (!is_good(j))
		return false;
	if (json_peek(j) != open)
		return json_bad(j, open == '{' ? "an object {...}"
					       : "a list [...]");
	j->at++;
	return true;
}

bool json_next(struct json *j, char open, bool *first)
{
	const char close = open == '{' ? '}' : ']';
	bool was_first = *first;
	char c;

	if (!is_good(j))
		return false;
	*first = false;
	c = json_peek(j);
	if (c == close) {
		j->at++;
		return false;
	}
	if (was_first)
		return true;
	if (c != ',')
		return json_bad(j,
				open == '{' ? "a comma or }" : "a comma or ]");
	j->at++;
	return true;
}

static bool hex4(struct json *j, uint32_t *ret)
{
	uint32_t n = 0;

	if (j->end - j->at < 4)
		return json_bad(j, "four hex digits");
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		char c = *j->at++;
		const char *at =
			c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c)
			  : NULL;

		if (!at)
			return json_bad(j, "four hex digits");
		n = n << 4 | (uint32_t)(at - digits);
	}
	*ret = n;
	return true;
}

static void add_utf8(struct buffer *b, uint32_t c)
{
	const unsigned char tail[] = {
		(unsigned char)(0x80 | (c >> 12 & 0x3f)),
		(unsigned char)(0x80 | (c >> 6 & 0x3f)),
		(unsigned char)(0x80 | (c & 0x3f)),
	};
	static const struct {
		uint32_t limit;
		unsigned char mark, shift, n;
	} rows[] = {
		{ 0x80, 0, 0, 0 },
		{ 0x800, 0xc0, 6, 1 },
		{ 0x10000, 0xe0, 12, 2 },
		{ 0x110000, 0xf0, 18, 3 },
	};
	size_t i = 0;

	while (c >= rows[i].limit)
		i++;

	unsigned char head = (unsigned char)(rows[i].mark | c >> rows[i].shift);

	buffer_add(b, &head, 1);
	buffer_add(b, tail + 3 - rows[i].n, rows[i].n);
}

/* Read the digits after "\u". */
static bool read_unicode(struct json *j, struct buffer *b)
{
	uint32_t c, low;

	if (!hex4(j, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00) {
		if (j->end - j->at < 6 || j->at[0] != '\\' || j->at[1] != 'u')
			return json_bad(j,
					"the second half of a surrogate pair");
		j->at += 2;
		if (!hex4(j, &low))
			return false;
		if (low < 0xdc00 || low > 0xdfff)
			return json_bad(j,
					"the second half of a surrogate pair");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	} else if (c == 0 || (c >= 0xdc00 && c < 0xe000)) {
		return json_bad(j, "a character other than NUL and half a "
				   "surrogate pair");
	}
	add_utf8(b, c);
	return true;
}

static bool read_escape(struct json *j, struct buffer *b)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meaning[] = "\"\\/\b\f\n\r\t";
	char c = j->at < j->end ? *j->at++ : '\0';
	const char *at = c ? strchr(letters, c) : NULL;

	if (c == 'u')
		return read_unicode(j, b);
	if (!at)
		return json_bad(j, "a JSON escape sequence");
	buffer_add(b, meaning + (at - letters), 1);
	return true;
}

/* Skip plain text; return the first other character. */
static const char *skip_plain(const char *at, const char *end)
{
	while (at < end && *at != '"' && *at != '\\' &&
	       (unsigned char)*at >= ' ')
		at++;
	return at;
}

/* Read up to the closing quote and skip it. */
static bool read_text(struct json *j, struct buffer *b)
{
	while (j->at < j->end) {
		const char *from = j->at;

		j->at = skip_plain(j->at, j->end);
		buffer_add(b, from, (size_t)(j->at - from));
		if (j->at == j->end || (unsigned char)*j->at < ' ')
			break;
		if (*j->at++ == '"')
			return true;
		if (!read_escape(j, b))
			return false;
	}
	return json_bad(j, "a closing quote");
}

bool json_string(struct json *j, const char **ret)
{
	struct buffer b = { 0 };
	bool ok;

	if (!is_good(j))
		return false;
	if (json_peek(j) != '"')
		return json_bad(j, "a string");
	j->at++;

	/* Fast path: most strings have no escape. */
	const char *from = j->at, *to = skip_plain(from, j->end);

	if (to < j->end && *to == '"') {
		char *copy = arena_alloc(j->a, (size_t)(to - from) + 1, 1);

		memcpy(copy, from, (size_t)(to - from));
		*ret = copy;
		j->at = to + 1;
		return true;
	}
	ok = read_text(j, &b);
	if (ok)
		*ret = buffer_take(j->a, &b);
	buffer_free(&b);
	return ok;
}

bool json_key(struct json *j, const char **ret)
{
	if (!json_string(j, ret))
		return false;
	if (json_peek(j) != ':')
		return json_bad(j, "a colon");
	j->at++;
	return true;
}

/* Skip digits; false if there are none. */
static bool skip_digits(const char **at, const char *end)
{
	const char *from = *at;

	while (*at < end && **at >= '0' && **at <= '9')
		(*at)++;
	return *at > from;
}

/* The grammar of RFC 8259, section 6; strtod() accepts more. */
static bool is_number(const char *at, const char *end)
{
	if (at < end && *at == '-')
		at++;
	if (at + 1 < end && at[0] == '0' && at[1] >= '0' && at[1] <= '9')
		return false;
	if (!skip_digits(&at, end))
		return false;
	if (at < end && *at == '.') {
		at++;
		if (!skip_digits(&at, end))
			return false;
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		at++;
		if (at < end && (*at == '+' || *at == '-'))
			at++;
		if (!skip_digits(&at, end))
			return false;
	}
	return at == end;
}

bool json_number(struct json *j, double *ret)
{
	enum { ROOM = 64 };
	char text[ROOM];
	const char *from;
	double value;

	if (!is_good(j))
		return false;
	(void)json_peek(j);
	from = j->at;
	while (j->at < j->end &&
	       ((*j->at >= '0' && *j->at <= '9') || *j->at == '.' ||
		*j->at == '-' || *j->at == '+' || (*j->at | 32) == 'e'))
		j->at++;
	if (j->at - from >= ROOM || !is_number(from, j->at))
		return json_bad(j, "a number");
	memcpy(text, from, (size_t)(j->at - from));
	text[j->at - from] = '\0';
	/* Fast path: most numbers have one digit. */
	value = j->at - from == 1 ? *from - '0' : strtod(text, NULL);
	if (!isfinite(value))
		return json_bad(j, "a number that a double can hold");
	*ret = value;
	return true;
}

static bool take_word(struct json *j, const char *word)
{
	size_t n = strlen(word);

	(void)json_peek(j);
	if ((size_t)(j->end - j->at) < n || memcmp(j->at, word, n) != 0)
		return false;
	j->at += n;
	return true;
}

bool json_bool(struct json *j, bool *ret)
{
	if (!is_good(j))
		return false;
	*ret = take_word(j, "true");
	return *ret || take_word(j, "false") || json_bad(j, "true or false");
}

bool json_null(struct json *j)
{
	return is_good(j) && take_word(j, "null");
}

static bool skip_scalar(struct json *j)
{
	struct buffer b = { 0 };
	double number;
	bool flag, ok;

	switch (json_peek(j)) {
	case '"':
		j->at = skip_plain(j->at + 1, j->end);
		if (j->at < j->end && *j->at == '"') {
			j->at++;
			return true;
		}
		ok = read_text(j, &b);
		buffer_free(&b);
		return ok;
	case 't':
	case 'f':
		return json_bool(j, &flag);
	case 'n':
		return json_null(j) || json_bad(j, "a value");
	default:
		return json_number(j, &number);
	}
}

bool json_skip(struct json *j)
{
	size_t depth = 0;

	/* Finds the end of the value without checking its punctuation. */
	do {
		char c = json_peek(j);

		if (!is_good(j))
			return false;
		if (c == '[' || c == '{') {
			depth++;
			j->at++;
		} else if (depth > 0 && (c == ']' || c == '}')) {
			depth--;
			j->at++;
		} else if (depth > 0 && (c == ',' || c == ':')) {
			j->at++;
		} else if (!skip_scalar(j)) {
			return false;
		}
	} while (depth > 0);
	return true;
}

bool json_end(struct json *j)
{
	return is_good(j) && (json_peek(j) == '\0' && j->at == j->end
				      ? true
				      : json_bad(j, "the end of the file"));
}

/* ---- writing ------------------------------------------------------------- */

size_t utf8_size(const unsigned char *s, size_t n)
{
	unsigned char c = s[0];
	size_t size = c < 0x80                ? 1
		      : c >= 0xc2 && c < 0xe0 ? 2
		      : c >= 0xe0 && c < 0xf0 ? 3
		      : c >= 0xf0 && c < 0xf5 ? 4
					      : 0;

	if (size == 0 || size > n)
		return 0;
	for (size_t i = 1; i < size; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 && s[1] < 0xa0) || (c == 0xed && s[1] > 0x9f) ||
	    (c == 0xf0 && s[1] < 0x90) || (c == 0xf4 && s[1] > 0x8f))
		return 0;
	return size;
}

void json_add_escaped(struct buffer *b, const char *text, const char *further)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t n = strlen(text), size;

	buffer_add(b, "\"", 1);
	for (size_t i = 0; i < n; i += size) {
		size = utf8_size(at + i, n - i);
		if (size == 0) {
			buffer_printf(b, "\\ufffd");
			size = 1;
		} else if (at[i] < ' ' || at[i] == 0x7f ||
			   strchr(further, text[i])) {
			buffer_printf(b, "\\u%04x", at[i]);
		} else if (at[i] == '"' || at[i] == '\\') {
			buffer_printf(b, "\\%c", at[i]);
		} else {
			buffer_add(b, at + i, size);
		}
	}
	buffer_add(b, "\"", 1);
}

void json_add_string(struct buffer *b, const char *text)
{
	json_add_escaped(b, text, "");
}
