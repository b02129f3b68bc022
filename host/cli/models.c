/* See models.h. */
#include "host/cli/models.h"

#include <stdio.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/store/store.h"

static const char cpu_mark[] = "cpu:", model_mark[] = "model:",
		  db_mark[] = "db:", db_end[] = ".db";

/* What follows a mark, or NULL. */
static const char *behind(const char *word, const char *mark)
{
	size_t n = strlen(mark);

	return strncmp(word, mark, n) == 0 && word[n] != '\0' ? word + n : NULL;
}

/* A missing database is reported as such. */
static bool is_database(const char *path)
{
	size_t n = strlen(path), k = strlen(db_end);

	return (n >= k && strcmp(path + n - k, db_end) == 0) ||
	       store_is_database(path);
}

int side_parse(const char *word, struct side *ret, struct err *e)
{
	const char *path = behind(word, model_mark);
	struct side s = { .cpu = behind(word, cpu_mark),
			  .db = behind(word, db_mark) };

	if (path && shipped_model(path, &path, e) != ERR_OK)
		return e->code;
	s.model = s.cpu || path;
	if (!s.cpu && !s.db) {
		path = path ? path : word;
		*(is_database(path) ? &s.db : &s.file) = path;
	}
	if (s.file && !s.model &&
	    import_is_model(s.file, &s.model, e) != ERR_OK)
		return e->code;
	*ret = s;
	return ERR_OK;
}

struct model_source side_source(const struct side *s, const char *isa,
				bool strict)
{
	return (struct model_source){ .db = s->db,
				      .file = s->file,
				      .cpu = s->cpu,
				      .isa = isa,
				      .strict = strict };
}

void models_report_entries(const struct model *m, bool always)
{
	if (m->n_skipped > 0)
		(void)fprintf(stderr,
			      "anechoic: %zu of %zu entries are left out; the "
			      "first: %s\n",
			      m->n_skipped, m->n_entries, m->skipped);
	else if (always && m->n_entries > 0)
		(void)fprintf(stderr, "anechoic: %zu entries, none left out\n",
			      m->n_entries);
	if (always && m->n_unused > 0)
		(void)fprintf(
			stderr,
			"anechoic: entries that stand for no form of %s: %zu "
			"of %zu%s\n",
			m->isa, m->n_unused, m->n_named,
			m->n_named > m->n_entries
				? ", those with several names once for each"
				: "");
}

int models_open_store(const char *db, const struct core_query *core,
		      struct store **ret, struct err *e)
{
	struct store *s;

	if (store_open_to_read(db, &s, e) != ERR_OK)
		return e->code;
	if (store_choose_core(s, core, e) == ERR_OK)
		*ret = s;
	else
		store_close(s);
	return e->code;
}

int models_catalogue(struct arena *a, const char *isa, const char *whose,
		     struct catalogue **ret, struct err *e)
{
	const struct isa *known = isa_find(isa);

	if (!known)
		return err_set(e, ERR_INPUT,
			       "%s an unknown instruction set '%s'", whose,
			       isa);
	return catalogue_load(a, known, NULL, ret, e);
}
