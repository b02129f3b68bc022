/* Reference values as comma-separated values, and WINIC's; see compare.h.
 * Every field is checked, and every message names its line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/base/file.h"
#include "host/codec/winic/read.h"
#include "host/compare/compare.h"

enum { MAX_NAME = 200 };

enum column { FORM, VARIANT, KIND, SOURCE, DESTINATION, VALUE, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {
	"form", "variant", "kind", "source", "destination", "value",
};

struct reader {
	struct csv csv;
	size_t columns[N_COLUMNS]; /* place of each in a record */
	struct buffer rows;
};

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
				r->csv.e, ERR_INPUT,
				"%s:%zu: a value must be cycles such as 1, "
				"0.25 or 1;2, not '%.80s'",
				r->csv.path, r->csv.first_line, text);
		if (row->n_values == COMPARE_MAX_VALUES)
			return csv_bad(&r->csv, "at most 8 alternative values");
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
	const char *const *f = r->csv.fields;
	const size_t *c = r->columns;
	struct compare_row row = { .line = r->csv.first_line,
				   .kind = f[c[KIND]],
				   .source = f[c[SOURCE]],
				   .destination = f[c[DESTINATION]],
				   .verdict = "",
				   .label = "",
				   .detail = "" };
	bool latency = strcmp(row.kind, "latency") == 0;
	const char *name = f[c[FORM]];
	char *variant = arena_strdup(r->csv.a, f[c[VARIANT]]);

	to_our_name(variant);
	if (*name == '\0' || strlen(name) > MAX_NAME ||
	    strlen(variant) > MAX_NAME)
		return csv_bad(&r->csv, "the name of a form");
	if (!latency && strcmp(row.kind, "throughput") != 0)
		return csv_bad(&r->csv, "latency or throughput as kind");
	if (latency != (*row.source != '\0') ||
	    latency != (*row.destination != '\0'))
		return csv_bad(
			&r->csv,
			"as source and destination operands of a latency, "
			"empty for a throughput");
	row.form = *variant ? arena_printf(r->csv.a, "%s%c%s", name,
					   COMPARE_VARIANT, variant)
			    : name;
	if (read_values(r, f[c[VALUE]], &row) != ERR_OK)
		return r->csv.e->code;
	buffer_add(&r->rows, &row, sizeof(row));
	return ERR_OK;
}

static int read_rows(struct reader *r)
{
	bool more;

	if (csv_header(&r->csv, column_names, N_COLUMNS, r->columns) != ERR_OK)
		return r->csv.e->code;
	for (;;)
		if (csv_next(&r->csv, &more) != ERR_OK || !more ||
		    add_row(r) != ERR_OK)
			return r->csv.e->code;
}

static int check_unique(struct reader *r, const struct compare_rows *rows)
{
	for (size_t i = 1; i < rows->n; i++) {
		const struct compare_row *x = &rows->list[i - 1];
		const struct compare_row *y = &rows->list[i];

		if (compare_key(x, y) == 0)
			return err_set(r->csv.e, ERR_INPUT,
				       "%s:%zu: %s %s is in line %zu as well",
				       r->csv.path,
				       x->line > y->line ? x->line : y->line,
				       x->form, x->kind,
				       x->line > y->line ? y->line : x->line);
	}
	return ERR_OK;
}

int compare_read_csv(struct arena *a, const char *path, const char *text,
		     size_t n, struct compare_rows *ret, struct err *e)
{
	struct reader r = { .rows = { 0 } };
	struct compare_rows rows = { 0 };
	int code;

	csv_begin(&r.csv, a, path, text, n, e);
	code = read_rows(&r);
	if (code == ERR_OK) {
		rows.list = buffer_take_list(a, &r.rows, sizeof(*rows.list),
					     &rows.n);
		compare_sort(&rows);
		code = check_unique(&r, &rows);
	}
	buffer_free(&r.rows);
	if (code == ERR_OK)
		*ret = rows;
	return code;
}

/* ---- WINIC --------------------------------------------------------------- */

/* Bounds of WINIC within this relative distance are one value with its
 * uncertainty. */
static const double one = 0.05;

int compare_read_winic(struct arena *a, const struct catalogue *c,
		       const struct import_text *t, struct compare_rows *ret,
		       struct skips *ret_skips, struct err *e)
{
	struct winic_values all;

	if (winic_read(a, c, t, ret_skips, &all, e) != ERR_OK)
		return e->code;
	ret->n = all.n;
	ret->list = ARENA_ARRAY(a, struct compare_row, all.n + 1);
	for (size_t i = 0; i < all.n; i++) {
		const struct winic_value *v = &all.list[i];
		struct compare_row r = {
			.form = v->form,
			.kind = v->kind,
			.source = v->source,
			.destination = v->destination,
			.values = { v->low, v->high },
			.n_values = v->known ? 2 : 0,
			.interval = true,
			.verdict = "",
			.label = "",
			.detail = "",
			.line = v->line,
		};

		if (v->known && v->high - v->low <= one * v->high) {
			r.values[0] = (v->low + v->high) / 2;
			r.n_values = 1;
			r.interval = false;
		}
		ret->list[i] = r;
	}
	compare_sort(ret);
	return ERR_OK;
}
