/* Compares an exported CSV with the truth about an invented core.
 *
 *	check FILE.csv FILE.expect
 *
 * A line of the expectation is
 *
 *	FORM KIND SOURCE DESTINATION VALUE TOLERANCE VERDICT
 *
 * the first four and the last extended regular expressions for whole fields
 * ("-" for an empty one), VALUE a number, "none" (no value may be published),
 * or "slots/N": SOURCE and DESTINATION together by N, at least 1, without the
 * branch, which takes no port of an invented core.  Every row of the CSV must match a line, the first that matches
 * counts, and every line must match a row.  The published interval must hold
 * the value, but for the CSV's six digits; that of a row with verdict "ok"
 * must be no wider than TOLERANCE on either side. */
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/types.h"
#include "host/base/arena.h"
#include "host/base/file.h"

enum {
	N_FIELDS = 7,
	MAX_LINES = 1000,
	LIMIT = 64 << 20,
	MAX_COMPLAINTS = 20,
};

/* The rounding error of six digits. */
static const double digits = 1e-5;

/* Columns of `anechoic export --format csv`. */
enum column {
	ISA,
	FORM,
	KIND,
	SOURCE,
	DESTINATION,
	LOW,
	HIGH,
	RESIDUAL,
	VISITS,
	VERDICT,
	BOARD,
	RUN,
	VALUES,
	N_COLUMNS,
};

struct line {
	int number;
	regex_t form, kind, source, destination, verdict;
	bool none;
	double slots; /* of slots/N: N; 0: the value counts */
	double value, tolerance;
	size_t n_matched;
};

struct check {
	const char *csv, *expect;
	size_t n_lines;
	struct line lines[MAX_LINES];
	size_t n_rows, n_complaints;
};

PRINTF_LIKE(2, 3)
static void complain(struct check *c, const char *format, ...)
{
	va_list args;

	if (++c->n_complaints > MAX_COMPLAINTS)
		return;
	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
}

static bool compile(regex_t *r, const char *pattern)
{
	char whole[512];

	if (strcmp(pattern, "-") == 0)
		pattern = "";
	(void)snprintf(whole, sizeof(whole), "^(%s)$", pattern);
	return regcomp(r, whole, REG_EXTENDED | REG_NOSUB) == 0;
}

static bool matches(const regex_t *r, const char *text)
{
	return regexec(r, text, 0, NULL, 0) == 0;
}

static bool read_line(struct check *c, char *text, int number)
{
	struct line *l = &c->lines[c->n_lines];
	char *fields[N_FIELDS];
	size_t n = 0;
	char *save = NULL;

	for (char *word = strtok_r(text, " \t", &save); word && n < N_FIELDS;
	     word = strtok_r(NULL, " \t", &save))
		fields[n++] = word;
	if (n == 0 || fields[0][0] == '#')
		return true;
	*l = (struct line){ .number = number };
	if (c->n_lines == MAX_LINES || n != N_FIELDS ||
	    !compile(&l->form, fields[0]) || !compile(&l->kind, fields[1]) ||
	    !compile(&l->source, fields[2]) ||
	    !compile(&l->destination, fields[3]) ||
	    !compile(&l->verdict, fields[6])) {
		complain(c, "%s:%d: seven fields", c->expect, number);
		return false;
	}
	l->none = strcmp(fields[4], "none") == 0;
	if (strncmp(fields[4], "slots/", 6) == 0)
		l->slots = strtod(fields[4] + 6, NULL);
	l->value = strtod(fields[4], NULL);
	l->tolerance = strtod(fields[5], NULL);
	c->n_lines++;
	return true;
}

static struct line *find(struct check *c, char *const *row)
{
	for (size_t i = 0; i < c->n_lines; i++) {
		struct line *l = &c->lines[i];

		if (matches(&l->form, row[FORM]) &&
		    matches(&l->kind, row[KIND]) &&
		    matches(&l->source, row[SOURCE]) &&
		    matches(&l->destination, row[DESTINATION]))
			return l;
	}
	return NULL;
}

static double truth_of(const struct line *l, char *const *row)
{
	double slots =
		strtod(row[SOURCE], NULL) + strtod(row[DESTINATION], NULL) - 1;

	if (l->slots == 0)
		return l->value;
	return slots > l->slots ? slots / l->slots : 1;
}

