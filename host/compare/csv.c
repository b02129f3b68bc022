/* Reference values as comma-separated values, RFC 4180; see compare.h.  Every
 * field is checked, and every message names its line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/compare/compare.h"

enum { MAX_FIELDS = 64, MAX_NAME = 200 };

enum column { FORM, VARIANT, KIND, SOURCE, DESTINATION, VALUE, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {
	"form", "variant", "kind", "source", "destination", "value",
};

struct reader {
	struct arena *a;
	const char *path;
	const char *at, *end;
	size_t line;       /* of `at`, from 1 */
	size_t first_line; /* of the record just read */
	const char *fields[MAX_FIELDS];
	size_t n_fields;
	size_t columns[N_COLUMNS]; /* place of each in a record */
	size_t width;              /* fields of the header */
	struct buffer rows;
	struct err *e;
};

static int bad(struct reader *r, const char *expected)
{
	return err_set(r->e, ERR_INPUT, "%s:%zu: expected %s", r->path,
		       r->first_line, expected);
}

static bool at_line_end(const struct reader *r)
{
	return r->at == r->end || *r->at == '\n' ||
	       (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

/* The rest of a field behind its opening quote. */
static int read_quoted(struct reader *r, struct buffer *text)
{
	for (;; r->at++) {
		if (r->at == r->end)
			return bad(r, "a closing quote");
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
		       : bad(r, "a comma or the line's end after a quote");
}

static int read_field(struct reader *r)
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
		ret = bad(r, "text without NUL bytes");
	if (ret == ERR_OK && r->n_fields == MAX_FIELDS)
		ret = bad(r, "at most 64 fields");
	buffer_add(&text, "", 1);
	if (ret == ERR_OK)
		r->fields[r->n_fields++] =
			arena_strdup(r->a, (const char *)text.bytes);
	buffer_free(&text);
	return ret;
}

/* The next record that is not a blank line; *ret_more false at the end. */
static int read_record(struct reader *r, bool *ret_more)
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

static int read_header(struct reader *r)
{
	bool more;

	if (read_record(r, &more) != ERR_OK)
		return r->e->code;
	for (int k = 0; k < N_COLUMNS; k++) {
		size_t n = 0;

		for (size_t i = 0; i < r->n_fields; i++)
			if (strcmp(r->fields[i], column_names[k]) == 0) {
				r->columns[k] = i;
				n++;
			}
		if (n != 1)
			return err_set(
				r->e, ERR_INPUT,
				"%s:%zu: the header must have one column %s; "
				"the columns are "
				"form,variant,kind,source,destination,value",
				r->path, r->first_line, column_names[k]);
	}
	r->width = r->n_fields;
	return ERR_OK;
}

static int read_values(struct reader *r, const char *text,
		       struct compare_row *row)
{
	static const char digits[] = "0123456789.eE+-";

	for (const char *at = text;; at++) {
		size_t n = strcspn(at, ";");
		char *end;
		double value = strtod(at, &end);

		if (n == 0 || strspn(at, digits) < n || end != at + n ||
		    !isfinite(value) || value < 0)
			return err_set(
				r->e, ERR_INPUT,
				"%s:%zu: a value must be cycles such as 1, "
				"0.25 or 1;2, not '%.80s'",
				r->path, r->first_line, text);
		if (row->n_values == COMPARE_MAX_VALUES)
			return bad(r, "at most 8 alternative values");
		row->values[row->n_values++] = value;
		at += n;
		if (*at == '\0')
			return ERR_OK;
	}
}

/* Addresses are sums of products elsewhere, r64+r64*8.  In our names a plus
 * sign joins the steps of an experiment, and a star ends a record. */
static void to_our_name(char *variant)
{
	for (char *at = variant; *at; at++) {
		if (*at == '+')
			*at = ',';
		if (*at == '*')
			*at = 'x';
	}
}

static int add_row(struct reader *r)
{
	const char *const *f = r->fields;
	const size_t *c = r->columns;
	struct compare_row row = { .line = r->first_line,
				   .kind = f[c[KIND]],
				   .source = f[c[SOURCE]],
				   .destination = f[c[DESTINATION]],
				   .verdict = "",
				   .label = "",
				   .detail = "" };
	bool latency = strcmp(row.kind, "latency") == 0;
	const char *name = f[c[FORM]];
	char *variant = arena_strdup(r->a, f[c[VARIANT]]);

	to_our_name(variant);
	if (*name == '\0' || strlen(name) > MAX_NAME ||
	    strlen(variant) > MAX_NAME)
		return bad(r, "the name of a form");
	if (!latency && strcmp(row.kind, "throughput") != 0)
		return bad(r, "latency or throughput as kind");
	if (latency != (*row.source != '\0') ||
	    latency != (*row.destination != '\0'))
		return bad(r,
			   "as source and destination operands of a latency, "
			   "empty for a throughput");
	row.form = *variant ? arena_printf(r->a, "%s%c%s", name,
					   COMPARE_VARIANT, variant)
			    : name;
	if (read_values(r, f[c[VALUE]], &row) != ERR_OK)
		return r->e->code;
	buffer_add(&r->rows, &row, sizeof(row));
	return ERR_OK;
}

static int read_rows(struct reader *r)
{
	bool more;

	if (read_header(r) != ERR_OK)
		return r->e->code;
	for (;;) {
		if (read_record(r, &more) != ERR_OK)
			return r->e->code;
		if (!more)
			return ERR_OK;
		if (r->n_fields != r->width)
			return err_set(
				r->e, ERR_INPUT,
				"%s:%zu: the header has %zu fields, this line "
				"%zu",
				r->path, r->first_line, r->width, r->n_fields);
		if (add_row(r) != ERR_OK)
			return r->e->code;
	}
}

static int check_unique(struct reader *r, const struct compare_rows *rows)
{
	for (size_t i = 1; i < rows->n; i++) {
		const struct compare_row *x = &rows->list[i - 1];
		const struct compare_row *y = &rows->list[i];

		if (strcmp(x->form, y->form) == 0 &&
		    strcmp(x->kind, y->kind) == 0 &&
		    strcmp(x->source, y->source) == 0 &&
		    strcmp(x->destination, y->destination) == 0)
			return err_set(
				r->e, ERR_INPUT,
				"%s:%zu: %s %s is in line %zu as well", r->path,
				x->line > y->line ? x->line : y->line, x->form,
				x->kind, x->line > y->line ? y->line : x->line);
	}
	return ERR_OK;
}

int compare_read_csv(struct arena *a, const char *path, const char *text,
		     size_t n, struct compare_rows *ret, struct err *e)
{
	static const char mark[] =
		"\xef\xbb\xbf"; /* UTF-8's, of spreadsheets */
	size_t skip = n >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
	struct reader r = { .a = a,
			    .path = path,
			    .at = text + skip,
			    .end = text + n,
			    .line = 1,
			    .first_line = 1,
			    .e = e };
	struct compare_rows rows = { 0 };
	int code = read_rows(&r);

	if (code == ERR_OK) {
		rows.n = r.rows.n / sizeof(*rows.list);
		rows.list = arena_copy(a, r.rows.bytes, r.rows.n);
		compare_sort(&rows);
		code = check_unique(&r, &rows);
	}
	buffer_free(&r.rows);
	if (code == ERR_OK)
		*ret = rows;
	return code;
}
