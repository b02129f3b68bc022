/* Reads measured and predicted cycles of loops; see inner.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/site/inner.h"

enum { MAX_FILE = 1 << 26 };

enum column { FILE_NAME, CPU, LOOP, MEASURED, PREDICTED, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {
	"file", "cpu", "loop", "measured", "predicted",
};

/* A column of words, which may be missing. */
static const char limit_name[] = "limit";

struct loops_reader {
	struct site *s;
	struct csv csv;
	size_t columns[N_COLUMNS];
	size_t limit; /* its column; SIZE_MAX: none */
	size_t n_tools, tools[SITE_MAX_TOOLS];
	const char *tool_names[SITE_MAX_TOOLS];
	struct site_loops *sets[SITE_MAX_CORES]; /* of this file, by core */
	struct buffer lists[SITE_MAX_CORES];     /* struct site_loop */
};

static const char *part_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The core that a record is about: by its file's name, else its CPU. */
static int find_core(const struct loops_reader *r, size_t *ret)
{
	const char *file = r->csv.fields[r->columns[FILE_NAME]];
	const char *cpu = r->csv.fields[r->columns[CPU]];
	size_t n = 0;

	for (size_t i = 0; i < r->s->n_cores; i++) {
		const struct site_core *c = &r->s->cores[i];
		bool same = *file ? strcmp(part_of_path(c->path),
					   part_of_path(file)) == 0
				  : c->store == NULL;

		if (!same || strcmp(c->cpu, cpu) != 0)
			continue;
		*ret = i;
		n++;
	}
	if (n == 1)
		return ERR_OK;
	return err_set(r->csv.e, ERR_INPUT,
		       "%s:%zu: %s core of this site is %.80s of the file "
		       "'%.80s'",
		       r->csv.path, r->csv.first_line,
		       n == 0 ? "no" : "more than one", cpu, file);
}

/* Cycles; with `may_miss` an empty field is 0. */
static int read_cycles(const struct loops_reader *r, size_t column,
		       bool may_miss, double *ret)
{
	static const double least = 1e-3, most = 1e9;
	const char *text = r->csv.fields[column];
	char *end;

	*ret = 0;
	if (may_miss && *text == '\0')
		return ERR_OK;
	*ret = strtod(text, &end);
	if (end == text || *end != '\0' || !(*ret >= least && *ret <= most))
		return err_set(r->csv.e, ERR_INPUT,
			       "%s:%zu: expected cycles such as 2.5, not "
			       " '%.80s'",
			       r->csv.path, r->csv.first_line, text);
	return ERR_OK;
}

static int add_loop(struct loops_reader *r)
{
	struct site_loop x = {
		.name = r->csv.fields[r->columns[LOOP]],
		.limit = r->limit == SIZE_MAX ? "" : r->csv.fields[r->limit],
	};
	size_t core = 0;

	if (find_core(r, &core) != ERR_OK ||
	    read_cycles(r, r->columns[MEASURED], false, &x.measured) !=
		    ERR_OK ||
	    read_cycles(r, r->columns[PREDICTED], false, &x.predicted) !=
		    ERR_OK)
		return r->csv.e->code;
	for (size_t i = 0; i < r->n_tools; i++)
		if (read_cycles(r, r->tools[i], true, &x.tools[i]) != ERR_OK)
			return r->csv.e->code;
	buffer_add(&r->lists[core], &x, sizeof(x));
	return ERR_OK;
}

static bool is_known(const struct loops_reader *r, size_t column)
{
	for (size_t k = 0; k < N_COLUMNS; k++)
		if (r->columns[k] == column)
			return true;
	return false;
}

static int read_header(struct loops_reader *r)
{
	if (csv_header(&r->csv, column_names, N_COLUMNS, r->columns) != ERR_OK)
		return r->csv.e->code;
	for (size_t i = 0; i < r->csv.width; i++) {
		if (is_known(r, i))
			continue;
		if (strcmp(r->csv.fields[i], limit_name) == 0) {
			r->limit = i;
			continue;
		}
		if (r->n_tools == SITE_MAX_TOOLS)
			return csv_bad(&r->csv, "at most four columns of other "
						"programs");
		r->tool_names[r->n_tools] = r->csv.fields[i];
		r->tools[r->n_tools++] = i;
	}
	return ERR_OK;
}

static int read_rows(struct loops_reader *r)
{
	bool more;

	if (read_header(r) != ERR_OK)
		return r->csv.e->code;
	for (;;)
		if (csv_next(&r->csv, &more) != ERR_OK || !more ||
		    add_loop(r) != ERR_OK)
			return r->csv.e->code;
}

static void keep_set(struct loops_reader *r, size_t core)
{
	struct arena *a = &r->s->a;
	struct site_core *c = &r->s->cores[core];
	struct site_loops *set = ARENA_NEW(a, struct site_loops);

	set->path = part_of_path(r->csv.path);
	set->n_tools = r->n_tools;
	memcpy(set->tools, r->tool_names, sizeof(set->tools));
	set->list = buffer_take_list(a, &r->lists[core],
				     sizeof(struct site_loop), &set->n);
	set->next = c->loops;
	c->loops = set;
}

int site_read_loops(struct site *s, const char *path, struct err *e)
{
	struct loops_reader r = { .s = s, .limit = SIZE_MAX };
	unsigned char *bytes;
	size_t n;

	if (file_read(&s->a, path, MAX_FILE, &bytes, &n, e) != ERR_OK)
		return e->code;
	csv_begin(&r.csv, &s->a, path, (const char *)bytes, n, e);
	(void)read_rows(&r);
	for (size_t i = 0; i < s->n_cores; i++) {
		if (e->code == ERR_OK && r.lists[i].n > 0)
			keep_set(&r, i);
		buffer_free(&r.lists[i]);
	}
	return e->code;
}