static void check_value(struct check *c, const struct line *l, char *const *row)
{
	double truth = truth_of(l, row);
	char *end_low;
	char *end_high;
	double low = strtod(row[LOW], &end_low);
	double high = strtod(row[HIGH], &end_high);
	bool none = row[LOW][0] == '\0' && row[HIGH][0] == '\0';

	if (l->none != none)
		complain(c, "%s %s %s>%s: %s, %s was expected (line %d)",
			 row[FORM], row[KIND], row[SOURCE], row[DESTINATION],
			 none ? "no value" : row[LOW],
			 none ? "a value" : "none", l->number);
	if (l->none || none)
		return;
	if (*end_low || *end_high || low > high)
		complain(c, "%s %s: an interval, not '%s'..'%s'", row[FORM],
			 row[KIND], row[LOW], row[HIGH]);
	else if (truth < low * (1 - digits) || truth > high * (1 + digits))
		complain(c, "%s %s %s>%s: %s..%s, the truth is %g (line %d)",
			 row[FORM], row[KIND], row[SOURCE], row[DESTINATION],
			 row[LOW], row[HIGH], truth, l->number);
	else if (strcmp(row[VERDICT], "ok") == 0 &&
		 high - low > 2 * l->tolerance + digits)
		complain(c, "%s %s %s>%s: ok, but as wide as %s..%s", row[FORM],
			 row[KIND], row[SOURCE], row[DESTINATION], row[LOW],
			 row[HIGH]);
}

/* Cut the next field off a row; NULL after the last.  A quoted field may hold
 * commas, as names of vector forms do, but no quotes. */
static char *next_field(char **text)
{
	char *field = *text;
	char *end;

	if (!field || *field != '"')
		return strsep(text, ",");
	end = strchr(++field, '"');
	if (!end || (end[1] != ',' && end[1] != '\0'))
		return NULL;
	*text = end[1] == ',' ? end + 2 : NULL;
	*end = '\0';
	return field;
}

static void check_row(struct check *c, char *text)
{
	char *row[N_COLUMNS];
	size_t n = 0;
	struct line *l;

	for (char *field = next_field(&text); field && n < N_COLUMNS;
	     field = next_field(&text))
		row[n++] = field;
	if (n != N_COLUMNS) {
		complain(c, "%s: a row of %d columns", c->csv, N_COLUMNS);
		return;
	}
	c->n_rows++;
	l = find(c, row);
	if (!l) {
		complain(c, "%s %s %s>%s: not expected", row[FORM], row[KIND],
			 row[SOURCE], row[DESTINATION]);
		return;
	}
	l->n_matched++;
	if (!matches(&l->verdict, row[VERDICT]))
		complain(c, "%s %s %s>%s: verdict %s (line %d)", row[FORM],
			 row[KIND], row[SOURCE], row[DESTINATION], row[VERDICT],
			 l->number);
	check_value(c, l, row);
}

static bool run(struct check *c)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	unsigned char *csv;
	unsigned char *expect;
	size_t n;
	int number = 1;
	char *save;
	bool ok = true;

	if (file_read(&a, c->csv, LIMIT, &csv, &n, &e) != ERR_OK ||
	    file_read(&a, c->expect, LIMIT, &expect, &n, &e) != ERR_OK) {
		complain(c, "%s", e.message);
		arena_free(&a);
		return false;
	}
	save = (char *)expect;
	for (char *line = strsep(&save, "\n"); line && ok;
	     line = strsep(&save, "\n"))
		ok = read_line(c, line, number++);
	save = (char *)csv;
	(void)strsep(&save, "\n"); /* header */
	for (char *line = strsep(&save, "\n"); line && ok;
	     line = strsep(&save, "\n"))
		if (*line)
			check_row(c, line);
	for (size_t i = 0; i < c->n_lines && ok; i++)
		if (c->lines[i].n_matched == 0)
			complain(c, "%s:%d: a row that matches", c->expect,
				 c->lines[i].number);
	arena_free(&a);
	return ok && c->n_complaints == 0 && c->n_rows > 0;
}

int main(int argc, char **argv)
{
	static struct check c;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: check FILE.csv FILE.expect\n");
		return 2;
	}
	c.csv = argv[1];
	c.expect = argv[2];

	bool ok = run(&c);

	(void)printf("%zu rows, %zu wrong\n", c.n_rows, c.n_complaints);
	for (size_t i = 0; i < c.n_lines; i++) {
		struct line *l = &c.lines[i];

		regfree(&l->form);
		regfree(&l->kind);
		regfree(&l->source);
		regfree(&l->destination);
		regfree(&l->verdict);
	}
	return ok ? 0 : 1;
}
