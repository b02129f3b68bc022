/* Comma-separated values; see csv.h. */
#include "host/base/csv.h"

#include <string.h>

int csv_bad(const struct csv *r, const char *expected)
{
	return err_set(r->e, ERR_INPUT, "%s:%zu: expected %s", r->path,
		       r->first_line, expected);
}

static bool at_line_end(const struct csv *r)
{
	return r->at == r->end || *r->at == '\n' ||
	       (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

/* The rest of a field behind its opening quote. */
static int read_quoted(struct csv *r, struct buffer *text)
{
	for (;; r->at++) {
		if (r->at == r->end)
			return csv_bad(r, "a closing quote");
		if (*r->at == '"') {
			if (r->at + 1 == r->end || r->at[1] != '"')
				break;
			r->at++;
		}
		r->line += *r->at == '\n';
		buffer_add(text, r->at, 1);
	}
	r->at++;
	return at_line_end(r) || *r->at == ','
		       ? ERR_OK
		       : csv_bad(r, "a comma or the line's end after a quote");
}

static int read_field(struct csv *r)
{
	struct buffer text = { 0 };
	int ret = ERR_OK;

	if (r->at < r->end && *r->at == '"') {
		r->at++;
		ret = read_quoted(r, &text);
	} else {
		const char *from = r->at;

		while (!at_line_end(r) && *r->at != ',')
			r->at++;
		buffer_add(&text, from, (size_t)(r->at - from));
	}
	if (ret == ERR_OK && text.n && memchr(text.bytes, '\0', text.n))
		ret = csv_bad(r, "text without NUL bytes");
	if (ret == ERR_OK && r->n_fields == CSV_MAX_FIELDS)
		ret = csv_bad(r, "at most 64 fields");
	if (ret == ERR_OK)
		r->fields[r->n_fields++] = buffer_take(r->a, &text);
	buffer_free(&text);
	return ret;
}

/* The next record that is not a blank line; *ret_more false at the end. */
static int read_record(struct csv *r, bool *ret_more)
{
	while (r->at < r->end && at_line_end(r)) {
		r->line += *r->at == '\n';
		r->at++;
	}
	*ret_more = r->at < r->end;
	r->n_fields = 0;
	r->first_line = r->line;
	if (!*ret_more)
		return ERR_OK;
	for (;;) {
		if (read_field(r) != ERR_OK)
			return r->e->code;
		if (at_line_end(r))
			return ERR_OK;
		r->at++; /* the comma */
	}
}

void csv_begin(struct csv *r, struct arena *a, const char *path,
	       const char *text, size_t n, struct err *e)
{
	static const char mark[] =
		"\xef\xbb\xbf"; /* UTF-8's, of spreadsheets */
	size_t skip = n >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;

	*r = (struct csv){ .a = a,
			   .path = path,
			   .at = text + skip,
			   .end = text + n,
			   .line = 1,
			   .first_line = 1,
			   .e = e };
}

static int bad_header(struct csv *r, const char *const *names, size_t n,
		      const char *missing)
{
	struct buffer list = { 0 };

	for (size_t i = 0; i < n; i++)
		buffer_printf(&list, "%s%s", i > 0 ? "," : "", names[i]);
	(void)err_set(r->e, ERR_INPUT,
		      "%s:%zu: the header must have one column %s; the columns "
		      "are %s",
		      r->path, r->first_line, missing, buffer_text(&list));
	buffer_free(&list);
	return r->e->code;
}

int csv_header(struct csv *r, const char *const *names, size_t n,
	       size_t *places)
{
	bool more;

	if (read_record(r, &more) != ERR_OK)
		return r->e->code;
	for (size_t k = 0; k < n; k++) {
		size_t found = 0;

		for (size_t i = 0; i < r->n_fields; i++)
			if (strcmp(r->fields[i], names[k]) == 0) {
				places[k] = i;
				found++;
			}
		if (found != 1)
			return bad_header(r, names, n, names[k]);
	}
	r->width = r->n_fields;
	return ERR_OK;
}

int csv_next(struct csv *r, bool *ret_more)
{
	if (read_record(r, ret_more) != ERR_OK)
		return r->e->code;
	if (*ret_more && r->n_fields != r->width)
		return err_set(r->e, ERR_INPUT,
			       "%s:%zu: the header has %zu fields, this line "
			       "%zu",
			       r->path, r->first_line, r->width, r->n_fields);
	return ERR_OK;
}

void csv_add(struct buffer *b, const char *text)
{
	if (text[strcspn(text, "\",\r\n")] == '\0')
		buffer_add(b, text, strlen(text));
	else
		csv_add_quoted(b, text);
}

void csv_add_quoted(struct buffer *b, const char *text)
{
	buffer_add(b, "\"", 1);
	for (const char *at = text; *at != '\0'; at++)
		buffer_add(b, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
	buffer_add(b, "\"", 1);
}
